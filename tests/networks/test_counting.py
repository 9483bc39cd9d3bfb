"""What was counted fades by a factor above 0 and up to 1, in networks of categories and of numbers alike."""

import pytest

from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.network import BayesianNetwork

CATEGORIES = {"sex": [*"ffmm"], "tall": ["no", "no", "no", "yes"]}
NUMBERS = {"sex": [*"ffmm"], "height": [160.0, 164.0, 176.0, 184.0]}


def learned():
    """A network of each kind; both know the rows one by one."""
    yield BayesianNetwork.from_edges([("sex", "tall")]).fit(CATEGORIES, method="mle")
    yield MixedNetwork.from_edges([("sex", "height")], numbers=["height"]).fit(NUMBERS, method="mle")


@pytest.mark.parametrize("factor", [0, 0.0, -0.5, 1.0000001, float("inf"), float("nan")])
def test_a_factor_that_leaves_nothing_or_adds_rows_is_refused(factor):
    for net in learned():
        with pytest.raises(ValueError, match="decay needs a factor above 0 and at most 1"):
            net.decay(factor)


def test_a_row_that_counts_half_is_outvoted_by_two_halves():
    """By hand: of four rows at a half each and two more men, P(m) = (1 + 2) / (2 + 2)."""
    more = {"sex": ["m", "m"], "tall": ["yes", "yes"], "height": [190.0, 190.0]}
    for net in learned():
        rows = {name: more[name] for name in net.nodes}
        assert net.decay(1).partial_fit(rows).table("sex").values[1] == pytest.approx(4 / 6)
        assert net.decay(0.5).partial_fit(rows).table("sex").values[1] == pytest.approx(3 / 4)
