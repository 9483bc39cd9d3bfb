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
from bayesfold.plots._columns import bin_words, in_bins
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


def whole_rows(source: Source, names: Sequence[str], cut: int | None) -> tuple[Frame, dict[str, tuple[str, ...]]]:
    """The rows that have a value in each of these columns, numbers cut into intervals if that is wanted: the states of
    those that were, in order."""
    source.require(*names)
    table = source.look(names, ALL, {}, {}).table
    cuts = {name: found for name in names if (found := cuts_of(table, name, cut)) is not None}
    columns = {name: table.column(name) for name in names}
    for name, places in cuts.items():
        columns[name] = pa.chunked_array([in_bins(frame_of(table.select([name])).numbers(name), places)])
    rows, states = frame_of(pa.table(columns)), {name: bin_words(places) for name, places in cuts.items()}
    there = {name: rows.coded(name).index >= 0 for name in names}  # an empty field is a hole too
    whole = np.all(list(there.values()), axis=0)
    if not whole.any():
        holes = [name for name, has in there.items() if not has.all()]
        raise ValueError(f"{source.name} has no row without holes: leave out {listed(holes)} with --drop")
    if whole.all():
        return rows, states
    warn(f"{int((~whole).sum()):,} of {len(whole):,} rows lack a value and are left out")
    return rows.take(whole), states


def cuts_of(table: pa.Table, name: str, cut: int | None) -> tuple[float, ...] | None:
    """Where a column of many numbers is cut into intervals of about as many rows each; None where it is not."""
    kind = table.column(name).type
    if cut is None or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    x = frame_of(table.select([name])).numbers(name)
    x = x[~np.isnan(x)]
    if len(distinct(x)) <= FEW:
        return None
    return equal_frequency(histogram(x, np.zeros(len(x), np.intp), np.ones(len(x)), 1), cut)


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
