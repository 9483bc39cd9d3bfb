"""Values that a number might have."""

import numpy as np

from bayesfold.explanations.candidate_values import GRID, values_within


def test_a_grid_of_whole_numbers_has_as_many_steps_as_it_may() -> None:
    assert GRID == 33
    np.testing.assert_array_equal(values_within(0.0, 32.0, True), np.arange(33.0))


def test_both_ends_of_a_range_are_among_its_values() -> None:
    found = values_within(0.123456, 0.987654, False)
    assert (found[0], found[-1]) == (0.123456, 0.987654)
    assert (np.diff(found) > 0).all()
