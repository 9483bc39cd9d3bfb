"""What is written can be read again, and a file is there whole or not at all."""

import csv
import io
import os

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.io.writers import Sink

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
