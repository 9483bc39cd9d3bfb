"""Normal scores of ranks are finite, however much of the weight one row has."""

from statistics import NormalDist

import numpy as np
import pytest

from bayesfold.learning.gaussian_vector import KNOTS, normal_scores


@pytest.mark.parametrize("weight", [[1e17, 1.0, 1.0], [1.0, 1.0, 1e17], [1.0, 1e17, 1.0], [1e300, 1e-300, 1.0]])
def test_a_row_that_leaves_others_no_share_leaves_them_a_score(weight: list[float]) -> None:
    scores = np.array(normal_scores(np.array([1.0, 2.0, 3.0]), np.array(weight)))
    assert np.isfinite(scores).all()
    assert (np.diff(scores[:, 1]) >= 0).all()


def test_scores_are_those_of_the_middle_of_equal_values() -> None:
    """Four rows: shares 1/8, (1 + 2/2)/4 and 7/8."""
    scores = normal_scores(np.array([5.0, 7.0, 7.0, 9.0]), np.ones(4))
    expected = [(5.0, 1 / 8), (7.0, 1 / 2), (9.0, 7 / 8)]
    np.testing.assert_allclose(scores, [(x, NormalDist().inv_cdf(share)) for x, share in expected], atol=1e-12)


def test_of_many_values_so_many_are_knots_and_the_ends_are_among_them() -> None:
    x = np.arange(1_000.0)
    knots = np.array(normal_scores(x, np.ones(1_000)))
    assert len(knots) == KNOTS
    assert knots[[0, -1], 0].tolist() == [0.0, 999.0]
