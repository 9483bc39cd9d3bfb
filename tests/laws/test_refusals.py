"""What cannot be is refused in a sentence that says what is wrong; what just can be is not."""

from collections.abc import Callable
from io import BytesIO
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest
from sklearn.naive_bayes import GaussianNB

import bayesfold as bf
from bayesfold.data.text.vocabulary import Vocabulary
from bayesfold.io.open import open_source, reader_of
from bayesfold.networks.bayes_rule import odds, posterior_odds
from bayesfold.networks.mixed.lines import LinearGaussian
from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.store.container import parse_header
from bayesfold.store.export._lower_columns import axis_of
from bayesfold.store.export._query import quote_text, write_number
from bayesfold.store.export._text import plan_to_json

NET = bf.read_network("smoking")
LINES = {"a": LinearGaussian(0.0, 1.0), "b": LinearGaussian(3.0, 2.0)}
MIXED = MixedNetwork.from_edges(
    [("c", "x"), ("x", "z")],
    tables={"c": {"a": 0.25, "b": 0.75}, "x": LINES, "z": LinearGaussian(1.0, 1.0, {"x": 2.0})},
)
SURE = MixedNetwork.from_edges(
    [("c", "x")], tables={"c": {"a": 0.5, "b": 0.5}, "x": LINES | {"a": LinearGaussian(0, 0)}}
)
X = {"c": [*"uvuvuv"], "n": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
Y = [*"ppqqpq"]
CLF = bf.NaiveBayes().fit(X, Y)
HALF = [[0.5, 0.5], [0.25, 0.75]]


def mixed_with(table: dict[str, float]) -> MixedNetwork:
    return MixedNetwork.from_edges([("c", "x")], tables={"c": table, "x": LINES})


def restore(letters: bytes, ends: list[int]) -> Vocabulary:
    return Vocabulary.restored(np.frombuffer(letters, np.uint8), np.array(ends, np.int64))


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a sampled state": (lambda: MIXED.approximate("c=a"), "name what you want to know, without a state, not 'c=a'"),
    "a sampled state and more": (lambda: MIXED.approximate("x, c=a"), "name what you want to know, without a state"),
    "nothing sampled": (lambda: MIXED.approximate("| c=a"), "name what you want to know, without a state"),
    "one sample too few": (lambda: MIXED.approximate("c", samples=255), "draw at least 256 samples, not 255"),
    "one sample too few of states": (
        lambda: NET.approximate("cancer", samples=255),
        "draw at least 256 samples, not 255",
    ),
    "two numbers sampled": (lambda: MIXED.approximate("x, z"), "samples answer about one number at a time"),
    "a number and a state sampled": (lambda: MIXED.approximate("c, x"), "samples answer about one number at a time"),
    "no state's probability": (lambda: MIXED.probability("| c=a"), "a probability needs states"),
    "a likelihood of a number": (
        lambda: MIXED.query("c", likelihood={"x": [1, 1]}),
        "soft evidence needs states, and 'x' is a number",
    ),
    "the density of a certainty": (lambda: SURE.query("x").density(0.0), "'x' has no variance"),
    "a table of a number": (lambda: MIXED.table("x"), "'x' is a number and has lines instead of a table"),
    "lines of a category": (lambda: MIXED.lines("c"), "'c' is a category and has a table instead of lines"),
    "probabilities of a number": (lambda: MIXED.predict_proba({"c": ["a"]}, "x"), "'x' is a number: predict_number"),
    "a number of a category": (lambda: MIXED.predict_number({"x": [1.0]}, "c"), "'c' is a category: predict_proba"),
    "a probability below 0": (lambda: mixed_with({"a": -0.5, "b": 1.5}), r"has the probability -0\.5 below 0"),
    "probabilities of more than 1": (
        lambda: mixed_with({"a": 0.5, "b": 0.75}),
        r"sums to 1\.25, not to 1: 0\.5, 0\.75",
    ),
    "odds of more than 1": (lambda: odds(1.5), "a probability lies between 0 and 1; got 1.5"),
    "odds of less than 0": (lambda: odds(-0.5), "a probability lies between 0 and 1; got -0.5"),
    "odds below 0": (lambda: posterior_odds(-1.0), "odds and likelihood ratios are 0 or more; got -1"),
    "a ratio that is none": (lambda: posterior_odds(1.0, 2.0, np.nan), "are 0 or more; got nan"),
    "a likelihood above 1": (lambda: bf.bayes_rule([0.5, 0.5], [0.5, 1.5]), "the likelihood of 1 is 1.5"),
    "a prior below 0": (lambda: bf.bayes_rule([1.5, -0.5], [0.5, 0.5]), "the prior of 0 is 1.5"),
    "more likelihoods than classes": (
        lambda: bf.bayes_rule([0.5, 0.5], [0.5, 0.5, 0.5]),
        r"expected a prior \[classes\].* got \(2,\) and \(3,\)",
    ),
    "a table of priors": (lambda: bf.bayes_rule(HALF, [0.5, 0.5]), "expected a prior"),
    "a dict and an array": (lambda: bf.bayes_rule({"a": 1.0}, [0.5]), "both as dicts, or both as arrays"),
    "a factor and an array": (lambda: bf.bayes_rule(NET.query("cancer"), [0.5, 0.5]), "both as factors, or neither"),
    "a way that there is not": (lambda: bf.evaluate(CLF, X, Y, how="magic"), "how='magic' must be one of"),
    "a dict of costs without names": (
        lambda: bf.decide(HALF, {"a": {"b": 1}}),
        "which column of probabilities is which",
    ),
    "costs that are no dict of dicts": (
        lambda: bf.decide(HALF, {"a": 1, "b": {"a": 1}}, classes=["a", "b"]),
        "loss.'a'. is 1, not a dict of a cost by true class",
    ),
    "costs of other rows": (
        lambda: bf.decide(HALF, np.zeros((3, 2, 2)), classes=["a", "b"]),
        "the loss has costs for 3 rows, but there are 2 rows",
    ),
    "rows without any label": (
        lambda: bf.NaiveBayes(unlabelled=0.5).fit(X, [None] * 6),
        "no row has a label",
    ),
    "a model against itself": (
        lambda: CLF.explain({"c": ["u"], "n": [1.0]}, of="p", against="p"),
        "'p' is to be explained against itself",
    ),
    "terms that end beyond their bytes": (lambda: restore(b"abc", [0, 1, 4]), "do not begin and end within its bytes"),
    "terms that begin late": (lambda: restore(b"abc", [1, 3]), "do not begin and end within its bytes"),
    "terms that go back": (lambda: restore(b"abc", [0, 2, 1, 3]), "do not begin and end within its bytes"),
    "no terms at all": (lambda: restore(b"", []), "do not begin and end within its bytes"),
    "half a letter": (lambda: restore("aé".encode(), [0, 2, 3]), "one of its terms ends within a character"),
    "a term twice": (lambda: restore(b"abab", [0, 2, 4]), "it has a term twice"),
    "text with a NUL": (lambda: quote_text("a\0b"), "has a NUL character"),
    "infinity in SQL": (lambda: write_number(np.inf), "holds the number inf, which SQL has no word for"),
    "no number in SQL": (lambda: write_number(np.nan), "holds the number nan, which SQL has no word for"),
    "infinity in JSON": (lambda: plan_to_json(cast(Any, {"a": np.inf})), "holds a number that JSON has no word for"),
    "an axis that is none": (lambda: axis_of("axis"), "an axis of the kind str cannot be exported yet"),
    "a header that is a list": (lambda: parse_header("[1]"), "its header is not what bayesfold writes"),
    "a header with NaN": (lambda: parse_header('{"a": NaN}'), "NaN is not a number"),
    "a cube of probabilities": (lambda: bf.decide(np.full((1, 2, 2), 0.5)), "got 3 dimensions"),
    "weights that are no word": (lambda: bf.NaiveBayes(weights="odd").fit(X, Y), "weights='odd' is not None, 'auto'"),
    "a calibration that is none": (
        lambda: bf.NaiveBayes(calibration="odd").fit(X, Y),
        "calibration='odd' is not None or 'temperature'",
    ),
    "a way that takes rows out of none": (
        lambda: bf.evaluate(GaussianNB(), np.eye(6), Y, how="subtract", folds=2),
        "'GaussianNB' cannot take rows out of what it has learned; use how='refit'",
    ),
    "an empty stream": (lambda: reader_of(iter([])), "the stream is empty"),
    "an odd mark of decimals": (lambda: open_source(BytesIO(b"a,y\n1,p\n"), decimal=";"), "decimal=.;. is not"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused(what):
    act, words = REFUSED[what]
    with pytest.raises((ValueError, TypeError), match=words):
        act()


def test_what_just_can_be_is_not():
    assert (odds(0.0), odds(1.0), odds(0.5)) == (0.0, np.inf, 1.0)
    assert posterior_odds(0.0, 3.0) == 0.0
    assert posterior_odds(2.0, 0.0) == 0.0
    assert bf.bayes_rule([1.0, 0.0], [1.0, 0.0]).tolist() == [1.0, 0.0]
    assert MIXED.approximate("c", samples=256, random_state=0).answer.total == pytest.approx(1.0)
    assert NET.approximate("cancer", samples=256, random_state=0).answer.total == pytest.approx(1.0)
    assert MIXED.approximate("x", samples=256, random_state=0).mean == pytest.approx(2.25, abs=1.0)
    assert mixed_with({"a": 0.0, "b": 1.0}).probability("c=b") == 1.0
    assert len(restore("aé".encode(), [0, 1, 3])) == 2
    assert len(restore(b"", [0])) == 0
    assert quote_text("a'b") == "'a''b'"
    assert "-Infinity" in write_number(-np.inf)
    assert parse_header('{"a": 1}') == {"a": 1}
    assert reader_of(iter([pa.table({"a": [1]})])).read_all().num_rows == 1
    assert bf.decide(HALF, np.array([[[0, 1], [1, 0]]] * 2), classes=["a", "b"]).tolist()[1] == 1
