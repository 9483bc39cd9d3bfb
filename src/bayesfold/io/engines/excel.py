"""Spreadsheets (.xlsx, .xlsm, .xlsb, .xls, .ods): the first sheet that has rows, hidden ones last, by python-calamine.

The names of the columns are the first line that is filled in like those below, so that a title above is passed over.
Dates are dates; what a formula could not compute (#N/A) is missing; cells merged over lines have one value in each.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from bayesfold.io.engines._batches import Batches
from bayesfold.io.engines._cells import as_array, settled, type_of_cells
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
MOST_TITLES = 10
"""Lines above the names of the columns, at most."""


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
    sheet = Sheet(path, label)
    return Batches(sheet.open, label, path, notes=sheet.notes)


@dataclass(frozen=True)
class Sheet:
    """A spreadsheet file, held as a table: such files have at most a million rows."""

    path: Path
    label: str

    @cached_property
    def sheets(self) -> dict[str, list[list[Any]]]:
        """The filled lines of each sheet that has names of columns and rows below them."""
        every = {name: [line for line in lines if filled(line)] for name, lines in read_sheets(self.path, self.label)}
        found = {name: lines for name, lines in every.items() if len(lines) > 1}
        if not found:
            raise ValueError(f"{self.label} has no sheet with names of columns and rows below them")
        return found

    @cached_property
    def table(self) -> pa.Table:
        """The first sheet that has rows."""
        return table_of(next(iter(self.sheets.values())), self.label)

    def notes(self) -> list[str]:
        """Which of several sheets was read, and what was taken for a title."""
        (name, lines), *others = self.sheets.items()
        said = []
        if others:
            unread = ", ".join(repr(other) for other, _ in others)
            said.append(f"{self.label}: the sheet {name!r} is read, and not {unread}; save those as files of their own")
        if head_of(lines):
            title = next(str(cell) for cell in lines[0] if cell != "")
            said.append(f"{self.label}: what stands above the names of the columns ({title!r}) is taken for a title")
        return said

    def open(self) -> pa.RecordBatchReader:
        """The rows, from the first on."""
        return self.table.to_reader(AT_ONCE)


def read_sheets(path: Path, label: str) -> Iterator[tuple[str, list[list[Any]]]]:
    """The name and the cells of each sheet, line by line; "" is an empty one."""
    try:
        import python_calamine as calamine  # an optional library
    except ModuleNotFoundError:
        raise ImportError(
            f"to read {label}, install the package python-calamine (pip install 'bayesfold[excel]'), or save the sheet "
            "as a CSV file, best as 'CSV UTF-8'"
        ) from None
    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
        seen = calamine.SheetVisibleEnum.Visible
        for told in sorted(book.sheets_metadata, key=lambda one: one.visible != seen):
            sheet = book.get_sheet_by_name(told.name)
            yield told.name, with_merged_cells(sheet.to_python(), sheet.merged_cell_ranges or (), sheet.start or (0, 0))
    except (calamine.CalamineError, OSError) as error:
        raise ValueError(f"{label} cannot be read as a spreadsheet: {error}; save the sheet as a CSV file") from None


def with_merged_cells(
    lines: list[list[Any]], merged: Iterable[tuple[tuple[int, int], tuple[int, int]]], start: tuple[int, int]
) -> list[list[Any]]:
    """Lines in which the value of cells that are merged over several lines stands in each of them; one that is merged
    over columns alone is a title. `start` is the place of the first cell.

    >>> with_merged_cells([["York", 1.0], ["", 2.0]], [((4, 1), (5, 1))], (4, 1))
    [['York', 1.0], ['York', 2.0]]
    """
    for (top, left), (bottom, right) in merged:
        first, column = top - start[0], left - start[1]
        if bottom > top and left == right and 0 <= first < len(lines) and 0 <= column < len(lines[first]):
            for line in lines[first + 1 : bottom - start[0] + 1]:
                line[column] = lines[first][column]
    return lines


def table_of(lines: list[list[Any]], label: str) -> pa.Table:
    """Lines of cells, one of which has the names, as a table."""
    head = head_of(lines)
    names = lines[head]
    columns: dict[str, pa.Array] = {}
    for j, name in enumerate(names):
        cells = [cell_value(line[j]) for line in lines[head + 1 :]]
        if name == "" and all(cell is None for cell in cells):
            continue
        called = str(cell_value(name)) if name != "" else f"column {j + 1}"
        if called in columns:
            raise ValueError(f"{label} has two columns named {called!r}; rename one")
        columns[called] = as_array(cells, settled(type_of_cells(cells)))
    return pa.table(columns)


def head_of(lines: list[list[Any]]) -> int:
    """Which of the lines has the names: the first with two cells, and two thirds of what most lines have.

    >>> head_of([["Sales", "", ""], ["2024", "March", ""], ["a", "b", "y"], [1.0, 2.0, "no"], [3.0, 4.0, "yes"]])
    2
    >>> head_of([["a", "y", ""], [1.0, "no", ""], [2.0, "yes", "a remark"]])
    0
    """
    widths = sorted(filled(line) for line in lines)
    usual = widths[len(widths) // 2]
    wide = (i for i, line in enumerate(lines[:MOST_TITLES]) if filled(line) > 1 and 3 * filled(line) > 2 * usual)
    return next(wide, next((i for i, line in enumerate(lines) if filled(line) > 1), 0))


def filled(line: list[Any]) -> int:
    """How many cells of a line are not empty."""
    return sum(cell != "" for cell in line)


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
