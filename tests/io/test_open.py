"""The front door: what can be opened, which engine reads it, and how parts that differ are told."""

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path
from threading import Thread

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.io.engines.tables import FORMS, mixed

from bayesfold.io import open as module
from bayesfold.io.open import open_source


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


def test_a_lazy_frame_is_read_as_the_frame_that_it_computes():
    """`fit` took it, and `fit_from` did not."""
    lazy = pl.LazyFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}).filter(pl.col("a") > 1)
    with open_source(lazy) as source:
        assert table_of(source).to_pydict() == {"a": [2, 3], "b": ["y", "z"]}


def test_a_query(tmp_path):
    path = FORMS["parquet"](mixed(500), tmp_path / "t.parquet")
    with open_source(f"select zip, age * 2 as twice from '{path}' where age > 30") as source:
        assert source.names == ("zip", "twice")
        assert min(table_of(source).column("twice").to_pylist()) > 60


def test_what_cannot_be_opened_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no file 'nowhere\.csv'"):
        open_source("nowhere.csv")
    with pytest.raises(FileNotFoundError, match="no file matches"):
        open_source(str(tmp_path / "*.csv"))
    with pytest.raises(ValueError, match=r"is a folder; name its files with a glob, for example .*\*.csv"):
        open_source(tmp_path)
    with pytest.raises(TypeError, match="int is not a source of rows; give a path"):
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


def test_to_ask_every_engine_loads_nothing_that_is_slow_or_optional(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,p\n2,q\n")
    code = (
        "import sys; from bayesfold.io.open import open_source;"
        f"open_source({str(tmp_path / 't.csv')!r}).names;"
        "print({'mailbox', 'email', 'duckdb', 'pyarrow.parquet', 'pandas'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_read_once_as_standard_input_is(tmp_path):
    pipe, rows = tmp_path / "pipe", b"a,y\n1,p\n2,q\n"
    os.mkfifo(pipe)
    for what in (str(pipe), [pipe]):
        writer = Thread(target=pipe.write_bytes, args=(rows,))
        writer.start()
        with open_source(what) as source:
            assert source.names == ("a", "y")
            assert source.count() == 2
        writer.join()
    (tmp_path / "t.csv").write_bytes(rows)
    with pytest.raises(ValueError, match="pipe is a pipe, which can be read once: give it alone"):
        open_source([tmp_path / "t.csv", pipe])


@pytest.mark.parametrize("bytes_", [25, 400])
def test_a_packed_file_that_is_cut_off_is_named(tmp_path, bytes_):
    draw = np.random.default_rng(0)
    text = "a,y\n" + "".join(f"{draw.normal()},{'pq'[i % 2]}\n" for i in range(100))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode())[:bytes_])
    with pytest.raises(ValueError, match=r"t.csv.gz cannot be unpacked \(.*\): it is cut off or damaged"):
        open_source(tmp_path / "t.csv.gz").count()


def test_a_name_that_is_not_utf8_is_refused_in_words(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"gr\xf6.csv")
    Path(os.fsdecode(path)).write_text("a,b\n1,2\n")
    for what in (os.fsdecode(path), [Path(os.fsdecode(path))], f"{tmp_path}/*.csv"):
        with pytest.raises(ValueError, match=r"gr\?\.csv: the name of this file is not UTF-8; rename it$"):
            open_source(what)


def test_record_batches_of_an_iterator_are_read():
    batches = pa.table({"a": [1, 2, 3]}).to_batches(max_chunksize=2)
    assert module.reader_of(iter(batches)).read_all().column("a").to_pylist() == [1, 2, 3]


def test_a_stream_that_breaks_off_leaves_no_file(tmp_path, monkeypatch):
    class Broken(io.RawIOBase):
        def read(self, size=-1):
            raise KeyboardInterrupt

    monkeypatch.setattr(module, "temporary_file", lambda: tmp_path / "kept")
    (tmp_path / "kept").touch()
    with pytest.raises(KeyboardInterrupt):
        open_source(Broken())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one way to write names")
def test_a_name_that_the_locale_cannot_say_is_no_fault_of_the_name(tmp_path):
    (tmp_path / "grö.csv").write_text("a,b\n1,2\n")
    ask = "import os, sys; from bayesfold.io.open import open_source; open_source(os.listdir(sys.argv[1])[0])"
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    env = {**plain, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-c", ask, "."], env=env, cwd=tmp_path, capture_output=True, check=False)
    assert b"names of files are ascii to this process; set PYTHONUTF8=1 or LC_ALL=C.UTF-8" in done.stderr
