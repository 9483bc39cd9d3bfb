"""One row at a time: the compiled stream against its own source."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import compiled, uncompiled

# two classes and the missing one; a column of two levels, a normal and a Poisson column
GROUPS, CELLS, SUMS = 3, 3 + 9 + 3 + 3, 6 + 3


def made(version, weighted, prior_alpha):
    """A stream over an empty tally, and the tally."""
    arrays = np.zeros(CELLS, np.int64), np.zeros((2, CELLS if weighted else 0)), np.zeros(SUMS), np.zeros(SUMS)
    discrete = np.array([3], np.intp), np.array([3], np.intp), np.array([1.0]), np.array([1.0])
    real = np.array([12, 15], np.intp), np.array([0, 6], np.intp), np.array([2, 1], np.intp)
    normal = np.array([0], np.intp), np.array([[1.0, 0.0, 0.0, 1.0, 0.0]])
    poisson = np.array([1], np.intp), np.array([[1.0, 0.5]])
    stream = version("stream").Stream(
        arrays, GROUPS, prior_alpha, discrete, real, normal, poisson, np.empty((2, GROUPS))
    )
    return stream, arrays


ROW = st.tuples(
    st.integers(0, 2),
    st.integers(-300, 300).map(lambda i: i / 7) | st.just(float("nan")),
    st.integers(0, 9).map(float) | st.just(float("nan")),
)


@given(
    rows=st.lists(st.tuples(ROW, st.integers(1, 2), st.sampled_from([1.0, 0.5, 3.0])), max_size=8),
    asked=st.lists(ROW, min_size=1, max_size=3),
    weighted=st.booleans(),
    prior_alpha=st.sampled_from([-1.0, 0.0, 1.0]),
)
def test_rows_are_counted_and_scored_as_by_the_source(rows, asked, weighted, prior_alpha):
    (ours, counted), (theirs, expected) = (made(v, weighted, prior_alpha) for v in (compiled, uncompiled))
    for (code, x, k), group, weight in rows:
        row = np.array([[code]], np.int32), np.array([[x, k]])
        given_weight = weight if weighted else 1.0
        assert ours.learn(*row, group, given_weight, 2.0**500) is True
        assert theirs.learn(*row, group, given_weight, 2.0**500) is True
    for a, b in zip(counted, expected, strict=True):
        np.testing.assert_array_equal(a, b)
    assert counted[0][:3].sum() == len(rows)
    for code, x, k in asked:
        out = np.zeros((2, 1, 2))
        for i, stream in enumerate((ours, theirs)):
            stream.log_joint(np.array([[code]], np.int32), np.array([[x, k]]), out[i])
        np.testing.assert_allclose(out[0], out[1], rtol=1e-12, atol=1e-12)
        assert np.isfinite(out).all()


def test_a_level_never_seen_changes_nothing():
    for version in (compiled, uncompiled):
        stream, counted = made(version, False, 1.0)
        assert stream.learn(np.array([[3]], np.int32), np.array([[1.0, 2.0]]), 1, 1.0, 2.0**500) is False
        assert not any(part.any() for part in counted)
