"""Categories: the smoothed table, and the smoothing that predicts best."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes
from bayesfold.families.categorical import GRID

TABLES = st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from("abcd")), min_size=2, max_size=14)


def spoken(clf, value):
    return np.exp(clf.predict_joint_log_proba({"x": value})[0] - clf.model_.log_prior())


@pytest.mark.parametrize("alpha", [0, 0.5, 1, 10])
def test_the_table_is_the_formula(alpha):
    clf = NaiveBayes(alpha=alpha).fit({"x": [*"aabbbc"]}, [*"ppqppq"])
    np.testing.assert_allclose(
        spoken(clf, "a"), [(2 + alpha) / (4 + 3 * alpha), max(alpha / (2 + 3 * alpha), 2.0**-1000)]
    )
    np.testing.assert_allclose(spoken(clf, "b"), [(2 + alpha) / (4 + 3 * alpha), (1 + alpha) / (2 + 3 * alpha)])


def left_out_likelihood(pairs, alpha):
    """sum_i log P(x_i | y_i) with row i left out, in plain Python."""
    total, levels = 0.0, len({x for _, x in pairs})
    for i, (y, x) in enumerate(pairs):
        others = [b for j, (a, b) in enumerate(pairs) if j != i and a == y]
        total += math.log((others.count(x) + alpha) / (len(others) + levels * alpha))
    return total


@given(pairs=TABLES)
def test_auto_takes_the_smoothing_under_which_rows_left_out_are_most_likely(pairs):
    if len({x for _, x in pairs}) < 2:
        return
    clf = NaiveBayes(alpha="auto").fit({"x": [x for _, x in pairs]}, [y for y, _ in pairs])
    scores = [left_out_likelihood(pairs, a) for a in GRID]
    best = GRID[int(np.argmax(scores))]
    fixed = NaiveBayes(alpha=float(best)).fit({"x": [x for _, x in pairs]}, [y for y, _ in pairs])
    close = [a for a, s in zip(GRID, scores, strict=True) if s > max(scores) - 1e-9]
    if len(close) == 1:
        np.testing.assert_allclose(
            clf.predict_proba({"x": [*"abcd"]}), fixed.predict_proba({"x": [*"abcd"]}), rtol=1e-12
        )


def test_auto_follows_the_tally_through_learning_and_forgetting():
    """A function of the tally alone: partial_fit and forget stay equal to fit."""
    draw = np.random.default_rng(0)
    x, y = draw.choice([*"abcdefgh"], 200), draw.choice([*"pq"], 200)
    whole = NaiveBayes(alpha="auto", prior_alpha="auto").fit({"x": x}, y)
    parts = NaiveBayes(alpha="auto", prior_alpha="auto", schema=whole.schema_).fit({"x": x[:50]}, y[:50])
    parts.partial_fit({"x": x[50:]}, y[50:]).partial_fit({"x": x[:9]}, y[:9]).forget({"x": x[:9]}, y[:9])
    np.testing.assert_array_equal(parts.predict_proba({"x": x}), whole.predict_proba({"x": x}))


def test_auto_is_found_column_by_column():
    """A column that tells classes apart wants little smoothing, one that does not wants much."""
    draw = np.random.default_rng(1)
    y = np.arange(400) % 2
    table = {"tells": y.astype(str), "noise": draw.choice([f"n{i}" for i in range(40)], 400)}
    clf = NaiveBayes(alpha="auto").fit(table, y)
    single = {n: NaiveBayes(alpha="auto").fit({n: v}, y) for n, v in table.items()}
    for name, one in single.items():
        value = {name: table[name][0]}
        ours = clf.predict_joint_log_proba(value) - clf.model_.log_prior()
        np.testing.assert_allclose(ours, one.predict_joint_log_proba(value) - one.model_.log_prior(), rtol=1e-12)
