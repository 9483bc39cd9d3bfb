"""Rows in bytes: how many, where they end, and a sample of whole rows from everywhere."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import lines
from bayesfold.lines import first_line, look, row_ends, whole_lines

CELLS = st.text(st.sampled_from('ab,"\n\r '), max_size=6)
TABLES = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=30)


def written(rows, end="\n"):
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator=end).writerows(rows)
    return out.getvalue().encode()


@given(TABLES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_rows_are_counted_however_they_are_quoted(rows, end, closed):
    data = written(rows, end)
    data = data if closed else data.rstrip(b"\r\n")
    seen = look(io.BytesIO(data), 10)
    assert seen.reliable
    assert seen.rows == len(rows)
    assert seen.bytes == data[: len(seen.bytes)]


@given(TABLES, st.integers(1, 40))
def test_a_row_ends_outside_quotes_wherever_pieces_begin(rows, at):
    data = written(rows)
    whole = row_ends(data, 0).tolist()
    before, after = data[:at], data[at:]
    both = [*row_ends(before, 0), *(row_ends(after, before.count(b'"')) + len(before))]
    assert both == whole
    assert first_line(io.BytesIO(data)) == data[: whole[0] + 1]


@pytest.mark.parametrize("quoted", [False, True])
def test_a_sample_holds_whole_rows_from_everywhere(quoted, monkeypatch):
    monkeypatch.setattr(lines, "PIECE", 1 << 12)
    monkeypatch.setattr(lines, "LEAST_PIECE", 1 << 8)
    monkeypatch.setattr(lines, "KEPT", 1 << 14)
    quote = '"' if quoted else ""
    data = "".join(f"{i},{quote}{'x' * (i % 7)}{quote}\n" for i in range(200_000)).encode()
    seen = look(io.BytesIO(data), 500)
    assert seen.rows == 200_000
    assert len(seen.bytes) < 1 << 16
    found = [row.partition(",")[0] for row in seen.bytes.decode().splitlines()]
    at = np.array(found, int)
    assert len(at) > 500
    assert (np.diff(at) > 0).all()
    assert np.diff(at).max() < 200_000 / 10
    assert at[0] == 0
    assert at[-1] > 190_000


def test_an_open_quote_makes_a_look_unreliable():
    assert not look(io.BytesIO(b'a,"b\nc,d\n'), 10).reliable


@given(st.lists(st.text("abc", max_size=9)), st.sampled_from(["\n", "\r\n", "\r"]), st.integers(1, 12))
def test_pieces_end_where_lines_do(lines_, end, size):
    data = end.join(lines_).encode()
    pieces = list(whole_lines(io.BytesIO(data), size))
    assert b"".join(pieces) == data
    assert all(piece.endswith((b"\n", b"\r")) for piece in pieces[:-1])
    told = [line for line in data.splitlines() if line]
    assert [line for piece in pieces for line in piece.splitlines() if line] == told
