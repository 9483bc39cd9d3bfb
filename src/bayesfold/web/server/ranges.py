"""Between which numbers a slider moves: those that rows had, as far as a model tells.

A model keeps sums and not its rows. Levels, ranks and the grid of a kernel density begin and end with the least and the
greatest number. Else there are bins, of which the outer ones are taken to be as wide as their neighbours, or a centre
and a spread. What was tried as a column's density says whether it held positive numbers, or none below 0.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from bayesfold import families
from bayesfold.explanations.candidate_values import even_steps, grids_of
from bayesfold.explanations.inner_range import Range, collect_cuts, unite_ranges
from bayesfold.explanations.whole_numbers import whole_numbers
from bayesfold.learning.column_table import ColumnReport, densities_compared
from bayesfold.learning.trained import Trained

WHOLE = frozenset(("poisson", "categorical"))
"""Densities that are tried on columns of whole numbers only."""
NEARLY_ALL = 0.999
"""The share of numbers that are not beyond the end of a slider, where their spread tells it."""


def slider_grids(trained: Trained, points: int) -> dict[str, list[float]]:
    """Even steps over the range of each source column that is read as numbers; whole numbers where rows had these."""
    model = trained.model_
    exact, least, spreads = exact_ranges(model), least_numbers(trained), spreads_of(model)
    cuts, whole = collect_cuts(model), whole_numbers(model.tally)
    whole |= {report.name for report in trained.columns if WHOLE.intersection(densities_tried(report))}
    in_bins = set(cuts) - set(spreads) - {c.origin for c in model.schema.numbers}
    steps: dict[str, list[float]] = {}
    for name, drawn in grids_of(model, points).items():
        is_whole = name in whole or bool((drawn == drawn.round()).all())
        if name in exact:
            low, high = exact[name]
        else:
            low, high = float(drawn[0]), float(drawn[-1])
            if name in in_bins and len(set(cuts[name])) == 1:
                low, high = around_cut(cuts[name][0], least.get(name))
            elif name in cuts:
                low, high = unite_ranges((low, high), (min(cuts[name]), max(cuts[name])))
            if name not in least and hardly_negative(low, high):
                least[name] = 0.0
            if name in least and low < least[name]:
                low = least[name]
                high = max(high, end_of_positive(*spreads[name])) if name in spreads else high
                high = float(np.ceil(high)) if is_whole else high
        steps[name] = even_steps(low, high, points, is_whole).tolist()
    return steps


def around_cut(cut: float, least: float | None) -> Range:
    """A range around a cut, where nothing tells how far numbers are from it: from the least one, if that is known.

    >>> around_cut(80.0, 0.0), around_cut(-5.0, None), around_cut(0.0, None)
    ((0.0, 160.0), (-10.0, 0.0), (-1.0, 1.0))
    """
    reach = (cut - least if least is not None else abs(cut)) or 1.0
    return cut - reach, cut + reach


def exact_ranges(model: Any) -> dict[str, Range]:
    """The least and the greatest number that rows had, of columns where a model keeps them."""
    ranges: dict[str, Range] = {}
    for c in model.schema.categories:
        levels = [v for v in c.levels if v is not None]
        if levels and all(isinstance(v, int | float) and not isinstance(v, bool) for v in levels):
            ranges[c.origin] = float(min(levels)), float(max(levels))
    for c in model.schema.binned:
        if not c.is_table and len(c.cuts) > 1:
            ranges[c.origin] = c.ends
    for axis in (axis for c in model.schema.vectors for axis in c.numbers if axis.knots):
        ranges[axis.source] = axis.knots[0][0], axis.knots[-1][0]
    return ranges


def least_numbers(trained: Trained) -> dict[str, float]:
    """The number below which a column had none: 0 where a density of positive numbers, or of counts, could be tried."""
    least = {report.name: 0.0 for report in trained.columns if any(map(begins_at_zero, densities_tried(report)))}
    for c in trained.model_.schema.numbers:
        if c.transform or c.least is not None:
            least[c.origin] = c.least or 0.0
    return least | {source: 0.0 for c in trained.model_.schema.counts for source in c.sources}


def densities_tried(report: ColumnReport) -> Iterable[str]:
    """The densities that were compared for a column, and the one that it got.

    >>> list(densities_tried(ColumnReport("mass", "kde", "best held-out density of gaussian, lognormal, kde")))
    ['kde', 'gaussian', 'lognormal', 'kde']
    """
    yield report.family
    yield from densities_compared(report.why)


def begins_at_zero(name: str) -> bool:
    """Whether a density is one of numbers that are not negative: of their logarithms, or of counts."""
    if name not in families.of_numbers():
        return False
    family = families.find(name)
    return bool(getattr(family, "transform", "")) or getattr(family, "least", None) is not None


def spreads_of(model: Any) -> dict[str, tuple[float, float]]:
    """The mean and the standard deviation of numbers in a vector, which tells them."""
    axes = [axis for c in model.schema.vectors for axis in c.numbers if not axis.knots]
    return {axis.source: (axis.centre, axis.unit) for axis in axes if axis.centre > 0}


def end_of_positive(mean: float, spread: float) -> float:
    """Below which nearly all positive numbers of such a mean and spread are: a gamma distribution's, whose tail is as
    long as the spread is wide.

    >>> round(end_of_positive(100.0, 10.0)), round(end_of_positive(200.0, 370.0))
    (134, 3137)
    """
    from scipy.special import gammaincinv  # it is slow to load, and not every model asks

    shape = (mean / spread) ** 2
    return float(gammaincinv(shape, NEARLY_ALL) * spread**2 / mean)


def hardly_negative(low: float, high: float) -> bool:
    """Whether numbers reach below 0 by less than one of the three units of spread on each side of their centre: most
    likely they cannot be negative (ages, counts, prices), and a slider begins at 0.

    >>> hardly_negative(-9.0, 117.0), hardly_negative(-50.0, 70.0), hardly_negative(3.0, 9.0)
    (True, False, False)
    """
    return low < 0 < low + (high - low) / 6
