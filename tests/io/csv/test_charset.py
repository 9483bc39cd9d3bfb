"""The encoding of a text by its own signs."""

import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.io.csv.charset import PIECE, find_undecodable, guess_by_all_bytes, guess_encoding, resolve_encoding
from bayesfold.io.csv.column_types import TEXT
from bayesfold.io.engines.csv import Csv
from bayesfold.io.open import open_source


@given(st.text(st.characters(codec="cp1252", exclude_characters="\x00"), min_size=1, max_size=30))
def test_utf8_is_utf8_and_marks_are_believed(text):
    assert guess_encoding(text.encode()) == (None if text.isascii() else "utf-8")
    assert guess_encoding(text.encode("utf-16")) == "utf-16"
    assert guess_encoding(text.encode("utf-32")) == "utf-32"


@given(st.text("abc éßüÄ,;\n", max_size=30))
def test_western_text_is_not_taken_for_utf8(text):
    assert guess_encoding(text.encode("cp1252")) == (None if text.isascii() else "cp1252")


@pytest.mark.parametrize("before", [0, PIECE - 1, PIECE, PIECE + 3])
@pytest.mark.parametrize(("text", "name"), [("é", "utf-8"), ("€uro", "utf-8"), ("𝒳", "utf-8"), ("é", "cp1252")])
def test_the_first_letter_beyond_ascii_decides_wherever_it_stands(before, text, name):
    assert guess_by_all_bytes(io.BytesIO(b"a" * before + text.encode(name))) == name


def test_most_letters_decide():
    """Ä€ in Windows-1252 could be a letter in UTF-8, and a file in UTF-8 may have a damaged letter."""
    assert guess_encoding("Ä€ kostet größere Mühe".encode("cp1252")) == "cp1252"
    assert guess_encoding("größere Mühe".encode() + b"\xe9") == "utf-8"
    assert guess_encoding("größ".encode()[:-1], whole=False) == "utf-8"


def test_ascii_is_utf8():
    assert guess_by_all_bytes(io.BytesIO(b"a" * 10)) == "utf-8"


def test_the_line_of_a_byte_that_does_not_belong():
    assert find_undecodable(io.BytesIO(b"a\nb\n\x81\n"), "cp1252") == (3, 0x81)
    assert find_undecodable(io.BytesIO("a\nü\n".encode() + b"\xff"), "utf-8") == (3, 0xFF)
    assert find_undecodable(io.BytesIO(b"a\nb\n"), "cp1252") == (0, 0)


def test_names_of_encodings():
    assert resolve_encoding("UTF8") == "utf-8"
    assert resolve_encoding("latin-1") == "iso8859-1"
    with pytest.raises(ValueError, match="there is no encoding 'klingon'; for example utf-8, cp1252"):
        resolve_encoding("klingon")


@pytest.mark.parametrize("letter", ["é", "€", "𝒳"])
@pytest.mark.parametrize("behind", range(6))
def test_a_single_letter_anywhere_in_the_sample(letter, behind):
    """Also where the sample ends in the middle of it: then it says nothing."""
    data = (b"a" * 50 + letter.encode() + b"b" * 50)[: 50 + behind]
    expected = "utf-8" if behind >= len(letter.encode()) else None
    assert guess_encoding(data, whole=False) == expected


@pytest.mark.parametrize("at", [60, (1 << 18) - 3, (1 << 18) - 2, (1 << 18) - 1, 1 << 18, (1 << 18) + 50])
@pytest.mark.parametrize("letter", ["ö", "€", "𝒳"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_letter_where_a_sample_ends(at, letter, encoding, packed, tmp_path):
    """In files larger than what is looked at."""
    if letter == "𝒳" and encoding == "cp1252":
        return
    rows = 90_000
    body = "x,y\n" + "abcd,p\n" * rows
    place = at // 2 if encoding.startswith("utf-16") else at
    start = body.rfind(",p", 0, place)  # where a value ends; it is made longer, so that the letter stands at `place`
    path = tmp_path / "t.csv"
    data = (body[:start] + "a" * (place - start) + letter + body[start:]).encode(encoding)
    path.write_bytes(gzip.compress(data) if packed else data)
    part = Csv(path, "t.csv")
    levels = {v for piece in part.scan({"x": TEXT}, {}) for v in piece.column("x").unique().to_pylist()}
    assert len(levels) == 2
    assert sum(value.endswith(letter) for value in levels) == 1
    assert sum(piece.num_rows for piece in part.scan({"x": TEXT}, {})) == rows


def test_a_file_in_utf16_that_is_cut_off_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(("x,y\n" + "ab,p\n" * 300_000).encode("utf-16")[:-1])
    with pytest.raises(ValueError, match=r"t.csv.*UTF-16"):
        list(Csv(path, "t.csv").scan({"x": TEXT}, {}))


@pytest.mark.parametrize("name", ["zlib_codec", "hex", "base64", "rot13", "idna", "punycode", "unicode_escape", "\0"])
def test_only_encodings_of_text_are_encodings(name):
    with pytest.raises(ValueError, match=r"(no|not an) encoding"):
        resolve_encoding(name)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_lines_that_end_in_a_carriage_return_alone_are_lines(tmp_path, encoding):
    (tmp_path / "t.csv").write_bytes("größe,y\r1,ä\r2,b\r".encode(encoding))
    look = open_source(tmp_path / "t.csv", encoding=encoding).look(("größe", "y"), 100, {}, {})
    assert look.table.to_pylist() == [{"größe": 1, "y": "ä"}, {"größe": 2, "y": "b"}]


def test_an_encoding_that_no_text_file_has_is_refused():
    with pytest.raises(ValueError, match="'punycode' is not an encoding of text files; for example utf-8"):
        resolve_encoding("punycode")
