"""Options that are whole numbers."""

import numpy as np
import pytest

from bayesfold.runtime.counts import check_count


@pytest.mark.parametrize("value", [1.5, True, "3", None, float("nan"), float("inf")])
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(ValueError, match="folds must be a whole number, not "):
        check_count("folds", value)


def test_whole_numbers_of_any_type_are_taken_and_too_small_ones_refused():
    assert [check_count("folds", value, 2) for value in (2, 3.0, np.int8(4))] == [2, 3, 4]
    with pytest.raises(ValueError, match="folds must be at least 2, not 1"):
        check_count("folds", 1, 2)
