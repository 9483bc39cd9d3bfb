"""A tally without the levels, classes and terms that no row shows any more: what was forgotten leaves no name.

What somebody has declared stays (`Schema.declared`), and so does a missing value that is a level: neither came from a
row. Numbers that rows have left in a schema (cuts, centres, grids) stay too: they are how columns are read.

>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.tally.statistic import Clique
>>> schema = Schema(Categories("y", ("no", "yes")), (Categories("x", ("a", "b")),))
>>> tally = Tally.zero(schema, (Clique(("y",)), Clique(("x", "y"))))
>>> tally.counts[:] = [0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0]
>>> trimmed(tally).schema.columns["x"].levels, trimmed(tally).schema.target.levels
(('b',), ('no',))
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Level
from bayesfold.data.schema import Column, Schema
from bayesfold.data.text.column import Words
from bayesfold.data.text.vocabulary import Vocabulary
from bayesfold.data.vector import Axis, OneHot, Vector
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally, cut

Places = NDArray[np.intp]
NOTHING = 1e-24
"""Of the weight of all rows; sums of weights are exact to 1e-32 of it."""


def trimmed(tally: Tally, classes: bool = True) -> Tally:
    """The same rows on a schema of what they show; the classes are looked at too, if `classes`."""
    schema = tally.schema
    features = tuple(shown(tally, column) for column in schema.features)
    target = shown(tally, schema.target) if classes else schema.target
    assert isinstance(target, Categories)
    same = target is schema.target and all(a is b for a, b in zip(features, schema.features, strict=True))
    return tally if same else restricted(tally, replace(schema, target=target, features=features))


def shown(tally: Tally, column: Any) -> Any:
    """A column without what no row shows."""
    declared = tally.schema.declared
    if isinstance(column, Categories):
        stay = {None, *declared.get(column.name, ())}
        rows = rows_of(tally, column)
        levels = tuple(v for v, n in zip(column.levels, rows, strict=True) if n > 0 or v in stay)
        return column if levels == column.levels else replace(column, levels=levels)
    if isinstance(column, Words) and not column.analyser.buckets:
        seen = sums_of(tally, column.name)[1::2]
        seen[: max((int(n) for n in declared.get(column.name, ()) if n is not None), default=0)] = True
        return without_terms(column, seen)
    if isinstance(column, Vector) and column.name not in declared:
        return without_indicators(column, sums_of(tally, column.name))
    return column


def rows_of(tally: Tally, column: Categories) -> NDArray[np.int64]:
    """Rows that show each level; of a column that nothing is counted of, none."""
    for clique in tally.layout.cliques:
        if column.name in clique.keys:
            table = cut(tally.counts, tally.layout.offsets[clique][0], tally.layout.shape(clique))
            others = tuple(i for i, key in enumerate(clique.keys) if key != column.name)
            found: NDArray[np.int64] = table.sum(axis=others)[1:]
            return found
    return np.zeros(len(column.levels), np.int64)


def sums_of(tally: Tally, name: str) -> NDArray[np.bool_]:
    """Which sums of a block are not 0, added up over all classes."""
    clique = next(c for c in tally.layout.cliques if c.terms == (name,))
    size, shape = tally.layout.sums_in_cell(clique), tally.layout.shape(clique)
    begin = tally.layout.offsets[clique][1]
    total = sum(cut(half, begin, (*shape, size)).sum(axis=tuple(range(len(shape)))) for half in tally.sums)
    return np.asarray(np.abs(total) > NOTHING * np.abs(total).max(initial=0.0))


def without_terms(column: Words, seen: NDArray[np.bool_]) -> Words:
    """A column of text without the terms that no document shows."""
    if seen.all():
        return column
    kept = np.flatnonzero(seen)
    rarity = column.rarity
    if rarity is not None:
        rarity = replace(rarity, df=rarity.df[kept[kept < len(rarity.df)]])
    return replace(column, vocabulary=Vocabulary.of(column.vocabulary[int(i)] for i in kept), rarity=rarity)


def without_indicators(column: Vector, seen: NDArray[np.bool_]) -> Vector:
    """A vector without the indicators that no row raises."""
    axes: list[Axis] = []
    at = 0
    for axis in column.axes:
        if isinstance(axis, OneHot):
            there = seen[at : at + axis.width]
            axes.append(replace(axis, levels=tuple(v for v, s in zip(axis.levels, there, strict=True) if s)))
        else:
            axes.append(axis)
        at += axis.width
    return column if tuple(axes) == column.axes else replace(column, axes=tuple(axes))


def restricted(tally: Tally, schema: Schema) -> Tally:
    """The cells and sums of the levels, terms and indicators that a smaller schema has."""
    fresh = Tally.zero(schema, tally.layout.cliques, tally.weighted)
    slots = {key: slots_kept(tally.schema, schema, key) for clique in tally.layout.cliques for key in clique.keys}
    for clique in tally.layout.cliques:
        index = np.ix_(*(slots[key] for key in clique.keys))
        (cells, sums), (new_cells, new_sums) = (t.layout.offsets[clique] for t in (tally, fresh))
        shape, new_shape = (t.layout.shape(clique) for t in (tally, fresh))
        cut(fresh.counts, new_cells, new_shape)[...] = cut(tally.counts, cells, shape)[index]
        within, narrowed = (t.layout.sums_in_cell(clique) for t in (tally, fresh))
        places = sums_kept(tally.schema, schema, clique) if within else np.empty(0, np.intp)
        for half in range(2):
            if tally.weighted:
                cut(fresh.weights[half], new_cells, new_shape)[...] = cut(tally.weights[half], cells, shape)[index]
            if within:
                old = cut(tally.sums[half], sums, (*shape, within))
                kept = old[np.ix_(*(slots[key] for key in clique.keys), places)]
                cut(fresh.sums[half], new_sums, (*new_shape, narrowed))[...] = kept
    return fresh


def slots_kept(old: Schema, new: Schema, key: str) -> Places:
    """Where the slots of a key stood that it still has."""
    before, after = old.columns[key], new.columns[key]
    if not isinstance(before, Categories) or not isinstance(after, Categories):
        return np.arange(old.axis(key))
    places: dict[Level, int] = {level: i + 1 for i, level in enumerate(before.levels)}
    return np.array([0, *(places[level] for level in after.levels)], np.intp)


def sums_kept(old: Schema, new: Schema, clique: Clique) -> Places:
    """Where the sums of a cell stood that it still has."""
    found, begin = [np.empty(0, np.intp)], 0
    for term in clique.terms:
        found.append(
            begin + sums_of_term(old.columns[term], new.columns[term], clique.order, old.sums(term, clique.order))
        )
        begin += old.sums(term, clique.order)
    return np.concatenate(found)


def sums_of_term(before: Column, after: Column, order: int, size: int) -> Places:
    """... of one column."""
    if isinstance(before, Words) and isinstance(after, Words) and not before.analyser.buckets:
        terms = before.vocabulary.places(after.vocabulary).astype(np.intp)
        return np.asarray((terms[:, None] * order + np.arange(order)).ravel(), np.intp)
    if isinstance(before, Vector) and isinstance(after, Vector):
        at: list[int] = []
        axes = 0
        for axis, kept in zip(before.axes, after.axes, strict=True):
            if isinstance(axis, OneHot) and isinstance(kept, OneHot):
                at += [axes + axis.levels.index(level) for level in kept.levels]
            else:
                at.append(axes)
            axes += axis.width
        alone = np.array(at, np.intp)
        pairs = before.width + (alone[:, None] * before.width + alone).ravel()
        return np.concatenate([alone, pairs]) if order == 2 else alone
    return np.arange(size)
