"""Folds by content: equal rows together, rare classes in every fold, whatever order rows and columns stand in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.folds import COPIES, RARE, deal, separate_copies


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
