"""Rows of few entries against scipy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from bayesfold.data.sparse import Sparse, add_product

ROWS = st.lists(st.dictionaries(st.integers(0, 4), st.integers(1, 9), max_size=5), max_size=8)


def both(rows):
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.array([c for row in rows for c in row], np.int32)
    data = np.array([v for row in rows for v in row.values()], np.int32)
    return Sparse(starts, columns, data, 5), csr_array((data, columns, starts), shape=(len(rows), 5))


@given(rows=ROWS, data=st.data())
def test_rows_are_cut_summed_and_multiplied_as_scipy_does(rows, data):
    ours, theirs = both(rows)
    weights = np.arange(15.0).reshape(5, 3) - 4
    np.testing.assert_array_equal(ours @ weights, theirs @ weights)
    np.testing.assert_array_equal(ours.sum(1), np.asarray(theirs.sum(1)).ravel())
    chosen = np.array(data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=6)) if rows else [], np.intp)
    np.testing.assert_array_equal(ours[chosen] @ weights, theirs[chosen] @ weights)
    begin, end = sorted(data.draw(st.tuples(st.integers(0, 8), st.integers(0, 8))))
    np.testing.assert_array_equal(ours[begin:end] @ weights, theirs[begin:end] @ weights)
    np.testing.assert_array_equal(ours[::2] @ weights, theirs[::2] @ weights)
    out = np.ones((len(rows), 3))
    add_product(theirs, weights, 0.5, out)
    np.testing.assert_allclose(out, 1 + 0.5 * (theirs @ weights))
