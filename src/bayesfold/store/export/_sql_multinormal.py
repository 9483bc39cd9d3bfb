"""SQL of a normal density of many columns: the square of a row's distance, in terms of what the row shows.

|z M + b|^2 = b b + 2 z h + z G z with G = M M' and h = M b. Of the indicators of a column's levels at most one is not
0, so what they add is picked from a table by the level: a column of hundreds of levels costs some tables as long as
that, not a matrix as wide.
"""

from itertools import combinations
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.families._covariance import FARTHEST
from bayesfold.store.export._columns import OneHotAxis, VectorColumn
from bayesfold.store.export._factors import MultinormalFactor
from bayesfold.store.export._query import Steps, write_array, write_number, write_sum


def squares_of(factor: MultinormalFactor, vector: VectorColumn, tag: str, steps: Steps) -> list[str]:
    """A step for the numbers in their units; then the log density in each class."""
    unit = np.array([np.inf if u is None else u for u in factor.unit])
    numbers, indicators = split_axes(vector)
    far = write_number(FARTHEST)
    z = {d: f"{tag}_z{d}" for d in numbers if np.isfinite(unit[d])}
    steps.add(
        f"bf_{tag}_units",
        {z[d]: f"LEAST(GREATEST(v{factor.column}_{d} / {write_number(unit[d])}, -{far}), {far})" for d in z},
    )
    raised = np.clip(1.0 / unit, -FARTHEST, FARTHEST)  # what an indicator is where it is 1
    slots = {first: f"s{factor.column}_{first}" for first in indicators}
    said = []
    for k in range(len(factor.mean)):
        moved = factor.whitening[0 if factor.shared else k]
        b = -factor.mean[k] if factor.shared else -factor.mean[k] @ moved
        G, h = moved @ moved.T, moved @ b
        terms = [write_number(float(b @ b))]
        for d, own in z.items():
            others = [f"{write_number(2 * G[d, e])} * {other}" for e, other in z.items() if e > d and G[d, e] != 0]
            terms.append(f"{own} * {write_sum([write_number(2 * h[d]), f'{write_number(G[d, d])} * {own}', *others])}")
        for first, slot in slots.items():
            i = indicators[first]
            u = raised[i]
            terms.append(f"{pad_slots(u * u * G[i, i] + 2 * u * h[i])}[{slot} + 1]")
            terms += [f"{own} * {pad_slots(2 * u * G[i, d])}[{slot} + 1]" for d, own in z.items() if G[i, d].any()]
        for (first, slot), (second, other) in combinations(slots.items(), 2):
            i, j = indicators[first], indicators[second]
            together = 2 * np.outer(raised[i], raised[j]) * G[np.ix_(i, j)]
            if together.any():
                cell = f"{slot} * {len(j) + 2} + {other} + 1"
                terms.append(f"{write_array(np.pad(together, 1))}[{cell}]")
        said.append(f"{write_number(factor.power)} * ({write_number(factor.constant[k])} - 5e-1 * {write_sum(terms)})")
    return said


def pad_slots(values: Floats) -> str:
    """Numbers by slot: 0 for a missing level, before them, and for one never seen, behind them."""
    return write_array(np.pad(values, 1))


def split_axes(vector: VectorColumn) -> tuple[list[int], dict[int, Any]]:
    """Which axes of a vector are numbers, and which are the indicators of each column, by the first of them."""
    numbers: list[int] = []
    indicators: dict[int, Any] = {}
    d = 0
    for axis in vector.axes:
        if isinstance(axis, OneHotAxis):
            indicators[d] = np.arange(d, d + len(axis.levels))
            d += len(axis.levels)
        else:
            numbers.append(d)
            d += 1
    return numbers, indicators
