"""A model that is saved and loaded is the same; what cannot be saved is refused before anything is written."""

import os
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest

import bayesfold as bf
from bayesfold import store
from bayesfold.learning.trained import Step
from bayesfold.store import file

from .models import NAMES, classifier, rows_of, trained

# what is whole


@pytest.mark.parametrize("name", NAMES)
def test_a_model_comes_back_and_its_file_is_always_the_same(name, tmp_path):
    clf = classifier(name)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        clf.save(tmp_path / folder / "m.bayes", source="pets", date="2026-11-16")
    data = (tmp_path / "a" / "m.bayes").read_bytes()
    assert (tmp_path / "b" / "m.bayes").read_bytes() == data
    back = bf.load(tmp_path / "a" / "m.bayes")
    assert back.get_params().keys() == clf.get_params().keys()
    np.testing.assert_array_equal(back.predict_proba(rows_of(name)), clf.predict_proba(rows_of(name)))
    loaded = store.load(tmp_path / "a" / "m.bayes")
    assert loaded.history == (Step("save", loaded.rows, "pets", "2026-11-16"),)
    assert loaded.target == clf.model_.schema.target.name


@pytest.mark.slow
def test_the_same_bytes_in_another_process():
    code = (
        "from hashlib import sha256; from bayesfold.store import file; from tests.store.models import trained\n"
        "print(sha256(file.to_bytes(trained('aode'))).hexdigest())"
    )
    env = {**os.environ, "PYTHONHASHSEED": "7"}  # sets are in another order
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert said.stdout.strip() == sha256(file.to_bytes(trained("aode"))).hexdigest()


def test_a_checkpoint_keeps_more_beside_the_model(tmp_path):
    extra = {"position": 65_536, "files": ["a.csv", "b.csv"], "done": (1, 2.5), 3: np.arange(4)}
    store.save(trained("naive"), tmp_path / "m.bayes", extra=extra)
    found, back = store.load_with(tmp_path / "m.bayes")
    assert found.rows == 60
    assert back.pop(3).tolist() == extra.pop(3).tolist()
    assert back == extra


def test_loading_needs_no_scikit_learn_and_no_pandas(tmp_path):
    for name in ("bayes", "GaussianNB"):
        classifier(name).save(tmp_path / f"{name}.bayes")
    code = (
        "import sys; from bayesfold import store\n"
        f"for name in ('bayes', 'GaussianNB'): store.inspect(store.load({str(tmp_path)!r} + f'/{{name}}.bayes'))\n"
        "print([m for m in ('sklearn', 'pandas', 'scipy.stats', 'pickle5', 'torch') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


def test_what_was_noted_is_kept_until_the_model_is_learned_anew(tmp_path):
    path = tmp_path / "m.bayes"
    clf = bf.NaiveBayes().fit({"a": ["x", "y"] * 4}, [0, 1] * 4)
    clf.save(path, source="first", date="1")
    again = bf.load(path)
    again.partial_fit({"a": ["x"]}, [1]).save(path, source="second", date="2")
    assert store.load(path).history == (Step("save", 8, "first", "1"), Step("save", 9, "second", "2"))
    again.fit({"a": ["x", "y"]}, [0, 1]).save(path, date="3")
    assert store.load(path).history == (Step("save", 2, "", "3"),)


def test_a_loss_in_a_data_frame_is_kept_as_a_dict(tmp_path):
    pd = pytest.importorskip("pandas")
    loss = pd.DataFrame([[0, 5], [1, 0]], index=["n", "y"], columns=["n", "y"])
    X, y = {"a": ["u", "v", "v", "u", "v"]}, ["n", "y", "y", "y", "n"]
    for made in (bf.NaiveBayes(loss=loss), bf.GaussianNB(loss=loss)):
        X = X if isinstance(made, bf.NaiveBayes) else np.arange(5.0).reshape(-1, 1)
        clf = made.fit(X, y)
        clf.save(tmp_path / "m.bayes")
        back = bf.load(tmp_path / "m.bayes")
        assert back.loss == {"n": {"n": 0, "y": 5}, "y": {"n": 1, "y": 0}}
        assert back.predict(X).tolist() == clf.predict(X).tolist()


# what cannot be saved


class Mine(bf.families.categorical.Categorical):
    """A family of somebody's own."""


class MyBayes(bf.NaiveBayes):
    """A classifier of somebody's own."""


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (bf.NaiveBayes(families={"a": Mine()}), r"^families\['a'\] is Mine\(.*of the class .*Mine: a file holds text"),
        (
            bf.NaiveBayes(reject_label=len),
            "^reject_label is <built-in function len>, of the class builtins.b",
        ),
        (bf.NaiveBayes(missing=[2j]), r"^missing\[0\] is 2j, of the class builtins.complex.*; nothing was saved"),
        (MyBayes(), "MyBayes is a class of its own, which a file cannot name"),
    ],
    ids=["family", "function", "number", "class"],
)
def test_what_cannot_be_kept_is_refused_by_name_and_the_old_file_stays(made, words, tmp_path):
    clf = made.fit({"a": ["x", "y"] * 4, "b": [1.0, 2.0, 3.0, 4.5] * 2}, ["n", "y"] * 4)
    path = tmp_path / "m.bayes"
    path.write_bytes(b"old")
    with pytest.raises(TypeError, match=words):
        clf.save(path)
    assert os.listdir(tmp_path) == ["m.bayes"]
    assert path.read_bytes() == b"old"


def test_a_classifier_that_has_learned_nothing_is_not_saved(tmp_path):
    with pytest.raises(Exception, match="is not fitted yet"):
        bf.NaiveBayes().save(tmp_path / "m.bayes")
    assert not os.listdir(tmp_path)


def test_more_text_than_a_header_holds_is_refused(monkeypatch):
    monkeypatch.setattr(file, "MOST_HEADER", 1000)
    with pytest.raises(ValueError, match=r"take 0 MB, and a file has room for 0; leave out .* Nothing was saved"):
        file.to_bytes(trained("naive"))
