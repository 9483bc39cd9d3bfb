"""A range of each number in which rows were: what a change may propose is neither an impossible value nor an odd one.

A model keeps sums and not its rows, so it does not know the least and the greatest number (which would be one row's
own, and stay when that is forgotten). Cuts and ranks tell numbers between which rows were. Where there are none, the
middle half of each class is taken, as the model draws it; of numbers in a vector, a unit of their spread around their
centre.
"""

from collections.abc import Container
from math import ceil, floor, log10
from typing import Any

import numpy as np

from bayesfold.models.drawing import sample_flat

DRAWS = 200
"""Rows drawn of each class."""
MIDDLE = (0.25, 0.75)
DIGITS = 3
"""Digits of a range in which its ends are told."""
Range = tuple[float, float]


def inner_ranges(model: Any, whole: Container[str]) -> dict[str, Range]:
    """(low, high) of each source column that is read as numbers; `whole` are columns of whole numbers."""
    ranges: dict[str, Range] = {}
    for name, cuts in collect_cuts(model).items():
        ranges[name] = between_cuts(cuts, name in whole)
    axes = [axis for c in model.schema.vectors for axis in c.numbers]
    for axis in (axis for axis in axes if axis.knots):
        ranges[axis.source] = unite_ranges(ranges.get(axis.source), (axis.knots[0][0], axis.knots[-1][0]))
    lacking = [name for name in numeric_sources(model) if name not in ranges]
    drawn = draw_middle_ranges(model, lacking) if lacking else {}
    scaled = {axis.source: (axis.centre - axis.unit, axis.centre + axis.unit) for axis in axes}
    return ranges | {name: drawn.get(name) or scaled[name] for name in lacking if name in drawn or name in scaled}


def collect_cuts(model: Any) -> dict[str, list[float]]:
    """The cuts of every reading of a column as bins."""
    cuts_of: dict[str, list[float]] = {}
    for c in model.schema.binned:
        if c.cuts:
            cuts_of.setdefault(c.origin, []).extend(c.cuts)
    return cuts_of


def between_cuts(cuts: list[float], whole: bool) -> Range:
    """The nearest number below the least cut, and the greatest cut: there were rows on both sides of each.

    >>> between_cuts([28.5, 40.5], whole=True), between_cuts([0.25, 0.5], whole=False)
    ((28, 41), (0.2499, 0.5))
    """
    low, high = min(cuts), max(cuts)
    if whole:
        return ceil(low) - 1, ceil(high)
    size = max(high - low, abs(low) * 10.0**-DIGITS, 1e-300)
    places = DIGITS - floor(log10(size))
    below = floor(low * 10.0**places - 1e-6) / 10.0**places if abs(places) < 300 else low  # beyond, powers of ten end
    return below, high


def draw_middle_ranges(model: Any, names: list[str]) -> dict[str, Range]:
    """The least and the greatest of the classes' quartiles, as the model draws its columns."""
    ranges: dict[str, Range] = {}
    for member in members_of(model):
        draw = np.random.default_rng(0)
        label = np.repeat(np.arange(len(member.classes)), DRAWS)
        columns = sample_flat(member, label, draw)
        for name in names:
            if name in columns:
                x = np.asarray(columns[name], np.float64).reshape(-1, DRAWS)
                ends = [np.quantile(values[np.isfinite(values)], MIDDLE) for values in x if np.isfinite(values).any()]
                if ends:
                    ranges[name] = unite_ranges(ranges.get(name), (float(np.min(ends)), float(np.max(ends))))
    return ranges


def unite_ranges(one: Range | None, other: Range) -> Range:
    """The range of both, or the second where there is no first."""
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))


def numeric_sources(model: Any) -> dict[str, None]:
    """The source columns that are read as numbers, in order."""
    return dict.fromkeys(source for c in model.schema.features for source in c.numeric_sources)


def members_of(model: Any) -> list[Any]:
    """The models of a pool, or the model itself."""
    return list(model.members.values()) if hasattr(model, "members") else [model]
