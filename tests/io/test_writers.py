"""What is written can be read again, and a file is there whole or not at all."""

import csv
import gzip
import io
import os
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.io import writers as module
from bayesfold.io.writers import Sink, column_to_text, format_of, rows_to_text, text_bytes

CELLS = st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"]), max_size=8))


@given(st.lists(st.tuples(CELLS, CELLS, st.floats(allow_nan=False, allow_infinity=False)), min_size=1), st.booleans())
def test_any_text_is_read_as_it_was_written(rows, coded):
    a, b, x = (list(column) for column in zip(*rows, strict=True))
    words = pa.array(a, pa.string())
    table = pa.table(
        {"a, b": words.dictionary_encode() if coded else words, 'say "b"': pa.array(b, pa.string()), "x": x}
    )
    out = io.BytesIO()
    with Sink(out) as sink:
        sink.write(table.slice(0, 1))
        sink.write(table.slice(1))
    found = list(csv.reader(io.StringIO(out.getvalue().decode(), newline="")))
    assert found[0] == ["a, b", 'say "b"', "x"]
    assert [(u, v) for u, v, _ in found[1:]] == [(u or "", v or "") for u, v in zip(a, b, strict=True)]
    assert [float(z) for _, _, z in found[1:]] == x


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.arrow"])
def test_an_error_leaves_the_old_file(name, tmp_path):
    (tmp_path / name).write_bytes(b"old")
    table = pa.table({"a": [1, 2]})

    def broken():
        with Sink(tmp_path / name) as sink:
            sink.write(table)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert (tmp_path / name).read_bytes() == b"old"
    with Sink(tmp_path / name) as sink:
        sink.write(table)
    assert (tmp_path / name).read_bytes() != b"old"
    assert os.listdir(tmp_path) == [name]


def test_a_pipe_that_closes_and_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder"), Sink(tmp_path / "nowhere" / "t.csv"):
        pass


@pytest.mark.parametrize(
    ("name", "form", "packed"),
    [
        ("t.csv", "csv", False),
        ("t.TSV", "tsv", False),
        ("t.txt", "csv", False),
        ("t.tsv.gz", "tsv", True),
        ("t.pq", "parquet", False),
        ("t.feather", "arrow", False),
        ("t.ipc", "arrow", False),
    ],
)
def test_the_name_of_a_file_says_how_it_is_written(name, form, packed, tmp_path):
    assert format_of(tmp_path / name) == (form, packed)
    for bad in ("t.parquet.gz", "t.xlsx", "t", "t.gz"):
        with pytest.raises(ValueError, match="does not say what kind of file to write"):
            format_of(tmp_path / bad)


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        (
            pa.array(["a", None, "b,c", 'say "x"', "two\nlines", "cr\r"]),
            ["a", "", '"b,c"', '"say ""x"""', '"two\nlines"', '"cr\r"'],
        ),
        (pa.array([None, None], pa.string()), ["", ""]),
        (pa.array([1, None, 3]), ["1", "", "3"]),
        (pa.array([True, False]), ["true", "false"]),
        (pa.array([], pa.string()), []),
        (pa.array(["z", "a;b", "x,y"]).slice(1), ["a;b", '"x,y"']),
    ],
)
@pytest.mark.parametrize("coded", [False, True])
def test_fields_are_quoted_where_they_must_be(values, fields, coded):
    column = pa.chunked_array([values.dictionary_encode() if coded else values])
    assert [field or "" for field in column_to_text(column, ",").to_pylist()] == fields
    written = bytes(rows_to_text(pa.table({"a": column, "b": column}), ",")).decode()
    assert written == "".join(f"{field},{field}\n" for field in fields)


def test_large_tables_are_written_in_pieces_that_lack_no_row(monkeypatch):
    table = pa.table({"a": [f"row {i}" for i in range(100)], "i": range(100)})
    whole = io.BytesIO()
    with Sink(whole) as sink:
        sink.write(table)
    monkeypatch.setattr(module, "AT_ONCE", 1_000)
    pieces = []
    with Sink(SimpleNamespace(write=lambda data: pieces.append(bytes(data)), flush=lambda: None)) as sink:
        sink.write(table)
        sink.write(table.slice(0, 0))
    assert len(pieces) > 5
    assert max(map(len, pieces)) < 1_000
    assert b"".join(pieces) == whole.getvalue()
    assert whole.getvalue().count(b"\n") == 101


def test_a_gzipped_file_is_the_same_whenever_it_is_written(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        with Sink(tmp_path / name) as sink:
            sink.write(pa.table({"a": [1, 2]}))
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == b"a\n1\n2\n"


def test_a_stream_is_flushed_at_the_end_but_not_after_an_error():
    flushed = []
    out = SimpleNamespace(write=lambda data: None, flush=lambda: flushed.append(1))
    with Sink(out) as sink:
        sink.write(pa.table({"a": [1]}))
    assert flushed == [1]
    with pytest.raises(KeyError), Sink(out):
        raise KeyError
    assert flushed == [1]


def test_parquet_blocks_keep_the_types_of_the_first(tmp_path):
    with Sink(tmp_path / "t.parquet") as sink:
        sink.write(pa.table({"a": pa.array([1.5, 2.0])}))
        sink.write(pa.table({"a": pa.array([3], pa.int64())}))
    found = pq.read_table(tmp_path / "t.parquet")
    assert found.to_pydict() == {"a": [1.5, 2.0, 3.0]}
    with Sink(tmp_path / "t.arrow") as sink:
        sink.write(pa.table({"a": [1]}))
        sink.write(pa.table({"a": [2]}))
    assert pa.ipc.open_file(tmp_path / "t.arrow").read_all().to_pydict() == {"a": [1, 2]}


def test_no_rows_are_no_bytes():
    assert bytes(text_bytes(pa.nulls(0, pa.large_string()))) == b""
    assert bytes(text_bytes(pa.array(["ab", "", "c"], pa.large_string())[1:])) == b"c"
