"""The encoding of a text by its own signs."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.io.csv.charset import PIECE, by_all, guessed, known, undecodable


@given(st.text(st.characters(codec="cp1252", exclude_characters="\x00"), min_size=1, max_size=30))
def test_utf8_is_utf8_and_marks_are_believed(text):
    assert guessed(text.encode()) == (None if text.isascii() else "utf-8")
    assert guessed(text.encode("utf-16")) == "utf-16"
    assert guessed(text.encode("utf-32")) == "utf-32"


@given(st.text("abc éßüÄ,;\n", max_size=30))
def test_western_text_is_not_taken_for_utf8(text):
    assert guessed(text.encode("cp1252")) == (None if text.isascii() else "cp1252")


@pytest.mark.parametrize("before", [0, PIECE - 1, PIECE, PIECE + 3])
@pytest.mark.parametrize(("text", "name"), [("é", "utf-8"), ("€uro", "utf-8"), ("𝒳", "utf-8"), ("é", "cp1252")])
def test_the_first_letter_beyond_ascii_decides_wherever_it_stands(before, text, name):
    assert by_all(io.BytesIO(b"a" * before + text.encode(name))) == name


def test_most_letters_decide():
    """Ä€ in Windows-1252 could be a letter in UTF-8, and a file in UTF-8 may have a damaged letter."""
    assert guessed("Ä€ kostet größere Mühe".encode("cp1252")) == "cp1252"
    assert guessed("größere Mühe".encode() + b"\xe9") == "utf-8"
    assert guessed("größ".encode()[:-1], whole=False) == "utf-8"


def test_ascii_is_utf8():
    assert by_all(io.BytesIO(b"a" * 10)) == "utf-8"


def test_the_line_of_a_byte_that_does_not_belong():
    assert undecodable(io.BytesIO(b"a\nb\n\x81\n"), "cp1252") == (3, 0x81)
    assert undecodable(io.BytesIO("a\nü\n".encode() + b"\xff"), "utf-8") == (3, 0xFF)
    assert undecodable(io.BytesIO(b"a\nb\n"), "cp1252") == (0, 0)


def test_names_of_encodings():
    assert known("UTF8") == "utf-8"
    assert known("latin-1") == "iso8859-1"
    with pytest.raises(ValueError, match="there is no encoding 'klingon'; utf-8, cp1252"):
        known("klingon")
