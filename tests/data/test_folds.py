"""Folds by content: equal rows together, rare classes in every fold, whatever order rows and columns stand in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data import folds as module
from bayesfold.data.batch import Batch, Panel
from bayesfold.data.folds import (
    COPIES,
    FEW,
    RARE,
    ROOM,
    are_levels,
    column_fingerprint,
    column_fingerprints,
    columns_side_by_side,
    count_levels,
    deal,
    distinct_hashes,
    has_few_codes,
    is_first,
    mix_rows,
    number_by_content,
    number_copies,
    round_to_24_bits,
    separate_copies,
    unique_places,
    weigh_values,
)


def batch(x, y):
    return Batch(len(x), reals=(Panel(("a", "b"), np.asarray(x, float)),), labels=np.asarray(y, np.int32))


@given(seed=st.integers(0, 1_000), folds=st.integers(2, 10), classes=st.integers(1, 5))
def test_folds_are_equal_and_have_their_share_of_every_rare_class(seed, folds, classes):
    draw = np.random.default_rng(seed)
    y = np.minimum(draw.geometric(0.5, 200), classes)
    fold = deal(batch(draw.normal(size=(200, 2)), y), folds)
    rows = np.bincount(fold, minlength=folds)
    assert rows.max() - rows.min() <= 1
    for c in range(1, classes + 1):
        shares = np.bincount(fold[y == c], minlength=folds)
        assert shares.sum() >= RARE * folds or shares.max() - shares.min() <= 1


def test_common_classes_are_left_to_chance():
    draw = np.random.default_rng(0)
    y = draw.integers(1, 3, 4_000)
    shares = np.bincount(deal(batch(draw.normal(size=(4_000, 2)), y), 100)[y == 1], minlength=100)
    assert 0.5 * 10 < shares.var() < 2.0 * 10  # of 40 rows a fold, each of the class or not: 40 / 4


@given(seed=st.integers(0, 1_000))
def test_equal_rows_stay_together_in_any_order_of_rows_and_columns(seed):
    draw = np.random.default_rng(seed)
    x, y = draw.integers(0, 8, (60, 2)) + np.array([0, 9]), draw.integers(1, 3, 60)
    fold = deal(batch(x, y), 4)
    for row in np.unique(x, axis=0):
        assert len(set(fold[(x == row).all(1)])) == 1  # of any class
    order = draw.permutation(60)
    np.testing.assert_array_equal(deal(batch(x[order], y[order]), 4), fold[order])
    np.testing.assert_array_equal(deal(batch(x[:, ::-1], y), 4), fold)


def test_weights_are_copies():
    draw = np.random.default_rng(0)
    x, y, w = draw.integers(0, 9, (40, 2)), draw.integers(1, 3, 40), draw.integers(1, 4, 40)
    weighed = deal(Batch(40, reals=batch(x, y).reals, labels=y.astype(np.int32), weight=w.astype(float)), 5)
    np.testing.assert_array_equal(np.repeat(weighed, w), deal(batch(np.repeat(x, w, 0), np.repeat(y, w)), 5))


def test_columns_of_the_same_values_are_told_apart_by_the_classes():
    """Otherwise (a, b) and (b, a) would share a fold: in a table of all combinations whole regions would be held out.

    The distances of the second column are the same as those of the first, but the class hangs on the first alone.
    """
    x = np.array([(a, b) for a in range(8) for b in range(8)]) * 0.7
    fold = deal(batch(x, 1 + (x[:, 0] > 2.5)), 4).reshape(8, 8)
    assert (fold != fold.T).sum() > 20


def test_of_few_contents_every_fold_learns_each_in_any_order_of_rows():
    """A column of two levels tells which class it is, and a model that has seen one level cannot know of the other."""
    draw = np.random.default_rng(1)
    x = draw.integers(0, 2, (200, 1))
    y = np.where(draw.random(200) < 0.9, x[:, 0], 1 - x[:, 0]) + 1

    def counts(x, y):
        fold = deal(batch(x, y), 5, spread=True)
        return np.array(
            [[np.sum((fold == f) & (x[:, 0] == v) & (y == c)) for v in (0, 1) for c in (1, 2)] for f in range(5)]
        )

    found, order = counts(x, y), draw.permutation(200)
    assert (found[:, [0, 3]] > 0).all()
    np.testing.assert_array_equal(counts(x[order], y[order]), found)


@pytest.mark.parametrize("tied", [False, True])
def test_equal_rows_of_other_weights_are_in_the_same_folds_wherever_they_stand(tied):
    draw = np.random.default_rng(2)
    x, y, w = draw.integers(0, 2, (200, 2)), draw.integers(1, 3, 200), draw.uniform(0.1, 4.0, 200)
    ties, order = draw.integers(0, 3, 200).astype(np.uint64) if tied else None, draw.permutation(200)

    def folds(rows):
        weighed = Batch(200, reals=batch(x[rows], y).reals, labels=y[rows].astype(np.int32), weight=w[rows])
        return deal(weighed, 5, spread=True, ties=None if ties is None else ties[rows])

    np.testing.assert_array_equal(folds(np.arange(200))[order], folds(order))


def test_copies_stay_together_however_many_there_are():
    """Noise of which every row is there six times: who has seen a copy knows the class."""
    draw = np.random.default_rng(0)
    x, y = np.repeat(draw.normal(size=(40, 2)), 6, 0), np.repeat(draw.integers(1, 3, 40), 6)
    x[::5, 1] = np.nan
    x[1::5, 1] = np.nan
    fold = deal(batch(x, y), 5, spread=True)
    for row in np.unique(x, axis=0, equal_nan=True):
        assert len(set(fold[((x == row) | (np.isnan(x) & np.isnan(row))).all(1)])) == 1


def test_copies_of_different_classes_are_told_apart_too():
    mixed = np.array([7] * 20 + [9] * 2, np.uint64)
    label = np.array([0] * 10 + [1] * 10 + [0, 1])
    apart = separate_copies(mixed, label, rows=22, room=4)
    assert np.unique(apart[:20]).size == 20
    assert (apart[20:] == mixed[20:]).all()  # of few copies nothing changes


@pytest.mark.parametrize(("copies", "contents"), [(COPIES, 1), (COPIES + 1, COPIES + 1)])
def test_as_many_copies_as_may_be_stay_one_content_and_one_more_does_not(copies, contents):
    mixed = np.array([7] * copies + [9] * 10, np.uint64)
    apart = separate_copies(mixed, np.zeros(len(mixed), np.intp), rows=len(mixed), room=4)
    assert np.unique(apart[:copies]).size == contents


@given(seed=st.integers(0, 1_000), levels=st.sampled_from([2, 60, 64, 65, 200]), weighed=st.booleans())
def test_codes_are_dealt_as_the_numbers_that_they_are(seed, levels, weighed):
    draw = np.random.default_rng(seed)
    codes, labels = draw.integers(0, levels, (300, 2)), draw.integers(1, 4, 300).astype(np.int32)
    weight = draw.choice([0.5, 1.0, 3.25], 300) if weighed else None
    stored = [
        Batch(300, codes=(Panel(("a", "b"), codes.astype(np.uint8)),), labels=labels, weight=weight),
        Batch(300, codes=(Panel(("a", "b"), codes - 1, 1),), labels=labels, weight=weight),
        Batch(300, reals=(Panel(("a", "b"), codes.astype(float)),), labels=labels, weight=weight),
    ]
    first, *others = [deal(one, 5, spread=True) for one in stored]
    assert all(np.array_equal(first, other) for other in others)


def test_copies_are_numbered_in_the_order_in_which_they_come():
    x = np.array([[3.0, 1], [1.0, 1], [3.0, 1], [2.0, 5], [1.0, 1], [3.0, 5]])
    codes = Panel(("c",), np.array([[9], [9], [9], [9], [9], [9]], np.uint8))
    assert number_copies(Batch(6, (codes,), (Panel(("a", "b"), x),))).tolist() == [0, 1, 0, 2, 1, 3]
    counts = Panel(("words",), np.array([[1.0, 0], [0, 1], [1, 0], [0, 2], [0, 0], [0, 1]]))
    assert number_copies(Batch(6, (codes,), (), (counts,))).tolist() == [0, 1, 0, 2, 3, 1]
    assert number_copies(Batch(0, (Panel(("c",), np.zeros((0, 1), np.uint8)),))).tolist() == []


@pytest.mark.parametrize(("rows", "exact"), [(RARE * 4 - 1, True), (RARE * 4, False)])
def test_a_class_is_rare_below_so_many_rows_for_each_fold(rows, exact):
    x, spread = np.random.default_rng(0).normal(size=(4_000, 2)), []
    for c in range(20):
        y = np.ones(4_000, int)
        y[c * rows : (c + 1) * rows] = 2
        shares = np.bincount(deal(batch(x, y), 4)[y == 2], minlength=4)
        spread.append(shares.max() - shares.min())
    assert bool(max(spread) <= 1) is exact
    frequent = deal(batch(x, np.arange(4_000) % 2 + 1), 4, every_class=True)
    assert {np.sum((frequent == f) & (np.arange(4_000) % 2 == c)) for f in range(4) for c in (0, 1)} == {500}


@pytest.mark.parametrize(("low", "high", "few"), [(0, FEW - 1, True), (0, FEW, False), (-1, 3, False), (5, 5, True)])
@pytest.mark.parametrize("shift", [0, 1, -2])
def test_a_column_of_few_codes_holds_those_from_nothing_on(low, high, few, shift):
    columns = np.array([[low, 1], [high, 1]]) - shift
    assert has_few_codes(columns, shift).tolist() == [few, True]
    assert not has_few_codes(columns.astype(float), shift).any()
    assert has_few_codes(columns[:0], shift).tolist() == [False, False]


def test_values_are_counted_in_each_class_that_there_is():
    place, label = np.array([0, 2, 2, FEW - 1, 0]), np.array([1, 1, 3, 3, 1])
    often = weigh_values(place, label, None)
    assert often.shape == (2, FEW)
    assert [np.flatnonzero(row).tolist() for row in often] == [[0, 2], [2, FEW - 1]]
    assert (often[0, 0], often[0, 2]) == (2, 1)
    weighed = weigh_values(place, label, np.array([0.5, 2, 4, 8, 16]))
    assert (weighed[0, 0], weighed[0, 2], weighed[1, 2], weighed[1, FEW - 1]) == (16.5, 2, 4, 8)


def test_levels_are_counted_and_a_hole_is_one():
    nan = np.nan
    ordered = np.array([[1.0, 2.0, nan, 1.0], [1.0, 2.0, nan, 2.0], [2.0, 2.0, nan, nan]])
    assert count_levels(ordered).tolist() == [2, 1, 1, 3]
    assert count_levels(ordered[:1]).tolist() == [1, 1, 1, 1]
    assert count_levels(ordered[:0]).tolist() == [0, 0, 0, 0]


def test_what_is_ordered_is_told_apart_and_put_in_its_place():
    hashes = np.array([9, 3, 3, 9, 2**63, 0], np.uint64)
    assert is_first(np.sort(hashes)).tolist() == [True, True, False, True, False, True]
    assert is_first(hashes[:0]).tolist() == []
    assert distinct_hashes(hashes).tolist() == [0, 3, 9, 2**63]
    levels, place = unique_places(np.array([2.5, -1.0, 2.5]))
    assert (levels.tolist(), place.tolist()) == ([-1.0, 2.5], [1, 0, 1])


def test_numbers_keep_24_bits():
    one = 1.0 + 2.0**-23
    values = np.array([one, 1.0 + 2.0**-25, -3.0, 1e300 * (1 + 1e-12), 0.0, -0.0])
    found = round_to_24_bits(values)
    assert found[:3].tolist() == [one, 1.0, -3.0]
    assert found[3] == round_to_24_bits(np.array([1e300]))[0]
    assert not np.signbit(found[4:]).any(), "there is one nothing"


def test_classes_are_numbered_by_their_rows_and_not_by_their_names():
    mixed = np.array([5, 6, 7, 8, 5, 5], np.uint64)
    first = number_by_content(mixed, np.array([0, 0, 1, 2, 2, 0]))
    assert set(first.tolist()) == {0, 1, 2}
    np.testing.assert_array_equal(number_by_content(mixed, np.array([4, 4, 0, 9, 9, 4])), first)
    order = np.array([3, 0, 5, 2, 4, 1])
    np.testing.assert_array_equal(number_by_content(mixed[order], np.array([0, 0, 1, 2, 2, 0])[order]), first[order])


CONTENTS = np.repeat(np.array([7, 9, 11], np.uint64), [10, 10, 5])


@pytest.mark.parametrize(
    ("rows", "room", "apart"),
    [
        (25, 3 * ROOM, True),
        (25, 3 * ROOM + 1, False),  # columns could show more contents than there are: equal rows are copies
        (3 * COPIES + 1, 0, True),
        (3 * COPIES, 0, False),  # contents are not there often enough
    ],
)
def test_copies_are_told_apart_where_contents_are_few_and_there_is_no_room_for_more(rows, room, apart):
    label = np.zeros(25, np.intp)
    found = separate_copies(CONTENTS, label, rows, room)
    assert np.unique(found).size == (25 if apart else 3)
    two = separate_copies(CONTENTS[:20], label[:20], 20, 0)
    assert np.unique(two).size == 20
    assert (separate_copies(CONTENTS[:10], label[:10], 10, 0) == 7).all(), "of one content there is nothing to learn"


def test_equal_rows_are_told_apart_by_what_numbers_them_and_else_by_where_they_stand():
    label = np.tile([0, 1], 10).astype(np.intp)
    mixed = np.repeat(np.array([7, 9], np.uint64), 10)
    ties = np.random.default_rng(0).permutation(20).astype(np.uint64)
    found = separate_copies(mixed, label, 20, 0, [ties])
    order = np.random.default_rng(1).permutation(20)
    again = separate_copies(mixed[order], label[order], 20, 0, [ties[order]])
    np.testing.assert_array_equal(again, found[order])
    plain = separate_copies(mixed, label, 20, 0)
    assert set(plain.tolist()) == set(found.tolist()), "as many of each content and class, whoever is which"
    assert not np.array_equal(plain, found)
    np.testing.assert_array_equal(separate_copies(mixed, label, 20, 0, [np.arange(20, dtype=np.uint64)]), plain)


@pytest.mark.parametrize(
    ("contents", "room", "levels"),
    [(FEW, ROOM * FEW, True), (FEW + 1, 0, False), (6, 6 * ROOM, True), (6, 6 * ROOM + 1, False)],
)
def test_few_contents_that_fill_the_room_are_levels(contents, room, levels):
    assert are_levels(contents, room) is levels


@pytest.mark.parametrize("entries", [1, 7, 8, 12, 100])
def test_columns_are_looked_at_in_any_number_at_once(monkeypatch, entries):
    draw = np.random.default_rng(0)
    codes, x = draw.integers(0, 5, (4, 7)), draw.normal(size=(4, 5))
    some = Batch(4, (Panel(tuple("abcdefg"), codes, 2),), (Panel(tuple("hijkl"), x),), labels=np.ones(4, np.int32))
    whole = deal(some, 2)
    monkeypatch.setattr(module, "ENTRIES", entries)
    parts = list(columns_side_by_side(some))
    np.testing.assert_array_equal(np.hstack([part for part, shift in parts if shift == 2]), codes)
    np.testing.assert_array_equal(np.hstack([part for part, shift in parts if shift == 0]), x)
    assert max(part.shape[1] for part, _ in parts) <= max(1, entries // 4)
    np.testing.assert_array_equal(deal(some, 2), whole)


@pytest.mark.parametrize("levels", [FEW, FEW + 1])
@pytest.mark.parametrize("hole", [False, True])
def test_a_column_is_known_by_how_often_its_values_are_there_or_by_its_range(levels, hole):
    draw = np.random.default_rng(levels)
    column = np.repeat(np.arange(levels) * 0.5, 2)
    column[0] = np.nan if hole else column[0]
    label, weights = draw.integers(0, 2, 2 * levels), np.ones(2 * levels)

    def print_of(values, label=label, weights=weights):
        own = column_fingerprint(values, label, weights)[0]
        counted = count_levels(np.sort(values)[:, None])
        assert column_fingerprints(values[:, None], counted, label, weights)[0] == own
        return own

    first = print_of(column)
    order = draw.permutation(2 * levels)
    assert print_of(column[order], label[order]) == first
    ranged = levels > FEW
    inside = np.where(column == 1.5, 1.75, column)
    assert print_of(inside) == first, "by range, or by how often the values are there"
    assert print_of(column, 1 - label) == first, "classes have no names"
    assert bool(print_of(column, weights=draw.random(2 * levels)) == first) is ranged
    assert bool(print_of(2 * column) == first) is not ranged


@pytest.mark.parametrize(
    ("values", "whole"),
    [
        ((0, 2, 5), True), ((3, 3, FEW - 1), True), ((2, 5, FEW), False), ((-1, 2, 5), False), ((0, 2.5, 5), False),
        ((0.5, 2, 5), False), ((1, np.nan, 4), True),
    ],
)  # fmt: skip
def test_whole_numbers_are_known_as_the_codes_that_they_may_be(values, whole):
    column, label, weights = np.array(values, float), np.array([0, 0, 1]), np.array([1.0, 2.0, 4.0])
    there = ~np.isnan(column)
    known, own, w = column[there], label[there], weights[there]
    place = known.astype(int) if whole else np.unique(known, return_inverse=True)[1]
    expected = mix_rows(round_to_24_bits(weigh_values(place, own, w)))
    assert column_fingerprint(column, label, weights)[0] == expected[0]
