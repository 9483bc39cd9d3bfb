"""Files of 2,000,000 rows, ten string and ten float columns, 5 % missing: to a model, and to a model and answers."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

from benchmarks.file_work import Run
from benchmarks.file_work import run as run_alone
from benchmarks.mixed_table import arrow_table
from benchmarks.rows import Options
from benchmarks.table import Agreement, Line, Target, at_least, within
from benchmarks.timing import Timing

REPEATS = 3


def as_text(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """A column without its dictionary."""
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def written(rows: int, folder: Path) -> dict[str, Path]:
    """The table as CSV and Parquet, and as the beginning of one four times as long; no row is there twice."""
    table, y = arrow_table(4 * rows)
    table = table.append_column("y", y)
    files = {name: folder / name for name in ("rows.csv", "rows.parquet", "long.csv", "long.parquet")}
    schema = pa.schema([(name, as_text(table.column(name)).type) for name in table.column_names])
    with pq.ParquetWriter(files["long.parquet"], schema) as parquet, files["long.csv"].open("wb") as csv:
        for i in range(4):
            some = table.slice(i * rows, rows)
            plain = pa.table({name: as_text(some.column(name)) for name in some.column_names}, schema)
            parquet.write_table(plain)
            arrow_csv.write_csv(plain, csv, arrow_csv.WriteOptions(quoting_style="none", include_header=i == 0))
            if i == 0:
                pq.write_table(plain, files["rows.parquet"])
                arrow_csv.write_csv(plain, files["rows.csv"], arrow_csv.WriteOptions(quoting_style="none"))
    return files


def beside(work: str, peer: str, ours: str, theirs: str, path: Path, out: Path, target: Target, note: str) -> Line:
    """Two variants in turn, each in processes of its own."""
    runs: dict[str, list[Run]] = {ours: [], theirs: []}
    for _ in range(REPEATS):
        for variant in (ours, theirs):
            runs[variant].append(run_alone(variant, path, out))
    times = {variant: Timing(tuple(r.seconds for r in some)) for variant, some in runs.items()}
    peaks = {variant: max(r.peak for r in some) for variant, some in runs.items()}
    used = {variant: median(r.processor for r in some) for variant, some in runs.items()}
    note += f"; processor seconds with imports, peer {used[theirs]:.1f}, ours {used[ours]:.1f}"
    return Line(work, peer, times[ours], times[theirs], target, None, (peaks[theirs], peaks[ours]), note)


def flat(kind: str, rows: int, files: dict[str, Path], out: Path) -> Line:
    """Peak memory of a fit of four times the rows beside that of the rows."""
    short, long = (run_alone("ours_fit", files[f"{name}.{kind}"], out) for name in ("rows", "long"))
    grown = Agreement(abs(long.peak / short.peak - 1), 0.10)
    times = Timing((long.seconds,)), Timing((short.seconds,))
    note = (
        "the difference is by how much the peak of memory rises from the shorter file to the longer one; at most 0.10"
    )
    return Line(f"{kind} fit {4 * rows:,} rows", f"{rows:,} rows", *times, None, grown, (short.peak, long.peak), note)


def run(options: Options) -> Iterator[Line]:
    """Fit beside reading alone; model and answers beside pandas and scikit-learn; memory beside four times the rows."""
    rows = options.rows(2_000_000)
    memory = "memory is the whole process's, interpreter and libraries included"
    with tempfile.TemporaryDirectory() as folder:
        files = written(rows, Path(folder))
        for kind in ("parquet", "csv"):
            path, out = files[f"rows.{kind}"], Path(folder, f"out.{kind}")
            if kind == "parquet":
                peer, name, target = "decode", "bare decoding", within(2)
            else:
                peer, name, target = "pandas_read", "pandas.read_csv", within(1.4)
            yield beside(f"{kind} fit {rows:,} x 20", name, "ours_fit", peer, path, out, target, memory)
            work = f"{kind} to model and answers {rows:,} x 20"
            yield beside(work, "pandas + sklearn", "ours_both", "peer_both", path, out, at_least(5), memory)
            yield flat(kind, rows, files, out)
