"""Spreadsheets (.xlsx, .xlsm, .xlsb, .xls, .ods): the first sheet that has rows, read by python-calamine.

The names of the columns are the first line of which two cells are filled in, so that a title above is passed over.
Dates are dates; what a formula could not compute (#N/A) is missing.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from bayesfold.io.engines._batches import Batches
from bayesfold.io.engines._cells import as_array, type_of_cells
from bayesfold.io.signatures import Ends

SUFFIXES = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
PACKED, OLD = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How spreadsheets begin: as any ZIP archive, or as any old document of an office program."""
INSIDE = re.compile(rb"\[Content_Types\]\.xml|_rels/|xl/|opendocument")
"""What the first bytes of an archive show that is a spreadsheet, where it has no name."""
ERRORS = frozenset(("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#GETTING_DATA"))
"""What a spreadsheet shows where a formula failed."""
AT_ONCE = 8_192
"""Rows in a batch."""


def opens(ends: Ends) -> bool:
    """Whether a file is a spreadsheet.

    >>> opens(Ends(b"PK\\x03\\x04", b"", 4, "t.xlsx")), opens(Ends(b"PK\\x03\\x04", b"", 4, "t.zip"))
    (True, False)
    """
    if ends.head.startswith(PACKED):
        return ends.suffix in SUFFIXES or INSIDE.search(ends.head) is not None
    return ends.head.startswith(OLD) and ends.suffix in SUFFIXES


def part(path: Path, label: str) -> Batches:
    """The first sheet of a spreadsheet that has rows."""
    return Batches(Sheet(path, label).open, label, path)


@dataclass(frozen=True)
class Sheet:
    """A spreadsheet file, held as a table: such files have at most a million rows."""

    path: Path
    label: str

    @cached_property
    def table(self) -> pa.Table:
        """The first sheet that has rows."""
        for lines in read_sheets(self.path, self.label):
            filled = [line for line in lines if any(cell != "" for cell in line)]
            if len(filled) > 1:
                return table_of(filled, self.label)
        raise ValueError(f"{self.label} has no sheet with names of columns and rows below them")

    def open(self) -> pa.RecordBatchReader:
        """The rows, from the first on."""
        return self.table.to_reader(AT_ONCE)


def read_sheets(path: Path, label: str) -> Iterator[list[list[Any]]]:
    """The cells of each sheet, line by line; "" is an empty one."""
    try:
        import python_calamine as calamine  # an optional library
    except ModuleNotFoundError:
        raise ImportError(
            f"to read {label}, install the package python-calamine (pip install 'bayesfold[excel]'), or save the sheet "
            "as a CSV file, best as 'CSV UTF-8'"
        ) from None
    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
        for name in book.sheet_names:
            yield book.get_sheet_by_name(name).to_python()
    except (calamine.CalamineError, OSError) as error:
        raise ValueError(f"{label} cannot be read as a spreadsheet: {error}; save the sheet as a CSV file") from None


def table_of(lines: list[list[Any]], label: str) -> pa.Table:
    """Lines of cells, one of which has the names, as a table."""
    head = next((i for i, line in enumerate(lines) if sum(cell != "" for cell in line) > 1), 0)
    names = lines[head]
    columns: dict[str, pa.Array] = {}
    for j, name in enumerate(names):
        cells = [cell_value(line[j]) for line in lines[head + 1 :]]
        if name == "" and all(cell is None for cell in cells):
            continue
        called = str(cell_value(name)) if name != "" else f"column {j + 1}"
        if called in columns:
            raise ValueError(f"{label} has two columns named {called!r}; rename one")
        columns[called] = as_array(cells, type_of_cells(cells))
    return pa.table(columns)


def cell_value(cell: Any) -> Any:
    """A cell as a value: numbers of a sheet are floats, and are integers where they are whole; None is missing.

    >>> cell_value(3.0), cell_value(2.5), cell_value("#N/A"), cell_value(" a ")
    (3, 2.5, None, ' a ')
    """
    if isinstance(cell, str):
        return None if not cell.strip() or cell in ERRORS else cell
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell.total_seconds() if isinstance(cell, dt.timedelta) else cell
