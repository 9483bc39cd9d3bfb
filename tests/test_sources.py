"""The front door: what can be opened, which engine reads it, and how parts that differ are told."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.tables import FORMS, csv, mixed

from bayesfold import sources as module
from bayesfold.sources import open_source
from bayesfold.threads import BLOCK


def table_of(source, columns=None):
    look = source.look(columns or source.names, 10_000, {}, {})
    return look.table


@pytest.mark.parametrize(
    ("form", "engine"),
    [
        ("csv", "csv"),
        ("packed", "csv"),
        ("parquet", "arrow"),
        ("arrow_stream", "arrow"),
        ("polars", "arrow"),
        ("relation", "duckdb"),
    ],
)
def test_the_content_decides_which_engine_reads(form, engine, tmp_path):
    with open_source(FORMS[form](mixed(50), tmp_path / "anything.dat")) as source:
        assert source.engine == engine
        assert source.names == ("colour", "zip", "size", "age", "when", "weight", "y")


def test_a_query(tmp_path):
    path = FORMS["parquet"](mixed(500), tmp_path / "t.parquet")
    with open_source(f"select zip, age * 2 as twice from '{path}' where age > 30") as source:
        assert source.names == ("zip", "twice")
        assert min(table_of(source).column("twice").to_pylist()) > 60


@pytest.mark.parametrize("rows", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK])
@pytest.mark.parametrize("form", ["csv", "parquet", "reader", "relation"])
def test_blocks_are_of_one_size_in_the_order_of_the_rows(rows, form, tmp_path):
    table = pa.table({"i": np.arange(rows)})
    with open_source(FORMS[form](table, tmp_path / "t")) as source:
        look = source.look(("i",), 10, {}, {})
        assert look.rows == rows
        blocks = list(source.blocks({"i": pa.int64()}, {}))
        assert [begin for begin, _ in blocks] == list(range(0, rows, BLOCK))
        assert all(block.num_rows == BLOCK for _, block in blocks[:-1])
        assert [v for _, block in blocks for v in block.column("i").to_pylist()] == list(range(rows))
        if rows > BLOCK:
            (begin, block), *_ = source.blocks({"i": pa.int64()}, {}, BLOCK)
            assert (begin, block.column("i")[0].as_py()) == (BLOCK, BLOCK)


def test_files_may_have_their_columns_in_any_order_but_must_have_the_same(tmp_path):
    csv(pa.table({"a": [1, 2], "b": ["x", "y"]}), tmp_path / "1.csv")
    csv(pa.table({"b": ["z"], "a": [3]}), tmp_path / "2.csv")
    with open_source(str(tmp_path / "*.csv")) as source:
        assert table_of(source).to_pydict() == {"a": [1, 2, 3], "b": ["x", "y", "z"]}
        assert source.place(0).endswith("1.csv, line 2")
        assert source.place(2).endswith("2.csv, line 2")
    csv(pa.table({"b": ["z"]}), tmp_path / "3.csv")
    with open_source(str(tmp_path / "*.csv")) as source:
        with pytest.raises(
            ValueError, match=r"3.csv has no column 'a', which .*1.csv has; name the columns that all files"
        ):
            source.check_columns()
        assert table_of(source, ("b",)).num_rows == 4
    csv(pa.table({"a": [1], "b": ["z"], "c": [0]}), tmp_path / "3.csv")
    with (
        open_source([tmp_path / "1.csv", tmp_path / "3.csv"]) as source,
        pytest.raises(ValueError, match=r"3.csv has the column 'c', which .*1.csv lacks"),
    ):
        source.check_columns()


def test_parquet_files_may_differ_in_their_kinds_of_number_but_not_in_kind(tmp_path):
    pq.write_table(pa.table({"a": pa.array([1, 2], pa.int32()), "b": ["x", "y"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [2.5], "b": pa.array(["z"]).dictionary_encode()}), tmp_path / "2.parquet")
    with open_source(str(tmp_path / "*.parquet")) as source:
        assert table_of(source).to_pydict() == {"a": [1, 2, 2.5], "b": ["x", "y", "z"]}
        ((_, block),) = source.blocks(source.types(source.names), {})
        assert block.column("a").to_pylist() == [1, 2, 2.5]
    pq.write_table(pa.table({"a": ["one"], "b": ["z"]}), tmp_path / "3.parquet")
    with (
        open_source(str(tmp_path / "*.parquet")) as source,
        pytest.raises(ValueError, match=r"column 'a' holds .* make them alike"),
    ):
        source.check_columns()


def test_what_cannot_be_opened_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no file 'nowhere\.csv'"):
        open_source("nowhere.csv")
    with pytest.raises(FileNotFoundError, match="no file matches"):
        open_source(str(tmp_path / "*.csv"))
    with pytest.raises(ValueError, match=r"is a folder; name its files with a glob, for example .*\*.csv"):
        open_source(tmp_path)
    with pytest.raises(TypeError, match="int is no source of rows; give a path"):
        open_source(3)
    with pytest.raises(TypeError, match="a stream of int cannot be read"):
        open_source(iter([1]))
    (tmp_path / "a.csv").write_text("a\n1\n")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="are files of different kinds"):
        open_source([tmp_path / "a.csv", tmp_path / "b.parquet"])
    (tmp_path / "c.parquet").write_bytes(b"PAR1 and nothing more")
    with open_source(tmp_path / "c.parquet") as source, pytest.raises(ValueError, match="cannot be read as Parquet"):
        source.count()


def test_a_stream_is_kept_in_a_file_that_goes_away(tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path))
    with open_source(io.BytesIO(b"a,b\n1,2\n")) as source:
        assert len(list(tmp_path.iterdir())) == 1
        assert table_of(source).to_pydict() == {"a": [1], "b": [2]}
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(module, "IN_MEMORY", 1_000)
    with open_source(mixed(5_000).to_reader(500)) as source:
        assert len(list(tmp_path.iterdir())) == 1
        assert source.look(source.names, 5_000, {}, {}).rows == 5_000
    assert not list(tmp_path.iterdir())

    def broken():
        yield mixed(500)
        raise OSError("the line is dead")

    with pytest.raises(OSError, match="the line is dead"):
        open_source(broken())
    assert not list(tmp_path.iterdir())
