"""A tally without the levels, classes and terms that no row shows any more: what was forgotten leaves no name.

What somebody has declared stays (`Schema.declared`), and so does a missing value that is a level: neither came from a
row. Numbers that rows have left in a schema (cuts, centres, grids) stay too: they are how columns are read.

>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.tally.statistic import Clique
>>> schema = Schema(Categories("y", ("no", "yes")), (Categories("x", ("a", "b")),))
>>> tally = Tally.zero(schema, (Clique(("y",)), Clique(("x", "y"))))
>>> tally.counts[:] = [0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0]
>>> trim(tally).schema.columns["x"].levels, trim(tally).schema.target.levels
(('b',), ('no',))
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Floats
from bayesfold.data.landmarks import Landmarks
from bayesfold.data.schema import Schema
from bayesfold.data.text.column import Words
from bayesfold.data.vector import NOTHING, Vector
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally, cut

Places = NDArray[np.intp]


def trim(tally: Tally, classes: bool = True) -> Tally:
    """The same rows on a schema of what they show; the classes are looked at too, if `classes`."""
    schema = tally.schema
    features = tuple(drop_unseen(tally, column) for column in schema.features)
    target = drop_unseen(tally, schema.target) if classes else schema.target
    same = target is schema.target and all(a is b for a, b in zip(features, schema.features, strict=True))
    return tally if same else restrict(tally, replace(schema, target=target, features=features))


def drop_unseen(tally: Tally, column: Any) -> Any:
    """A column without what no row shows."""
    stay = tally.schema.declared.get(column.name)
    if isinstance(column, Categories):
        seen = rows_by_level(tally, column) > 0
        known = {None, *(stay or ())}
        return column.without(seen | np.array([level in known for level in column.levels], bool))
    if isinstance(column, Words) and not column.analyser.buckets:
        seen = find_nonzero_sums(tally, column.name)[1::2]
        seen[: max((int(n) for n in stay or () if n is not None), default=0)] = True
        return column.without(seen)
    if isinstance(column, Landmarks) and stay is None:
        return column.without(find_nonzero_sums(tally, column.name))
    if isinstance(column, Vector) and stay is None:
        return column.without(column.raised(add_up_classes(tally, column.name)))
    return column


def rows_by_level(tally: Tally, column: Categories) -> NDArray[np.int64]:
    """How many rows show each level; zeros for a column that is not counted."""
    for clique in tally.layout.cliques:
        if column.name in clique.keys:
            table = cut(tally.counts, tally.layout.offsets[clique][0], tally.layout.shape(clique))
            others = tuple(i for i, key in enumerate(clique.keys) if key != column.name)
            rows: NDArray[np.int64] = table.sum(axis=others)[1:]
            return rows
    return np.zeros(len(column.levels), np.int64)


def find_nonzero_sums(tally: Tally, name: str) -> NDArray[np.bool_]:
    """Which sums of a block are not 0, added up over all classes."""
    total = add_up_classes(tally, name)
    return np.asarray(np.abs(total) > NOTHING * np.abs(total).max(initial=0.0))


def add_up_classes(tally: Tally, name: str) -> Floats:
    """The sums of a block over all classes."""
    clique = next(c for c in tally.layout.cliques if c.terms == (name,))
    size, shape = tally.layout.sums_in_cell(clique), tally.layout.shape(clique)
    begin = tally.layout.offsets[clique][1]
    halves = [cut(half, begin, (*shape, size)).sum(axis=tuple(range(len(shape)))) for half in tally.sums]
    return np.asarray(halves[0] + halves[1])


def restrict(tally: Tally, schema: Schema) -> Tally:
    """The cells and sums of the levels, terms and indicators that a smaller schema has."""
    fresh = Tally.zero(schema, tally.layout.cliques, tally.weighted)
    keys = {key for clique in tally.layout.cliques for key in clique.keys}
    slots = {key: schema.columns[key].slots_in(tally.schema.columns[key]) for key in keys}
    for clique in tally.layout.cliques:
        index = np.ix_(*(slots[key] for key in clique.keys))
        (cells, sums), (new_cells, new_sums) = (t.layout.offsets[clique] for t in (tally, fresh))
        shape, new_shape = (t.layout.shape(clique) for t in (tally, fresh))
        cut(fresh.counts, new_cells, new_shape)[...] = cut(tally.counts, cells, shape)[index]
        within, narrowed = (t.layout.sums_in_cell(clique) for t in (tally, fresh))
        places = locate_kept_sums(tally.schema, schema, clique)
        for half in range(2):
            if tally.weighted:
                cut(fresh.weights[half], new_cells, new_shape)[...] = cut(tally.weights[half], cells, shape)[index]
            if within:
                old = cut(tally.sums[half], sums, (*shape, within))
                kept = old[np.ix_(*(slots[key] for key in clique.keys), places)]
                cut(fresh.sums[half], new_sums, (*new_shape, narrowed))[...] = kept
    return fresh


def locate_kept_sums(old: Schema, new: Schema, clique: Clique) -> Places:
    """Places, in a cell of the old schema, of the sums that a cell of the new one keeps."""
    places, begin = [np.empty(0, np.intp)], 0
    for term in clique.terms:
        places.append(begin + new.columns[term].sums_in(old.columns[term], clique.order))
        begin += old.sums(term, clique.order)
    return np.concatenate(places)
