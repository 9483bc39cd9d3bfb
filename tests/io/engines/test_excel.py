"""Spreadsheets as tables."""

import datetime as dt
import json
import sys

import pyarrow as pa
import pytest
from tests.cli.pets import pets, write
from tests.cli.process import call
from tests.io.engines.workbook import write_workbook

from bayesfold.io.engines.excel import head_of, table_of, with_merged_cells
from bayesfold.io.open import open_source

LINES = [
    ["size", "town", "sold", "when", "y"],
    [1.0, "York", True, dt.date(2024, 2, 29), "no"],
    [2.5, None, False, dt.date(2024, 3, 1), "yes"],
    ["#N/A", "déjà <vu>", None, None, "yes"],
]


def read(path):
    """All rows of a file."""
    with open_source(path) as source:
        types = source.types(source.names)
        return pa.concat_tables([table for _, table in source.blocks(types, {})])


def test_cells_keep_their_types_and_failed_formulas_are_missing(tmp_path):
    found = read(write_workbook(tmp_path / "t.xlsx", LINES))
    assert found.to_pydict() == {
        "size": [1.0, 2.5, None],
        "town": ["York", None, "déjà <vu>"],
        "sold": [True, False, None],
        "when": [dt.date(2024, 2, 29), dt.date(2024, 3, 1), None],
        "y": ["no", "yes", "yes"],
    }


def test_a_title_and_an_empty_sheet_are_passed_over(tmp_path):
    path = write_workbook(tmp_path / "t.xlsx", [["notes"]], [["Sales of March"], [], *LINES])
    assert read(path).num_rows == 3
    assert open_source(path).names == ("size", "town", "sold", "when", "y")


def test_a_sheet_from_a_stream_is_known_by_its_bytes(tmp_path):
    with write_workbook(tmp_path / "t.xlsx", LINES).open("rb") as file:
        assert open_source(file).count() == 3


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_what_is_no_spreadsheet_is_said_with_its_name(tmp_path, ending):
    path = tmp_path / f"t.{ending}"
    path.write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(ValueError, match=rf"t\.{ending} (cannot be read as a spreadsheet|is a ZIP archive)"):
        _ = open_source(path).names


def test_two_columns_of_one_name_are_refused(tmp_path):
    with pytest.raises(ValueError, match="two columns named 'a'"):
        _ = open_source(write_workbook(tmp_path / "t.xlsx", [["a", "a"], [1, 2]])).names


def test_without_the_library_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(ImportError, match=r"bayesfold\[excel\].*CSV"):
        _ = open_source(write_workbook(tmp_path / "t.xlsx", LINES)).names


def test_a_sheet_is_learned_and_answered_like_the_text_file(tmp_path):
    header, *lines = pets(60)
    write(tmp_path / "pets.csv", [header, *lines])
    typed = [[a or None, float(b) if b else None, None if not c else c == "true", d] for a, b, c, d in lines]
    write_workbook(tmp_path / "sheet.xlsx", [header, *typed])
    scores = []
    for name in ("pets.csv", "sheet.xlsx"):
        call(tmp_path, "fit", name, "-t", "pet", "-m", "naive", "-o", "x.bayes")
        scores.append(json.loads(call(tmp_path, "evaluate", "x.bayes", name, "--json").stdout)["scores"])
    assert scores[0] == scores[1]
    assert "P(cat)" in call(tmp_path, "predict", "x.bayes", "sheet.xlsx").stdout


def test_which_sheet_is_read_and_what_is_taken_for_a_title_is_said(tmp_path):
    data = [["size", "town", "y"], *([i, "York", "no" if i % 2 else "yes"] for i in range(5))]
    path = write_workbook(tmp_path / "t.xlsx", [["Sales", None, None], ["of", "March", None], *data], data, [["x"]])
    with open_source(path) as source:
        assert source.names == ("size", "town", "y")
        assert source.count() == 5
        first, second = source.notes()
    assert "the sheet 'S1' is read, and not 'S2'" in first
    assert "('Sales') is taken for a title" in second
    plain = open_source(write_workbook(tmp_path / "plain.xlsx", data))
    assert plain.notes() == []


def test_numbers_stored_as_text_are_numbers(tmp_path):
    data = [["size", "zip"], [1, "01234"], ["2", "01235"], [" ", "01236"], ["3.5", "01237"]]
    found = read(write_workbook(tmp_path / "t.xlsx", data))
    assert found.to_pydict() == {"size": [1.0, 2.0, None, 3.5], "zip": ["01234", "01235", "01236", "01237"]}


def test_dates_of_which_some_have_a_time_are_moments(tmp_path):
    day, moment = dt.date(2024, 2, 29), dt.datetime(2024, 3, 1, 12, 30)
    path = write_workbook(tmp_path / "t.xlsx", [["when", "y"], [day, "p"], [moment, "q"], [None, "p"], [day, "q"]])
    with open_source(path) as source:
        table = source.look(source.names, 100, {}, {}).table
        assert table.column("when").to_pylist() == [dt.datetime(2024, 2, 29), moment, None, dt.datetime(2024, 2, 29)]


def test_the_value_of_merged_cells_is_that_of_each_row(tmp_path):
    """A spreadsheet has it in the first of them alone; the others would be holes without a word."""
    lines = [
        ["Sales of March", None, None],
        ["town", "size", "y"],
        ["York", 1, "no"],
        [None, 2, None],
        [None, 3, "yes"],
    ]
    path = write_workbook(tmp_path / "t.xlsx", lines, merged=("A1:C1", "A3:A5", "C3:C4"))
    assert read(path).to_pydict() == {"town": ["York"] * 3, "size": [1, 2, 3], "y": ["no", "no", "yes"]}
    shifted = [[None] * 3, *([None, *line] for line in lines[1:])]
    path = write_workbook(tmp_path / "shifted.xlsx", shifted, merged=("B3:B5", "D3:D4"))
    assert read(path).to_pydict() == {"town": ["York"] * 3, "size": [1, 2, 3], "y": ["no", "no", "yes"]}


def test_hidden_sheets_are_read_only_if_no_other_has_rows(tmp_path):
    old, new = ([["size", "y"], *([i, "no" if i % 2 else "yes"] for i in range(many))] for many in (3, 5))
    assert read(write_workbook(tmp_path / "t.xlsx", old, new, hidden=(1,))).num_rows == 5
    assert read(write_workbook(tmp_path / "t.xlsx", old, [["x"]], hidden=(1,))).num_rows == 3
    assert (
        "the sheet 'S2' is read, and not 'S1'"
        in open_source(write_workbook(tmp_path / "t.xlsx", old, new, hidden=(1,))).notes()[0]
    )


@pytest.mark.parametrize(
    ("merged", "start", "expected"),
    [
        (((0, 0), (1, 0)), (0, 0), [["a", "b"], ["a", ""], ["", "d"]]),
        (((0, 1), (2, 1)), (0, 0), [["a", "b"], ["", "b"], ["", "b"]]),
        (((0, 0), (9, 0)), (0, 0), [["a", "b"], ["a", ""], ["a", "d"]]),  # it ends below the last line
        (((3, 6), (4, 6)), (3, 5), [["a", "b"], ["", "b"], ["", "d"]]),
        (((5, 6), (6, 6)), (3, 5), [["a", "b"], ["", ""], ["", "d"]]),  # of the last line alone
        (((0, 0), (0, 1)), (0, 0), [["a", "b"], ["", ""], ["", "d"]]),  # a title
        (((0, 0), (1, 1)), (0, 0), [["a", "b"], ["", ""], ["", "d"]]),  # a title of two lines
        (((2, 5), (4, 5)), (3, 5), [["a", "b"], ["", ""], ["", "d"]]),  # it begins above what is there
        (((3, 4), (4, 4)), (3, 5), [["a", "b"], ["", ""], ["", "d"]]),  # ... left of it
        (((3, 7), (4, 7)), (3, 5), [["a", "b"], ["", ""], ["", "d"]]),  # ... right of it
        (((6, 5), (7, 5)), (3, 5), [["a", "b"], ["", ""], ["", "d"]]),  # ... below it
    ],
)
def test_merged_cells_are_filled_where_they_are_and_nowhere_else(merged, start, expected):
    assert with_merged_cells([["a", "b"], ["", ""], ["", "d"]], [merged], start) == expected


@pytest.mark.parametrize(
    ("widths", "head"),
    [
        ([4, 4, 4], 0),
        ([1, 4, 4], 1),
        ([3, 4, 4], 0),  # one column has no name
        ([2, 3, 3, 3], 1),  # two thirds are too few
        ([2, 2], 0),
        ([1, 2, 2, 2], 1),
        ([1, 1, 1], 0),
        ([1, 2, 9, 9, 9], 2),
        ([1] * 9 + [5] * 12, 9),
    ],
)
def test_the_names_are_in_the_first_line_that_is_filled_like_most(widths, head):
    lines = [[f"{i}{j}" if j < width else "" for j in range(9)] for i, width in enumerate(widths)]
    assert head_of(lines) == head


def test_columns_without_a_name_are_numbered_and_empty_ones_left_out():
    lines = [["a", "", "", 2024.0], [1.0, 2.0, "", "x"], ["", "", "", dt.timedelta(hours=1)]]
    assert table_of(lines, "t").to_pydict() == {"a": [1, None], "column 2": [2, None], "2024": ["x", "3600.0"]}


def test_a_spreadsheet_without_rows_is_refused(tmp_path):
    path = write_workbook(tmp_path / "t.xlsx", [["notes"]], [[], []])
    with pytest.raises(ValueError, match=r"t\.xlsx has no sheet with names of columns and rows below them"):
        _ = open_source(path).names
