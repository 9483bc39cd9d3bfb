"""Record batches that are had again: rows skipped, types changed, files told apart."""

import os

import pyarrow as pa
import pytest

from bayesfold.io.engines._batches import Batches, as_type, batches_as_tables, file_identity, types_of

TABLE = pa.table({"a": list(range(10)), "b": [f"w{i % 3}" for i in range(10)]})


def batches(size=4):
    return Batches(lambda: TABLE.to_reader(size), "the table")


@pytest.mark.parametrize("skip", [5, 0, 4, 3, 8, 9, 10, 12])
def test_rows_behind_the_first_ones(skip):
    found = [*batches_as_tables(iter(TABLE.to_batches(4)), {"a": pa.float64()}, skip)]
    assert [v for table in found for v in table.column("a").to_pylist()] == list(range(skip, 10))
    assert all(table.num_rows and table.schema.types == [pa.float64()] for table in found)


def test_a_part_is_counted_surveyed_and_scanned_again_and_again():
    part = batches()
    for _ in range(2):
        assert part.count() == 10
        assert [t.num_rows for t in part.scan(part.types, {})] == [4, 4, 2]
    assert part.types == {"a": pa.int64(), "b": pa.string()}
    look = part.survey(("b",), 10)
    assert (look.rows, look.sample.column_names, look.sample.num_rows) == (10, ["b"], 10)
    assert part.survey(("b",), 5).sample.num_rows == 5
    assert part.place(0) == "the table, row 1"
    assert part.place(1233) == "the table, row 1,234"
    assert part.identity() is None


def test_text_stays_in_its_dictionary_and_becomes_one():
    words = pa.array(["x", "y", "x"])
    coded = words.dictionary_encode()
    assert as_type(coded, pa.string()) is coded
    assert as_type(coded, pa.dictionary(pa.int8(), pa.string())) is coded
    assert pa.types.is_dictionary(as_type(words, pa.dictionary(pa.int32(), pa.string())).type)
    assert as_type(pa.array([1, 2]), pa.float64()).to_pylist() == [1.0, 2.0]
    assert as_type(pa.array([1, 2]).dictionary_encode(), pa.float64()).type == pa.float64()


def test_columns_have_names_of_their_own_and_views_are_text():
    schema = pa.schema([("a", pa.string_view()), ("b", pa.int8())])
    assert types_of(schema, "t") == {"a": pa.large_string(), "b": pa.int8()}
    with pytest.raises(ValueError, match="t has two columns named 'a'; rename one"):
        types_of(pa.schema([("a", pa.int8()), ("b", pa.int8()), ("a", pa.int8())]), "t")


def test_a_file_is_told_from_itself_after_a_change(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b"one")
    before = file_identity(path)
    assert before == file_identity(tmp_path / "." / "t")
    path.write_bytes(b"four")
    assert file_identity(path) != before
    path.write_bytes(b"two")
    os.utime(path, ns=(before[2] + 5, before[2] + 5))
    assert file_identity(path) != before
    assert Batches(lambda: TABLE.to_reader(), "t", path).identity() == file_identity(path)
    assert Batches(lambda: TABLE.to_reader(), "t", path, lambda: 7).identity() == 7
