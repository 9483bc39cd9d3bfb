"""Distinct rows, as numpy finds them by comparing rows as a whole."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bayesfold.runtime.unique import distinct_rows


@given(arrays(np.float64, st.tuples(st.integers(0, 12), st.integers(1, 3)), elements=st.sampled_from([-1.0, 0.0, 2.5])))
def test_rows_and_their_places_are_those_of_numpy(x):
    rows, place = distinct_rows(x)
    expected, at = np.unique(x, axis=0, return_inverse=True)
    assert rows.tolist() == expected.tolist()
    assert place.tolist() == at.reshape(-1).tolist()


def test_rows_of_nothing_are_one():
    rows, place = distinct_rows(np.empty((3, 0)))
    assert rows.shape == (1, 0)
    assert place.tolist() == [0, 0, 0]
