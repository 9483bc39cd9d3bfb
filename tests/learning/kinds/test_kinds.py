"""The settings of each kind, and the estimators that have them as parameters."""

import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.estimators.base import Classifier
from bayesfold.estimators.contract import DropInClassifier
from bayesfold.learning.kinds import find, name_of, names
from bayesfold.learning.kinds._documentation import documented
from bayesfold.learning.trained import train

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
    elsewhere = trained.blank()
    elsewhere.learn(TABLE, LABELS)
    assert trained.merge(elsewhere).model_.class_counts().tolist() == [20, 20]
    assert trained.model_.class_counts().tolist() == [10, 10]


def test_models_of_different_things_do_not_merge() -> None:
    pets, beasts, aode = (
        train(find(kind)(), Frame.of(TABLE), LABELS, target)
        for kind, target in (("naive", "pet"), ("naive", "beast"), ("aode", "pet"))
    )
    for other, named in ((beasts, "a NaiveBayes of 'beast'"), (aode, "an? AODE of 'pet'")):
        with pytest.raises(ValueError, match=named):
            pets.merge(other)


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"there is no kind of model 'svm'; there are aode, bayes, .*tan"):
        find("svm")


def test_learning_does_not_load_scikit_learn() -> None:
    lines = "\n".join(["coat,size,pet", *map(",".join, zip(*TABLE.values(), LABELS, strict=True))])
    code = (
        "import io, sys, pyarrow.csv as csv; from bayesfold.data.tables import frame\n"
        "from bayesfold.learning.trained import find, train\n"
        f"table = csv.read_csv(io.BytesIO({lines!r}.encode()))\n"
        "X, y = frame(table.drop_columns('pet')), table['pet']\n"
        "train(find('bayes')(), X, y, 'pet').forget(X, y)\n"
        "print([m for m in ('sklearn', 'pandas', 'scipy.stats') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


EVERY = [n for n in bf.__all__ if isinstance(getattr(bf, n), type) and issubclass(getattr(bf, n), Classifier)]
DROP_INS = [n for n in EVERY if issubclass(getattr(bf, n), DropInClassifier)]


@pytest.mark.parametrize("name", EVERY)
def test_a_blank_model_learns_elsewhere_and_is_merged(name: str) -> None:
    draw = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], 20)
    X = draw.poisson(1 + (y[:, None] + np.arange(4)) % 3)
    first = getattr(bf, name)().fit(X[::2], y[::2])
    blank = first.blank()
    assert blank.model_.class_counts().sum() == 0
    assert (
        np.isfinite(blank.predict_log_proba(X)).all() or name in DROP_INS
    )  # scikit-learn's are impossible without rows
    second = blank.partial_fit(X[1::2], y[1::2], classes=[0, 1, 2] if name in DROP_INS else None)
    assert first.model_.class_counts().sum() == 30
    both, whole = first + second, first.partial_fit(X[1::2], y[1::2])
    np.testing.assert_allclose(both.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", names())
def test_every_parameter_is_documented_once_and_shown_by_its_estimator(name: str) -> None:
    estimator = getattr(bf, find(name).estimator)
    for parameter in documented(find(name)):
        assert parameter.kind, parameter.name
        assert len(parameter.text) > 10, parameter.name
        assert f"\n{parameter.name} : {parameter.kind}\n" in estimator.__doc__


def test_a_parameter_that_is_not_there_is_answered_with_the_nearest() -> None:
    with pytest.raises(TypeError, match=r"KDB has no parameter 'wights'; did you mean 'weights'\?"):
        bf.KDB(wights="auto")
    assert bf.KDB(3).k == 3
    with pytest.raises(TypeError, match="positional"):
        bf.NaiveBayes(1.0)
