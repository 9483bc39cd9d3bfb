"""Rows in bytes: how many, where they end, and a sample of whole rows from everywhere."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesfold.io.csv import row_index as lines
from bayesfold.io.csv.first_rows import FirstRow, first_rows
from bayesfold.io.csv.row_index import (
    EVERY,
    CannotCutRows,
    count_and_sample,
    cut_into_pieces,
    scan_file,
    scan_stream,
    shorten_chunks,
    start_of_row,
    with_spare,
)
from bayesfold.kernels.csv import row_ends

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
    seen = count_and_sample(scan_stream(io.BytesIO(data)), 10)
    assert seen.reliable
    assert seen.rows == len(rows)
    assert seen.bytes == data[: len(seen.bytes)]


@given(TABLES, st.integers(1, 60), st.integers(1, 5))
def test_a_row_ends_outside_quotes_wherever_pieces_begin(rows, at, most):
    data = written(rows)
    every = np.frombuffer(data, np.uint8)
    state, whole = start_of_row(), start_of_row()
    assert row_ends.cut(with_spare(every), 0, len(data), ord(","), EVERY, whole) == len(data)
    assert whole.tolist() == [0, len(rows), 1, 0]
    ends = [row_ends.cut(with_spare(some), 0, len(some), ord(","), EVERY, state) for some in (every[:at], every[at:])]
    assert state.tolist() == whole.tolist()
    assert ends[1] == len(data[at:])
    first = [len(written(rows[:k])) for k in range(len(rows) + 1)]
    assert ends[0] == max(end for end in first if end <= at)
    end = row_ends.cut(with_spare(every), 0, len(data), ord(","), most, start_of_row())
    assert end == first[min(most, len(rows))]
    found, _ = first_rows(io.BytesIO(data), ",", 100)
    assert found == {",": FirstRow(data[: first[1]], True)}


@pytest.mark.parametrize("quoted", [False, True])
def test_a_sample_holds_whole_rows_from_everywhere(quoted, monkeypatch):
    monkeypatch.setattr(lines, "PIECE", 1 << 12)
    monkeypatch.setattr(lines, "LEAST_PIECE", 1 << 8)
    monkeypatch.setattr(lines, "KEPT", 1 << 14)
    quote = '"' if quoted else ""
    data = "".join(f"{i},{quote}{'x' * (i % 7)}{quote}\n" for i in range(200_000)).encode()
    seen = count_and_sample(scan_stream(io.BytesIO(data)), 500)
    assert seen.rows == 200_000
    assert len(seen.bytes) < 1 << 16
    found = [row.partition(",")[0] for row in seen.bytes.decode().splitlines()]
    at = np.array(found, int)
    assert len(at) > 500
    assert (np.diff(at) > 0).all()
    assert np.diff(at).max() < 200_000 / 10
    assert at[0] == 0
    assert at[-1] > 190_000


LONG = st.lists(
    st.sampled_from(
        [
            b"a,b\n",
            b'"c\nd",e\r\n',
            b'f,5" disk\n',
            b"\n",
            b"x," * 700 + b"\n",
            b"y,z\n" * 900,
            b'"' + b"\n" * 1500 + b'",g\n',
        ]
    )
)


@given(LONG, st.booleans(), st.integers(1, 3000))
def test_a_kilobyte_at_a_time_ends_rows_where_byte_after_byte_does(rows, closed, most):
    data = b"".join(rows) + (b"" if closed else b"h")
    every, far, near = with_spare(np.frombuffer(data, np.uint8)), start_of_row(), start_of_row()
    end = row_ends.cut(every, 0, len(data), ord(","), most, far)
    at = last = 0
    while at < len(data) and near[1] < most:  # pieces of less than a kilobyte
        to = min(at + 777, len(data))
        found = row_ends.cut(every[at : to + 16], 0, to - at, ord(","), most - near[1], near)
        last = at + found if found else last
        at = to if near[1] < most else last
    assert end == last
    assert far.tolist() == near.tolist()
    odd = b'"' in data or b"\n\n" in data or data.startswith(b"\n")
    assert row_ends.breaks(every, 0, len(data)) == (-1 if odd else data.count(b"\n"))


@pytest.mark.parametrize("length", [8, 16, 1_024])
@pytest.mark.parametrize("kilobytes", [1, 2, 5])
@pytest.mark.parametrize("behind", [b"", b"h", b"h," * 600, b'"h'], ids=len)
def test_a_row_may_end_with_a_kilobyte(length, kilobytes, behind):
    row = b"a" * (length - 1) + b"\n"
    data = row * (1_024 * kilobytes // length) + behind
    state = start_of_row()
    assert row_ends.cut(with_spare(np.frombuffer(data, np.uint8)), 0, len(data), ord(","), 1 << 40, state) == (
        1_024 * kilobytes
    )
    assert state[1] == 1_024 * kilobytes // length


@given(LONG, st.booleans(), st.integers(0, 9))
@settings(deadline=None)
def test_threads_see_what_one_after_the_other_sees(tmp_path_factory, rows, closed, first):
    data = b"".join(rows) + (b"" if closed else b"h")
    path = tmp_path_factory.mktemp("look") / "rows.csv"
    path.write_bytes(b"." * first + data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "PIECE", 1 << 11)
        patch.setattr(lines, "SCANNED", 1 << 12)
        ours, theirs = (count_and_sample(found, 5) for found in (scan_file(path, first), scan_stream(io.BytesIO(data))))
    assert (ours.rows, ours.bytes, ours.reliable) == (theirs.rows, theirs.bytes, theirs.reliable)
    np.testing.assert_array_equal(ours.marks.rows, theirs.marks.rows)
    np.testing.assert_array_equal(ours.marks.starts, theirs.marks.starts)


BLANK = st.lists(
    st.sampled_from(
        [b"a,b\n", b"c,d\r\n", b"\n", b"\r\n", b"\n\n\n", b'"e\n\nf",g\n', b"x," * 300 + b"\n", b"y,z\n" * 600]
    ),
    max_size=40,
)


@given(BLANK, st.sampled_from([b"", b"h,i", b"\n", b"\r\n"]), st.integers(1, 4_000))
def test_blank_lines_are_no_rows(lines_, end, at):
    """Neither to a cut wherever it begins, nor to a look."""
    data = b"".join(lines_) + end
    rows = sum(bool(row) for row in csv.reader(io.StringIO(data.decode(), newline="")))
    every, state = with_spare(np.frombuffer(data, np.uint8)), start_of_row()
    row_ends.cut(every, 0, len(data), ord(","), EVERY, state)
    whole = int(state[1]) + (state[3] == 2)
    parted = start_of_row()
    for begin in range(0, len(data), at):
        some = with_spare(np.frombuffer(data[begin : begin + at], np.uint8))
        row_ends.cut(some, 0, len(some) - 16, ord(","), EVERY, parted)
    assert parted.tolist() == state.tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "PIECE", 1 << 11)
        assert count_and_sample(scan_stream(io.BytesIO(data)), 10).rows == whole
    assert sum(piece.rows for piece in cut_into_pieces(io.BytesIO(data), ",", 7)) >= whole
    assert whole == rows


def test_an_open_quote_makes_a_look_unreliable():
    assert not count_and_sample(scan_stream(io.BytesIO(b'a,"b\nc,d\n')), 10).reliable


def test_a_quote_inside_a_field_is_a_letter():
    assert count_and_sample(scan_stream(io.BytesIO(b'a,5" disk\nc,d\n')), 10).rows == 2


@given(TABLES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(1, 4), st.integers(1, 80))
def test_pieces_are_whole_rows(rows, end, closed, most, at_once):
    data = written(rows, end)
    data = data if closed else data[: -len(end)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "AT_ONCE", at_once)
        found = list(cut_into_pieces(io.BytesIO(data), ",", most))
    assert b"".join(piece.view for piece in found) == data + (b"" if closed else b"\n")
    assert all(1 <= piece.rows <= most for piece in found)
    assert sum(piece.rows for piece in found) == len(rows)
    if at_once > len(data):
        whole = found[: -1 if closed else -2]  # a row without its line break comes by itself
        assert [piece.rows for piece in whole] == [most] * len(whole)


@pytest.mark.parametrize("first", [b'"a\n,b",1\n', b"a,1\n", b"\xc3\xa9,1\n"])
@pytest.mark.parametrize("quota", [0, 1, 3, 100])
def test_of_a_chunk_as_many_whole_rows_are_kept_as_fit_and_one_in_any_case(first, quota):
    whole = first + b"c,2\n" + first
    chunks = [with_spare(np.frombuffer(whole, np.uint8)), with_spare(np.frombuffer(first, np.uint8))]
    found = [bytes(chunk[: -lines.SPARE]) for chunk in shorten_chunks(chunks, quota, ord(","))]
    assert found == ([whole, first] if quota == 100 else [first, first])


def test_a_row_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(lines, "AT_ONCE", 100)
    monkeypatch.setattr(lines, "LONGEST", 1_000)
    with pytest.raises(CannotCutRows, match=r"a row is longer than 1,000 bytes"):
        list(cut_into_pieces(io.BytesIO(b'a,"' + 9_000 * b"b\n"), ",", 10))


@pytest.mark.parametrize("long", [1_000, 200, 70, 20_000])
def test_what_was_read_behind_a_long_row_is_not_lost(long, monkeypatch):
    """For a long row the buffer grows, and so may what stands behind it there: more than is read at once."""
    monkeypatch.setattr(lines, "AT_ONCE", 64)
    rows = [b"a,1\n", b"x" * long + b",2\n", *(b"%d,3\n" % i for i in range(500))]
    found = [*cut_into_pieces(io.BytesIO(b"".join(rows)), ",", 1)]
    assert [bytes(piece.view) for piece in found] == rows
