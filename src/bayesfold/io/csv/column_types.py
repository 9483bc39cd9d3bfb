"""What columns of text hold: whole numbers, numbers or text. The decision is ours, never a reader's guess.

Digits that begin with a superfluous 0 are a code (a zip code, a part number), not a number; so is 0x10.
Truth values stay text.

>>> [str(decide_type(arrow_texts(t), frozenset("?"))) for t in (["3", "-4", ""], ["3", " 4.5", "?"])]
['int64', 'double']
>>> decide_type(arrow_texts(["7", "08"]), frozenset()) == decide_type(arrow_texts(["7", "x"]), frozenset()) == TEXT
True
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from bayesfold.data.number_format import NumberFormat, write_plainly
from bayesfold.runtime.arrow_buffers import arrow_texts
from bayesfold.runtime.threads import each

TEXT = pa.dictionary(pa.int32(), pa.string())
"""The type that a column of text is read as."""
CODE = r"^[-+]?0[0-9xX]"
LONG = r"^\s*[-+]?[0-9]{16,}\s*$"
FIRST = 64
"""How many values are tried before all of them."""


class NotANumber(ValueError):
    """A text where a model wants a number: the column, the row (of those looked at) and the text."""

    def __init__(self, column: str, row: int, text: str) -> None:
        super().__init__(
            f"column {column!r} is a number to this model, but here it is {text!r}; leave it empty if it is missing, "
            "or fit the model with that value named in missing="
        )
        self.row = row

    def at(self, place: str) -> "NotANumber":
        """The same, with where the row stands."""
        self.args = (f"{place}: {self}",)
        return self


def decide_type(values: pa.Array, markers: frozenset[str]) -> pa.DataType:
    """The type that a column of text holds, by its distinct values: integers, numbers or text."""
    known = values.cast(pa.string()).filter(pc.invert(is_missing(values.cast(pa.string()), markers)))
    known = pc.utf8_trim_whitespace(known)
    if not len(known) or pc.any(pc.match_substring_regex(known, CODE)).as_py():
        return TEXT
    for kind in (pa.int64(), pa.float64()):
        try:
            known.slice(0, FIRST).cast(kind)  # a cast that fails still reads every value
            known.cast(kind)
        except pa.ArrowInvalid:
            continue
        return kind
    return TEXT


def has_long_digits(values: pa.Array) -> bool:
    """Whether some values are whole numbers that no double holds exactly.

    >>> has_long_digits(arrow_texts(["1.5", "18446744073709551617"]))
    True
    >>> has_long_digits(arrow_texts(["1.5", "9007199254740992"]))
    False
    """
    digits = values.filter(pc.match_substring_regex(values, LONG)).to_pylist()
    return any(abs(int(value)) > 1 << 53 for value in digits)


def is_missing(values: Any, markers: frozenset[str]) -> Any:
    """Which texts mean a missing number: those that are empty or blank, and markers.

    >>> is_missing(arrow_texts(["", " ", "?", "1"]), frozenset("?")).to_pylist()
    [True, True, True, False]
    """
    marked = pc.is_in(values, arrow_texts(sorted(markers)))
    return pc.or_(marked, pc.is_in(pc.utf8_trim_whitespace(values), arrow_texts([""])))


def is_words(kind: pa.DataType) -> bool:
    """Whether a column is kept as text, in a dictionary or not."""
    return bool(kind == TEXT or pa.types.is_string(kind))


def to_types(
    table: pa.Table,
    types: Mapping[str, pa.DataType],
    markers: Mapping[str, frozenset[str]],
    formats: Mapping[str, NumberFormat] | None = None,
) -> pa.Table:
    """The table with its columns of text as the types that they hold."""
    by_column = formats or {}

    def column(name: str) -> pa.ChunkedArray:
        text, kind = table.column(name), types[name]
        if kind == TEXT:
            return text
        return text_to_numbers(text, markers.get(name, frozenset()), kind, by_column.get(name))

    return pa.Table.from_arrays(each(column, types, table.num_rows), list(types))


def text_to_numbers(
    column: pa.ChunkedArray, markers: frozenset[str], kind: pa.DataType, number_format: NumberFormat | None = None
) -> pa.ChunkedArray:
    """A column of text in dictionaries as numbers, null where it is empty, blank or a marker."""
    text = column.cast(pa.string())
    missing = is_missing(text, markers)
    text = write_plainly(text, number_format)
    return pc.utf8_trim_whitespace(pc.if_else(missing, pa.nulls(1, pa.string())[0], text)).cast(kind)


def as_numbers(
    column: pa.ChunkedArray, markers: frozenset[str], name: str, number_format: NumberFormat | None = None
) -> pa.ChunkedArray:
    """A column of plain text as numbers, null where it is empty, blank or a marker."""
    missing = pc.is_in(column, arrow_texts(["", *sorted(markers)]))
    text = pc.if_else(missing, pa.nulls(1, pa.string())[0], write_plainly(column, number_format))
    try:
        return text.cast(pa.float64())
    except pa.ArrowInvalid:
        text = pc.utf8_trim_whitespace(pc.if_else(is_missing(text, frozenset()), pa.nulls(1, pa.string())[0], text))
    try:
        return text.cast(pa.float64())
    except pa.ArrowInvalid:
        values = enumerate(text.to_pylist())
        row, value = next((i, v) for i, v in values if v is not None and not is_number(v, pa.float64()))
        raise NotANumber(name, row, value) from None


def is_number(value: str, kind: pa.DataType) -> bool:
    """Whether a text is read as a number."""
    try:
        arrow_texts([value.strip()]).cast(kind)
    except pa.ArrowInvalid:
        return False
    return True


def text_markers(markers: Iterable[Any]) -> frozenset[str]:
    """The markers of missing values that are text; one that is a number is compared as a number."""
    return frozenset(marker for marker in markers if isinstance(marker, str))
