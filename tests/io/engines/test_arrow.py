"""Parquet: a look at some row groups, and a scan that begins in the middle of one."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.io.engines.tables import mixed

from bayesfold.io.engines.arrow import Parquet

ROWS = 3_000


@pytest.mark.parametrize("skip", [0, 500, 1_000, 2_999])
def test_rows_that_are_skipped_are_the_first_ones(skip, tmp_path):
    table = mixed(ROWS)
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=1_000)
    part = Parquet(tmp_path / "t.parquet", "t")
    assert part.survey(table.column_names, 100).rows == ROWS
    types = {name: part.types[name] for name in ("zip", "size")}
    found = pa.concat_tables([t.cast(pa.schema(list(types.items()))) for t in part.scan(types, {}, skip)])
    assert found.equals(table.select(["zip", "size"]).slice(skip))
