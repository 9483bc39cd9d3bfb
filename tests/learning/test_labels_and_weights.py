"""Weights of rows that are none are refused, each by what is wrong with it."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from bayesfold.data.frame import Frame, code
from bayesfold.learning.labels_and_weights import by_class, check_row_weights, check_weights

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
