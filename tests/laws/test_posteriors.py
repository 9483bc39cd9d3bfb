"""Never NaN, never an all-zero row: posteriors are finite and sum to 1 for anything."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes
from bayesfold.data.encodings import Categories, Counts
from bayesfold.data.text.column import Words
from bayesfold.data.vector import Vector
from bayesfold.families.gaussian import Gaussian

from .tables import Rows, batch_of, every, kind, model_of

pytestmark = [
    pytest.mark.filterwarnings("ignore:columns left out"),
    pytest.mark.filterwarnings("ignore:the spread of column"),
]


NUMBERS = st.integers(0, 2**16 - 1)
EXTREME = [0.0, 1.0, 1e300, -1e300, 1e-300, 5e-324, 1e9, 1e9 + 1, 1.7e308, -1.7e308, 1e151, 1e154]


@cache
def wild(name):
    """Tables of a kind whose numbers may be anything that is finite."""
    made = kind(name)
    sources, cells = [], []
    for column in made.features:
        if isinstance(column, Counts):
            sources += column.sources
            cells += [st.integers(0, 5) | st.sampled_from([0, 10**9])] * column.width
            continue
        if isinstance(column, Vector):
            sources += column.sources
            anything = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(EXTREME)
            cells += [st.none() | anything, NUMBERS.map(made.cells[column.sources[1]])]
            continue
        sources.append(column.name)
        if isinstance(column, Categories | Words):
            cells.append(NUMBERS.map(made.cells[column.name]))
            continue
        least = 5e-324 if getattr(column, "transform", "") else 0.0 if made.families[column.name].order == 1 else None
        anything = st.floats(least, allow_nan=False, allow_infinity=False) | st.sampled_from(EXTREME)
        cells.append(st.none() | (anything if least is None else anything.map(lambda x, least=least: max(x, least))))
    row = st.tuples(st.sampled_from("pqr"), st.tuples(*cells))

    def table(rows):
        return Rows(tuple(sources), tuple(c for _, c in rows), tuple(label for label, _ in rows))

    return st.tuples(st.lists(row, min_size=1, max_size=6).map(table), st.lists(row, min_size=1, max_size=6).map(table))


def assert_posteriors(proba, log_proba):
    assert np.isfinite(proba).all()
    assert np.isfinite(log_proba).all()
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(1), 1.0, rtol=1e-9)
    np.testing.assert_allclose(np.exp(log_proba).sum(1), 1.0, rtol=1e-9)


@every
@given(data=st.data())
def test_posteriors_of_anything_are_finite_and_sum_to_one(data, structure, name):
    learned, asked = data.draw(wild(name))
    schema = kind(name).schema(learned, classes=("a class without rows",))
    model = model_of(name, structure, learned, schema)
    batch = model.schema.encode(asked.frame())
    assert_posteriors(model.log_proba(batch, logs=False), model.log_proba(batch))


@every
@given(data=st.data())
def test_posteriors_of_rows_left_out_are_finite_and_sum_to_one(data, structure, name):
    learned, _ = data.draw(wild(name))
    model = model_of(name, structure, learned)
    batch = batch_of(model.schema, learned)
    assert_posteriors(model.log_proba(batch, leave_out=True, logs=False), model.log_proba(batch, leave_out=True))


@every
@given(data=st.data())
def test_posteriors_after_decay_are_finite_and_sum_to_one(data, structure, name):
    learned, asked = data.draw(wild(name))
    model = model_of(name, structure, learned)
    model.decay(0.5)
    batch = model.schema.encode(asked.frame())
    assert_posteriors(model.log_proba(batch, logs=False), model.log_proba(batch))


NAN = float("nan")
TABLES = {
    "one row": ({"c": ["a"], "x": [1.0]}, ["p"]),
    "one row a class": ({"c": ["a", "b"], "x": [1.0, 2.0]}, ["p", "q"]),
    "one class": ({"c": ["a", "b", "a"], "x": [1.0, 2.0, 4.0]}, ["p", "p", "p"]),
    "a column without a value": ({"c": [None, None, None], "x": [1.0, 2.0, 4.0]}, ["p", "q", "q"]),
    "nothing at all": ({"c": [None, None, None], "x": [NAN, NAN, NAN]}, ["p", "q", "q"]),
    "a row without a value": ({"c": ["a", None, "b"], "x": [1.0, NAN, 4.0]}, ["p", "q", "q"]),
    "a class without a value": ({"c": ["a", None, "b"], "x": [1.0, NAN, 4.0]}, ["p", "q", "p"]),
    "constant columns": ({"c": ["a", "a", "a"], "x": [3.0, 3.0, 3.0]}, ["p", "q", "q"]),
    "columns constant in each class": ({"c": ["a", "b", "b"], "x": [3.0, 4.0, 4.0]}, ["p", "q", "q"]),
    "huge numbers": ({"c": ["a", "b", "b"], "x": [1e300, -1e300, 1.7e308]}, ["p", "q", "q"]),
    "tiny numbers": ({"c": ["a", "b", "b"], "x": [1e-300, 2e-300, 5e-324]}, ["p", "q", "q"]),
    "a large offset": ({"c": ["a", "b", "b"], "x": [1e9, 1e9 + 1, 1e9 + 2]}, ["p", "q", "q"]),
}
ROWS = {
    "c": ["a", "b", None, "never seen", "", "a", "b", "a"],
    "x": [1.0, NAN, NAN, 1e300, -1e300, 1e9, 1e-300, -1.7e308],
}
OPTIONS = {
    "the defaults": {},
    "alpha=0": {"alpha": 0, "prior_alpha": 0},
    "alpha=auto": {"alpha": "auto", "prior_alpha": "auto"},
    "maximum likelihood": {
        "alpha": 0,
        "prior_alpha": 0,
        "families": {"c": "categorical", "x": Gaussian(pseudo_rows=0)},
    },
    "the unbiased variance": {"families": {"x": Gaussian(pseudo_rows=0, ddof=1)}},
    "balanced": {"class_weight": "balanced"},
    "declared": {"families": {"c": "categorical", "x": "gaussian"}},
    "numbers as categories": {"numeric": "categorical"},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_posteriors_of_awkward_tables_are_finite_and_sum_to_one(table, options):
    columns, labels = table
    clf = NaiveBayes(**options).partial_fit(pd.DataFrame(columns), labels, classes=[*"pqr"])
    asked = pd.DataFrame(ROWS)
    assert_posteriors(clf.predict_proba(asked), clf.predict_log_proba(asked))
    for i in range(len(asked)):
        row = {n: v[i] for n, v in ROWS.items()}
        assert_posteriors(clf.predict_proba(row), clf.predict_log_proba(row))
    held_out = clf.leave_one_out(pd.DataFrame(columns), labels)
    assert_posteriors(np.exp(held_out), held_out)
    clf.forget(pd.DataFrame(columns), labels)
    assert_posteriors(clf.predict_proba(asked), clf.predict_log_proba(asked))


@pytest.mark.slow
@pytest.mark.parametrize(("numeric", "kind"), [("gaussian", float), ("poisson", float), ("categorical", np.uint8)])
def test_posteriors_of_fifty_thousand_features_are_finite_and_sum_to_one(numeric, kind):
    X = np.random.default_rng(0).integers(0, 2, (6, 50_000)).astype(kind)
    clf = NaiveBayes(numeric=numeric, alpha=0).fit(X, [*"pqqpqp"])
    assert_posteriors(clf.predict_proba(X[::-1]), clf.predict_log_proba(X[::-1]))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())
def test_a_row_with_nothing_observed_gets_the_prior(options):
    columns = {"c": ["a", "b", "b", "a", "a"], "x": [1.0, 2.5, 2.0, 7.0, 1.5]}
    clf = NaiveBayes(**options).fit(pd.DataFrame(columns), [*"ppqqq"])
    prior = np.exp(clf.model_.log_prior())
    nothing = pd.DataFrame({"c": [None, "", "never seen"], "x": [NAN, NAN, NAN]})
    np.testing.assert_allclose(clf.predict_proba(nothing), np.tile(prior / prior.sum(), (3, 1)), rtol=1e-12)
    np.testing.assert_allclose(clf.predict_proba({}), [prior / prior.sum()], rtol=1e-12)
