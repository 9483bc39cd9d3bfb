"""Parts in their order: blocks of one size, columns that all parts have, kinds of number that differ."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.io.engines.tables import FORMS, csv

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
