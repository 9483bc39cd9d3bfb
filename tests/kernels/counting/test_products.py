"""Sums of products as pairs of doubles: the compiled loop against its own source (fractions: test_exact_products)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same


@given(seed=st.integers(0, 2**32 - 1), width=st.integers(0, 3), weighted=st.booleans())
def test_as_in_the_source(seed, width, weighted):
    draw = np.random.default_rng(seed)
    x, rows = draw.normal(size=(5, width)), draw.permutation(5)[:3]
    high, low = draw.normal(size=width + width * width), np.zeros(width + width * width)
    high[width:] = (np.outer(high[:width], high[:width])).ravel()
    assert_same("products", "add", x, rows, draw.uniform(0.5, 2, 5 if weighted else 0), high, low)
