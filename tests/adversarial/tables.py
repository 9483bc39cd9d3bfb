"""Tables as nobody would write them by hand: any kind of column, odd names, holes, extremes, few rows, one class.

A table is made from its seed alone. Every column is a list of Python's own values, so that each library can be given
the same cells.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

NAMES = [
    "a", "b", "class", "label", "x is missing", "all columns", "", " ", "é", "e\u0301", "а", "名前", "select", "a b",
    'q"q', "it's", "x,y", "a\tb", "new\nline", "<b>bold</b>", "class label", "prior", "0", "nan", "None", "rows", "🙂",
    "A", "y (year)", "weight", "a" * 300, "\\", "{x}", "%s",
]  # fmt: skip
WORDS = [
    "u", "v", "", " ", "NA", "?", "nan", "None", "null", "0", "1", "1.0", "-0", "1e3", "inf", "true", "False", "a,b",
    '"', "'", "new\nline", "\r", "\t", "<br>", "é", "e\u0301", "🙂", "x" * 200, "2024-01-31", "31.12.2024", "missing",
    "unseen",
]  # fmt: skip
NUMBERS = [
    0.0, -0.0, 1.0, -1.0, 0.1, 1e-5, 1e9, 1e9 + 1, 1e100, -1e100, 1e200, 1e300, -1.7e308, 5e-324, 1e-300, 3.5, 2.0**53,
]  # fmt: skip
INTEGERS = [0, 1, -1, 2, 7, 255, 2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**62, -(2**63), 2**63 - 1]
CLASSES = [["n", "p"], ["n", "p", "q"], [0, 1], [True, False], [1.5, 2.5], ["", "x"], ["a b", "a  b"], [2**63, 5]]


@dataclass(frozen=True)
class Table:
    """Columns of cells, None where one is missing; a class for each row, and weights or none."""

    columns: dict[str, list[Any]]
    labels: list[Any]
    weights: list[float] | None

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.labels)

    def records(self) -> list[dict[str, Any]]:
        """Row by row."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]

    def shuffled(self, draw: np.random.Generator) -> tuple["Table", Any]:
        """The same rows and columns in another order, and where each row came from."""
        order, names = draw.permutation(self.rows), draw.permutation(list(self.columns)).tolist()
        columns = {name: [self.columns[name][i] for i in order] for name in names}
        weights = None if self.weights is None else [self.weights[i] for i in order]
        return Table(columns, [self.labels[i] for i in order], weights), order


def table(seed: int) -> Table:
    """The table of this seed."""
    draw = np.random.default_rng(seed)
    rows = int(draw.choice([1, 2, 3, 5, 12, 30, 60, 90]))
    classes = CLASSES[int(draw.integers(len(CLASSES)))]
    labels = [classes[int(k)] for k in draw.integers(0, len(classes), rows)]
    if draw.random() < 0.05:
        labels = [classes[0]] * rows
    names = [str(name) for name in draw.choice(NAMES, int(draw.integers(1, 6)), replace=False)]
    columns = {name: column(draw, rows, labels) for name in names}
    weights = None if draw.random() < 0.6 else [float(w) for w in draw.choice([0, 1, 1e-9, 3, 1e9, 0.5], rows)]
    return Table(columns, labels, weights)


def column(draw: np.random.Generator, rows: int, labels: list[Any]) -> list[Any]:
    """A column of one kind, with holes now and then."""
    makers = [
        words,
        many_words,
        extremes,
        normals,
        integers,
        large,
        truths,
        constant,
        nothing,
        dates,
        decimals,
        telling,
    ]
    values = makers[int(draw.integers(len(makers)))](draw, rows, labels)
    holes = float(draw.choice([0.0, 0.0, 0.1, 0.5, 0.95]))
    return [None if draw.random() < holes else value for value in values]


def words(draw: Any, rows: int, _: Any) -> list[Any]:
    """Few levels, of which some are odd."""
    some = draw.choice(WORDS, int(draw.integers(1, 6)), replace=False)
    return [str(some[int(i)]) for i in draw.integers(0, len(some), rows)]


def many_words(draw: Any, rows: int, _: Any) -> list[Any]:
    """Names: nearly every row has its own."""
    return [f"{draw.choice(WORDS)}{i // int(draw.integers(1, 3))}" for i in range(rows)]


def extremes(draw: Any, rows: int, _: Any) -> list[Any]:
    """Numbers at the ends of what there is."""
    some = draw.choice(NUMBERS, int(draw.integers(1, 6)))
    return [float(some[int(i)]) for i in draw.integers(0, len(some), rows)]


def normals(draw: Any, rows: int, _: Any) -> list[Any]:
    """Numbers as they often are, in some unit."""
    unit, where = 10.0 ** int(draw.integers(-30, 30)), float(draw.choice([0.0, 1.0, 1e6]))
    return [float(x) for x in (draw.normal(size=rows) + where) * unit]


def integers(draw: Any, rows: int, _: Any) -> list[Any]:
    """Counts, or numbers of the rows."""
    return [int(x) for x in (draw.permutation(rows) if draw.random() < 0.3 else draw.integers(0, 6, rows))]


def large(draw: Any, rows: int, _: Any) -> list[Any]:
    """Integers that floats may confuse."""
    return [INTEGERS[int(i)] for i in draw.integers(0, len(INTEGERS), rows)]


def truths(draw: Any, rows: int, _: Any) -> list[Any]:
    """True and False."""
    return [bool(b) for b in draw.random(rows) < 0.5]


def constant(draw: Any, rows: int, _: Any) -> list[Any]:
    """The same everywhere."""
    return [draw.choice(WORDS).item() if draw.random() < 0.5 else 7.5] * rows


def nothing(_draw: Any, rows: int, _: Any) -> list[Any]:
    """No value at all."""
    return [None] * rows


def dates(draw: Any, rows: int, _: Any) -> list[Any]:
    """Days."""
    return [dt.date(2020, 1, 1) + dt.timedelta(days=int(d)) for d in draw.integers(0, 900, rows)]


def decimals(draw: Any, rows: int, _: Any) -> list[Any]:
    """Sums of money."""
    return [Decimal(int(c)) / 100 for c in draw.integers(-9_999, 9_999, rows)]


def telling(draw: Any, rows: int, labels: list[Any]) -> list[Any]:
    """What tells the class, mostly."""
    return [str(label) if draw.random() < 0.9 else "other" for label in labels]


def as_arrow(made: Table) -> pa.Table:
    """Arrow's table of the same cells."""
    return pa.table({name: pa.array(cells) for name, cells in made.columns.items()})


def as_polars(made: Table) -> pl.DataFrame:
    """The same of polars, which would give a nameless column another name."""
    found = pl.from_arrow(as_arrow(made))
    assert isinstance(found, pl.DataFrame)
    found.columns = list(made.columns)
    return found


FORMS: dict[str, Any] = {
    "dict": lambda made: made.columns,
    "records": lambda made: made.records(),
    "arrow": as_arrow,
    "chunks": lambda made: pa.concat_tables([as_arrow(made).slice(0, 1), as_arrow(made).slice(1)]),
    "pandas": lambda made: as_arrow(made).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda made: as_polars(made),
}
"""The libraries that a table may come in."""
