"""Distances from normal classes without the row: the compiled loop against its own source, and against matrices."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

FLOOR = 2.0**-46


@given(seed=st.integers(0, 2**32 - 1), width=st.integers(1, 4), independent=st.booleans())
def test_as_in_the_source_and_as_matrices_say(seed, width, independent):
    draw = np.random.default_rng(seed)
    Y, centre = draw.normal(size=(6, width)), draw.normal(size=(3, width))
    rows, own = draw.permutation(8)[:6], draw.integers(0, 2, 8)
    weight, q, values = draw.uniform(0, 2, 8), draw.uniform(0, 0.04, 8), draw.uniform(0.5, 2, width)
    diagonal = np.array([0.0, 0.3])
    asked = Y, rows, own, centre, 2, weight, 4.0, q, 0.5, values, diagonal, FLOOR, 2.0**-30, 2.0**-48, independent
    scratch, out = np.zeros((6, 4)), np.full((2, 8, 2), np.nan)
    assert_same("normals", "left_out", *asked, scratch, out, 1)

    from bayesfold.kernels.scoring import normals

    normals.left_out(*asked, scratch, out, 1)
    for k, share in enumerate(diagonal):
        for i, row in enumerate(rows):
            x, v, away = Y[i] - centre[2], Y[i] - centre[own[row]], 1 / (1 - weight[row] / 4.0)
            gone = (1 - share) * 0.5 * q[row] * np.outer(v, v)
            S = np.diag((1 - share) * values + share) - (np.diag(np.diag(gone)) if independent else gone)
            expected = np.linalg.slogdet(S)[1] + away**2 * x @ np.linalg.solve(S, x)
            np.testing.assert_allclose(out[k, row, 1], expected, rtol=1e-9, atol=1e-9)
    assert np.isnan(out[:, :, 0]).all()
