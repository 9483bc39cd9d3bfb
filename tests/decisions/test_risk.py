"""Conditional risk and the decision of least risk."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold import conditional_risk, decide

P = np.array([[0.7, 0.2, 0.1], [0.34, 0.33, 0.33], [0.0, 0.02, 0.98]])
COSTS = np.array([[0.0, 10.0, 1.0], [1.0, 0.0, 1.0], [5.0, 20.0, 0.0]])


def test_a_hand_worked_example():
    np.testing.assert_allclose(conditional_risk(P, COSTS)[0], [2.1, 0.8, 7.5])
    assert decide(P, COSTS).tolist() == [1, 1, 2]
    assert decide(P, COSTS, reject_cost=0.7).tolist() == [-1, 1, 2]


def test_the_risk_of_zero_one_loss_is_one_minus_the_posterior():
    np.testing.assert_allclose(conditional_risk(P), 1 - P, rtol=1e-12)
    assert decide(P).tolist() == decide(P, 1 - np.eye(3)).tolist() == [0, 0, 2]


def test_costs_of_each_row():
    costs = np.stack([COSTS, 1 - np.eye(3), np.zeros((3, 3))])
    np.testing.assert_allclose(conditional_risk(P, costs), [costs[i] @ P[i] for i in range(3)])
    assert decide(P, costs).tolist() == [1, 0, 2]  # where nothing costs anything, the most probable class
    assert decide(P, costs, reject_cost=[0.5, 0.9, 0.0]).tolist() == [-1, 0, 2]


def test_classes_of_a_frame_are_its_columns():
    frame = pd.DataFrame(P, columns=["a", "b", "c"])
    named = {"c": {"a": 5, "b": 20}, "a": {"b": 10, "c": 1}, "b": {"c": 1, "a": 1}}
    np.testing.assert_array_equal(decide(frame, named), decide(P, COSTS))


@given(joint=st.lists(st.lists(st.floats(-700, 0), min_size=4, max_size=4), min_size=1, max_size=5).map(np.array))
def test_logs_decide_as_probabilities_do_and_tell_apart_what_underflows(joint):
    logs = joint - np.log(np.exp(joint - joint.max(1, keepdims=True)).sum(1, keepdims=True)) - joint.max(1)[:, None]
    assert decide(logs, logs=True).tolist() == logs.argmax(1).tolist()
    indifferent = np.ones((4, 4))
    assert decide(logs, indifferent, logs=True).tolist() == logs.argmax(1).tolist()


def test_close_risks_that_differ_are_told_apart_beside_a_huge_cost():
    p = np.array([[1 - 1.0005e-9, 1.0005e-9]])
    assert decide(p, [[0, 1e9], [1, 0]]).tolist() == [1]


WRONG = {
    "one dimension": (lambda: decide([0.5, 0.5]), "1 dimensions"),
    "not normalised": (lambda: decide([[0.5, 0.5], [0.7, 0.7]]), "row 1 is .* sum to 1"),
    "logs": (lambda: decide(np.log(P[:2])), "row 0 .*logs=True"),
    "NaN": (lambda: conditional_risk([[np.nan, 1.0]]), "row 0"),
    "names without classes": (lambda: decide(P, {"a": {"b": 1}}), "classes="),
    "too few classes": (lambda: decide(P, COSTS, classes=["a", "b"]), "2 classes, but 3 columns"),
    "too few rows of costs": (lambda: decide(P, COSTS[None]), "costs for 1 rows, but there are 3"),
    "an infinite reject cost": (lambda: decide(P, reject_cost=np.inf), "reject_cost must be finite"),
    "a reject cost in words": (lambda: decide(P, reject_cost="much"), "reject_cost='much'"),
    "two reject costs": (lambda: decide(P, reject_cost=[1.0, 2.0]), "one for each of 3 rows"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(case):
    call, words = WRONG[case]
    with pytest.raises(ValueError, match=words):
        call()


def test_columns_in_another_order_than_the_classes_are_refused():
    proba = pd.DataFrame({"q": [0.9], "p": [0.1]})
    loss = {"p": {"q": 5}, "q": {"p": 1}}
    with pytest.raises(ValueError, match="the columns of probabilities are 'q', 'p', and classes= says 'p', 'q'"):
        decide(proba, loss, classes=["p", "q"])
    assert decide(proba[["p", "q"]], loss, classes=["p", "q"]).tolist() == [1]
    assert decide(proba, loss, classes=["q", "p"]).tolist() == [0]
    assert decide(pd.DataFrame(proba.to_numpy()), loss, classes=["q", "p"]).tolist() == [0]
    assert decide(pd.DataFrame([[0.9, 0.1]]), [[0, 1], [1, 0]], classes=[1, 0]).tolist() == [0]


def test_columns_that_are_called_as_our_own_answers_are_in_the_order_of_the_classes():
    """P(a), P(b), as `predict` writes them."""
    costs = {"a": {"b": 1}, "b": {"a": 5}}
    told = pd.DataFrame({"P(a)": [0.7], "P(b)": [0.3]})
    assert bf.decide(told, costs, classes=["a", "b"]).tolist() == [0]
    with pytest.raises(
        ValueError, match=r"columns of probabilities are 'P\(b\)', 'P\(a\)', and classes= says 'a', 'b'"
    ):
        bf.decide(told[["P(b)", "P(a)"]], costs, classes=["a", "b"])
