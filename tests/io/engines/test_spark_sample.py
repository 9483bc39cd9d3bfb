"""Rows of low hashes, held while all rows of a partition pass: no Spark is needed for that."""

import numpy as np
import pyarrow as pa
import pytest

from bayesfold.io.engines import _spark_sample as module
from bayesfold.io.engines._spark_sample import HASH, TIMES, LowHashes, concatenate_tables


def batches(hashes, values):
    table = pa.table({"c0": values, HASH: pa.array(hashes, pa.int64())})
    return iter(table.to_batches(2))


@pytest.mark.parametrize("most", [100, 1])
def test_rows_pass_and_those_of_low_hashes_are_kept_equal_ones_as_one(most, monkeypatch):
    monkeypatch.setattr(module, "MOST_KEPT", most)
    low = LowHashes(10)
    values = ["x", "y", "x", "z", "x", "y"]
    passed = [*low.passing(batches([1, 11, 1, 50, 1, 10], values), ["name"])]
    assert [v for table in passed for v in table.column("name").to_pylist()] == values
    assert all(table.column_names == ["name"] for table in passed)
    kept = low.kept()
    found = dict(zip(kept.column(0).to_pylist(), kept.column(TIMES).to_pylist(), strict=True))
    assert found == {"x": 3, "y": 1}
    both = concatenate_tables([kept, None, kept])
    assert dict(zip(both.column(0).to_pylist(), both.column(TIMES).to_pylist(), strict=True)) == {"x": 6, "y": 2}


def test_of_no_rows_nothing_is_kept():
    low = LowHashes(10)
    assert [*low.passing(iter(()), ["name"])] == []
    assert low.kept() is None
    assert concatenate_tables([None, None]) is None
    none_low = LowHashes(-1)
    assert len([*none_low.passing(batches([1, 2], ["x", "y"]), ["name"])]) == 1
    assert none_low.kept().num_rows == 0
    assert np.int64(0) == none_low.size
