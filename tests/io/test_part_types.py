"""What a column is in all parts of a source, and how large a part is."""

import re
from types import SimpleNamespace

import pyarrow as pa
import pytest

from bayesfold.io.look import Look
from bayesfold.io.part_types import common_part_type, is_text_type, size_of

WORDS = pa.dictionary(pa.int32(), pa.string())
NUMBERS = (pa.int8(), pa.uint64(), pa.float32(), pa.decimal128(5, 2))


def part(kind, label="b.parquet"):
    return SimpleNamespace(types={"x": kind}, label=label)


def test_numbers_of_all_kinds_are_held_by_doubles_and_texts_by_the_first():
    for one in NUMBERS:
        assert common_part_type("x", one, part(one), part(one)) == one
        for other in NUMBERS:
            if one != other:
                assert common_part_type("x", one, part(other), part(one)) == pa.float64()
    for one in (pa.string(), pa.large_string(), WORDS):
        for other in (pa.string(), pa.large_string(), WORDS):
            assert common_part_type("x", one, part(other), part(one)) == one


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pa.string(), pa.int64()),
        (pa.int64(), WORDS),
        (pa.bool_(), pa.int64()),
        (pa.float64(), pa.bool_()),
        (pa.date32(), pa.timestamp("s")),
    ],
)
def test_other_types_are_refused_with_both_files(one, other):
    words = f"column 'x' holds {one} in a.parquet and {other} in b.parquet; make them alike"
    with pytest.raises(ValueError, match=re.escape(words)):
        common_part_type("x", one, part(other), part(one, "a.parquet"))


def test_a_dictionary_of_numbers_is_no_text():
    assert is_text_type(WORDS)
    assert not is_text_type(pa.dictionary(pa.int32(), pa.int64()))
    assert not is_text_type(pa.int64())


def test_a_part_is_as_large_as_its_file(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "none").write_bytes(b"")
    assert size_of(SimpleNamespace(path=tmp_path / "a")) == 5
    assert size_of(SimpleNamespace(path=str(tmp_path / "none"))) == 1
    assert size_of(SimpleNamespace()) == 1


def test_integers_may_become_floats_behind_a_sample_that_their_type_was_read_off():
    types = {"a": pa.int64(), "b": pa.int64(), "c": pa.string(), "d": pa.float32()}
    look = Look(10, pa.table({}), types, {}, frozenset({"a", "c", "d"}), sampled=9)
    assert [look.wider(name) for name in "abcd"] == [pa.float64(), pa.int64(), pa.string(), pa.float32()]
    assert not look.whole
    assert Look(10, pa.table({}), types, {}, sampled=10).whole
