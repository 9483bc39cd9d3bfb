"""Which columns of integers are codes: names of groups (a school, a shop, a postcode) that happen to be digits.

The size of a code means nothing, so bins and densities, which pool neighbouring numbers, say little; the rows that
share a code say a lot. A column is read as categories where its single values predict the class of a left-out row
better than the best of several equal-frequency histograms does,

    P(class | cell) = (n(cell, class) + P(class)) / (n(cell) + 1),     n without the row itself,

by `EARNED` nats in total and by more than chance would give. Where values tell nothing, single values look worse than
wide bins, not better: the left-out row leaves its cell to the other classes.
"""

from collections.abc import Sequence
from math import sqrt
from typing import cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encodings import Real
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.learning.number_candidates import EXACT, Sample
from bayesfold.learning.one_column import MOST_LEVELS, Options, is_numbering, kind_of, markers

FEW_VALUES = 20
"""Values up to which bins can hold each by itself, so that the densities of numbers lose nothing."""

ROWS_A_VALUE = 1.25
"""Rows that a value must have on average."""

BINS = (5, 10, 20, 40, 80)
ROWS_A_BIN = 8
EARNED = 5.0
"""Nats, over all rows, by which single values must be better ..."""

ERRORS = 3.0
"""... and how many standard errors of that difference."""

CODES = "integers whose single values predict better than their size: read as categories"


def codes(frame: Frame, names: Sequence[str], options: Options, sample: Sample) -> dict[str, str]:
    """Those of the columns that are integers, not declared, and read as categories, with the reason."""
    numbers = [name for name in names if name not in options.families and kind_of(frame.column(name)) == "number"]
    return {name: CODES for name in numbers if is_code(frame, name, options, sample)}


def is_code(frame: Frame, name: str, options: Options, sample: Sample) -> bool:
    """Whether the values of a column of numbers name groups of rows."""
    x = Real(name, missing=markers(options.missing, name)).encode(frame)[sample.rows]
    known = np.isfinite(x)
    some = x[known]
    if len(some) < ROWS_A_BIN * min(BINS) or (some != np.floor(some)).any():
        return False
    if np.abs(some).max() >= EXACT:  # integers that no float tells apart
        some = in_order(frame.coded(name), sample.rows[known])
    values, cell = np.unique(some, return_inverse=True)
    if not FEW_VALUES < len(values) <= len(some) / ROWS_A_VALUE or is_numbering(frame.column(name)):
        return False
    own, weight = sample.labels[known].astype(np.intp) - 1, sample.evidence[known]
    single = losses_left_out(cell, own, weight)
    best = min(
        (losses_left_out(bins(values, cell, many), own, weight) for many in BINS if len(some) >= ROWS_A_BIN * many),
        key=lambda losses: float(weight @ losses),
    )
    gain = weight * (best - single)
    better = gain.sum() > EARNED + ERRORS * sqrt(len(gain)) * gain.std()
    return bool(better) and len(frame.coded(name).levels) <= MOST_LEVELS


def in_order(coded: Coded, rows: NDArray[np.intp]) -> Floats:
    """[row]: the place of its number among those of all rows, in order.

    >>> from bayesfold.data.frame import code
    >>> in_order(code(np.array([2**60 + 2, 2**60, 2**60 + 1, 2**60])), np.array([0, 1, 3]))
    array([1., 0., 0.])
    """
    shown, row = np.unique(coded.index[rows], return_inverse=True)
    numbers = cast("list[float]", [coded.levels[k] for k in shown])
    places = np.empty(len(shown))
    places[sorted(range(len(shown)), key=numbers.__getitem__)] = np.arange(len(shown))
    return np.asarray(places[row])


def bins(values: Floats, cell: NDArray[np.intp], many: int) -> NDArray[np.intp]:
    """Values, given by their place in order, in bins of about equally many rows.

    >>> bins(np.array([1.0, 2.0, 5.0, 9.0]), np.array([0, 0, 1, 2, 3, 3]), 2)
    array([0, 0, 0, 1, 1, 1])
    """
    rows = np.bincount(cell, minlength=len(values))
    middle = np.cumsum(rows) - rows / 2
    return np.asarray((middle * many / len(cell)).astype(np.intp)[cell])


def losses_left_out(cell: NDArray[np.intp], own: NDArray[np.intp], weight: Floats) -> Floats:
    """[row]: -log P(its class | its cell), each row left out.

    >>> losses_left_out(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), np.ones(4)).round(3)
    array([0.288, 0.288, 0.288, 0.288])
    """
    classes = int(own.max()) + 1
    n = np.bincount(cell * classes + own, weight, (int(cell.max()) + 1) * classes).reshape(-1, classes)
    share = n.sum(0) / n.sum()
    return np.asarray(-np.log((n[cell, own] - weight + share[own]) / (n.sum(1)[cell] - weight + 1.0)))
