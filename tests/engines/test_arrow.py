"""Parquet: row groups that were decoded for a look are used by the count behind it, and no row is lost or doubled."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.tables import mixed

from bayesfold.engines import arrow
from bayesfold.engines.arrow import Parquet

ROWS = 3_000


@pytest.mark.parametrize("room", [0, 60_000, 1 << 28])
@pytest.mark.parametrize("skip", [0, 500, 1_000, 2_999])
def test_kept_row_groups_are_read_once_and_in_their_place(room, skip, tmp_path, monkeypatch):
    monkeypatch.setattr(arrow, "KEPT", room)
    table = mixed(ROWS)
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=1_000)
    part = Parquet(tmp_path / "t.parquet", "t")
    survey = part.survey(table.column_names, 100)
    assert survey.rows == ROWS
    assert len(survey.known) == {0: 0, 60_000: 1, 1 << 28: 3}[room]
    types = {name: part.types[name] for name in ("zip", "size")}
    for _ in range(2):  # the second time nothing is kept any more
        tables = part.scan(types, {}, skip, survey.known)
        found = pa.concat_tables([t.cast(pa.schema(list(types.items()))) for t in tables])
        assert found.equals(table.select(["zip", "size"]).slice(skip))
        assert not survey.known
