"""Parts in their order: blocks of one size, columns that all parts have, kinds of number that differ."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.io.engines.tables import FORMS, csv

from bayesfold.io.engines import csv as text_files
from bayesfold.io.open import open_source
from bayesfold.runtime.threads import BLOCK


def table_of(source, columns=None):
    look = source.look(columns or source.names, 10_000, {}, {})
    return look.table


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


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_rows_are_placed_on_their_lines_however_many_are_looked_at_at_once(rows, tmp_path, monkeypatch):
    """Blank lines and line breaks in quotes stand before, between and behind pieces of the file."""
    monkeypatch.setattr(text_files, "BLOCK", rows)
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,x\n\n\n2,y\n"3\n3",z\n\n4,w\n5,v\n\n6,"u\n\nu"\n7,t\n')
    with open_source(path) as source:
        lines = [2, 5, 6, 9, 10, 12, 15]
        assert [source.place(row).rpartition("/")[2] for row in range(7)] == [f"t.csv, line {n}" for n in lines]


def test_rows_of_several_files_are_placed_in_the_file_they_are_in(tmp_path):
    for i, many in enumerate((2, 3, 1)):
        csv(pa.table({"a": list(range(many))}), tmp_path / f"{i}.csv")
    with open_source(str(tmp_path / "*.csv")) as source:
        assert source.count() == 6
        places = [source.place(row).rpartition("/")[2] for row in range(6)]
        lines = [(0, 2), (0, 3), (1, 2), (1, 3), (1, 4), (2, 2)]
        assert places == [f"{file}.csv, line {line}" for file, line in lines]
        assert source.rows_of == [2, 3, 1]
        list(source.blocks({"a": pa.int64()}, {}))
        assert source.delivered == [2, 3, 1]
        for begin in (2, 3, 5):
            assert [v for piece in source._pieces({"a": pa.int64()}, {}, begin) for v in piece["a"].to_pylist()] == [
                *[0, 1, 0, 1, 2, 0][begin:]
            ]


def test_notes_say_what_is_read_twice_and_what_is_unknown(tmp_path):
    csv(pa.table({"a": [1, 2], "y": ["p", "q"]}), tmp_path / "1.csv")
    with open_source([tmp_path / "1.csv", tmp_path / "1.csv"]) as source:
        assert source.notes() == ["1.csv is read 2 times, and its rows count as often"]
        source.allow_missing = True
        source.require_features(["a", "b"], None)
        assert source.absent == ["b"]
        assert source.notes()[1].endswith("has no column 'b'; its values are taken for unknown")
        with pytest.raises(ValueError, match="has none of the columns of the model: 'b'"):
            source.require_features(["b"], None)
        source.allow_missing = False
        with pytest.raises(ValueError, match="has no column 'b'"):
            source.require_features(["a", "b"], None)
        assert source.absent == []
    with open_source(tmp_path / "1.csv") as source:
        assert source.notes() == []
    with open_source(pa.table({"a": [1]})) as source:
        assert (source.notes(), source.files) == ([], [])


def test_a_few_files_are_looked_at_whole_and_of_many_rows_each_gives_its_share(tmp_path):
    for i, many in enumerate((10, 990)):
        csv(pa.table({"a": [7 + i] * many}), tmp_path / f"{i}.csv")
    with open_source(str(tmp_path / "*.csv")) as source:
        look = source.look(("a",), 1_000, {}, {})
        assert (look.rows, look.sampled, look.whole) == (1_000, 1_000, True)
        look = source.look(("a",), 100, {}, {})
        assert not look.whole
        assert look.rows == 1_000
        assert 90 <= look.sampled <= 110
        assert look.table.column("a").to_pylist().count(7) < 10
        assert look.wider("a") == pa.float64()
        assert look.types["a"] == pa.int64()


@pytest.mark.parametrize(
    ("values", "kind", "usual"),
    [
        (["1", "2", "NA"], pa.int64(), ["NA"]),
        (["1", "NA", "NA"], pa.string(), None),  # one number is too few
        (["1", "x", "NA"], pa.string(), None),
        (["1", "2", "3"], pa.int64(), None),
        (["1.5", "?", "2"], pa.float64(), ["?"]),
    ],
)
def test_usual_marks_of_missing_values_among_numbers(values, kind, usual, tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{v},p\n" for v in values))
    with open_source(tmp_path / "t.csv") as source:
        look = source.look(("a", "y"), 100, {}, {"a": frozenset()})
        assert look.usual == ({"a": usual} if usual else {})
        assert look.types["a"] == (kind if kind != pa.string() else look.types["y"])
        look = source.look(("a", "y"), 100, {"a": "text"}, {"a": frozenset()})
        assert look.types["a"] == look.types["y"]
        assert look.found_out == {"y"}
        assert source.look(("a",), 100, {}, {}).usual == {}, "a column of classes has none"
