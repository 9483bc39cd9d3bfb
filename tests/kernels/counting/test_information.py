"""Mutual information of many tables: the compiled loop against its own source, and against one table at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

from bayesfold.tally.mutual_information import of_tables


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@given(seed=st.integers(0, 2**32 - 1), zeros=st.floats(0, 1))
def test_of_a_pair_given_the_class(kind, seed, zeros):
    draw = np.random.default_rng(seed)
    shapes = [(3, 4, 3), (2, 2, 3), (4, 3, 3), (1, 3, 3)]
    source = (draw.integers(0, 9, sum(int(np.prod(s)) for s in shapes)) * (draw.random() > zeros)).astype(kind)
    firsts = np.cumsum([0, *(int(np.prod(s)) for s in shapes)])[:-1]
    tables = np.array([(first, *shape[:2]) for first, shape in zip(firsts, shapes, strict=True)], np.intp)
    *_, found, _ = assert_same("information", "given_class", source, tables, 3, np.zeros(4), np.zeros(4), rtol=1e-12)
    for first, shape, shared in zip(firsts, shapes, found, strict=True):
        n = np.moveaxis(source[first : first + int(np.prod(shape))].reshape(shape)[1:, 1:, 1:].astype(float), 2, 0)
        share = n.sum((1, 2))
        expected = share @ of_tables(n) / share.sum() if share.any() else 0.0
        np.testing.assert_allclose(shared, expected, rtol=1e-10, atol=1e-12)
