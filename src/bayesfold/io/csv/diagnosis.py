"""What is wrong with a text file, and on which line: to tell of an error, rows are read once more, one by one."""

import csv
import io
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from bayesfold.io.csv.column_types import is_number
from bayesfold.io.csv.header import advise_on_byte
from bayesfold.io.csv.row_index import Piece


def diagnose_row(
    row: list[str],
    width: int,
    counted: list[tuple[int, str]],
    types: Mapping[str, pa.DataType],
    markers: Mapping[str, frozenset[str]],
) -> str:
    """What is wrong with a row; empty if nothing is."""
    if len(row) != width:
        quoted = " (a quoted field that holds a line break is one field)" if any("\n" in v for v in row) else ""
        title = "; if that line is a title and no names, remove it" if len(row) > width and not quoted else ""
        fields = f"{len(row)} field{'s' * (len(row) != 1)}"
        return f"the row has {fields}, but the first line names {width} columns{quoted}{title}"
    for value in row:
        odd = next((c for c in value if "\udc80" <= c <= "\udcff"), "")
        if odd:
            return advise_on_byte(ord(odd) - 0xDC00)
    for i, name in counted:
        value = row[i]
        if value.strip() and value not in markers.get(name, frozenset()) and not is_number(value, types[name]):
            what = "whole numbers" if pa.types.is_integer(types[name]) else "numbers"
            return (
                f"column {name!r} holds {what}, but here it is {value!r}; if that marks a missing value, name it "
                f"in missing=, else read the column as text: columns={{{name!r}: 'text'}}"
            )
    return ""


def refuse_open_quote(label: str, stream: Any, separator: str, before: int) -> None:
    """Say on which line a quote is opened that is never closed; `before` are the lines above the rows."""
    reader = csv.reader(text_lines(stream), delimiter=separator, strict=True)
    line = before
    try:
        for _ in reader:
            line = reader.line_num + before
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise ValueError(
                f"{label}, line {line}: a quote is opened and never closed, so that the rest of the file would be one "
                "field; close it, or double it if it is part of the text"
            ) from None


def lines_before(row: int, piece: Piece, separator: str) -> int:
    """How many lines of some rows stand before one of them."""
    reader = csv.reader(text_lines(io.BytesIO(piece.view)), delimiter=separator)
    before = 0
    for fields in reader:
        if fields and row == 0:
            break
        row, before = row - bool(fields), reader.line_num
    return before


def text_lines(stream: Any) -> io.TextIOWrapper:
    """Bytes as lines of text, whatever they are."""
    return io.TextIOWrapper(stream, "utf-8", "surrogateescape", newline="")
