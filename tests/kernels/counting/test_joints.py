"""Counting one table over several columns: the compiled loops against their own source, and against GROUP BY."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(0, 30), columns=st.integers(1, 3))
def test_rows_are_counted_and_weighed_by_several_columns_and_group(seed, rows, columns):
    draw = np.random.default_rng(seed)
    codes, group = draw.integers(0, 3, (4, rows)).astype(np.int32), draw.integers(0, 2, rows).astype(np.int32)
    some, weight = draw.permutation(4)[:columns].astype(np.intp), draw.uniform(0.5, 2.0, rows)
    strides = (2 * 3 ** np.arange(columns)).astype(np.intp)
    where = (codes, some, strides, group)
    *_, counts, _ = assert_same("joints", "counts", *where, 0, rows, np.zeros(2 * 3**columns, np.int64))
    *_, sums, _ = assert_same("joints", "weights", *where, weight, 0, rows, np.zeros(2 * 3**columns))
    at = codes[some].T @ strides + group
    np.testing.assert_array_equal(counts, np.bincount(at.astype(int), minlength=len(counts)))
    np.testing.assert_allclose(sums, np.bincount(at.astype(int), weight, len(counts)))
