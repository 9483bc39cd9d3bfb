"""Bitmaps of columns and the rows that two of them share: the compiled loops against their source and counting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import bitmaps
from bayesfold.batch import Batch, Panel

from .reference import assert_same


def words(rows, size=64):
    """Where the words of one group begin, and where the last ends."""
    return np.array([*range(0, rows, size), rows], np.intp)


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64])
@given(codes=st.lists(st.integers(0, 17), min_size=1, max_size=150), shift=st.integers(0, 1), low=st.integers(0, 3))
def test_each_slot_is_a_bitmap(kind, codes, shift, low):
    order = np.random.default_rng(0).permutation(len(codes)).astype(np.int32)
    starts, slots = words(len(codes)), 7
    out = np.zeros((slots - low, len(starts) - 1), np.uint64)
    panel = np.array([codes, codes], kind).T.copy()
    rows = (order, starts, bitmaps.SPREAD, 0, len(starts) - 1, low)
    *_, found, _ = assert_same("pairs", "planes", panel, 1, shift, slots, *rows, out)
    for row, i in enumerate(order):
        own = codes[i] + shift if codes[i] + shift < slots else 0
        shown = [s for s in range(low, slots) if int(found[s - low, row // 64]) >> (row % 64) & 1]
        assert shown == [own] * (own >= low)
    assert sum(int(w).bit_count() for w in found.ravel()) <= len(codes)


@given(data=st.data(), rows=st.integers(1, 200))
def test_rows_are_counted_by_two_slots_and_group(data, rows):
    """Columns with and without missing and unseen values, groups of any size, one word or several."""
    draw = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    axes = {"a": data.draw(st.integers(1, 5)), "b": data.draw(st.integers(2, 9)), "c": 3}
    groups, wanted, first = data.draw(st.integers(2, 4)), [], 0
    for a, b in (("a", "b"), ("b", "c"), ("a", "c")):
        wanted.append((a, b, first))
        first += axes[a] * axes[b] * groups
    low = data.draw(st.sampled_from([0, 1]))
    panels = tuple(
        Panel((n,), draw.integers(min(low, s - 1), s + (n == "b") * (1 - low), (rows, 1)).astype(np.uint8))
        for n, s in axes.items()
    )
    labels = draw.integers(1, groups, rows).astype(np.int32)
    counts = np.ones(first, np.int64)
    bitmaps.count(Batch(rows, codes=panels, labels=labels), axes, wanted, groups, counts)
    expected = np.ones(first, np.int64)
    slot = {p.names[0]: np.where(p.values[:, 0] < axes[p.names[0]], p.values[:, 0], 0).astype(int) for p in panels}
    for a, b, start in wanted:
        np.add.at(expected, start + (slot[a] * axes[b] + slot[b]) * groups + labels, 1)
    np.testing.assert_array_equal(counts, expected)


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
    scratch = np.zeros(16, np.int64), np.zeros(72, np.int64)
    *_, found, _ = assert_same("pairs", "count", bits, ends, rows, np.zeros((5, 3), np.int64), pairs, *scratch)
    first, second = found[:36].reshape(3, 4, 3), found[36:].reshape(4, 3, 3)
    np.testing.assert_array_equal(first, second.transpose(1, 0, 2))
    np.testing.assert_array_equal(first.sum((0, 1)), rows)
    both = sum((int(x) & int(y)).bit_count() for x, y in zip(bits[1], bits[4], strict=True))
    assert first[2, 3].sum() == both
