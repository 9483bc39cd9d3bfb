"""Student's quantile beside scipy's."""

import math

import pytest
from scipy.special import ndtri, stdtrit

from bayesfold.decisions.student_t import expanded, quantile

FREEDOM = (1, 1.5, 2, 3, 4, 5, 9, 30, 199, 998, 999.5, 1_000, 1_001, 12_345, 1e6, 1e9)
CHANCES = (0.6, 0.9, 0.95, 0.975, 0.995, 0.9999, 0.999999, 0.2, 0.025)


@pytest.mark.parametrize("freedom", FREEDOM)
def test_it_is_scipys(freedom: float) -> None:
    """Twelve digits, in the middle, in both tails, and where the expansion takes over."""
    for p in CHANCES:
        assert math.isclose(quantile(p, freedom), stdtrit(freedom, p), rel_tol=1e-11)


@pytest.mark.parametrize("freedom", [50, 100, 200])
@pytest.mark.parametrize("p", [0.9, 0.975, 0.9999])
def test_what_four_terms_leave_is_of_the_order_of_the_fifth(p: float, freedom: float) -> None:
    """With fewer degrees of freedom than it is used for, where every coefficient shows."""
    z = float(ndtri(p))
    off = expanded(z, freedom) / stdtrit(freedom, p) - 1
    assert abs(off) * freedom**5 < 0.01 * z**10 + 1


def test_the_middle_and_the_limit() -> None:
    """Half of it lies below 0; with many rows it is the normal distribution's."""
    assert quantile(0.5, 3) == 0.0
    assert math.isclose(quantile(0.975, math.inf), 1.959963984540054, rel_tol=1e-15)


@pytest.mark.parametrize(("p", "freedom"), [(0.0, 3), (1.0, 3), (math.nan, 3), (0.9, 0), (0.9, math.nan)])
def test_what_has_no_quantile_is_refused(p: float, freedom: float) -> None:
    """A chance of 0 or 1 lies infinitely far out."""
    with pytest.raises(ValueError, match="0 < p < 1"):
        quantile(p, freedom)
