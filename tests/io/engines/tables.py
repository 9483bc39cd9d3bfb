"""One table in every form that an engine reads."""

import csv as csv_module
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.ipc as ipc
import pyarrow.parquet as pq


def mixed(rows: int, seed: int = 0) -> pa.Table:
    """Text, codes, numbers, whole numbers and weights, with holes; a level and a class come late; sorted by one."""
    draw = np.random.default_rng(seed)
    y = draw.choice(3, rows, p=[0.6, 0.3, 0.1])
    colour = np.array(["red", "green", "blue", "déjà vu", "a,b", 'say "x"', "two\nlines"])[draw.integers(0, 7, rows)]
    colour[-3:] = "late"
    labels = np.array(["no", "yes", "maybe"])[y]
    labels[-2] = "never"
    size = draw.normal(y * 0.7, 1.0) * 1e3 + 1e5
    return pa.table(
        {
            "colour": pa.array(colour.astype(object), pa.string(), mask=draw.random(rows) < 0.1),
            "zip": [f"{v:05d}" for v in draw.integers(0, 40, rows)],
            "size": pa.array(size, mask=draw.random(rows) < 0.05),
            "age": draw.poisson(30 + 5 * y),
            "when": np.sort(draw.random(rows)),
            "weight": np.round(draw.random(rows) * 3, 3) + 0.001,
            "y": labels,
        }
    )


def csv(table: pa.Table, path: Path) -> Path:
    arrow_csv.write_csv(table, path)
    return path


def packed(table: pa.Table, path: Path) -> Path:
    plain = csv(table, path.with_suffix(".plain"))
    path.write_bytes(gzip.compress(plain.read_bytes(), 1))
    return path


def tabs(table: pa.Table, path: Path) -> Path:
    arrow_csv.write_csv(table, path, arrow_csv.WriteOptions(delimiter="\t"))
    return path


def western(table: pa.Table, path: Path) -> Path:
    """As a spreadsheet on a German Windows writes it: semicolons, decimal commas, Windows-1252."""
    out = io.StringIO()
    write = csv_module.writer(out, delimiter=";", lineterminator="\r\n")
    write.writerow(table.column_names)
    for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
        write.writerow(["" if v is None else repr(v).replace(".", ",") if isinstance(v, float) else v for v in row])
    path.write_bytes(("sep=;\r\n" + out.getvalue()).encode("cp1252"))
    return path


def wide_letters(table: pa.Table, path: Path) -> Path:
    path.write_bytes(csv(table, path.with_suffix(".plain")).read_bytes().decode().encode("utf-16"))
    return path


def parquet(table: pa.Table, path: Path) -> Path:
    pq.write_table(table, path, row_group_size=9_999)
    return path


def arrow_file(table: pa.Table, path: Path) -> Path:
    with ipc.new_file(path, table.schema) as file:
        file.write_table(table, 7_777)
    return path


def arrow_stream(table: pa.Table, path: Path) -> Path:
    with ipc.new_stream(path, table.schema) as file:
        file.write_table(table, 100_000)
    return path


def jsonl(table: pa.Table, path: Path) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in table.to_pylist()), "utf-8")
    return path


def reader(table: pa.Table, path: Path) -> Any:
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(12_345))


def generator(table: pa.Table, path: Path) -> Any:
    return (table.slice(begin, 50_001) for begin in range(0, table.num_rows, 50_001))


def binary_file(table: pa.Table, path: Path) -> Any:
    return io.BytesIO(csv(table, path).read_bytes())


def polars(table: pa.Table, path: Path) -> Any:
    return pl.from_arrow(table)


def relation(table: pa.Table, path: Path) -> Any:
    return duckdb.connect().from_arrow(table)


def files(table: pa.Table, path: Path) -> Any:
    third = table.num_rows // 3
    for i, begin in enumerate((0, third, 2 * third)):
        part = table.slice(begin, third if i < 2 else None)
        csv(part.select(part.column_names[::-1]) if i == 1 else part, path.with_name(f"part{i}.csv"))
    return str(path.with_name("part*.csv"))


FORMS: dict[str, Callable[[pa.Table, Path], Any]] = {
    f.__name__: f
    for f in (
        csv, packed, tabs, western, wide_letters, parquet, arrow_file, arrow_stream, reader, generator, binary_file,
        polars, relation, files, jsonl,
    )
}  # fmt: skip
