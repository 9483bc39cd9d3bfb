"""Parquet: a look at some row groups, and a scan that begins in the middle of one; damaged files of every form."""

import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyarrow import ipc
from tests.io.engines.tables import mixed

from bayesfold import NaiveBayes
from bayesfold.io.engines.arrow import Parquet

ROWS = 3_000
NUMBERS = np.cos(np.arange(60))


@pytest.mark.parametrize("skip", [0, 500, 1_000, 2_999])
def test_rows_that_are_skipped_are_the_first_ones(skip, tmp_path):
    table = mixed(ROWS)
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=1_000)
    part = Parquet(tmp_path / "t.parquet", "t")
    assert part.survey(table.column_names, 100).rows == ROWS
    types = {name: part.types[name] for name in ("zip", "size")}
    found = pa.concat_tables([t.cast(pa.schema(list(types.items()))) for t in part.scan(types, {}, skip)])
    assert found.equals(table.select(["zip", "size"]).slice(skip))


FORMS = ("parquet", "file", "stream", "lz4", "view")
SEEDS = 300 if os.environ.get("BAYESFOLD_SOAK") == "1" else 30

HOSTILE = """
import random, sys, warnings
from pathlib import Path
import pyarrow as pa, pyarrow.feather, pyarrow.ipc as ipc, pyarrow.parquet as pq
from bayesfold.io.fit import learn_from
from bayesfold.learning.kinds import find

folder, form, seeds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
draw = random.Random(1)
cells = {"a": ["x", "a longer text of twenty", "zzz", None], "b": [0.5, 2.25, None], "c": [True, False]}
cells["y"] = ["no", "yes"]
table = pa.table({name: [draw.choice(values) for _ in range(300)] for name, values in cells.items()})
table = table.append_column("d", table.column("a").dictionary_encode())
path = folder / ("t.parquet" if form == "parquet" else "t.arrow")
if form == "parquet":
    pq.write_table(table, path, row_group_size=100)
elif form == "lz4":
    pyarrow.feather.write_feather(table, str(path), compression="lz4")
else:
    if form == "view":
        table = table.set_column(0, "a", table.column("a").cast(pa.string_view()))
    with (ipc.new_stream if form == "stream" else ipc.new_file)(str(path), table.schema) as file:
        file.write_table(table, 100)
whole = path.read_bytes()
for seed in range(seeds):
    draw, data = random.Random(seed), bytearray(whole)
    if draw.random() < 0.15:
        data = data[: draw.randrange(len(data))]
    else:
        for _ in range(draw.choice([1, 1, 2, 8, 40])):
            data[draw.randrange(len(data))] = draw.choice([0, 1, 128, 255, draw.randrange(256)])
    path.write_bytes(data)
    print(seed, flush=True)
    try:
        learn_from(find("naive")(), path, "y")
    except (ValueError, TypeError) as error:
        assert str(error), seed
print("done")
"""


@pytest.mark.parametrize("form", FORMS)
def test_a_damaged_file_is_refused_and_the_process_lives(form, tmp_path):
    program = [sys.executable, "-W", "ignore", "-c", HOSTILE, str(tmp_path), form, str(SEEDS)]
    found = subprocess.run(program, capture_output=True, text=True, check=False, timeout=600)
    last = found.stdout.split()[-1:]
    assert (found.returncode, last) == (0, ["done"]), f"{form}, seed {last}: {found.stderr[-2_000:]}"


@pytest.mark.parametrize("made", ["runs", "missing in the dictionary", "narrow dictionary"])
def test_columns_that_arrow_cannot_join_are_read(made, tmp_path):
    words = ["u", "u", None, "w", "w", "w"] * 10
    column = {
        "runs": lambda: pc.run_end_encode(pa.array(words)),
        "missing in the dictionary": lambda: pa.DictionaryArray.from_arrays([0, 0, 1, 2, 2, 2] * 10, ["u", None, "w"]),
        "narrow dictionary": lambda: pa.DictionaryArray.from_arrays(
            pa.array([0, 0, 1, 2, 2, 2] * 10, pa.int8()), pa.array(["u", None, "w"])
        ),
    }[made]()
    table = pa.table({"c": column, "b": pa.array(NUMBERS), "y": ["p", "p", "q", "q", "p", "q"] * 10})
    half = table.slice(0, 30), table.slice(30)
    with ipc.new_file(
        tmp_path / "t.arrow", table.schema, options=ipc.IpcWriteOptions(unify_dictionaries=False)
    ) as file:
        for part in half:
            file.write_table(part)
    from_file = NaiveBayes().fit_from(tmp_path / "t.arrow", "y")
    in_memory = NaiveBayes().fit({"c": column.to_pylist(), "b": NUMBERS}, table["y"])
    asked = {"c": ["u", "w", None], "b": [3, 40, 59]}
    np.testing.assert_array_equal(from_file.predict_proba(asked), in_memory.predict_proba(asked))
    from_file.predict_from(tmp_path / "t.arrow", tmp_path / "said.csv")
    assert len((tmp_path / "said.csv").read_text().splitlines()) == 61
