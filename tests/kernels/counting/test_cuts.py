"""Where numbers fall between cuts: the compiled loop against its own source, and against numpy's search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

NUMBERS = st.sampled_from([-1e300, -2.0, -1.0, 0.0, 0.5, 1.0, 3.0, 1e300])


@pytest.mark.parametrize("kind", [np.uint8, np.int32])
@given(
    cuts=st.sets(NUMBERS),
    x=st.lists(NUMBERS | st.sampled_from([np.nan, np.inf, -np.inf])),
    hole=st.sampled_from([0, 9]),
)
def test_numbers_fall_where_numpy_puts_them(kind, cuts, x, hole):
    cuts, x = np.array(sorted(cuts), float), np.array(x, float)
    *_, out, _ = assert_same("cuts", "place", cuts, x, hole, np.zeros(len(x), kind))
    expected = np.where(np.isnan(x), hole, np.searchsorted(cuts, x, side="right") + 1)
    np.testing.assert_array_equal(out, expected)
