"""A network of categories and numbers in print: its tables, and its lines as a statistician writes them.

>>> count_of(1, "category", "categories"), count_of(2, "edge")
('1 category', '2 edges')
"""

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.factor import MOST_LINES, Factor
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.mixed.lines import LinearGaussian, Lines


def factor_of(kinds: Kinds, v: int, table: Floats) -> Factor:
    """P(category | parents) as a factor, its own axis last."""
    names = [kinds.dag.names[u] for u in (*kinds.dag.parents[v], v)]
    label = f"P({names[-1]}{' | ' if len(names) > 1 else ''}{', '.join(names[:-1])})"
    return Factor({u: kinds.axes[u] for u in names}, table, label=label)


def lines_of(kinds: Kinds, v: int, lines: Lines) -> dict[tuple[Level, ...], LinearGaussian]:
    """The lines of a number, by the states of the categories above it."""
    axes, above = kinds.above(v)
    each = (lines.at(path, above) for path in np.ndindex(lines.sd.shape))
    return dict(zip(product(*axes.values()), each, strict=True))


def describe(kinds: Kinds, tables: Mapping[str, Floats | Lines]) -> str:
    """Every line and table, parents before children."""
    text = list(list_lines(kinds, tables))
    more = len(text) - MOST_LINES
    return "\n".join([*text[:MOST_LINES], *([f"... and {more} more lines"] if more > 0 else [])])


def list_lines(kinds: Kinds, tables: Mapping[str, Floats | Lines]) -> Iterator[str]:
    """The lines of text, node by node."""
    for v in kinds.dag.order:
        name = kinds.dag.names[v]
        table = tables[name]
        if isinstance(table, Lines):
            yield from table.words(name, *kinds.above(v))
        else:
            yield from str(factor_of(kinds, v, table)).splitlines()


def count_of(count: int, one: str, several: str = "") -> str:
    """A number of things."""
    return f"{count} {one if count == 1 else several or one + 's'}"
