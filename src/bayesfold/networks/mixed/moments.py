"""The statistic of a network with numbers: counts of the families of categories, moments of those of numbers.

A number's family is a vector (it and the numbers above it) whose sums and products the tally keeps for each combination
of the categories above. The numbers are moved and scaled by powers of two first, so that products of large numbers do
not swallow small differences; two networks that scaled differently are brought to one scale before they are added.
Rows with a hole in a family stand in a slot of their own, which nobody reads.

>>> from bayesfold.networks.dag import Dag
>>> kinds = Kinds(Dag.of([("sex", "height")]), {"sex": ("f", "m"), "height": ()})
>>> rows = read_frame({"sex": ["f", "f", "m", "m"], "height": [160.0, 164.0, 180.0, None]})
>>> tally, _ = count_moments(kinds, make_schema(kinds, find_scales(rows, ["height"])), rows, None)
>>> sums_of(tally, kinds, 1).weight.tolist(), [(axis.centre, axis.unit) for axis in scale_values(tally, "height")]
([2.0, 1.0], [(168.0, 8.0)])
"""

from collections.abc import Mapping
from math import floor, log2, prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Floats, Frame
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Scaled, Vector
from bayesfold.networks.evidence import encode_column
from bayesfold.networks.learning.counts import check_weights
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.mixed.regression import GroupSums
from bayesfold.networks.mixed.rows import read_frame, read_numbers
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally, cut

LARGEST = 1e150
"""Numbers are at most so large, and differ by no less than one over it."""

Scales = Mapping[str, Scaled]
ROWS, WHOLE, FAMILY = "rows\0", "whole\0", "family\0"
"""How columns of our own are called: no node has such a character in its name."""


def find_scales(frame: Frame, names: list[str]) -> dict[str, Scaled]:
    """How each number is moved and scaled: to about 0 and 1, by powers of two, so that little is rounded on the way."""
    scales = {}
    for name in names:
        x = read_numbers(frame, name)
        x = x[~np.isnan(x)]
        refuse_extremes(name, x)
        middle, spread = (float(x.mean()), float(x.std())) if len(x) else (0.0, 0.0)
        unit = 2.0 ** round(log2(spread if spread > 0 else abs(middle) or 1.0))
        scales[name] = Scaled(name, unit * floor(middle / unit + 0.5), unit)
    return scales


def refuse_extremes(name: str, x: Floats) -> None:
    """Refuse numbers whose squares, or the squares of whose differences, a double does not hold.

    >>> refuse_extremes("x", np.array([1e200, 2e200]))
    Traceback (most recent call last):
    ValueError: the numbers of 'x' reach 2e+200, and their squares cannot be summed: divide the column, to below 1e+150
    """
    size, spread = (float(np.abs(x).max()), float(np.ptp(x))) if len(x) else (0.0, 0.0)
    if size > LARGEST:
        raise ValueError(
            f"the numbers of {name!r} reach {size:g}, and their squares cannot be summed: divide the column, to below "
            f"{LARGEST:g}"
        )
    if 0 < spread < 1 / LARGEST:
        raise ValueError(
            f"the numbers of {name!r} differ by at most {spread:g}, whose square is 0 to a computer: multiply the "
            f"column, to differences above {1 / LARGEST:g}"
        )


def make_schema(kinds: Kinds, scales: Scales) -> Schema:
    """Every category as a column, and for every number its family as a vector, and whether a row has no hole in it."""
    features: list[Any] = []
    for v, name in enumerate(kinds.dag.names):
        if kinds.cards[v]:
            features.append(Categories(name, kinds.axes[name]))
            continue
        family = [kinds.dag.names[u] for u in (v, *kinds.numbers_above(v))]
        features += [Categories(WHOLE + name, (True,)), Vector(FAMILY + name, tuple(scales[u] for u in family))]
    return Schema(Categories(ROWS, (True,)), tuple(features))


def list_cliques(kinds: Kinds) -> tuple[Clique, ...]:
    """One table for each node, in their order."""
    names, cliques = kinds.dag.names, []
    for v, name in enumerate(names):
        above = [names[p] for p in kinds.categories_above(v)]
        number = Clique((*above, WHOLE + name, ROWS), (FAMILY + name,), 2)
        cliques.append(Clique((*above, name, ROWS)) if kinds.cards[v] else number)
    return tuple(cliques)


def count_moments(kinds: Kinds, schema: Schema, table: Any, weight: ArrayLike | None) -> tuple[Tally, Batch]:
    """The tally of every family, and the rows it was counted from."""
    frame = read_frame(table)
    frame.require(kinds.dag.names)
    slots: dict[str, Any] = {}
    vectors, known = [], {vector.name: vector for vector in schema.vectors}
    for v, name in enumerate(kinds.dag.names):
        if kinds.cards[v]:
            slots[name] = encode_column(frame, name, kinds.axes[name]) + 1
            continue
        vector = known[FAMILY + name]
        holes = np.any([np.isnan(read_numbers(frame, source)) for source in vector.sources], axis=0)
        slots[WHOLE + name] = 1 - holes.astype(np.int32)
        vectors.append(Panel((vector.name,), vector.encode(frame)))
    panel = Panel(tuple(slots), np.stack(list(slots.values()), axis=1).astype(np.int32))
    weights = None if weight is None else check_weights(weight, frame.rows)
    batch = Batch(frame.rows, (panel,), (), tuple(vectors), np.ones(frame.rows, np.int32), weights).weighing()
    return count(schema, list_cliques(kinds), batch), batch


def sums_of(tally: Tally, kinds: Kinds, v: int) -> GroupSums:
    """The sums of a number's family, one group for each combination of the categories above it."""
    clique, layout = tally.layout.cliques[v], tally.layout
    shape, width = layout.shape(clique), layout.schema.width(clique.terms[0])
    start, first = layout.offsets[clique]
    whole: Any = (*(slice(1, None),) * len(kinds.categories_above(v)), 1, 1)
    mass = tally.weights.sum(0) if tally.weighted else tally.counts
    weight = np.asarray(cut(mass, start, shape)[whole], np.float64).reshape(-1)
    within = width + width * width
    sums = cut(tally.sums.sum(0), first, (*shape, within))[whole].reshape(-1, within)
    return GroupSums(weight, sums[:, :width], sums[:, width:].reshape(-1, width, width))


def first_impossible(tally: Tally, kinds: Kinds) -> str | None:
    """A number of which no rows have these sums: a scatter is never below 0."""
    for v in kinds.numbers:
        sums = sums_of(tally, kinds, v)
        has_rows = sums.weight > 0
        squares = np.diagonal(sums.second, axis1=1, axis2=2)
        least = squares - np.divide(
            sums.first**2, sums.weight[:, None], out=np.zeros_like(squares), where=has_rows[:, None]
        )
        if (least[has_rows] < -1e-7 * (1 + np.abs(squares[has_rows]))).any() or (
            np.abs(squares[~has_rows]) > 1e-7
        ).any():
            return kinds.dag.names[v]
    return None


def rescale_sums(tally: Tally, schema: Schema) -> Tally:
    """The same sums in the scales of another schema: of z' = a z + b instead of z."""
    if schema == tally.schema:
        return tally
    fresh = Tally(Layout(schema, tally.layout.cliques), tally.counts.copy(), tally.weights.copy(), tally.sums.copy())
    mass = tally.weights.sum(0) if tally.weighted else tally.counts
    for clique in tally.layout.cliques:
        if not clique.terms:
            continue
        name = clique.terms[0].removeprefix(FAMILY)
        pairs = list(zip(scale_values(tally, name), scale_values(fresh, name), strict=True))
        a = np.array([o.unit / n.unit for o, n in pairs])
        b = np.array([(o.centre - n.centre) / n.unit for o, n in pairs])
        (cells, begin), size, width = tally.layout.offsets[clique], prod(tally.layout.shape(clique)), len(pairs)
        part = slice(begin, begin + size * (width + width * width))
        weight = np.asarray(mass[cells : cells + size], np.float64)[:, None]
        sums = tally.sums[:, part].sum(0).reshape(size, -1)
        first, second = a * sums[:, :width], a[:, None] * a * sums[:, width:].reshape(size, width, width)
        across = first[:, :, None] * b
        second = second + across + np.swapaxes(across, 1, 2) + weight[..., None] * b[:, None] * b
        moved = np.concatenate([first + weight * b, second.reshape(size, -1)], axis=1)
        fresh.sums[0, part], fresh.sums[1, part] = moved.ravel(), 0.0
    return fresh


def scale_values(tally: Tally, name: str) -> tuple[Scaled, ...]:
    """How a number and the numbers above it are moved and scaled."""
    return next(vector.numbers for vector in tally.schema.vectors if vector.name == FAMILY + name)
