"""The settings of each kind, and the estimators that have them as parameters."""

import subprocess
import sys
from dataclasses import fields

import pytest

import bayesfold as bf
from bayesfold.frame import Frame
from bayesfold.kinds import find, name_of, names
from bayesfold.trained import train

TABLE = {"coat": ["short", "long", "short", "short"] * 5, "size": ["s", "s", "l", "l"] * 5}
LABELS = ["cat", "cat", "dog", "dog"] * 5


@pytest.mark.parametrize("name", names())
def test_an_estimator_has_the_settings_of_its_kind_as_parameters(name: str) -> None:
    settings = find(name)()
    estimator = getattr(bf, settings.estimator)()
    assert estimator.get_params(deep=False) == {f.name: getattr(settings, f.name) for f in fields(settings)}
    assert name_of(settings) == name


@pytest.mark.parametrize("name", names())
def test_a_kind_learns_what_its_estimator_learns(name: str) -> None:
    settings = find(name)()
    trained = train(settings, Frame.of(TABLE), LABELS, "pet")
    clf = getattr(bf, settings.estimator)().fit(TABLE, LABELS)
    assert (trained.log_proba(TABLE) == clf.predict_log_proba(TABLE)).all()
    trained.forget(TABLE, LABELS)
    assert trained.model_.class_counts().sum() == 0
    trained.learn(TABLE, LABELS)
    assert trained.model_.class_counts().tolist() == [10, 10]


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"there is no kind of model 'svm'; there are aode, bayes, .*tan"):
        find("svm")


def test_learning_does_not_load_scikit_learn() -> None:
    lines = "\n".join(["coat,size,pet", *map(",".join, zip(*TABLE.values(), LABELS, strict=True))])
    code = (
        "import io, sys, pyarrow.csv as csv; from bayesfold.engines.memory import frame\n"
        "from bayesfold.trained import find, train\n"
        f"table = csv.read_csv(io.BytesIO({lines!r}.encode()))\n"
        "X, y = frame(table.drop_columns('pet')), table['pet']\n"
        "train(find('bayes')(), X, y, 'pet').forget(X, y)\n"
        "print([m for m in ('sklearn', 'pandas', 'scipy.stats') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"
