"""Sums of count columns: the compiled loops against their own source, dense against sparse, both against numpy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from tests.kernels.reference import assert_same

KINDS = [np.float64, np.float32, np.int64, np.int32, np.int16, np.uint8, np.uint32]


def table(data, kind):
    rows = data.draw(st.integers(0, 8))
    cells = st.lists(st.integers(0, 3), min_size=4, max_size=4)
    x = np.array(data.draw(st.lists(cells, min_size=rows, max_size=rows)), kind).reshape(rows, 4)
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows)), np.int32)
    weight = data.draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=rows, max_size=rows))
    return x, group, np.empty(0) if weight is None else np.array(weight)


def expected(x, group, weight):
    w = weight if len(weight) else np.ones(len(x))
    return np.stack([(w[:, None] * x.astype(float))[group == g].sum(0) for g in range(3)])


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_dense_counts_are_summed_in_each_group(data, kind):
    x, group, weight = table(data, kind)
    *_, total, bad = assert_same("blocks", "dense", x, group, weight, 0, len(x), np.zeros((3, 4)))
    assert bad == -1
    np.testing.assert_allclose(total, expected(x, group, weight), rtol=1e-12)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_sparse_counts_are_summed_in_each_group(data, kind, index):
    x, group, weight = table(data, kind)
    matrix = csr_array(x)
    parts = matrix.indptr.astype(np.int64), matrix.indices.astype(index), matrix.data
    *_, total, bad = assert_same("blocks", "sparse", *parts, group, weight, 0, len(x), np.zeros((3, 4)))
    assert bad == -1
    np.testing.assert_allclose(total, expected(x, group, weight), rtol=1e-12)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf, -np.inf])
def test_a_count_that_is_none_is_reported_by_position(value):
    x = np.ones((3, 4))
    x[1, 2] = value
    group = np.zeros(3, np.int32)
    *_, bad = assert_same("blocks", "dense", x, group, np.empty(0), 0, 3, np.zeros((1, 4)))
    assert bad == 1 * 4 + 2
    matrix = csr_array(x)
    parts = matrix.indptr.astype(np.int64), matrix.indices, matrix.data
    *_, bad = assert_same("blocks", "sparse", *parts, group, np.empty(0), 0, 3, np.zeros((1, 4)))
    assert bad == 1 * 4 + 2


@pytest.mark.parametrize("weight", [np.empty(0), np.array([0.0, 0.0, 2.0])])
@pytest.mark.parametrize("value", [-1e-300, np.nan, np.inf])
def test_the_first_of_several_is_reported_whatever_rows_weigh(value, weight):
    x = np.ones((3, 4))
    x[1, 3] = x[2, 0] = value
    *_, bad = assert_same("blocks", "dense", x, np.array([0, 1, 0], np.int32), weight, 0, 3, np.zeros((2, 4)))
    assert bad == 1 * 4 + 3


def test_sums_beyond_all_numbers_are_no_bad_count():
    x = np.full((3, 2), 1e308)
    *_, bad = assert_same("blocks", "dense", x, np.zeros(3, np.int32), np.empty(0), 0, 3, np.zeros((1, 2)))
    assert bad == -1
    x = np.array([[0.0, 5.0], [-0.0, 7.0]])
    *_, bad = assert_same("blocks", "dense", x, np.zeros(2, np.int32), np.empty(0), 0, 2, np.zeros((1, 2)))
    assert bad == -1


@pytest.mark.parametrize("classes", [1, 2, 3])
@given(data=st.data())
def test_products_of_sparse_rows_are_added_in_the_order_of_their_entries(classes, data):
    x, *_ = table(data, data.draw(st.sampled_from([np.float64, np.int64, np.int32, np.uint8])))
    draw = np.random.default_rng(len(x))
    weights, before = draw.normal(size=(4, classes)), draw.normal(size=(len(x), classes))
    matrix = csr_array(x)
    begin = data.draw(st.integers(0, len(x)))
    parts = matrix.indptr.astype(np.int64), matrix.indices, matrix.data
    *_, out, _ = assert_same("blocks", "product", *parts, weights, 0.3, begin, len(x), before.copy())
    by_hand = before.copy()
    for i in range(begin, len(x)):
        for j in np.flatnonzero(x[i]):
            by_hand[i] += 0.3 * float(x[i, j]) * weights[j]
    np.testing.assert_array_equal(out, by_hand)
