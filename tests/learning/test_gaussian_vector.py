"""The axes of numbers: means and deviations of weighted rows, and finite scores of ranks whatever rows weigh."""

from statistics import NormalDist

import numpy as np
import pytest

from bayesfold.data.encodings import Real
from bayesfold.learning.gaussian_vector import KNOTS, Known, normal_scores, scaled


@pytest.mark.parametrize("weight", [[1e17, 1.0, 1.0], [1.0, 1.0, 1e17], [1.0, 1e17, 1.0], [1e300, 1e-300, 1.0]])
def test_a_row_that_leaves_others_no_share_leaves_them_a_score(weight: list[float]) -> None:
    scores = normal_scores(np.array([1.0, 2.0, 3.0]), np.array(weight))
    assert np.isfinite(scores).all()
    assert (np.diff(scores[1]) >= 0).all()


def test_scores_are_those_of_the_middle_of_equal_values() -> None:
    """Four rows: shares 1/8, (1 + 2/2)/4 and 7/8."""
    scores = normal_scores(np.array([5.0, 7.0, 7.0, 9.0]), np.ones(4))
    expected = [(5.0, 1 / 8), (7.0, 1 / 2), (9.0, 7 / 8)]
    np.testing.assert_allclose(scores.T, [(x, NormalDist().inv_cdf(share)) for x, share in expected], atol=1e-12)


def test_of_many_values_so_many_are_knots_and_the_ends_are_among_them() -> None:
    x = np.arange(1_000.0)
    knots = normal_scores(x, np.ones(1_000))
    assert knots.shape == (2, KNOTS)
    assert knots[0, [0, -1]].tolist() == [0.0, 999.0]


@pytest.mark.parametrize("by_rank", [False, True])
@pytest.mark.parametrize("unit", [0.001, 1.0, 40.0])
def test_a_weight_is_so_many_rows_in_any_unit(unit: float, by_rank: bool) -> None:
    x, copies = np.array([7.0, 1.0, np.nan, 4.0]), np.array([1, 3, 2, 2])
    weighed = scaled(Real("x"), Known.of(x, copies * unit), by_rank, 5.0)
    copied = scaled(Real("x"), Known.of(x.repeat(copies), None), by_rank, 5.0)
    np.testing.assert_allclose([weighed.centre, weighed.unit], [copied.centre, copied.unit], rtol=1e-12)
    np.testing.assert_allclose(weighed.knots, copied.knots, rtol=1e-12)
    np.testing.assert_array_equal(weighed._knots.T, np.array(weighed.knots).reshape(-1, 2))
    if not by_rank:  # (3 x 1 + 2 x 4 + 7) / 6 = 3, and (3 x 4 + 2 x 1 + 16) / 6 = 5
        np.testing.assert_allclose([weighed.centre, weighed.unit**2], [3.0, 5.0], rtol=1e-12)
