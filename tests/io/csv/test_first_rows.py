"""The first row of a text by each separator: where it ends, whether a quote is closed, and how much is read for it."""

import io

import pytest

from bayesfold.io.csv import first_rows as module
from bayesfold.io.csv.first_rows import first_rows


class Slow(io.BytesIO):
    """Gives a few bytes at a time, and counts what was asked of it."""

    def readinto(self, buffer):
        return super().readinto(memoryview(buffer)[:5])


def first(data, separators=",;", most=1 << 20):
    rows, head = first_rows(Slow(data), separators, most)
    return {s: (row.line, row.closed) for s, row in rows.items()}, head


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Sixteen bytes at a time."""
    monkeypatch.setattr(module, "PIECE", 16)


def test_a_row_ends_with_its_line_or_with_the_text():
    assert first(b"a,b;c\n1,2;3\n") == ({",": (b"a,b;c\n", True), ";": (b"a,b;c\n", True)}, b"a,b;c\n1,2;3\n")
    assert first(b"a,b") == ({",": (b"a,b", True), ";": (b"a,b", True)}, b"a,b")
    assert first(b"") == ({",": (b"", True), ";": (b"", True)}, b"")
    assert first(b"\n\na,b\nc")[0][","] == (b"\n\na,b\n", True), "blank lines stand before it"


def test_a_quote_counts_where_a_field_begins_by_that_separator():
    found, _ = first(b'a;"b,c\nd"\ne\n')
    assert found[";"] == (b'a;"b,c\nd"\n', True)
    assert found[","] == (b'a;"b,c\n', True)
    assert first(b'a,"b\nc')[0] == {",": (b'a,"b\nc', False), ";": (b'a,"b\n', True)}


@pytest.mark.parametrize("length", [14, 15, 16, 17, 31, 32, 33, 100])
def test_a_long_row_is_read_to_its_end(length):
    line = b"x" * (length - 1) + b"\n"
    found, head = first(line + b"1\n2\n" * 40)
    assert found[","] == (line, True)
    assert head.startswith(line)
    assert len(head) <= 2 * max(length, 16) + 16, "and not much more"


@pytest.mark.parametrize(("most", "there"), [(32, True), (31, False), (16, False)])
def test_a_row_that_goes_on_is_not_there(most, there):
    line = b"x" * 40 + b"\n"
    found, head = first(line + b"1\n" * 40, most=most)
    assert (found == {}) is not there
    assert len(head) == (64 if there else 32)
    one, _ = first(b'a;"' + b"x" * 40 + b'"\n' + b"1\n" * 40, ",;", 16)
    assert one == {}
