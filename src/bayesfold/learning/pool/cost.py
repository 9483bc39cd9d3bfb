"""How much work a part of the recommended model is, before it begins, in steps of about a tenth of a microsecond.

naive     columns x 5e4                              several densities of each column, cut and counted on folds
aode      columns^2 x (500 + rows x classes)         a table for each pair, and every row left out of all of them
          + axes^2 x classes x 2                     the cells of these tables: columns of many levels have many
kdb       columns^2 x 1000                           a table for each pair, and what it tells
gaussian  axes^3 x (classes / 10, or 1 / 40)         decompositions of each class's covariance, or of one for all
parzen    axes x rows x landmarks / 100              the distance of each row from each landmark

The constants are rough fits to a few runs; rows are those that choices are made on. Columns of aode and kdb are those
that may depend on each other: the most telling ones. Counting is not in it: that is linear in the rows and seldom what
takes long.

>>> table = Size(rows=500, classes=2, columns=1000, axes=30_000)
>>> [f"{steps(part, table):.0e}" for part in ("naive", "aode", "kdb", "gaussian")]
['5e+07', '5e+07', '1e+07', '5e+12']
>>> too_much("gaussian", table)
"6.8e+11 steps of work for 30000 numbers and indicators (limit 1e+08); structure='gaussian' learns it alone"
"""

from dataclasses import dataclass

from bayesfold.data.landmarks import MOST_LANDMARKS
from bayesfold.data.schema import Schema
from bayesfold.learning.choices import FEW
from bayesfold.learning.discover import DEEP
from bayesfold.learning.number_candidates import SAMPLE

A_STEP = 1e-7
"""Seconds."""

A_COLUMN, A_ROW, MANY_CLASSES = 1e-3, 8e-7, 32
"""Seconds to compare a column's densities, and more for each row and class; of more classes fewer rows are asked."""

MOST = 1e8
"""Steps beyond which a part is left out of the pool."""

CHOSEN_ANEW = 5e6
"""Steps, of all parts, up to which every choice is made anew without each fold; beyond, without each half."""


@dataclass(frozen=True)
class Size:
    """What work grows with: rows, classes, columns, and numbers once categories are indicators."""

    rows: int
    classes: int
    columns: int
    axes: int

    @classmethod
    def of(cls, schema: Schema, rows: int) -> "Size":
        """The size of a table by what was found of its columns."""
        numbers = len(schema.numbers) + len(schema.binned)
        axes = sum(len(c.levels) for c in schema.categories) + numbers
        return cls(rows, len(schema.target.levels), len(schema.categories) + numbers, axes)


def steps(part: str, size: Size, one_covariance: bool = False) -> float:
    """The work of learning a part once."""
    if part == "gaussian":
        return float(size.axes) ** 3 * (1 / 40 if one_covariance else size.classes / 10)
    if part == "naive":
        return size.columns * 5e4
    if part == "parzen":
        return float(size.axes) * size.rows * min(size.rows, MOST_LANDMARKS) / 100
    columns = min(size.columns, DEEP)
    if part == "kdb":
        return float(columns) ** 2 * 1000
    axes = size.axes * columns / max(size.columns, 1)
    return float(columns) ** 2 * (500 + min(size.rows, FEW) * size.classes) + 2.0 * size.classes * axes**2


def seconds(part: str, size: Size) -> float:
    """About how long it takes to learn a part once."""
    return A_STEP * steps(part, size, one_covariance(size))


def seconds_to_compare_densities(columns: int, rows: int, classes: int) -> float:
    """About how long it takes to compare the densities of naive Bayes' columns, all of them numbers.

    >>> round(seconds_to_compare_densities(20, 2_000, 2), 3)
    0.084
    """
    return columns * (A_COLUMN + A_ROW * min(rows, SAMPLE) * min(classes, MANY_CLASSES))


def one_covariance(size: Size) -> bool:
    """Whether a covariance for each class is too much work, so that all classes should share one."""
    return steps("gaussian", size) > MOST


def too_much(part: str, size: Size) -> str:
    """What to say of a part that is too much work; empty where it is not."""
    work = steps(part, size, one_covariance(size))
    if part == "naive" or work <= MOST:
        return ""
    levels = f" of {size.axes} levels" if size.axes > size.columns else ""
    wide = f"{size.columns} columns{levels}"
    if part in ("gaussian", "parzen"):
        wide = f"{size.axes} numbers and indicators"
    if part == "parzen":
        wide = f"{size.rows} rows of {wide}"
    return f"{work:.2g} steps of work for {wide} (limit {MOST:.2g}); structure={part!r} learns it alone"
