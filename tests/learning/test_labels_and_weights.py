"""Weights of rows that are none are refused, each by what is wrong with it."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from bayesfold.data.frame import Frame, code
from bayesfold.learning.labels_and_weights import (
    LARGEST_WEIGHT,
    by_class,
    check_row_weights,
    check_weights,
    coded_labels,
    heavy_rows,
    without_weightless,
)

FRAME, LABELS = Frame.of({"a": ["u", "v", "u"]}), code(np.array([*"pqp"]))


@pytest.mark.parametrize(
    ("weight", "why"),
    [
        (["heavy", 1.0, 1.0], "weights are one number per row, and these are not"),
        ([1.0, 2.0], "there are 3 rows but 2 weights"),
        ([1.0, 2.0, -1.0], "row 2 has the weight -1.0; weights must be finite and at least 0"),
        ([1.0, np.inf, -1.0], "row 1 has the weight inf"),
        ([np.nan, 1.0, 1.0], "row 0 has the weight nan"),
        ([0.0, 1.0, -1.0], "row 2 has the weight -1.0"),
        ([0.0, 1.0, np.inf], "row 2 has the weight inf"),
        ([0.0, 1.0, 1e-200], "row 2 has the weight 1e-200; weights are 0, or from"),
        ([0.0, 1e200, 1.0], "row 1 has the weight 1e\\+200; weights are 0, or from"),
        (np.ma.masked_array([1.0, 2.0, 3.0], [False, True, False]), "row 1 has the weight nan"),
        (np.ones((1, 3)), r"there are 3 rows but 3 weights, of the shape \(1, 3\)"),
    ],
)
def test_what_is_no_weight_is_named(weight: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        check_row_weights(weight, FRAME, LABELS)


def test_rows_of_weight_zero_are_dropped() -> None:
    weight, frame, labels = check_row_weights([0.0, 2.0, 3.0], FRAME, LABELS)
    assert weight is not None
    assert weight.tolist() == [2.0, 3.0]
    assert frame.rows == len(labels.index) == 2


def test_a_series_is_read_by_its_labels() -> None:
    shares = pd.Series(["q", "q", "q", "p"]).value_counts(normalize=True)
    assert by_class(shares, ("p", "q")) == {"p": 0.25, "q": 0.75}
    assert by_class(pd.Series({1: 0.75, 0: 0.25}), (0, 1)) == {0: 0.25, 1: 0.75}
    assert by_class(pd.Series([0.25, 0.75]), ("p", "q")) == {"p": 0.25, "q": 0.75}
    assert check_weights(pd.Series({0: 3.0, 1: 1.0}), (0, 1)) == {0: 3.0, 1: 1.0}


@pytest.mark.parametrize("prior", [[-0.5, 1.5], {"p": 1.5, "q": -0.5}, [0.5, 0.6], [np.nan, 1.0]], ids=str)
def test_what_are_no_class_probabilities_is_refused(prior: Any) -> None:
    with pytest.raises(ValueError, match="priors must be at least 0 and sum to 1"):
        by_class(prior, ("p", "q"))
    assert by_class([0.0, 1.0], ("p", "q")) == {"p": 0.0, "q": 1.0}


@pytest.mark.parametrize("edge", [LARGEST_WEIGHT, 1 / LARGEST_WEIGHT])
def test_the_largest_and_the_smallest_weights_are_allowed(edge: float) -> None:
    weight, frame, labels = check_row_weights([edge, 1.0, edge], FRAME, LABELS)
    assert weight is not None
    assert weight.tolist() == [edge, 1.0, edge]
    assert (frame, labels) == (FRAME, LABELS), "where every row weighs something no row is taken"
    beyond = edge * 1.01 if edge > 1 else edge / 1.01
    with pytest.raises(ValueError, match=r"row 1 has the weight .*; weights are 0, or from 1e-100 to 1e"):
        check_row_weights([edge, beyond, beyond], FRAME, LABELS)


def test_weights_may_stand_in_a_column() -> None:
    weight, frame, _ = check_row_weights(np.array([[1.0], [0.0], [2.0]]), FRAME, LABELS)
    assert weight is not None
    assert (weight.tolist(), frame.rows) == ([1.0, 2.0], 2)
    assert check_row_weights(None, FRAME, LABELS) == (None, FRAME, LABELS)
    with pytest.raises(ValueError, match="every sample weight is zero, so there is nothing to learn"):
        check_row_weights([0, 0, 0], FRAME, LABELS)


@pytest.mark.parametrize(
    ("weight", "heavy"),
    [
        ([0.0, 2.0, 3.0], [1, 2]), ([1.0, 2.0, 3.0], None), ([0, 0, 0], None), (None, None), ([0.0, 1.0], None),
        ([0.0, -1.0, 1.0], None), ([0.0, np.nan, 1.0], None), (["a", "b", "c"], None), ([[0.0], [1.0], [0.0]], [1]),
    ],
)  # fmt: skip
def test_rows_that_weigh_something_where_some_do_not(weight: Any, heavy: Any) -> None:
    found = heavy_rows(weight, 3)
    assert (None if found is None else found.tolist()) == heavy
    frame, y, w, places = without_weightless(FRAME, [*"pqp"], weight)
    if heavy is None:
        assert (frame, y, w, places) == (FRAME, [*"pqp"], weight, None)
        return
    assert places.tolist() == heavy
    assert [frame.coded("a").levels[i] for i in frame.coded("a").index] == [[*"uvu"][i] for i in heavy]
    assert [y.levels[i] for i in y.index] == [[*"pqp"][i] for i in heavy]
    assert w.tolist() == [np.ravel(weight)[i] for i in heavy]
    assert without_weightless(FRAME, [*"pq"], weight)[3] is None, "labels of another length are for others to refuse"


def test_labels_are_one_for_each_row() -> None:
    assert [*coded_labels([*"pqp"], 3).levels] == ["p", "q"]
    assert coded_labels(LABELS, 3) is LABELS
    with pytest.raises(ValueError, match="there are 2 rows but 3 labels"):
        coded_labels(LABELS, 2)
    with pytest.raises(ValueError, match="there are no rows to learn from"):
        coded_labels([], 0)
    with pytest.raises(ValueError, match="row 1 has no label; leave out rows whose class is unknown"):
        coded_labels(["p", None, None], 3)


@pytest.mark.parametrize(
    ("prior", "said"),
    [
        ({"q": 1.0}, "the priors lack 'p': every class needs a probability"),
        ("half", r"priors='half' is text; give a probability by class: \{'p': 0.2, ...\}"),
        ([1.0], "priors has 1 entries for 2 classes: 'p', 'q'"),
        ({"p": 0.5, "q": 0.25, "r": 0.25}, "they sum to 0.75 without 'r'; the classes are 'p', 'q'"),
        ([0.5, 0.5 + 2e-6], "sum to 1; they sum to 1$"),
        ([0.5, 0.5 - 2e-6], "sum to 1; they sum to 0.999998$"),
    ],
)
def test_class_probabilities_are_refused_by_what_is_wrong(prior: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        by_class(prior, ("p", "q"))


def test_class_probabilities_sum_to_one_but_for_rounding() -> None:
    for off in (-0.9e-6, 0.9e-6):
        assert by_class([0.5, 0.5 + off], ("p", "q")) == {"p": 0.5, "q": 0.5 + off}
    assert by_class(None, ("p", "q")) is None
    assert by_class({"p": 0.5, "q": 0.5, "r": 0.0}, ("p", "q")) == {"p": 0.5, "q": 0.5}


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        ({"r": 1.0}, "class_weight names 'r'; the classes are 'p', 'q'"),
        ({"p": 1.0, "q": -1.0}, "class_weight is -1.0 for 'q'; weights are at least 0 and finite"),
        ({"p": np.inf}, "class_weight is inf for 'p'"),
        ("even", "class_weight='even' is not None, 'balanced' or a dict of a weight by class"),
        (2.0, "class_weight=2.0 is not None"),
    ],
)
def test_class_weights_are_refused_by_what_is_wrong(weight: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        check_weights(weight, ("p", "q"))
    for right in (None, "balanced", {"p": 0.0, "q": 2.0}, {}):
        assert check_weights(right, ("p", "q")) == right
    assert check_weights({"r": 1.0}, ()) == {"r": 1.0}, "classes may not be known yet"
