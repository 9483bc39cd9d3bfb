"""Raw rows in columns, whatever library they came from: numbers, or values to be told apart.

>>> f = Frame.of({"city": ["Rome", "", "Bern", "Rome"], "age": [31, None, 4, 8]})
>>> f.coded("city").levels, f.coded("city").index          # which level each row shows; -1 is missing
(['Rome', 'Bern'], array([ 0, -1,  1,  0], dtype=int32))
>>> f.numbers("age")
array([31., nan,  4.,  8.])
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.coded import Array, Coded, Floats, Level, code, is_text
from bayesfold.data.dates import absent_in_words, date_column_of, take_part
from bayesfold.runtime.arrow_buffers import Spare, arrow_array, to_numpy
from bayesfold.runtime.messages import suggest

__all__ = ["Array", "Coded", "Floats", "Frame", "Level", "code", "is_text"]


FEW = 5_000
"""Rows up to which a column of a matrix that was copied is kept: learning asks for it some hundred times."""


class Frame:
    """Columns by name; `matrix` is set when they all stand side by side in one array (dense or CSR)."""

    def __init__(
        self,
        names: Sequence[str],
        rows: int,
        columns: Mapping[str, Any],
        matrix: Any = None,
        unread: Sequence[str] = (),
    ) -> None:
        self.names = tuple(names)
        self.unread = unread  # the table's other columns
        self.rows = rows
        self.columns = columns
        self.matrix = matrix
        self.kept: dict[Any, Any] = {}  # what a column that is read in another way was read as
        self.spare: Spare | None = None  # memory for columns, where tables come one after the other
        self._coded: dict[str, Coded] = {}
        self._numbers: dict[tuple[str, frozenset[Level]], Floats] = {}

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[Any]]) -> "Frame":
        """A frame of lists or arrays."""
        arrays = {name: v if isinstance(v, np.ndarray) else arrow_array(v) for name, v in columns.items()}
        return cls(tuple(arrays), len(next(iter(arrays.values()), ())), arrays)

    @cached_property
    def position(self) -> dict[str, int]:
        """The place of each column."""
        return {name: j for j, name in enumerate(self.names)}

    @property
    def integers(self) -> bool:
        """Whether all columns stand in one array of integers."""
        return isinstance(self.matrix, np.ndarray) and self.matrix.dtype.kind in "iu"

    def column(self, name: str) -> Any:
        """One column as it was given: a numpy or an Arrow array, or coded already."""
        if self.matrix is None:
            return self.columns[name] if name in self.columns else self._part(name)
        values = self.matrix[:, self.position[name]]
        return values if isinstance(values, np.ndarray) else np.asarray(values.todense()).ravel()

    def _part(self, name: str) -> Any:
        """The part of a column of dates that a name asks for."""
        part = self.kept.get(("part", name))
        if part is None:
            source = date_column_of(name, self.columns)
            if source is None:
                raise KeyError(name)
            part = self.kept["part", name] = take_part(name, self.columns[source])
        return part

    def has(self, name: str) -> bool:
        """Whether there is such a column, or dates of which it is a part."""
        return name in self.position or date_column_of(name, self.columns) is not None

    def matrix_of(self, names: Sequence[str], kind: type | None = None) -> Any:
        """Several columns side by side, row-major; the whole matrix itself when that is what is asked."""
        if self.matrix is None:
            return np.column_stack([self.numbers(name) for name in names])
        matrix = self.matrix if tuple(names) == self.names else self.matrix[:, [self.position[n] for n in names]]
        if not isinstance(matrix, np.ndarray):
            return matrix
        if kind is float and matrix.dtype not in (np.float64, np.float32):
            matrix = matrix.astype(np.float64)
        return np.ascontiguousarray(matrix)

    def coded(self, name: str) -> Coded:
        """The distinct values of a column and which of them each row shows."""
        coded = self._coded.get(name)
        if coded is None:
            coded = code(refuse_dates(name, self.column(name)))
            if "" in coded.levels:  # an empty field is a missing one
                coded = coded.kept([level if level != "" else None for level in coded.levels])
            self._coded[name] = coded
        return coded

    def numbers(self, name: str, missing: frozenset[Level] = frozenset()) -> Floats:
        """A column as floats, NaN where it is missing or shows one of the markers `missing`."""
        numbers = self._numbers.get((name, missing))
        if numbers is not None:
            return numbers
        values = refuse_dates(name, self.column(name))
        plain = isinstance(values, np.ndarray) and values.dtype == np.float64 and not missing
        numbers = np.ascontiguousarray(values) if plain else self._converted(name, values, missing)
        if not plain or self.rows <= FEW:
            self._numbers[name, missing] = numbers
        return numbers

    def _converted(self, name: str, values: Any, missing: frozenset[Level]) -> Floats:
        if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
            x = np.ascontiguousarray(values, np.float64)
        else:
            if isinstance(values, np.ndarray | Coded) or is_text(values.type) or pa.types.is_dictionary(values.type):
                return self._parsed(name, missing)
            if pa.types.is_null(values.type):
                return np.full(len(values), np.nan)
            whole = values.cast(pa.uint8()) if pa.types.is_boolean(values.type) else values
            x = np.ascontiguousarray(to_numpy(whole, self.spare), np.float64)  # Arrow refuses integers beyond 2^53
        marks = numeric_markers(missing)
        return np.where(np.isin(x, marks), np.nan, x) if marks else x

    def _parsed(self, name: str, missing: frozenset[Level]) -> Floats:
        """Numbers written as text; each distinct value is read once."""
        coded = self.coded(name)
        values = np.full(len(coded.levels) + 1, np.nan)
        for i, level in enumerate(coded.levels):
            if level in missing or (isinstance(level, str) and level.isspace()):
                continue
            try:
                values[i] = float(level)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                row = int(np.flatnonzero(coded.index == i)[0])
                raise ValueError(
                    f"column {name!r} is a number, but row {row} has {level!r}; name it in missing= if it marks a "
                    "missing value, or declare the column: families={...: 'categorical'}"
                ) from None
        values[np.isin(values, numeric_markers(missing))] = np.nan
        return values[coded.index]

    def with_numbers_read(self, commas: Iterable[str]) -> "Frame":
        """This frame with numbers instead of text in columns that usually have commas before their decimals.

        >>> Frame.of({"price": ["1.300", "12,5"]}).with_numbers_read(["price"]).numbers("price")
        array([1300. ,   12.5])
        """
        texts = [name for name in commas if name in self.columns and may_hold_text(self.columns[name])]
        if not texts:
            return self
        from bayesfold.data.number_format import numbers_as_learned  # most tables hold their numbers as numbers

        plain = {name: (held := self.coded(name)).kept(numbers_as_learned(held.levels, ",")) for name in texts}
        return Frame(self.names, self.rows, {**self.columns, **plain}, unread=self.unread)

    def take(self, rows: Array) -> "Frame":
        """The rows chosen by a mask."""
        if self.matrix is not None:
            return Frame(self.names, int(rows.sum()), {}, self.matrix[np.flatnonzero(rows)])
        bits = pa.py_buffer(np.packbits(rows, bitorder="little"))  # pa.array would import pandas
        mask = pa.Array.from_buffers(pa.bool_(), len(rows), [None, bits])

        def chosen(v: Any) -> Any:
            return v[rows] if isinstance(v, np.ndarray) else v.take(rows) if isinstance(v, Coded) else v.filter(mask)

        return Frame(self.names, int(rows.sum()), {name: chosen(v) for name, v in self.columns.items()})

    def require(self, names: Iterable[str]) -> None:
        """Refuse a frame that lacks one of these columns, with the nearest name there is."""
        for name in names:
            if not self.has(name):
                every = (*self.names, *self.unread)
                raise ValueError(f"the table has no column {absent_in_words(name)}; {suggest(name, every, 'it has')}")


def may_hold_text(values: Any) -> bool:
    """Whether some values of a column may be text."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "OU"
    return isinstance(values, Coded) or is_text(values.type) or pa.types.is_dictionary(values.type)


def refuse_dates(name: str, values: Any) -> Any:
    """Values that mean something by themselves; dates are refused, because only parts of them do."""
    if isinstance(values, pa.Array) and pa.types.is_temporal(values.type):
        raise TypeError(
            f"column {name!r} holds dates or times; say what about them matters: a number (days since ...), "
            "or a category (weekday, month, hour)"
        )
    return values


def numeric_markers(missing: frozenset[Level]) -> list[float]:
    """The markers that are numbers."""
    return [m for m in missing if isinstance(m, int | float)]
