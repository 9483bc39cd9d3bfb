"""Kernels on a grid: the compiled loops against their own source, and a spread histogram against a convolution."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

REACH = 5.0


def case(seed, groups, grids, weighted):
    """Histograms of several columns, [slot, group], and where each begins."""
    draw = np.random.default_rng(seed)
    starts = np.cumsum([0, *(1 + cells for cells in grids)])
    mass = draw.integers(0, 3, (starts[-1], groups))
    return draw, mass * draw.uniform(0.5, 2.0, (1, groups)) if weighted else mass, starts.astype(np.intp)


def room(groups, grids):
    """What the kernels work in."""
    most = max(grids)
    return np.zeros((2, 2 * most)), np.zeros((groups + 1, most)), np.zeros((groups, most)), np.zeros(groups + 1)


tables = given(
    seed=st.integers(0, 2**32 - 1),
    groups=st.integers(1, 4),
    grids=st.lists(st.integers(1, 30), min_size=1, max_size=3),
    weighted=st.booleans(),
    wide=st.floats(0.3, 50.0),
)


@tables
def test_bandwidths_as_in_the_source(seed, groups, grids, weighted, wide):
    _, mass, starts = case(seed, groups, grids, weighted)
    assert_same("kernel_density", "silverman", mass, starts, wide, np.zeros((len(grids), groups)), rtol=1e-13)


@tables
def test_tables_as_in_the_source_and_a_convolution(seed, groups, grids, weighted, wide):
    draw, mass, starts = case(seed, groups, grids, weighted)
    bandwidth = wide * draw.uniform(0.3, 1.0, (len(grids), groups))
    out = np.zeros((len(mass) + len(grids), groups))
    *_, out, _ = assert_same(
        "kernel_density", "tables", mass, starts, bandwidth, 0.5, REACH, *room(groups, grids), out, rtol=1e-12
    )
    for j, cells in enumerate(grids):
        n = mass[starts[j] + 1 : starts[j + 1]].astype(float)
        spread = np.zeros((cells, groups))
        for g, h in enumerate(bandwidth[j]):
            reach = min(int(np.ceil(REACH * h)), cells - 1)
            apart = np.subtract.outer(np.arange(cells), np.arange(cells))
            kernel = np.where(abs(apart) <= reach, np.exp(-0.5 * (apart / h) ** 2), 0.0)
            spread[:, g] = kernel / kernel.sum(0) @ n[:, g]
        share = (spread.sum(1) + 1 / cells) / (n.sum() + 1)
        log_p = np.log((spread + 0.5 * share[:, None]) / (n.sum(0) + 0.5))
        own = out[starts[j] + j : starts[j + 1] + j + 1]
        np.testing.assert_allclose(own[1:-1], log_p, rtol=1e-10, atol=1e-12)
        assert not own[0].any()
        assert not own[-1].any()


@tables
def test_rows_left_out_as_in_the_source(seed, groups, grids, weighted, wide):
    draw, mass, starts = case(seed, groups, grids, weighted)
    bandwidth = wide * draw.uniform(0.3, 1.0, (len(grids), groups))
    where = draw.permutation(len(grids)).astype(np.intp)
    x = np.stack([draw.integers(0, grids[j] + 2, 6) for j in where], axis=1)
    rows = x, draw.integers(0, groups, 6), np.full(6, 0.1)
    scratch, out = room(groups, grids), np.zeros((6, len(grids), groups))
    assert_same(
        "kernel_density", "left_out", mass, starts, where, *rows, bandwidth, 0.5, REACH, *scratch, out, rtol=1e-12
    )
