"""Rows in bytes: how many, where they end, and a sample of whole rows from everywhere."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import lines
from bayesfold.kernels import fields
from bayesfold.lines import EVERY, TooLong, first_line, look, pieces, with_spare

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


@given(TABLES, st.integers(1, 60), st.integers(1, 5))
def test_a_row_ends_outside_quotes_wherever_pieces_begin(rows, at, most):
    data = written(rows)
    every = np.frombuffer(data, np.uint8)
    state, whole = np.zeros(3, np.intp), np.zeros(3, np.intp)
    assert fields.cut(with_spare(every), 0, len(data), ord(","), EVERY, whole) == len(data)
    assert whole.tolist() == [0, len(rows), 1]
    ends = [fields.cut(with_spare(some), 0, len(some), ord(","), EVERY, state) for some in (every[:at], every[at:])]
    assert state.tolist() == whole.tolist()
    assert ends[1] == len(data[at:])
    first = [len(written(rows[:k])) for k in range(len(rows) + 1)]
    assert ends[0] == max(end for end in first if end <= at)
    assert (
        fields.cut(with_spare(every), 0, len(data), ord(","), most, np.zeros(3, np.intp)) == first[min(most, len(rows))]
    )
    assert first_line(io.BytesIO(data)) == data[: first[1]]


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


def test_a_quote_inside_a_field_is_a_letter():
    assert look(io.BytesIO(b'a,5" disk\nc,d\n'), 10).rows == 2


@given(TABLES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(1, 4), st.integers(1, 80))
def test_pieces_are_whole_rows(rows, end, closed, most, at_once):
    data = written(rows, end)
    data = data if closed else data[: -len(end)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "AT_ONCE", at_once)
        found = list(pieces(io.BytesIO(data), ",", most))
    assert b"".join(piece.bytes for piece in found) == data + (b"" if closed else b"\n")
    assert all(1 <= piece.rows <= most for piece in found)
    assert sum(piece.rows for piece in found) == len(rows)
    if at_once > len(data):
        assert [piece.rows for piece in found[:-1]] == [most] * (len(found) - 1)


def test_a_row_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(lines, "AT_ONCE", 100)
    monkeypatch.setattr(lines, "LONGEST", 1_000)
    with pytest.raises(TooLong, match=r"a row is longer than 1,000 bytes"):
        list(pieces(io.BytesIO(b'a,"' + 9_000 * b"b\n"), ",", 10))
