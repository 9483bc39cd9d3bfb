"""Which columns held whole numbers only, as what was summed tells: their sums, and those of their squares, are whole.

Sums are kept in two halves, 106 bits together, so five rows of 97.2 do not pass for whole: 97.2 is no binary number,
and what it misses by adds up in the lower half.
"""

from typing import Any

import numpy as np

from bayesfold.tally.statistic import Tally


def whole_numbers(tally: Tally) -> set[str]:
    """The source columns that held whole numbers; not those of which nothing in the tally tells.

    Sums tell best; without any, the cuts between values do, which lie midway, and the values at which ranks bend.
    """
    sums = {source: whole for source, whole in whole_by_sums(tally).items() if whole is not None}
    others: dict[str, list[bool]] = {}
    for c in tally.schema.binned:
        if c.is_table and len(c.cuts) > 1:
            others.setdefault(c.origin, []).append(is_whole(2 * np.array(c.cuts)))
    for axis in (axis for c in tally.schema.vectors for axis in c.numbers):
        if len(axis.knots) > 1:
            others.setdefault(axis.source, []).append(is_whole(np.array([x for x, _ in axis.knots])))
    return {source for source, whole in ({s: all(t) for s, t in others.items()} | sums).items() if whole}


def whole_by_sums(tally: Tally) -> dict[str, bool | None]:
    """What the sums of numbers tell: None where rows have weights of their own, or there is no row."""
    real = {c.name: c for c in tally.schema.numbers if not c.transform}
    whole: dict[str, bool | None] = {}
    for clique in tally.layout.cliques:
        if len(clique.terms) != 1 or clique.terms[0] not in real:
            continue
        column = real[clique.terms[0]]
        cells, sums = tally.layout.offsets[clique]
        size = int(np.prod(tally.layout.shape(clique)))
        seen = bool(tally.counts[cells : cells + size].any()) and not tally.weighted
        halves = tally.sums[:, sums : sums + size * tally.layout.sums_in_cell(clique)]
        whole[column.origin] = is_whole(halves) if seen else None
    return whole


def is_whole(x: Any) -> bool:
    """Whether all are whole numbers."""
    return bool((x == np.round(x)).all())
