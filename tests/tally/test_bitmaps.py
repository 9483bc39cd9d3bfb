"""Which pairs of columns are counted in bitmaps."""

import numpy as np
import pytest

from bayesfold.tally.bitmaps import suits


@pytest.mark.parametrize(
    ("slots", "other", "counted"),
    [(16, 7, True), (7, 16, True), (17, 2, False), (2, 17, False), (11, 11, True), (11, 12, False), (16, 8, False)],
)
def test_few_slots_and_few_pairs_of_them_are(slots: int, other: int, counted: bool) -> None:
    """At most 16 slots, and 100 pairs of levels: 10 x 10 are as many as may be."""
    assert suits(np.array([slots]), np.array([other])).tolist() == [counted]
