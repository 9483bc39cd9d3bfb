"""Scoring rows: the compiled loops against their own source, and against numpy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

LOGS = st.floats(-50, 0)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int32, np.int64])
@pytest.mark.parametrize("shift", [0, 1])
@given(data=st.data())
def test_a_table_is_read_for_every_column(data, kind, shift):
    slots, rows = np.array([3, 2], np.intp), np.array([0, 4], np.intp)  # each with the slot behind its axis
    least = 0 if np.dtype(kind).kind == "u" else -3
    codes = np.array(
        data.draw(st.lists(st.lists(st.integers(least, 9), min_size=2, max_size=2), min_size=1, max_size=6)), kind
    )
    table = np.array(data.draw(st.lists(LOGS, min_size=21, max_size=21))).reshape(7, 3)
    start = np.array(data.draw(st.lists(LOGS, min_size=2 * len(codes), max_size=2 * len(codes)))).reshape(-1, 2)
    *_, out, _ = assert_same("scores", "lookup", codes, shift, slots, rows, table, 0, len(codes), start)
    slot = codes.astype(int) + shift
    slot = np.where((slot < 0) | (slot > slots), slots, slot)
    np.testing.assert_allclose(out, start + table[rows + slot][..., 1:].sum(1), rtol=1e-12)


def normals(data, columns=2, classes=3):
    many = columns * (classes + 1)
    mean = np.array(data.draw(st.lists(st.floats(-9, 9), min_size=many, max_size=many)))
    precision = np.array(data.draw(st.lists(st.floats(0.1, 9), min_size=many, max_size=many)))
    constant = np.array(data.draw(st.lists(LOGS, min_size=many, max_size=many)))
    return tuple(part.reshape(columns, classes + 1) for part in (mean, precision, constant))


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@given(data=st.data())
def test_normal_densities_are_summed_and_holes_say_nothing(data, kind):
    cell = st.floats(-50, 50, width=32) | st.just(float("nan"))
    x = np.array(data.draw(st.lists(st.lists(cell, min_size=2, max_size=2), min_size=1, max_size=6)), kind)
    mean, precision, constant = normals(data)
    *_, out, bad = assert_same(
        "scores", "gaussian", x, mean, precision, constant, 0, len(x), np.empty((2, 3)), np.zeros((len(x), 3))
    )
    assert bad == -1
    each = constant - precision * (x.astype(float)[..., None] - mean) ** 2
    np.testing.assert_allclose(out, np.where(np.isnan(x)[..., None], 0.0, each).sum(1)[:, 1:], rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("value", [1e300, -1.7e308])
def test_a_square_that_overflows_stays_finite(value):
    form = np.zeros((2, 3)), np.ones((2, 3)), np.zeros((2, 3))
    x = np.array([[1.0, value]])
    *_, out, bad = assert_same("scores", "gaussian", x, *form, 0, 1, np.empty((2, 2)), np.zeros((1, 2)))
    assert bad == -1
    assert np.isfinite(out).all()
    assert (out < -1e289).all()


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinity_is_reported_by_position(value):
    form = np.zeros((2, 3)), np.ones((2, 3)), np.zeros((2, 3))
    x = np.array([[1.0, 2.0], [3.0, value]])
    *_, bad = assert_same("scores", "gaussian", x, *form, 0, 2, np.empty((2, 2)), np.zeros((2, 2)))
    assert bad == 3


@pytest.mark.parametrize("logs", [True, False])
@given(rows=st.lists(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3), min_size=1, max_size=5))
def test_each_row_is_normalised_by_itself(rows, logs):
    joint = np.array(rows)
    *_, out, _ = assert_same("scores", "normalise", 0, len(joint), logs, joint, rtol=1e-15)
    p = np.exp(joint - joint.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    np.testing.assert_allclose(np.exp(out) if logs else out, p, rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize("logs", [True, False])
@pytest.mark.parametrize("height", [-1e17, 1e20, -1e290])
def test_joints_of_any_height_are_normalised(height, logs):
    """log z is lost beside a joint of 1e17 unless the largest entry is taken off first."""
    joint = np.full((1, 4), height)
    *_, out, _ = assert_same("scores", "normalise", 0, 1, logs, joint)
    np.testing.assert_allclose(np.exp(out) if logs else out, 0.25, rtol=1e-12)


def test_only_the_rows_asked_for_are_touched():
    joint = np.log(np.array([[1.0, 3.0], [1.0, 3.0], [1.0, 3.0]]))
    *_, out, _ = assert_same("scores", "normalise", 1, 2, False, joint)
    np.testing.assert_allclose(out[1], [0.25, 0.75])
    np.testing.assert_array_equal(out[[0, 2]], joint[[0, 2]])
