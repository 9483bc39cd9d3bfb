"""Entries that hold nearly all of their group's squares: the compiled loop against its source and the formula."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 12), columns=st.integers(1, 4), weighted=st.booleans())
def test_dominant_entries(seed, rows, columns, weighted):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(rows, columns)) * np.where(draw.random((rows, columns)) < 0.2, 1e6, 1.0)
    x[draw.random((rows, columns)) < 0.1] = np.nan
    group, weight = draw.integers(0, 2, rows), draw.uniform(0.5, 2.0, rows) if weighted else np.ones(rows)
    where = draw.permutation(columns)
    known = ~np.isnan(x)
    cells = [[known[:, j] & (group == g) for g in range(2)] for j in np.argsort(where)]  # column c stands at where == c
    by_column = x[:, np.argsort(where)]
    count = np.array([[there.sum() for there in of] for of in cells], np.int64)
    mass = np.array([[weight[there].sum() for there in of] for of in cells])
    mean, spread = np.zeros((2, columns, 2))
    for c, of in enumerate(cells):
        for g, there in enumerate(of):
            if there.any():
                mean[c, g] = np.average(by_column[there, c], weights=weight[there])
                spread[c, g] = weight[there] @ (by_column[there, c] - mean[c, g]) ** 2
    share = 0.999
    tables = count, mass if weighted else count, mean, spread
    *_, out, many = assert_same(
        "left_out", "dominant", x, group, weight, where, *tables, share, np.zeros((rows, columns), np.uint8)
    )
    for i, j in np.ndindex(rows, columns):
        c, g = where[j], group[i]
        own = weight[i] * (x[i, j] - mean[c, g]) ** 2 * mass[c, g]
        enough = count[c, g] > 2 and spread[c, g] > 0 and own >= share * spread[c, g] * (mass[c, g] - weight[i])
        assert out[i, j] == enough
    assert many == out.sum()


def test_what_dominates_does_not_depend_on_the_unit():
    x = np.array([0.0, 1.0, 2.0, 1e7])[:, None]
    for unit in (1.0, 1e-9, 1e9):
        scaled, nobody = unit * x, np.zeros((4, 1), np.uint8)
        mean, spread = scaled.mean(), ((scaled - scaled.mean()) ** 2).sum()
        tables = np.array([[4]]), np.array([[4]]), np.array([[mean]]), np.array([[spread]])
        rows = scaled, np.zeros(4, np.intp), np.ones(4), np.zeros(1, np.intp)
        *_, out, many = assert_same("left_out", "dominant", *rows, *tables, 0.999, nobody)
        assert (out[:, 0].tolist(), many) == ([0, 0, 0, 1], 1)
        few = np.array([[2]]), *tables[1:]
        *_, out, many = assert_same("left_out", "dominant", *rows, *few, 0.999, nobody.copy())
        assert many == 0, "a group of two is left to itself"
