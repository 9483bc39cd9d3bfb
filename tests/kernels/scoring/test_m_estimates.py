"""Tables with pseudo rows: the compiled loops against their own source, and each row against a table without it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

from bayesfold.kernels.scoring import m_estimates


@given(
    seed=st.integers(0, 2**32 - 1),
    groups=st.integers(1, 4),
    levels=st.lists(st.integers(1, 5), min_size=1, max_size=4),
    weighted=st.booleans(),
)
def test_as_in_the_source_and_each_row_as_if_it_had_not_been_there(seed, groups, levels, weighted):
    draw = np.random.default_rng(seed)
    starts = np.cumsum([0, *(1 + n for n in levels)]).astype(np.intp)
    mass = draw.integers(1, 4, (starts[-1], groups)) * (1.5 if weighted else 1)
    totals, where = np.zeros(groups + 1), draw.permutation(len(levels)).astype(np.intp)
    assert_same("m_estimates", "tables", mass, starts, 0.5, totals, np.zeros((len(mass) + len(levels), groups)))
    x = np.stack([draw.integers(0, levels[j] + 2, 6) for j in where], axis=1)
    own, gone = draw.integers(0, groups, 6), np.ones(6)
    out = np.zeros((6, len(levels), groups))
    *_, out, _ = assert_same("m_estimates", "left_out", mass, starts, where, x, own, gone, 0.5, totals, out)
    for i in range(6):
        for k, j in enumerate(where):
            without = mass.astype(float)
            if 0 < x[i, k] <= levels[j]:
                without[starts[j] + x[i, k], own[i]] -= 1.0
            table = np.zeros((len(mass) + len(levels), groups))
            m_estimates.tables(without, starts, 0.5, totals, table)
            np.testing.assert_allclose(out[i, k], table[starts[j] + j + x[i, k]], rtol=1e-12, atol=1e-12)
