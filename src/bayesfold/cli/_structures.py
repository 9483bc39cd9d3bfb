"""What `learn` is told and what it reads: arcs and tiers in words, whole rows of columns with few values."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.cli._networks import split
from bayesfold.cli._words import warn
from bayesfold.data.frame import Frame
from bayesfold.data.tables import frame as frame_of
from bayesfold.io.source import Source
from bayesfold.learning.discretize import equal_frequency, histogram
from bayesfold.networks.factor import known
from bayesfold.networks.learning.equivalence import pattern
from bayesfold.networks.learning.result import LearnedNetwork
from bayesfold.plots._columns import in_bins
from bayesfold.runtime.messages import listed
from bayesfold.runtime.unique import distinct

FEW = 12
"""Different numbers up to which they are not cut."""
ALL = 1 << 40
"""More rows than any table has."""


def arcs(texts: Iterable[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """Arcs as people write them.

    >>> arcs(["a->b", "b -> c"], ["a", "b", "c"])
    [('a', 'b'), ('b', 'c')]
    """
    found = []
    for text in texts:
        parent, sign, child = text.partition("->")
        if not (sign and parent.strip() and child.strip()):
            raise ValueError(f"an arc is written parent->child, not {text!r}")
        found.append((known("column", parent.strip(), names), known("column", child.strip(), names)))
    return found


def tiers(text: str | None, names: Sequence[str]) -> list[list[str]]:
    """Tiers, the earliest first, with semicolons between them and commas between names.

    >>> tiers("age, sex; cancer", ["age", "sex", "cancer"])
    [['age', 'sex'], ['cancer']]
    """
    return [split(part.strip(), names) for part in text.split(";")] if text else []


def whole_rows(source: Source, names: Sequence[str], cut: int | None) -> Frame:
    """The rows that have a value in each of these columns, numbers cut into intervals if that is wanted."""
    source.require(*names)
    table = source.look(names, ALL, {}, {}).table
    if cut is not None:
        table = pa.table({name: intervals(table, name, cut) for name in names})
    rows = frame_of(table)
    there = {name: rows.coded(name).index >= 0 for name in names}  # an empty field is a hole too
    whole = np.all(list(there.values()), axis=0)
    if not whole.any():
        holes = [name for name, has in there.items() if not has.all()]
        raise ValueError(f"{source.name} has no row without holes: leave out {listed(holes)} with --drop")
    if whole.all():
        return rows
    warn(f"{int((~whole).sum()):,} of {len(whole):,} rows lack a value and are left out")
    return rows.take(whole)


def intervals(table: pa.Table, name: str, cut: int) -> pa.ChunkedArray:
    """A column of many numbers as intervals with about as many rows each; any other as it is."""
    column = table.column(name)
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return column
    x = frame_of(table.select([name])).numbers(name)
    known_ones = x[~np.isnan(x)]
    if len(distinct(known_ones)) <= FEW:
        return column
    one_class = np.zeros(len(known_ones), np.intp)
    cuts = equal_frequency(histogram(known_ones, one_class, np.ones(len(known_ones)), 1), cut)
    return pa.chunked_array([in_bins(x, cuts)])


def as_json(found: LearnedNetwork) -> dict[str, Any]:
    """A learned network for machines."""
    said = pattern(found.dag)
    arcs = [
        {"parent": u, "child": v, "gain": gain, "directed": (u, v) in said.arrows or (u, v) in found.one_way}
        for (u, v), gain in sorted(found.gains.items(), key=lambda pair: -pair[1])
    ]
    answer = {"score": found.kind, "value": found.score, "rows": found.rows, "optimal": found.optimal, "arcs": arcs}
    if found.strengths is not None:
        answer["threshold"] = found.strengths.threshold
        answer["strengths"] = [
            {"parent": a, "child": b, "strength": strength, "direction": direction}
            for a, b, strength, direction in found.strengths.pairs()
        ]
    return answer
