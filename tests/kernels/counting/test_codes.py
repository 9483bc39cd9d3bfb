"""Counting pairs and coding integers: the compiled loops against their own source, and against plain counting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same, compiled

KINDS = [np.uint8, np.uint16, np.int32, np.int64]


def case(data, kind, shift):
    """Codes of three columns with 3, 2 and 5 slots, groups, and where the cells stand."""
    slots = np.array([3, 2, 5], np.intp)
    rows = data.draw(st.integers(0, 12))
    columns = [data.draw(st.lists(st.integers(0, s - 1 - shift), min_size=rows, max_size=rows)) for s in slots]
    codes = np.array(columns, kind).T.reshape(rows, 3).copy()
    group = np.array(data.draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows)), np.int32)
    cells = np.array([0, 12, 20], np.intp)
    return codes, slots, cells, group


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize("turns", [1, 4])
@given(data=st.data())
def test_pairs_are_counted(data, kind, shift, turns):
    codes, slots, cells, group = case(data, kind, shift)
    counts = np.zeros((turns, 40), np.int64)
    *_, found, bad = assert_same("codes", "pairs", codes, shift, slots, cells, group, 4, 0, len(codes), counts)
    expected = np.zeros(40, np.int64)
    for i, row in enumerate(codes):
        for j, code in enumerate(row):
            expected[cells[j] + (int(code) + shift) * 4 + group[i]] += 1
    assert bad == -1
    np.testing.assert_array_equal(found.sum(0), expected)


@pytest.mark.parametrize("turns", [1, 4])
@given(data=st.data())
def test_one_column_is_counted_like_several(data, turns):
    codes, slots, cells, group = case(data, np.uint8, 0)
    one = np.ascontiguousarray(codes[:, 2:])
    counts = np.zeros((turns, 40), np.int64)
    given_ = one, 0, slots[2:], cells[2:], group, 4, 0, len(codes)
    *_, found, bad = assert_same("codes", "pairs", *given_, counts)
    assert bad == -1
    assert found.sum(0)[20:].tolist() == [sum((one[:, 0] == s) & (group == g)) for s in range(5) for g in range(4)]
    if len(one):
        one[-1] = 5
        *_, bad = assert_same("codes", "pairs", *given_, counts)
        assert bad == len(one) - 1


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_columns_are_laid_out_as_slots(data, kind):
    codes, slots, _, _ = case(data, kind, 0)
    slots[2] = 3  # codes 3 and 4 are off the axis
    rows = np.array([1, -1, 0], np.intp)
    *_, found, _ = assert_same("codes", "lay_out", codes, 0, slots, rows, np.full((2, len(codes)), 9, np.int32))
    np.testing.assert_array_equal(found, [np.where(codes[:, 2] < 3, codes[:, 2], 0), codes[:, 0]])


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_weights_are_summed_beside_the_counts(data, kind):
    codes, slots, cells, group = case(data, kind, 0)
    weight = np.array(data.draw(st.lists(st.floats(0.1, 9), min_size=len(codes), max_size=len(codes))))
    zeros = np.zeros(40, np.int64), np.zeros(40)
    found = assert_same("codes", "weighted_pairs", codes, 0, slots, cells, group, 4, weight, 0, len(codes), *zeros)
    *_, counts, sums, bad = found
    assert bad == -1
    assert counts.sum() == codes.size
    np.testing.assert_allclose(sums.sum(), 3 * weight.sum(), rtol=1e-12)
    np.testing.assert_array_equal(counts > 0, sums > 0)


@pytest.mark.parametrize("function", ["pairs", "weighted_pairs"])
@pytest.mark.parametrize(("row", "column", "code"), [(0, 0, 3), (2, 1, 2), (3, 2, -1), (1, 2, 2**40)])
def test_a_code_off_its_axis_is_reported_by_position(function, row, column, code):
    codes = np.zeros((4, 3), np.int64)
    codes[row, column] = code
    slots, cells, group = np.array([3, 2, 5], np.intp), np.array([0, 12, 20], np.intp), np.zeros(4, np.int32)
    extra = [np.ones(4)] if function == "weighted_pairs" else []
    out = [np.zeros(40, np.int64), np.zeros(40)] if extra else [np.zeros((1, 40), np.int64)]
    *_, bad = assert_same("codes", function, codes, 0, slots, cells, group, 4, *extra, 0, 4, *out)
    assert bad == row * 3 + column


@given(data=st.data())
def test_only_the_rows_asked_for_are_counted(data):
    codes, slots, cells, group = case(data, np.int32, 0)
    begin = data.draw(st.integers(0, len(codes)))
    end = data.draw(st.integers(begin, len(codes)))
    counts = np.zeros((1, 40), np.int64)
    *_, found, _ = assert_same("codes", "pairs", codes, 0, slots, cells, group, 4, begin, end, counts)
    assert found.sum() == 3 * (end - begin)


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64])
@given(values=st.lists(st.integers(0, 200), min_size=1, max_size=20), low=st.integers(-50, 50))
def test_integers_of_a_small_range_are_coded_by_a_table(kind, values, low):
    x = np.array(values, kind) if kind is np.uint8 else np.array(values, kind) + kind(low)
    *_, (least, most) = assert_same("codes", "bounds", x)
    assert (least, most) == (x.min(), x.max())
    _, _, seen, _ = assert_same("codes", "present", x, least, np.zeros(most - least + 1, np.uint8))
    assert (np.flatnonzero(seen) + least).tolist() == sorted(set(x.tolist()))
    slots = np.arange(len(seen), dtype=np.int32)[::-1].copy()
    *_, out, _ = assert_same("codes", "translate", x, least, slots, np.empty(len(x), np.int32))
    np.testing.assert_array_equal(out, most - x.astype(np.int64))


def bitmap(valid, offset):
    """Arrow's validity bitmap, least bit first."""
    return np.packbits(np.array([0] * offset + list(valid), np.uint8), bitorder="little")


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32])
@given(data=st.data(), offset=st.integers(0, 9))
def test_slots_are_placed_through_a_dictionary_and_its_holes(kind, data, offset):
    index = np.array(data.draw(st.lists(st.integers(-1, 3), max_size=20)), kind)
    valid = data.draw(st.lists(st.booleans(), min_size=len(index), max_size=len(index)))
    slots = np.array(data.draw(st.sampled_from([[0, 7, 5, 3, 1], [0, 4, 5, 6, 7]])), np.uint8)
    for bits, holes in ((bitmap(valid, offset), True), (np.empty(0, np.uint8), False)):
        *_, out, _ = assert_same("codes", "place", index, bits, offset, slots, np.empty(len(index), np.uint8))
        here = [v or not holes for v in valid]
        assert out.tolist() == [int(slots[i + 1]) if i >= 0 and v else 0 for i, v in zip(index, here, strict=True)]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@given(data=st.data(), offset=st.integers(0, 9))
def test_numbers_without_a_bit_become_nan_and_others_stay(kind, data, offset):
    x = np.array(data.draw(st.lists(st.floats(width=32), max_size=20)), kind)
    valid = np.array(data.draw(st.lists(st.booleans(), min_size=len(x), max_size=len(x))), bool)
    bits = x.view(np.int32 if kind is np.float32 else np.int64)
    hole = int(np.array(np.nan, kind).view(bits.dtype))
    *_, found, _ = assert_same("codes", "punch", bits, bitmap(valid, offset), offset, hole, np.zeros_like(bits))
    np.testing.assert_array_equal(found, np.where(valid, bits, hole))


@given(group=st.lists(st.integers(0, 3), max_size=20), begin=st.integers(0, 5))
def test_rows_are_sorted_by_group_in_their_order(group, begin):
    rows = np.array(group, np.int32)
    begin = min(begin, len(rows))
    empty = np.zeros(6, np.intp), np.zeros(len(rows) - begin, np.int32)
    *_, starts, order, _ = assert_same("codes", "sort", rows, begin, len(rows), *empty)
    for g in range(4):
        assert order[starts[g] : starts[g + 1]].tolist() == [i for i in range(begin, len(rows)) if rows[i] == g]


@given(data=st.data(), offset=st.integers(0, 9))
def test_a_missing_row_shows_no_value_and_writes_nowhere_else(data, offset):
    """`seen` stands inside a larger array here, so that a write outside of it is seen and harms nobody."""
    index = np.array([*data.draw(st.lists(st.integers(-1, 3), max_size=20)), -1], np.int32)
    around = np.zeros(20, np.uint8)
    compiled("codes").shown(index, np.empty(0, np.uint8), offset, around[8:13])
    assert not around[:8].any()
    assert not around[13:].any()
    assert set(np.flatnonzero(around[8:12])) == {int(i) for i in index if i >= 0}


def test_rows_are_read_until_every_value_was_seen():
    index = np.array([*([0] * 3000), 2, *([1] * 3000)], np.int8)
    *_, seen, _ = assert_same("codes", "shown", index, np.empty(0, np.uint8), 0, np.zeros(4, np.uint8))
    assert seen.tolist() == [1, 1, 1, 0]


@given(data=st.data(), offset=st.integers(0, 9))
def test_only_rows_that_are_there_show_their_value(data, offset):
    index = np.array(data.draw(st.lists(st.integers(0, 3), max_size=20)), np.int32)
    valid = data.draw(st.lists(st.booleans(), min_size=len(index), max_size=len(index)))
    *_, seen, _ = assert_same("codes", "shown", index, bitmap(valid, offset), offset, np.zeros(5, np.uint8))
    assert set(np.flatnonzero(seen)) == {int(i) for i, v in zip(index, valid, strict=True) if v}
