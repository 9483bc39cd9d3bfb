"""Rows split by the compiled loop are what pyarrow reads, bit for bit, or are left to it."""

import math
import os
import random
import struct

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesfold.io.csv import fields
from bayesfold.io.csv.column_types import TEXT
from bayesfold.io.csv.fields import (
    CsvColumns,
    find_swallowed_rows,
    parse_columns,
    parse_compiled,
    powers_of_ten,
    read_by_arrow,
)
from bayesfold.io.csv.row_index import Piece

SOAK = os.environ.get("BAYESFOLD_SOAK") == "1"
CASES = 20_000 if SOAK else 1_000

WORDS = [
    "", "a", "b", "a\tb", "déjà", "犬", "🙂 x", "seven77", "eight888", "nine99999", "sixteen_16_bytes",
    "longer than sixteen", 'x"y', "a b", " a", "a ", "\x01\x0b", "0", "NA", "?",
]  # fmt: skip
QUOTED = ['""', '"a"', '"a,b"', '"two\nlines"', '"cr\r\nlf"', '"say ""x"""', '""""', '"é"', '"a""b"', '" "', '"\n"']
ODD_WORDS = ['"a"b', '"a" ', 'a\rb', '"a', '"']  # fmt: skip
NUMBERS = [
    "", "0", "-0", "-0.0", "1", "-1", "007", "3.5", "-2.25", "1e5", "1E-5", "1.5e+3", "9007199254740993", "0.1",
    "123456789012345678", "1234567890123456789", "0.30000000000000004", "1.2988390762916728", "2.2250738585072014e-308",
    "179769313486231570000000000", "0.000000000000000000000000000000012345678901234567", "1e23", "8.5e-7", " 4.5", "4 ",
    "\t7", "00000000000000000000001", "0.0000000000000000000000", "6.0221e23", '"5"', '"-1.25"', '""', '" 6 "',
    "99999999", "12345678.12345678", "1e22", "1e-22", "1e64", "1e-64", "4611686018427387905", "9223372036854775807",
]  # fmt: skip
ODD_NUMBERS = [
    "nan", "NaN", "inf", "-inf", "Infinity", "1e400", "-1e400", "1e-400", "5e-324", "+1", "1.", ".5",
    "12345678901234567890", "1e", "1e+", "--1", "-", ".", "0x10", "1_000", "x", "?", "NA", " ", "1,5", "1e99999", "1 2",
    "9223372036854775808",
    "1.7976931348623159e308", '"x"', '"1""2"',
]  # fmt: skip


def columns(types, separator=",", markers=None):
    return CsvColumns(tuple(types), separator, types, markers or {})


def assert_same(ours, theirs):
    """The same values, missing numbers as NaN, dictionaries in the same order."""
    assert ours.column_names == theirs.column_names
    assert ours.num_rows == theirs.num_rows
    for name in ours.column_names:
        a, b = (t.column(name).combine_chunks() for t in (ours, theirs))
        assert a.type == b.type
        a.validate(full=True)
        if a.type == pa.float64():
            x, y = (c.fill_null(math.nan).to_numpy(zero_copy_only=False) for c in (a, b))
            assert np.array_equal(np.isnan(x), np.isnan(y))
            assert np.array_equal(x[~np.isnan(x)].view(np.int64), y[~np.isnan(y)].view(np.int64))
        elif a.type == TEXT:
            assert a.to_pylist() == b.to_pylist()
            assert a.dictionary.to_pylist() == b.dictionary.to_pylist()
        else:
            assert a.equals(b)


def outcome(read, *told):
    try:
        return read(*told)
    except pa.ArrowInvalid as error:
        return str(error)


def assert_agrees(data, told):
    """The loop gives what pyarrow gives, and all of it gives pyarrow's error where that refuses; a field that has
    swallowed rows is refused, which the loop does not take either.
    """
    theirs = outcome(read_by_arrow, data if data.endswith(b"\n") else data + b"\n", told)
    found = parse_compiled(Piece.of(data), told)
    if found is not None:
        assert not isinstance(theirs, str), theirs
        assert_same(found, theirs)
    whole = outcome(parse_columns, Piece.of(data), told)
    if find_swallowed_rows(Piece.of(data), told.separator) is not None:
        assert found is None
        assert "closed lines later" in whole
        return None
    assert whole == theirs if isinstance(theirs, str) else whole.num_rows == theirs.num_rows
    return found


KINDS = [TEXT, pa.float64(), pa.int64()]


def table(draw, odd, separator):
    """A text table of random columns: mostly plain, with odd fields, blank lines and ragged rows now and then."""
    kinds = [draw.choice(KINDS) for _ in range(draw.randint(1, 5))]
    end = draw.choice(["\n", "\r\n"])
    whole = [n for n in NUMBERS if not any(c in n for c in ".eE")]
    lines = []
    for _ in range(draw.randint(0, 40)):
        row = []
        for kind in kinds:
            plain = WORDS + QUOTED if kind == TEXT else NUMBERS if kind == pa.float64() else whole
            strange = ODD_WORDS if kind == TEXT else ODD_NUMBERS
            row.append(draw.choice(strange if draw.random() < odd / 4 else plain))
        if draw.random() < odd / 20:
            row = row[:-1] if draw.random() < 0.5 else [*row, "more"]
        lines.append(separator.join(cell if cell[:1] == '"' else cell.replace(separator, "_") for cell in row))
        if draw.random() < odd / 10:
            lines.append("")
    text = end.join(lines) + (end if draw.random() < 0.7 else "")
    markers = {f"c{i}": frozenset("?") for i in range(len(kinds)) if draw.random() < 0.3}
    return text.encode(), columns({f"c{i}": kind for i, kind in enumerate(kinds)}, separator, markers)


@pytest.mark.slow
@pytest.mark.parametrize("odd", [0.0, 0.05, 0.5])
def test_hostile_tables(odd):
    draw = random.Random(int(odd * 100))
    by_loop = 0
    for _ in range(CASES):
        by_loop += assert_agrees(*table(draw, odd, draw.choice(",;\t|"))) is not None
    assert by_loop > CASES * (0.3 if odd < 0.5 else 0.02)


@settings(max_examples=20_000 if SOAK else 500)
@given(st.text(st.sampled_from('ab1.e-+, "\n\r\t0é'), max_size=30), st.sampled_from(KINDS), st.sampled_from(KINDS))
def test_any_text_at_all(text, first, second):
    assert_agrees(text.encode(), columns({"a": first, "b": second}))


def test_every_number_is_the_nearest_double():
    draw = random.Random(5)
    told = columns({"x": pa.float64()})
    for _ in range(200 if SOAK else 10):
        values = []
        for _ in range(2_000):
            bits = struct.unpack("d", struct.pack("Q", draw.getrandbits(64)))[0]
            near = draw.uniform(-1, 1) * 10.0 ** draw.randint(-12, 12)
            digits = draw.randint(1, 19)
            half = (2 * draw.getrandbits(52) + 2**53 + 1) * 2 ** draw.randint(0, 9)  # between two doubles
            values += [repr(bits), repr(near), f"{near:.{digits}g}", f"{near:.{digits}f}", str(half), f"{half}.0"]
            values += [f"{draw.getrandbits(draw.randint(1, 63))}e{draw.randint(-70, 70)}"]
        values = [v for v in values if v not in ("nan", "inf", "-inf")]
        found = parse_compiled(Piece.of("\n".join(values).encode()), told)
        x = found.column(0).to_numpy()
        assert np.array_equal(x.view(np.int64), np.array([float(v) for v in values]).view(np.int64))


PLAIN = [n for n in NUMBERS if len(n) < 27 or "." in n]
PLAIN += ["  8", "8  ", " \t8 \t ", '"  9  "', "-1234567890123456.789", "0.0001e3", "9" * 18]


@pytest.mark.parametrize(("separator", "end"), [(",", "\r\n"), ("|", "\n"), ("\t", "\n")])
@pytest.mark.parametrize("kind", [pa.float64(), pa.int64()], ids=str)
def test_what_is_plainly_a_number_is_read_by_the_loop_itself(kind, separator, end, monkeypatch):
    """pyarrow reads it as well, so that nobody would see that the loop does not, but for the time it takes."""
    left = []
    monkeypatch.setattr(fields, "settle_odd_fields", lambda buffer, columns, odd, *rest: left.extend(odd.tolist()))
    told = columns({"x": kind, "w": TEXT, "y": kind}, separator)
    for number in PLAIN:
        if separator in number or (kind == pa.int64() and (set(number) & set(".eE") or len(number.lstrip("0")) > 18)):
            continue
        data = "".join(f"{number}{separator}a{separator}{number}{end}" for _ in range(2)).encode()
        found = parse_compiled(Piece.of(data), told)
        assert left == [], number
        assert_same(found, read_by_arrow(data, told))


@pytest.mark.parametrize(("separator", "end"), [(",", "\n"), ("|", "\r\n"), ("\t", "\n")])
@pytest.mark.parametrize("kind", [TEXT, pa.float64(), None], ids=str)
def test_words_are_read_by_the_loop_itself_wherever_they_stand(kind, separator, end):
    """Beside words, numbers and columns that nobody asked for, which may be in quotes as well."""
    for word in [*WORDS, *QUOTED]:
        if word[:1] != '"' and separator in word:
            continue
        for place in range(3):
            names = ("a", "b", "c")
            types = {name: TEXT if i == place else kind for i, name in enumerate(names)}
            told = CsvColumns(names, separator, {n: t for n, t in types.items() if t is not None}, {})
            rows = [[word if i == place else other for i in range(3)] for other in ("1", '"2"', "3")]
            data = "".join(separator.join(row) + end for row in rows).encode()
            found = parse_compiled(Piece.of(data), told)
            assert found is not None, (word, place)
            assert_same(found, read_by_arrow(data, told))


def test_many_words_and_long_ones():
    draw = random.Random(3)
    words = ["w" * draw.randint(0, 40) + str(draw.randint(0, 9_000)) for _ in range(30_000)]
    found = parse_compiled(Piece.of("\n".join(words).encode()), columns({"w": TEXT})).column(0).chunk(0)
    assert found.to_pylist() == words
    assert found.dictionary.to_pylist() == list(dict.fromkeys(words))


def test_columns_that_are_not_asked_for_are_not_read():
    told = CsvColumns(("a", "b", "c"), ",", {"c": pa.int64()}, {})
    found = parse_compiled(Piece.of(b'\xff,"x,y",1\n,nothing,\n'), told)
    assert found.to_pydict() == {"c": [1, None]}


def test_what_is_not_utf8_is_refused():
    with pytest.raises(pa.ArrowInvalid, match="UTF8"):
        parse_columns(Piece.of(b"caf\xe9\n"), columns({"a": TEXT}))


def test_the_table_of_powers_is_what_its_reference_prints():
    _, fives = powers_of_ten()
    assert [hex(v) for v in fives[342].tolist()] == ["0x8000000000000000", "0x0"]  # 5^0
    assert [hex(v) for v in fives[341].tolist()] == ["0xcccccccccccccccc", "0xcccccccccccccccd"]  # 5^-1, rounded up
    assert [hex(v) for v in fives[343].tolist()] == ["0xa000000000000000", "0x0"]


def test_memory_that_is_used_again_has_room_for_more_columns_and_rows():
    """Odd fields are written where there is room for one in so many cells: too little of it would be overwritten."""
    fields._own.__dict__.clear()
    for counted, rows in ((1, 1_000), (40, 1_000), (40, 3_000), (2, 50)):
        *_, sizes, odd = fields.scratch_memory(2, counted, rows)
        assert len(odd) >= 8 + counted * rows // fields.ODD
        assert sizes.shape[1] >= rows
