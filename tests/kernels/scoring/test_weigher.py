"""The weigher's derivatives: the compiled loop against its own source, and against differences of its values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

from bayesfold.kernels.scoring import weigher


def case(seed, rows, parts, classes, sure=2.0):
    """Parts, true classes, weights of rows, and weights of parts and classes."""
    draw = np.random.default_rng(seed)
    T, own = draw.normal(0, sure, (rows, parts, classes)), draw.integers(0, classes, rows)
    return T, own, draw.uniform(0.1, 3.0, rows), draw.normal(0, 1, parts + classes)


def room(rows, parts, classes):
    """What the kernel writes to."""
    size = parts + classes
    scratch = np.zeros(parts), np.zeros(classes, np.intp), np.zeros((rows * classes, parts))
    return *scratch, np.zeros((rows, classes)), np.zeros(size), np.zeros((size, size))


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 8), parts=st.integers(1, 6), classes=st.integers(1, 4))
def test_as_in_the_source(seed, rows, parts, classes):
    assert_same("weigher", "newton", *case(seed, rows, parts, classes), 0, rows, *room(rows, parts, classes))


@given(
    seed=st.integers(0, 2**32 - 1),
    parts=st.integers(1, 4),
    classes=st.sampled_from([2, 3, 4, 30]),
    sure=st.sampled_from([2.0, 40.0]),
)
def test_derivatives_are_differences_of_the_value(seed, parts, classes, sure):
    T, own, weight, w = case(seed, 5, parts, classes, sure)

    def at(w):
        _, _, Z, P, gradient, H = out = room(5, parts, classes)
        value, held = weigher.newton(T, own, weight, w, 0, 5, *out)
        H[:parts, :parts] += Z[:held].T @ Z[:held]
        np.testing.assert_allclose(P.sum(1), 1.0)
        return value, gradient, np.tril(H) + np.tril(H, -1).T

    _, gradient, H = at(w)
    step = 1e-5 * np.eye(len(w))
    above, below = ([at(w + sign * e) for e in step] for sign in (1, -1))
    slopes = [(a[0] - b[0]) / 2e-5 for a, b in zip(above, below, strict=True)]
    bends = [(a[1] - b[1]) / 2e-5 for a, b in zip(above, below, strict=True)]
    np.testing.assert_allclose(gradient, slopes, rtol=1e-5, atol=1e-5 * sure**2)
    np.testing.assert_allclose(H, bends, rtol=1e-5, atol=1e-5 * sure**2)


def left_out_case(seed, rows, parts, classes):
    """Arguments of `leave_out`, and the inverse that they were made with."""
    T, own, weight, w = case(seed, rows, parts, classes)
    root = np.random.default_rng(seed).normal(0, 0.1, (parts + classes, parts + classes))
    inverse, turned = root @ root.T, np.ascontiguousarray(np.moveaxis(T, 2, 1))
    logits = np.matmul(w[:parts], T) + w[parts:]
    P = np.exp(logits - logits.max(1, keepdims=True))
    P /= P.sum(1, keepdims=True)
    M, rest = turned @ inverse[:parts], np.ascontiguousarray(inverse[parts:, parts:])
    return (turned, M, rest, own, weight, P, np.zeros((2, classes, classes + 1)), logits), inverse


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 5), parts=st.integers(0, 5), classes=st.integers(1, 5))
def test_rows_left_out_as_in_the_source(seed, rows, parts, classes):
    arguments, _ = left_out_case(seed, rows, parts, classes)
    assert_same("weigher", "leave_out", *arguments, rtol=1e-9)  # a compiled loop may sum in another order


@given(seed=st.integers(0, 2**32 - 1), parts=st.integers(0, 5), classes=st.integers(1, 5))
def test_rows_left_out_move_as_the_matrices_say(seed, parts, classes):
    arguments, inverse = left_out_case(seed, 4, parts, classes)
    T, _, _, own, gone, P, _, logits = arguments
    before = logits.copy()
    weigher.leave_out(*arguments)
    for i, p in enumerate(P):
        J = np.concatenate([T[i].T, np.eye(classes)])
        S, A, g = gone[i] * J.T @ inverse @ J, np.diag(p) - np.outer(p, p), p - np.eye(classes)[own[i]]
        moved = S @ np.linalg.solve((1 + 1e-9) * np.eye(classes) - A @ S, g)
        np.testing.assert_allclose(logits[i] - before[i], moved, rtol=1e-6, atol=1e-6 * abs(moved).max(initial=1e-9))


@pytest.mark.parametrize("on", [[0, 1, 2, 3], [2], [0, 3], []])
def test_a_step_is_that_of_the_weights_that_move(on):
    draw = np.random.default_rng(len(on))
    A, on = draw.normal(size=(4, 6)), np.array(on, np.intp)
    H, gradient = A @ A.T, draw.normal(size=4)
    expected = np.zeros(4)
    expected[on] = np.linalg.solve(H[np.ix_(on, on)], gradient[on])
    lower = np.tril(H) + np.triu(np.full((4, 4), np.nan), 1)  # the upper half is not read
    *_, out, definite = assert_same("weigher", "step", lower, gradient, on, np.zeros((4, 4)), np.zeros(4))
    assert definite
    np.testing.assert_allclose(out, expected, rtol=1e-9)


def test_a_matrix_that_is_not_definite_has_no_step():
    H = np.array([[1.0, 2.0], [2.0, 1.0]])
    assert not assert_same("weigher", "step", H, np.ones(2), np.arange(2), np.zeros((2, 2)), np.zeros(2))[-1]
