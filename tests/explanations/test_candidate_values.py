"""Values that a number might have."""

import numpy as np

import bayesfold as bf
from bayesfold.explanations.candidate_values import GRID, grids_of, shorten_grid, values_within


def test_a_grid_of_whole_numbers_has_as_many_steps_as_it_may() -> None:
    assert GRID == 33
    np.testing.assert_array_equal(values_within(0.0, 32.0, True), np.arange(33.0))


def test_both_ends_of_a_range_are_among_its_values() -> None:
    found = values_within(0.123456, 0.987654, False)
    assert (found[0], found[-1]) == (0.123456, 0.987654)
    assert (np.diff(found) > 0).all()


def test_two_numbers_have_as_few_digits_as_tell_them_apart() -> None:
    np.testing.assert_array_equal(shorten_grid(np.array([0.1234, 0.9])), [0.1, 0.9])


def test_numbers_of_a_vector_reach_three_standard_deviations_from_their_mean() -> None:
    x = np.array([[1.0, 50.0], [3.0, 30.0], [1.0, 10.0], [3.0, 30.0]])
    grids = grids_of(bf.GaussianBayes().fit(x, [0, 1, 0, 1]).model_, smooth=("x0", "x1"))
    for name, column in zip(grids, x.T, strict=True):
        reach = 3 * column.std()
        np.testing.assert_allclose(grids[name][[0, -1]], [column.mean() - reach, column.mean() + reach])


def test_numbers_that_are_ranked_reach_from_the_least_to_the_greatest() -> None:
    draw = np.random.default_rng(0)
    x, y = draw.exponential(size=(60, 2)) * [1.0, 40.0], np.arange(60) % 2
    grids = grids_of(bf.GaussianBayes(numeric="ranks").fit(x, y).model_, smooth=("x0", "x1"))
    assert {name: (grid[0], grid[-1]) for name, grid in grids.items()} == {
        f"x{j}": (x[:, j].min(), x[:, j].max()) for j in range(2)
    }
