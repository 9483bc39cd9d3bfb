"""Tables pulled to the whole column: the formula, its limits, and which pull a deeper table takes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate

X = [*"aabbbcaab"]
Y = [*"ppqppqqqq"]


def spoken(family, value, x=X, y=Y, weight=None):
    clf = NaiveBayes(families={"x": family}, missing_as="skip").fit({"x": x}, y, sample_weight=weight)
    return np.exp(clf.predict_joint_log_proba({"x": [value]})[0] - clf.model_.log_prior())


def formula(m, value, x=X, y=Y, weight=None):
    """(N_xc + m p_x) / (N_c + m), p_x = (N_x + 1) / (N + S), over the rows that show a value."""
    rows = [
        (v, c, w) for v, c, w in zip(x, y, np.ones(len(x)) if weight is None else weight, strict=True) if v is not None
    ]
    levels = {v for v, _, _ in rows}
    p = (sum(w for v, _, w in rows if v == value) + 1) / (sum(w for _, _, w in rows) + len(levels))
    found = []
    for k in sorted(set(y)):
        own = [(v, w) for v, c, w in rows if c == k]
        found.append((sum(w for v, w in own if v == value) + m * p) / (sum(w for _, w in own) + m))
    return found


@pytest.mark.parametrize("m", [0.1, 1.0, 7.0])
@pytest.mark.parametrize("value", "abc")
def test_the_table_is_the_formula(m, value):
    np.testing.assert_allclose(spoken(MEstimate(m), value), formula(m, value), rtol=1e-12)


@given(
    table=st.lists(
        st.tuples(st.sampled_from("pq"), st.sampled_from([None, *"abcd"]), st.sampled_from([1.0, 2.0, 0.3])), min_size=2
    ),
    m=st.sampled_from([0.5, 3.0]),
)
def test_weights_and_holes(table, m):
    y, x, weight = (list(part) for part in zip(*table, strict=True))
    if len({*x} - {None}) < 2:
        return
    for value in {*x} - {None}:
        np.testing.assert_allclose(
            spoken(MEstimate(m), value, x, y, weight), formula(m, value, x, y, weight), rtol=1e-10
        )


def test_probabilities_sum_to_one_in_every_class():
    np.testing.assert_allclose(sum(spoken(MEstimate(2.5), v) for v in "abc"), 1.0, rtol=1e-12)


@pytest.mark.parametrize("nothing", [None, "never"])
def test_a_missing_and_an_unseen_value_have_the_factor_1(nothing):
    np.testing.assert_allclose(spoken(MEstimate(), nothing), 1.0, rtol=1e-12)


def test_a_strong_pull_forgets_the_class_and_a_weak_one_is_maximum_likelihood():
    whole = [(X.count(v) + 1) / (len(X) + 3) for v in "abc"]
    for v, p in zip("abc", whole, strict=True):
        np.testing.assert_allclose(spoken(MEstimate(1e12), v), p, rtol=1e-9)
    np.testing.assert_allclose(spoken(MEstimate(1e-12), "a"), [2 / 4, 2 / 5], rtol=1e-9)


def test_a_level_that_is_rare_everywhere_stays_rare_where_laplace_makes_it_common():
    x, y = [*"ab" * 100, "c", *"ab"], [*"p" * 201, *"qq"]
    rare, laplace = spoken(MEstimate(), "c", x, y), spoken(Categorical(1.0), "c", x, y)
    assert rare[1] < 0.01
    assert laplace[1] == pytest.approx(1 / 5)


def test_leave_one_out_is_a_refit():
    clf = NaiveBayes(families={"x": MEstimate(2.0)}).fit({"x": X}, Y)
    found = clf.leave_one_out({"x": X}, Y)
    for i in range(len(X)):
        rest = NaiveBayes(families={"x": MEstimate(2.0)}, schema=clf.schema_)
        rest.fit({"x": X[:i] + X[i + 1 :]}, Y[:i] + Y[i + 1 :])
        np.testing.assert_allclose(found[i], rest.predict_log_proba({"x": X[i : i + 1]})[0], rtol=1e-12)
