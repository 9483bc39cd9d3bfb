"""A loss is read by class name where it has names, and refused in words where it lacks something."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesfold.decisions.loss import loss_matrix

CLASSES = ["cold", "flu", "rest"]
COSTS = np.array([[0.0, 2.0, 3.0], [4.0, 0.0, 6.0], [7.0, 8.0, 0.0]])
NESTED = {d: {t: COSTS[i, j] for j, t in enumerate(CLASSES) if i != j} for i, d in enumerate(CLASSES)}
FRAME = pd.DataFrame(COSTS, index=CLASSES, columns=CLASSES)
NAMED = {"deciding": CLASSES, **{t: COSTS[:, j] for j, t in enumerate(CLASSES)}}


@pytest.mark.parametrize(
    "loss",
    [COSTS, COSTS.tolist(), NESTED, FRAME, pl.DataFrame(NAMED), pa.table(NAMED)],
    ids=["matrix", "lists", "dict", "pandas", "polars", "arrow"],
)
def test_every_kind_of_table_is_the_same_loss(loss):
    np.testing.assert_array_equal(loss_matrix(loss, CLASSES), COSTS)


@pytest.mark.parametrize("order", [[2, 0, 1], [1, 0, 2]])
def test_names_are_found_in_any_order(order):
    classes = [CLASSES[k] for k in order]
    expected = COSTS[np.ix_(order, order)]
    for loss in (NESTED, FRAME, pl.DataFrame(NAMED)):
        np.testing.assert_array_equal(loss_matrix(loss, classes), expected)


def test_a_pandas_frame_has_decisions_in_its_index_although_it_is_indexed_by_column_first():
    assert FRAME["flu"]["cold"] == 2.0
    assert loss_matrix(FRAME, CLASSES)[0, 1] == 2.0


def test_none_is_zero_one_loss():
    np.testing.assert_array_equal(loss_matrix(None, CLASSES), 1 - np.eye(3))


def test_the_cost_of_a_right_decision_may_be_given():
    given = {"a": {"a": -5, "b": 1}, "b": {"a": 2}}
    np.testing.assert_array_equal(loss_matrix(given, ["a", "b"]), [[-5, 1], [2, 0]])


def test_numbers_are_found_by_their_text_in_a_frame():
    frame = pd.DataFrame([[0, 5], [1, 0]], index=[0, 1], columns=["0", "1"])
    np.testing.assert_array_equal(loss_matrix(frame, [0, 1]), [[0, 5], [1, 0]])


def test_a_class_that_no_row_has_shown_yet_may_be_named():
    np.testing.assert_array_equal(loss_matrix(NESTED, ["cold", "rest"]), [[0, 3], [7, 0]])


def test_each_row_may_have_its_own_costs():
    assert loss_matrix(np.stack([COSTS, 2 * COSTS]), CLASSES).shape == (2, 3, 3)


WRONG = {
    "too small": ([[0, 1]], "1 x 2, but there are 3 classes .'cold', 'flu', 'rest'"),
    "one line": ([0, 1, 2], "3 numbers in a row, but there are 3 classes"),
    "a number": (3.0, "a single number, but there are 3 classes"),
    "ragged": ([[0, 1], [2]], "not a table of numbers"),
    "text": ([["a"] * 3] * 3, "not a table of numbers"),
    "not finite": (np.where(COSTS == 6, np.inf, COSTS), "deciding 'flu' when the truth is 'rest' costs inf"),
    "a row's cost": (np.where(np.arange(18).reshape(2, 3, 3) == 10, np.nan, 0), "row 1: deciding 'cold' .* 'flu'"),
    "a pair left out": (NESTED | {"flu": {"cold": 1}}, r"does not say what deciding 'flu' .* 'rest': give loss\['flu'"),
    "a misspelt class": (
        {("coldd" if d == "cold" else d): line for d, line in NESTED.items()},
        "names 'coldd', and the classes are 'cold'",
    ),
    "a flat dict": ({"cold": 1}, r"loss\['cold'\] is 1, not a dict"),
    "text for a cost": (NESTED | {"flu": {"cold": "dear"}}, r"loss\['flu'\]\['cold'\] is 'dear'"),
    "a frame without decisions": (pl.DataFrame(COSTS, schema=CLASSES), "needs one column that names the decisions"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_with_the_rule(case):
    loss, words = WRONG[case]
    with pytest.raises(ValueError, match=rf"(?s){words}.*loss\[decision\]\[truth\]"):
        loss_matrix(loss, CLASSES)


@pytest.mark.parametrize(
    "loss",
    [
        {1: {2: 1}, "1": {2: 7}, 2: {1: 1}},
        {1: {2: 1, "2": 7}, 2: {1: 1}},
        pl.DataFrame({"deciding": [1, 2, 2], "1": [0, 1, 7], "2": [1, 0, 0]}),
        pa.table({"deciding": [1, 2, 2], "1": [0, 1, 7], "2": [1, 0, 0]}),
    ],
    ids=["decision", "truth", "polars", "arrow"],
)
def test_a_class_that_is_named_twice_is_refused(loss):
    with pytest.raises(ValueError, match=r"the loss names .*[12].* twice"):
        loss_matrix(loss, [1, 2])
