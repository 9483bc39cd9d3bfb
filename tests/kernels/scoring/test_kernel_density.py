"""Histograms spread by a normal kernel: the compiled loop against its own source, and against a convolution."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same


@given(seed=st.integers(0, 2**32 - 1), groups=st.integers(1, 4), cells=st.integers(1, 30), wide=st.floats(0.3, 50.0))
def test_as_in_the_source(seed, groups, cells, wide):
    draw = np.random.default_rng(seed)
    histogram = draw.integers(0, 3, (groups, cells)) * draw.uniform(0.5, 2.0, (groups, 1))
    bandwidth = wide * draw.uniform(0.3, 1.0, groups)
    scratch = np.zeros(cells), np.zeros(2 * cells)
    out = np.zeros((groups, cells))
    *_, spread, peak, _ = assert_same(
        "kernel_density", "spread", histogram, bandwidth, 5.0, *scratch, out, np.zeros((groups, cells))
    )
    for n, h, found, stays in zip(histogram, bandwidth, spread, peak, strict=True):
        reach = min(int(np.ceil(5.0 * h)), cells - 1)
        apart = np.subtract.outer(np.arange(cells), np.arange(cells))
        kernel = np.where(abs(apart) <= reach, np.exp(-0.5 * (apart / h) ** 2), 0.0)
        inside = kernel / kernel.sum(0)
        np.testing.assert_allclose(found, inside @ n, rtol=1e-12, atol=1e-300)
        np.testing.assert_allclose(stays, inside.diagonal(), rtol=1e-12)
