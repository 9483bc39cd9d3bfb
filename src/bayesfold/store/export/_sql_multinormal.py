"""SQL of a normal density of many columns: the square of a row's distance, as a sum of squares.

|(z - m) W|^2 = |(z - m) L|^2, L = W Q lower triangular: numbers stand first, then the indicators of each column, of the
one with the most levels last. Multiplied out, squares of a million million would cancel where a covariance is nearly
singular; so each column of L is one square. What the indicators of a column add to it depends on its level alone, so it
is picked from a table by that. The squares that depend on one column or on two are summed beforehand: a
column of hundreds of levels costs some tables as long as that, not a matrix as wide.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    slots = {}
    for first, shown in indicators.items():
        own = np.arange(first, first + shown.shape[1])
        slots[f"s{factor.column}_{first}"] = own, np.clip(shown / unit[own], -FARTHEST, FARTHEST)
    said = []
    for k in range(len(factor.mean)):
        distance = project(factor, k, numbers, slots)
        squares = write_sum(distance.squares(z))
        said.append(f"{write_number(factor.power)} * ({write_number(factor.constant[k])} - 5e-1 * {squares})")
    return said


def project(
    factor: MultinormalFactor, k: int, numbers: list[int], slots: dict[str, tuple[NDArray[np.intp], Floats]]
) -> "Distance":
    """What each number and each level adds to the projections of a row's distance from the mean of a class.

    Of each column, `slots` has the axes and what they are, in their units, for each of its slots.
    """
    by_size = sorted(slots, key=lambda slot: len(slots[slot][0]))
    order = np.array([*numbers, *(d for slot in by_size for d in slots[slot][0])], np.intp)
    whitening = factor.whitening[0 if factor.shared else k]
    Q, R = np.linalg.qr(whitening[order].T)
    L = np.empty(whitening.shape)
    L[order] = R.T
    mean = np.zeros(len(order)) if factor.shared else factor.mean[k]
    added = {}
    for slot in by_size:
        axes, shown = slots[slot]
        added[slot] = shown @ L[axes] - mean[axes] @ L[axes]
    begins = np.cumsum([len(numbers), *(len(slots[slot][0]) for slot in by_size)]).tolist()
    return Distance(L, mean, -factor.mean[k] @ Q if factor.shared else np.zeros(len(order)), added, numbers, begins)


@dataclass(frozen=True)
class Distance:
    """Projections of z - m, of which the first are of numbers and of everything, and then come those of each column,
    which depend on it and on the columns behind it."""

    weights: Floats  # L: [axis, projection]
    mean: Floats  # m: [axis]
    shift: Floats  # [projection]: what is added to each
    added: dict[str, Floats]  # by slot: [level, projection], for a missing one before them and one never seen behind
    numbers: list[int]
    begins: list[int]  # where the projections of each column begin, and those of the last one end

    def squares(self, z: dict[int, str]) -> list[str]:
        """Terms of SQL that sum to the square of the distance; z: the numbers that there are."""
        begins, slots = self.begins, list(self.added)
        terms = [self.square(j, z, slots) for j in range(begins[0])]
        for c in range(len(slots) - 2):
            terms += [self.square(j, {}, slots[c:]) for j in range(begins[c], begins[c + 1])]
        if len(slots) > 1:
            terms.append(self.sum_of_two(slots[-2], slots[-1], slice(begins[-3], begins[-2])))
        if slots:
            own = slice(begins[-2], begins[-1])
            alone = ((self.added[slots[-1]][:, own] + self.shift[own]) ** 2).sum(1)
            terms.append(f"{write_array(alone)}[{slots[-1]} + 1]")
        return terms

    def square(self, j: int, z: dict[int, str], slots: list[str]) -> str:
        """The square of one projection, of numbers and of levels."""
        L, mean = self.weights[:, j], self.mean
        rest = self.shift[j] - sum(mean[d] * L[d] for d in self.numbers if d not in z)
        parts = [f"{write_number(L[d])} * ({own} - {write_number(mean[d])})" for d, own in z.items() if L[d] != 0]
        parts += [f"{write_array(self.added[slot][:, j])}[{slot} + 1]" for slot in slots]
        return f"power({write_sum([*parts, write_number(rest)])}, 2e0)"

    def sum_of_two(self, slot: str, other: str, own: slice) -> str:
        """The sum of the squares that depend on two columns, picked by their levels."""
        first, second = self.added[slot][:, own] + self.shift[own], self.added[other][:, own]
        sums = [((level + second) ** 2).sum(1) for level in first]
        return f"{write_array(np.array(sums))}[{slot} * {len(second)} + {other} + 1]"


def split_axes(vector: VectorColumn) -> tuple[list[int], dict[int, Floats]]:
    """Which axes of a vector are numbers; by the first one of each other column, its indicators for each slot."""
    numbers: list[int] = []
    indicators: dict[int, Floats] = {}
    d = 0
    for axis in vector.axes:
        if isinstance(axis, OneHotAxis):
            indicators[d] = np.concatenate([[axis.hole], np.eye(len(axis.levels)), [axis.unseen]])
            d += len(axis.levels)
        else:
            numbers.append(d)
            d += 1
    return numbers, indicators
