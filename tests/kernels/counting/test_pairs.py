"""Bitmaps of columns and the rows that two of them share: the compiled loops against their source and counting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.reference import assert_same, compiled, uncompiled

from bayesfold.data.batch import Batch, Panel
from bayesfold.tally import bitmaps


def words(rows, size=64):
    """Where the words of one group begin, and where the last ends."""
    return np.array([*range(0, rows, size), rows], np.intp)


@given(st.lists(st.integers(0, 4), max_size=100))
def test_rows_are_ordered_by_group(groups):
    group, rows = np.array(groups, np.int32), np.bincount(np.array(groups, np.intp), minlength=5)
    place = (rows.cumsum() - rows).astype(np.intp)
    _, ends, order, _ = assert_same("pairs", "by_group", group, place, np.empty(len(group), np.int32))
    np.testing.assert_array_equal(order, np.argsort(group, kind="stable"))
    np.testing.assert_array_equal(ends, rows.cumsum())


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64])
@given(codes=st.lists(st.integers(0, 14), min_size=1, max_size=1100), shift=st.integers(0, 1), low=st.integers(1, 3))
@settings(max_examples=40)
def test_each_slot_is_a_bitmap(kind, codes, shift, low):
    order = np.random.default_rng(0).permutation(len(codes)).astype(np.int32)
    starts, slots = words(len(codes)), 16
    out = np.zeros((slots - low, len(starts) - 1), np.uint64)
    eight = np.zeros(64, np.uint64)
    compiled("pairs").planes(
        np.array(codes, kind), shift, order, starts, 0, len(starts) - 1, low, eight.view(np.uint8), eight, out
    )
    for row, i in enumerate(order):
        own = codes[i] + shift
        shown = [s for s in range(low, slots) if int(out[s - low, row // 64]) >> (row % 64) & 1]
        assert shown == [own] * (own >= low)
    assert sum(int(w).bit_count() for w in out.ravel()) <= len(codes)


def test_bitmaps_are_those_of_the_source():
    codes, starts = np.arange(700) % 7, words(700, 63)
    found = []
    for version in (compiled, uncompiled):
        out, eight = np.zeros((5, len(starts) - 1), np.uint64), np.zeros(64, np.uint64)
        rows = (np.arange(700, dtype=np.int32), starts, 0, len(starts) - 1)
        with np.errstate(over="ignore"):
            version("pairs").planes(codes.astype(np.uint8), 0, *rows, 2, eight.view(np.uint8), eight, out)
        found.append(out)
    np.testing.assert_array_equal(*found)


@given(data=st.data(), rows=st.integers(1, 200))
def test_rows_are_counted_by_two_slots_and_group(data, rows):
    """Columns with and without missing and unseen values, groups of any size, one word or several."""
    draw = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    axes = {"a": data.draw(st.integers(1, 5)), "b": data.draw(st.integers(2, 9)), "c": 3}
    groups, wanted, first = data.draw(st.integers(2, 4)), [], 0
    for a, b in (("a", "b"), ("b", "c"), ("a", "c")):
        wanted.append((a, b, first))
        first += axes[a] * axes[b] * groups
    alone = {"b": first, "a": first + axes["b"] * groups}
    first += (axes["a"] + axes["b"]) * groups
    low = data.draw(st.sampled_from([0, 1]))
    panels = tuple(
        Panel((n,), draw.integers(min(low, s - 1), s + (n == "b") * (1 - low), (rows, 1)).astype(np.uint8))
        for n, s in axes.items()
    )
    labels = draw.integers(1, groups, rows).astype(np.int32)
    batch, counts = Batch(rows, codes=panels, labels=labels), np.ones(first, np.int64)
    columns = {name: bitmaps.BitmapColumn.of(batch, name, slots) for name, slots in axes.items()}
    names = tuple(axes)
    places = np.array([(names.index(a), names.index(b), n) for a, b, n in wanted], np.intp).T
    bitmaps.count_in_bitmaps(labels, groups, columns, bitmaps.PairTables(names, *places), alone, counts)
    expected = np.ones(first, np.int64)
    slot = {p.names[0]: np.where(p.values[:, 0] < axes[p.names[0]], p.values[:, 0], 0).astype(int) for p in panels}
    for a, b, start in wanted:
        np.add.at(expected, start + (slot[a] * axes[b] + slot[b]) * groups + labels, 1)
    for a, start in alone.items():
        np.add.at(expected, start + slot[a] * groups + labels, 1)
    np.testing.assert_array_equal(counts, expected)


@pytest.mark.parametrize("kind", [np.uint8, np.int64])
def test_a_code_beyond_its_axis_is_unseen(kind):
    """Also the largest code that its type can hold, which a shift would carry over to 0."""
    batch = Batch(3, codes=(Panel(("a",), np.array([[0], [255], [1]], kind), 1),), labels=np.ones(3, np.int32))
    column = bitmaps.BitmapColumn.of(batch, "a", 3)
    assert not column.known
    assert (column.codes + column.shift).tolist() == [1, 0, 2]


@given(data=st.data())
def test_shared_bits_are_counted_as_in_the_source(data):
    draw = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    count = data.draw(st.integers(1, 70))
    bits = draw.integers(0, 2**64, (5, count), np.uint64)
    bits[3:] &= ~bits[2]  # rows of one column are in one slot at most
    bits[4] &= ~bits[3]
    bits[1] &= ~bits[0]
    ends = np.array([0, count // 2, count], np.intp)
    rows = np.array([0, 64 * (count // 2), 64 * (count - count // 2)], np.int64)
    pairs = np.array([[0, 1, 3, 2, 1, 4, 0], [2, 1, 4, 0, 1, 3, 36]], np.intp)
    scratch = np.zeros(16, np.int64), np.zeros(93, np.int64)
    plan = (np.array([[0, 1, 3, 72], [2, 1, 4, 81]], np.intp), pairs)
    *_, found, _ = assert_same("pairs", "count", bits, ends, rows, np.zeros((5, 3), np.int64), *plan, 0, *scratch)
    for way in range(1, compiled("pairs").best() + 1):
        margin, again = np.zeros((5, 3), np.int64), np.zeros(93, np.int64)
        compiled("pairs").count(bits, ends, rows, margin, *plan, way, scratch[0], again)
        np.testing.assert_array_equal(again, found)
    first, second = found[:36].reshape(3, 4, 3), found[36:72].reshape(4, 3, 3)
    np.testing.assert_array_equal(first.sum(1).ravel(), found[72:81])
    np.testing.assert_array_equal(first.sum(0).ravel(), found[81:])
    np.testing.assert_array_equal(first, second.transpose(1, 0, 2))
    np.testing.assert_array_equal(first.sum((0, 1)), rows)
    both = sum((int(x) & int(y)).bit_count() for x, y in zip(bits[1], bits[4], strict=True))
    assert first[2, 3].sum() == both
