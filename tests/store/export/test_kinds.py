"""Every kind of classifier, with the options that change what is exported, answers elsewhere as it does here."""

import json
import warnings

import numpy as np
import pytest

import bayesfold as bf
from bayesfold import store
from bayesfold.data.frame import Frame
from bayesfold.learning import kinds
from bayesfold.learning.trained import train
from bayesfold.store import export

from .answers import EVERYWHERE
from .table import NEW, X, Y

LOSS = {"p": {"q's": 5, "r": 1}, "q's": {"p": 1, "r": 1}, "r": {"p": 2, "q's": 9}}
DENSITIES = {"dose": "lognormal", "rooms": "poisson", "mass": "kde", "grade": "categorical"}
CASES = {
    "naive": [
        {},
        {"numeric": "gaussian", "loss": LOSS, "reject_cost": 0.4, "reject_label": "ask 😀"},
        {"families": DENSITIES, "missing_as": "skip"},
        {"weights": "auto", "calibration": "temperature", "class_weight": {"p": 3.0}, "missing": {"grade": 2}},
        {"numeric": "mdl", "alpha": 0, "loss": LOSS},
        {"loss": LOSS, "reject_cost": 1.3, "unseen_class": 0.08},
    ],
    "spode": [{}, {"alpha": 1.0, "parent": "size"}],
    "aode": [{}, {"combine": "pool"}, {"n": 2, "alpha": 1.0, "numeric": "gaussian"}, {"subsumption": 5}],
    "tan": [{}, {"alpha": 1.0, "missing_as": "skip"}, {"weights": "auto"}, {"numeric": "gaussian"}],
    "kdb": [
        {},
        {"k": 3, "calibration": "temperature", "priors": {"p": 0.1, "q's": 0.1, "r": 0.8}},
        {"weights": "auto"},
    ],
    "gaussian": [{}, {"covariance": "tied"}, {"covariance": "full", "numeric": "ranks", "missing": {"grade": 2}}],
    "bayes": [
        {"class_weight": "balanced", "reject_cost": 0.3, "unseen_class": "good-turing"},
        {"structure": "gaussian", "missing_as": "value"},
        {"structure": "gaussian", "missing_as": "skip"},
    ],
}
ALL = [(kind, options) for kind, every in CASES.items() for options in every]


def test_every_kind_is_exported():
    assert set(CASES) == set(kinds.names()) - {"text"}


def test_words_of_a_text_are_refused_where_they_cannot_be_read():
    texts = ["win money now", "meet for lunch", "win a prize", "lunch with ham"]
    clf = bf.TextClassifier().fit(texts, ["spam", "ham", "spam", "ham"])
    for name in ("sql", "onnx"):
        with pytest.raises(TypeError, match=r"column 'text' is read as .*cannot be exported yet; .js and .json can"):
            export.find(name).write(clf)
    clf = bf.TextClassifier(hashed=64).fit(texts, ["spam", "ham", "spam", "ham"])
    for name in (*EVERYWHERE, "json"):
        with pytest.raises(TypeError, match=r"column 'text' is read as .*exported yet; fit with hashed=None"):
            export.find(name).write(clf)


@pytest.fixture(scope="module", params=ALL, ids=[f"{kind} {list(options)}" for kind, options in ALL])
def trained(request):
    kind, options = request.param
    return train(kinds.find(kind)(**options), Frame.of(X), Y, "class", np.dtype(object))


@pytest.mark.parametrize("language", EVERYWHERE)
def test_a_kind_answers_as_python_does(trained, language):
    proba, labels = EVERYWHERE[language](trained, NEW)
    logs = trained.log_proba(Frame.of(NEW))
    np.testing.assert_allclose(proba, np.exp(logs), rtol=0, atol=1e-9)
    assert labels == trained.decide(logs).tolist()


def test_a_kind_that_was_saved_and_loaded_is_exported_alike(trained, tmp_path):
    store.save(trained, tmp_path / "model.bayes")
    write = export.find("json").write
    assert write(store.load(tmp_path / "model.bayes")) == write(trained)


DRAW = np.random.default_rng(5)
LABELS = DRAW.choice([2, 5, 9], 90)
NUMBERS = DRAW.normal(size=(90, 4)) + LABELS[:, None] % 4
COUNTED = DRAW.poisson(1 + LABELS[:, None] % 4, (90, 4))


@pytest.mark.parametrize("language", EVERYWHERE)
@pytest.mark.parametrize(
    ("clf", "table"),
    [
        (bf.GaussianNB(), NUMBERS),
        (bf.CategoricalNB(), COUNTED),
        (bf.MultinomialNB(reject_cost=0.2, reject_label=-1), COUNTED),
        (bf.BernoulliNB(binarize=2.0), COUNTED),
        (bf.ComplementNB(norm=True, loss=[[0, 1, 2], [5, 0, 1], [1, 1, 0]]), COUNTED),
        (bf.GaussianNB(priors=[0.5, 0.0, 0.5]), NUMBERS),
        (bf.NaiveBayes(), NUMBERS),
    ],
    ids=str,
)
def test_a_drop_in_answers_as_python_does(language, clf, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(table[:60], LABELS[:60])
    columns = {f"x{j}": table[60:, j].tolist() for j in range(4)}
    proba, labels = EVERYWHERE[language](clf, columns)
    np.testing.assert_allclose(proba, clf.predict_proba(table[60:]), rtol=0, atol=1e-9)
    assert labels == clf.predict(table[60:]).tolist()


def test_what_is_left_to_classes_never_seen_is_told():
    clf = bf.NaiveBayes(unseen_class=0.2, reject_cost=0.5).fit(X, Y)
    told = json.loads(export.find("json").write(clf))["decision"]
    assert told["unseen_share"] == 0.2
    assert told["reject_cost"] == pytest.approx((0.5 - 0.2) / 0.8)  # of the risk among the classes that are known
    assert "unseenShare = plan.decision.unseen_share" in export.find("js").write(clf)
