"""Folds by content: a few rows that are equal, but for rounding, share a fold, wherever they stand and whoever deals.

Rows are put in the order of a hash of what they contain and dealt out in turn; a class of few rows is dealt out by
itself, since folds that lack a class would make a model look worse than it is. Of a table whose columns can show few
distinct rows each is there many times: who judges a model deals these out too, or it would never have seen what it is
asked about. Copies, of which there are many too, are told from them by all the contents that are not there. Classes
of many rows are left to chance: folds that all had their exact share would hide that new rows do not, and make a model
look better. A few rows that are equal but for the class stay together, as the first of their classes: a model that has
seen only the others would be misled.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.data.near_copies import share_hashes, snap_to_neighbours
from bayesfold.data.sparse import entries

FEW = 64
"""A column of fewer values is told from others by how often each value appears in each class."""

RARE = 10
"""A class of fewer rows for each fold is dealt out by itself, so that no fold lacks it."""

COPIES = 4
"""Where each content has more rows than this, equal rows may be no copies, but what new rows will show."""

ROOM = 10
"""Equal rows are equal by chance only if columns could show at most this many times the contents that are there."""

ENTRIES = 1 << 20
"""Numbers of columns side by side that are hashed at once."""

ODD = np.uint64(0xBF58476D1CE4E5B9)


def deal(
    batch: Batch,
    folds: int,
    every_class: bool = False,
    spread: bool = False,
    ties: NDArray[np.uint64] | None = None,
) -> NDArray[np.intp]:
    """A fold for each row by a hash of its content, and its class; with `every_class` frequent ones too are dealt out,
    and with `spread` equal rows too, where contents are few: in the order of `ties`, and of what they weigh.

    >>> from bayesfold.data.batch import Panel
    >>> deal(Batch(4, reals=(Panel(("a",), np.array([[1.5], [2.0], [1.5], [7.0]])),)), 3)
    array([2, 0, 2, 1])
    """
    mixed, label = hash_contents(batch, spread, ties)
    order = np.argsort(hashed(mixed, np.zeros(1)))
    new = is_first(mixed[order])
    group = np.cumsum(new) - 1
    own = np.minimum.reduceat(label[order], np.flatnonzero(new)) if batch.rows else label
    rare = every_class | (np.bincount(own, minlength=1)[own] < RARE * folds)
    turn = np.argsort(np.where(rare, own, -1), kind="stable")  # rare classes one after the other, behind the rest
    fold = np.empty(len(turn), np.intp)
    fold[turn] = np.arange(len(turn)) % folds
    out = np.empty(batch.rows, np.intp)
    out[order] = fold[group]
    return out


def number_copies(batch: Batch) -> NDArray[np.intp]:
    """A number for each row, the same for rows that are copies of each other.

    >>> from bayesfold.data.batch import Panel
    >>> number_copies(Batch(3, reals=(Panel(("a",), np.array([[1.5], [2.0], [1.5]])),))).tolist()
    [0, 1, 0]
    """
    mixed, _ = hash_contents(batch, spread=True)
    _, first, copy = np.unique(mixed, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[copy.reshape(-1)], np.intp)


def hash_contents(
    batch: Batch, spread: bool = False, ties: NDArray[np.uint64] | None = None
) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """A hash of what each row contains, the same for copies but for rounding, and its class by number; with `spread`
    equal rows that are no copies differ."""
    mixed, to_snapped = np.zeros(batch.rows, np.uint64), np.zeros(batch.rows, np.uint64)
    near, room = np.arange(batch.rows), np.inf if batch.counts else 1.0
    label = np.zeros(batch.rows, np.intp) if batch.labels is None else batch.labels.astype(np.intp)
    for some, shift in columns_side_by_side(batch):  # hashes are summed: columns may stand in any order
        few = has_few_codes(some, shift)
        for codes in some.T[few]:
            place = codes + np.intp(shift)
            mixed += hash_by_code(place, label, batch.weight)
            room *= np.count_nonzero(np.bincount(place))
        others = some[:, ~few] + float(shift)
        ordered = np.sort(others, axis=0)
        levels = count_levels(ordered)
        for many in levels.tolist():
            room *= many  # of many columns infinite
        own = column_fingerprints(others, levels, label, batch.weights) * ODD
        mixed += hashed(own, others).sum(axis=1)
        if some.dtype.kind == "f":
            near, where, snapped = snap_to_neighbours(others, ordered, near)
            to_snapped[near] += hashed(own[where], snapped).sum(axis=1)
            to_snapped[near] -= hashed(own[where], others[np.ix_(near, where)]).sum(axis=1)
    for panel in batch.counts:  # dense or sparse, the same row gives the same fold
        for rows, row, column, value in entries(panel.values):
            np.add.at(mixed[rows], row, hashed(column.astype(np.uint64) * ODD, value))
    if to_snapped[near].any() and not are_levels(len(distinct_hashes(mixed)), room):
        mixed[near] = share_hashes(mixed[near], mixed[near] + to_snapped[near])
    label = number_by_content(mixed, label)
    if spread:
        many = float(batch.weights.sum()) if batch.copies else batch.rows
        mixed = separate_copies(mixed, label, many, room, [key for key in (batch.weight, ties) if key is not None])
    return mixed, label


def columns_side_by_side(batch: Batch) -> Iterator[tuple[Any, int]]:
    """The codes and numbers of a batch as they are stored, some columns at a time, and what is to be added to them."""
    for panel in (*batch.codes, *batch.reals):
        step = max(1, ENTRIES // max(batch.rows, 1))
        for begin in range(0, panel.values.shape[1], step):
            yield panel.values[:, begin : begin + step], panel.shift


def has_few_codes(columns: Any, shift: int) -> NDArray[np.bool_]:
    """Which of several columns hold codes from 0 to `FEW` alone."""
    if columns.dtype.kind not in "iu" or not columns.size:
        return np.zeros(columns.shape[1], bool)
    return np.asarray((columns.min(0) >= -shift) & (columns.max(0) < FEW - shift))


def hash_by_code(place: NDArray[np.intp], label: NDArray[np.intp], weight: Floats | None) -> NDArray[np.uint64]:
    """The hash of each cell of a column of few codes: one for each code, looked up."""
    own = mix_rows(round_to_24_bits(weigh_values(place, label, weight)))
    return hashed(own * ODD, np.arange(FEW, dtype=np.float64))[place]


def weigh_values(place: NDArray[np.intp], label: NDArray[np.intp], weight: Floats | None) -> Floats:
    """How often each value appears in each class that there is."""
    size = FEW * (int(label.max(initial=0)) + 1)
    often = np.asarray(np.bincount(label * FEW + place, weight, size), np.float64).reshape(-1, FEW)
    return often[often.any(axis=1)]


def column_fingerprints(
    columns: Floats, levels: NDArray[np.intp], label: NDArray[np.intp], weights: Floats
) -> NDArray[np.uint64]:
    """The fingerprints of columns that have so many `levels`, those by range worked out at once."""
    own = np.empty(columns.shape[1], np.uint64)
    by_range = (levels > FEW) & ~np.isnan(columns).any(0)
    if by_range.any():
        ends = round_to_24_bits(np.stack([columns[:, by_range].min(0), columns[:, by_range].max(0)], axis=1))
        summed = np.asarray(hashed(np.arange(2, dtype=np.uint64) * ODD, ends).sum(axis=1))
        own[by_range] = hashed(summed, np.zeros(len(ends)))
    for j in np.flatnonzero(~by_range):
        own[j] = column_fingerprint(columns[:, j], label, weights)[0]
    return own


def separate_copies(
    mixed: NDArray[np.uint64],
    label: NDArray[np.intp],
    rows: float,
    room: float,
    ties: Sequence[NDArray[Any]] = (),
) -> NDArray[np.uint64]:
    """Rows' hashes; those of frequent contents told apart, where few are there many times and there is room for few.

    `room` is how many contents there would be if every value of a column came with every value of the others, `ties`
    what numbers equal rows of a class, the last first; rows that are equal there too may stand anywhere.

    >>> often = np.array([7] * 10 + [9] * 2, np.uint64), np.zeros(12, np.intp), 12
    >>> [np.unique(separate_copies(*often, room)[:10]).size for room in (4, 400)]
    [10, 1]
    """
    _, place, often = np.unique(mixed, return_inverse=True, return_counts=True)
    if len(often) < 2 or len(often) * COPIES >= rows or len(often) * ROOM < room:
        return mixed
    many = often[place] > COPIES
    order = np.lexsort((*ties, label, mixed))
    new = np.ones(len(order), bool)
    new[1:] = (mixed[order][1:] != mixed[order][:-1]) | (label[order][1:] != label[order][:-1])
    first = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    turn = np.empty(len(order), np.intp)
    turn[order] = np.arange(len(order)) - first  # which of the equal rows of its class it is
    separated = hashed(mixed, label + turn * (int(label.max(initial=0)) + 1.0) + 1.0)
    return np.where(many, separated, mixed)


def are_levels(contents: int, room: float) -> bool:
    """Whether few contents fill the room that there is, so that their values are levels, however near, and all of them
    what new rows will show."""
    return contents <= FEW and contents * ROOM >= room


def column_fingerprint(values: Floats, label: NDArray[np.intp], weights: Floats) -> NDArray[np.uint64]:
    """A hash of a column's values and their frequencies, or of its range, whatever its name and place."""
    there = ~np.isnan(values)
    known = values[there]
    whole = len(known) > 0 and known.min() >= 0 and known.max() < FEW and bool((known == np.floor(known)).all())
    levels, place = (np.arange(FEW, dtype=np.float64), known.astype(np.intp)) if whole else unique_places(known)
    if len(levels) > FEW:
        return mix_rows(round_to_24_bits(levels[None, [0, -1]]))
    return mix_rows(round_to_24_bits(weigh_values(place, label[there], weights[there])))


def count_levels(ordered: Floats) -> NDArray[np.intp]:
    """The number of distinct values of each column, of which each is put in order; missing comes last, counts as one.

    >>> count_levels(np.array([[1.0, 2.0], [np.nan, 2.0], [np.nan, 3.0]]))
    array([2, 2])
    """
    new = (ordered[1:] != ordered[:-1]) & ~np.isnan(ordered[:-1])
    return np.asarray(new.sum(0) + min(len(ordered), 1), np.intp)


def mix_rows(rows: Floats) -> NDArray[np.uint64]:
    """One hash of all rows, which does not depend on their order."""
    place = np.arange(rows.shape[1], dtype=np.uint64) * ODD
    return np.asarray(hashed(np.asarray(hashed(place, rows).sum(axis=1)), np.zeros(len(rows))).sum(keepdims=True))


def round_to_24_bits(values: Floats) -> Floats:
    """Numbers rounded to 24 bits: weights may have been summed in another order."""
    part, exponent = np.frexp(values)
    return np.asarray(np.ldexp(part.astype(np.float32).astype(np.float64), exponent)) + 0.0


def number_by_content(mixed: NDArray[np.uint64], label: NDArray[np.intp]) -> NDArray[np.intp]:
    """Classes by number, in an order that their rows decide and not their names."""
    classes = np.flatnonzero(np.bincount(label))
    own = [hashed(distinct_hashes(mixed[label == c]), np.zeros(1)).sum() for c in classes]
    rank = np.empty(int(classes.max(initial=0)) + 1, np.intp)
    rank[classes[np.argsort(np.array(own, np.uint64), kind="stable")]] = np.arange(len(classes))
    return rank[label]


def distinct_hashes(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The distinct ones of many hashes; numpy sorts them in a fraction of the time in which it finds them unsorted."""
    ordered = np.sort(hashes)
    return ordered[is_first(ordered)]


def is_first(ordered: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which of ordered hashes differ from the one before."""
    new = np.ones(len(ordered), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return new


def unique_places(values: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The distinct values, sorted, and the place of each value among them."""
    levels, place = np.unique(values, return_inverse=True)
    return levels, np.asarray(place, np.intp)


def hashed(seed: NDArray[np.uint64], values: Any) -> NDArray[np.uint64]:
    """A 64-bit hash of each number."""
    bits = np.ascontiguousarray(values, np.float64).view(np.uint64)
    mixed = (seed ^ bits ^ (bits >> np.uint64(29))) * ODD
    return np.asarray(mixed ^ (mixed >> np.uint64(32)))
