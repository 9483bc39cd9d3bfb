"""What is said of a row that cannot be read, and of a quote that is never closed."""

import io

import pyarrow as pa
import pytest

from bayesfold.io.csv.diagnosis import diagnose_row, lines_before, refuse_open_quote
from bayesfold.io.csv.row_index import Piece

TYPES = {"a": pa.int64(), "b": pa.float64(), "c": pa.string()}
COUNTED = [(0, "a"), (1, "b")]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (["1", "2.5", "x"], ""),
        (["", " ", ""], ""),
        (["none", "2", "x"], ""),  # a marker of its own
        (["1", "none", "x"], "column 'b' holds numbers, but here it is 'none'; if that marks a missing value"),
        (["1.5", "2", "x"], "column 'a' holds whole numbers, but here it is '1.5'"),
        (["1"], "the row has 1 field, but the first line names 3 columns"),
        (["1", "2", "x", "y"], "the row has 4 fields, but the first line names 3 columns; if that line is a title"),
        (["1", "2\n3", "x", "y"], "names 3 columns (a quoted field that holds a line break is one field)"),
        (["1", "2\n3"], "the row has 2 fields, but the first line names 3 columns (a quoted field"),
        (["1", "2", "\udce9"], "0xe9"),
    ],
)
def test_what_is_wrong_with_a_row(row, said):
    found = diagnose_row(row, 3, COUNTED, TYPES, {"a": frozenset({"none"})})
    assert said.lower() in found.lower()
    assert bool(found) == bool(said)
    assert ("title" in found) == ("title" in said)


@pytest.mark.parametrize(("text", "line"), [('"x\n', 5), ('1,2\n"a\nb",2\n3,"x\n4,5\n', 8), ('1,2\n\n3,4\n5,"', 8)])
def test_where_a_quote_is_opened(text, line):
    with pytest.raises(ValueError, match=rf"t\.csv, line {line}: a quote is opened and never closed"):
        refuse_open_quote("t.csv", io.BytesIO(text.encode()), ",", 5)


def test_quotes_that_are_closed_are_no_error():
    refuse_open_quote("t.csv", io.BytesIO(b'1,"a\nb"\n'), ",", 1)


def test_lines_above_a_row():
    piece = Piece.of(b'1,2\n\n"a\nb",2\n3,4\n')
    assert [lines_before(row, piece, ",") for row in range(4)] == [0, 2, 4, 5]
