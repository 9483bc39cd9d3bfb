"""Laws of Bayes decision theory. Costs are eighths and probabilities sixteenths, so that sums are exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import conditional_risk, decide

COST = st.integers(-80, 160).map(lambda i: i / 8)


@st.composite
def posteriors(draw, classes):
    """Rows of probabilities, each a multiple of a sixteenth."""
    rows = draw(st.integers(1, 6))
    cuts = [sorted(draw(st.lists(st.integers(0, 16), min_size=classes - 1, max_size=classes - 1))) for _ in range(rows)]
    return np.diff(np.array([[0, *cut, 16] for cut in cuts])) / 16


@st.composite
def problems(draw, losses=1):
    """Posteriors and as many loss matrices as asked."""
    classes = draw(st.integers(2, 5))
    matrix = st.lists(st.lists(COST, min_size=classes, max_size=classes), min_size=classes, max_size=classes)
    return (draw(posteriors(classes)), *(np.array(draw(matrix)) for _ in range(losses)))


@given(problem=problems(losses=2), a=COST, b=COST)
def test_conditional_risk_is_linear_in_the_loss(problem, a, b):
    p, one, other = problem
    both = conditional_risk(p, a * one + b * other)
    np.testing.assert_array_equal(both, a * conditional_risk(p, one) + b * conditional_risk(p, other))


@given(problem=problems(), reject=COST, scale=st.sampled_from([2.0**-40, 0.25, 3.0, 10.0, 2.0**50]))
def test_scaling_loss_and_reject_cost_alike_changes_no_decision(problem, reject, scale):
    p, loss = problem
    np.testing.assert_array_equal(decide(p, scale * loss), decide(p, loss))
    np.testing.assert_array_equal(decide(p, scale * loss, scale * reject), decide(p, loss, reject))


@given(problem=problems(), data=st.data())
def test_a_constant_added_to_a_truths_column_changes_no_decision_where_rejecting_is_off(problem, data):
    p, loss = problem
    lift = np.array(data.draw(st.lists(COST, min_size=len(loss), max_size=len(loss))))
    np.testing.assert_array_equal(decide(p, loss + lift), decide(p, loss))


@given(problem=problems(), reject=COST)
def test_with_rejecting_on_the_risk_of_every_row_is_at_most_the_reject_cost(problem, reject):
    p, loss = problem
    found = decide(p, loss, reject)
    risk = np.column_stack([conditional_risk(p, loss), np.full(len(p), reject)])
    assert (risk[np.arange(len(p)), found] <= reject).all()  # -1 is the last column: rejecting
    np.testing.assert_array_equal(risk[np.arange(len(p)), found], risk.min(axis=1))


@given(problem=problems(), reject=COST, cheaper=COST)
def test_a_cheaper_reject_rejects_more(problem, reject, cheaper):
    p, loss = problem
    dear, cheap = (decide(p, loss, cost) == -1 for cost in (max(reject, cheaper), min(reject, cheaper)))
    assert (cheap >= dear).all()


@given(data=st.data(), classes=st.integers(2, 5))
def test_zero_one_loss_is_the_posterior_mode(data, classes):
    """R(d | x) = sum over t != d of P(t | x) = 1 - P(d | x), so the least risk is where P is largest."""
    p = data.draw(posteriors(classes))
    zero_one = np.array([[float(d != t) for t in range(classes)] for d in range(classes)])
    np.testing.assert_array_equal(conditional_risk(p, zero_one), 1 - p)
    for loss in (zero_one, None):
        np.testing.assert_array_equal(decide(p, loss), p.argmax(axis=1))


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_zero_one_loss_is_the_posterior_mode_in_any_digits(classes):
    p = np.random.default_rng(0).dirichlet(np.full(classes, 0.3), 20_000)
    p[:5000] = np.round(p[:5000], 1) + 1e-3  # many ties
    p /= p.sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(decide(p, 1 - np.eye(classes)), p.argmax(axis=1))


@given(problem=problems(), data=st.data())
def test_no_decision_is_cheaper_than_the_one_taken(problem, data):
    p, loss = problem
    taken = conditional_risk(p, loss)[np.arange(len(p)), decide(p, loss)]
    other = data.draw(st.lists(st.integers(0, len(loss) - 1), min_size=len(p), max_size=len(p)))
    assert (taken <= conditional_risk(p, loss)[np.arange(len(p)), other]).all()
