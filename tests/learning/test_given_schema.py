"""A schema that is handed over says how columns are read; what is told beside it and says otherwise is refused."""

import numpy as np
import pandas as pd
import pytest

from bayesfold import KDB, TAN, NaiveBayes

DRAW = np.random.default_rng(0)
Y = DRAW.integers(0, 2, 200)
X = pd.DataFrame({"a": DRAW.poisson(2 + 2 * Y) + 1, "b": DRAW.choice(["0", "1", "2", "?"], 200)})
OF_NUMBERS = ("gaussian", "lognormal", "poisson", "kde")


def schema_of(family):
    return NaiveBayes(families={"a": family}).fit(X, Y).schema_


@pytest.mark.parametrize("kind", [NaiveBayes, KDB, TAN])
@pytest.mark.parametrize(
    ("given", "told"),
    [
        *(("categorical", family) for family in OF_NUMBERS),
        *(("mdl", family) for family in OF_NUMBERS),
        *((family, "categorical") for family in OF_NUMBERS),
        ("gaussian", "lognormal"),  # the schema's column stands for x, not for log x
        ("lognormal", "gaussian"),
        ("gaussian", "poisson"),  # nobody has looked for numbers below 0
        ("gaussian", "kde"),
        ("kde", "gaussian"),
        ("mdl", "bernoulli"),  # of several columns
    ],
)
def test_a_family_that_does_not_read_what_the_schema_gives(kind, given, told):
    with pytest.raises(ValueError, match=f"column 'a' .*{told}.*schema="):
        kind(schema=schema_of(given), families={"a": told}).fit(X, Y)


@pytest.mark.parametrize(
    ("given", "told"),
    [*((f, f) for f in (*OF_NUMBERS, "categorical", "m_estimate")), ("mdl", "m_estimate"), ("poisson", "gaussian")],
)
def test_a_family_that_reads_what_the_schema_gives(given, told):
    clf = NaiveBayes(schema=schema_of(given), families={"a": told}).fit(X, Y)
    own = NaiveBayes(families={"a": told}).fit(X, Y)
    np.testing.assert_allclose(clf.predict_proba(X), own.predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize("told", ["?", {"b": "2"}, {"*": ["?", "9"]}, {"a": -1}])
def test_a_marker_that_the_schema_does_not_know(told):
    clf = NaiveBayes(families={"a": "gaussian"}).fit(X, Y)
    with pytest.raises(ValueError, match=r"missing=.*schema="):
        NaiveBayes(schema=clf.schema_, missing=told).fit(X, Y)


@pytest.mark.parametrize(("kind", "families"), [(NaiveBayes, {"notes": "text"}), (NaiveBayes, {}), (KDB, {})])
@pytest.mark.parametrize("told", ["?", ["?", -1, 0], {"b": "?", "a": 3}])
def test_the_markers_of_the_schema_may_be_told_again(kind, families, told):
    day = pd.Timestamp("2026-01-05") + pd.to_timedelta(7 * DRAW.integers(0, 30, 200) + 4 * Y, unit="D")
    table = X.assign(flag=DRAW.random(200) < Y)
    if kind is NaiveBayes:
        table["day"] = day
    if families:
        table["notes"] = np.where(Y, "good words", "bad news")
    clf = kind(missing=told, families=families).fit(table, Y)
    again = kind(schema=clf.schema_, missing=told, families=families).fit(table, Y)
    plain = kind(schema=clf.schema_).fit(table, Y)
    np.testing.assert_allclose(again.predict_proba(table), plain.predict_proba(table), rtol=1e-9)
