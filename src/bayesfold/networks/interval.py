"""States that are intervals of numbers: a number finds the one it lies in.

>>> cold, warm = name_intervals(("below 18.5", "18.5 and above"), (18.5,))
>>> cold, warm.holds("18.5"), cold.holds(3), cold.holds("red")
('below 18.5', True, True, False)
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any


class Interval(str):
    """The name of a state that holds low <= x < high."""

    __slots__ = ("high", "low")
    low: float
    high: float

    def holds(self, value: Any) -> bool:
        """Whether a value is a number, or is written as one, that lies in the interval."""
        try:
            return self.low <= float(value) < self.high
        except (TypeError, ValueError):
            return False


def name_intervals(names: Sequence[str], cuts: Sequence[float]) -> tuple[str, ...]:
    """Names of bins as intervals between cuts; names beyond the last bin stay what they are."""
    named: list[str] = []
    for name, (low, high) in zip(names, pairwise((-math.inf, *cuts, math.inf)), strict=False):
        one = Interval(name)
        one.low, one.high = low, high
        named.append(one)
    return (*named, *names[len(named) :])
