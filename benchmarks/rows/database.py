"""A table of 20,000,000 rows in DuckDB, six columns of words: counted there, beside its own GROUP BY of each column."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import bayesfold as bf
from benchmarks.memory import extra_peak
from benchmarks.rows import Options
from benchmarks.table import Agreement, Line, within
from benchmarks.timing import alternate

LEVELS = (4, 12, 50, 200, 7, 30)
REPEATS = 5


def made(rows: int, path: Path) -> Path:
    """A database with the table `t`."""
    import duckdb

    words = ", ".join(f"'v' || (hash(i, {many}) % {many}) as s{many}" for many in LEVELS)
    with duckdb.connect(str(path)) as database:
        database.execute(f"create table t as select {words}, 'class ' || (i % 3) as y from range({rows}) r(i)")
    return path


def table(path: Path) -> Any:
    """The table of a database, of which two threads are busy."""
    import duckdb

    return duckdb.connect(str(path), read_only=True, config={"threads": 2}).table("t")


def by_column(rows: Any) -> list[Any]:
    """What DuckDB counts of each column alone."""
    return [rows.aggregate(f"s{many}, count(*)", f"s{many}").fetchall() for many in LEVELS]


def by_class(rows: Any) -> Any:
    """What we let it count: each column with the class."""
    from bayesfold.io.engines.duckdb import Relation

    part = Relation(rows, "t")
    names = [f"s{many}" for many in LEVELS]
    return part.class_tables(names, "y", [f"class {k}" for k in range(3)], part.count(), "n", 1 << 20)


def fitted(rows: Any) -> Any:
    """All of it: a look at a sample, choices, counts."""
    return bf.NaiveBayes().fit_from(rows, "y")


def fitted_of(path: Path) -> Any:
    """The same, from a file."""
    return fitted(table(path))


def run(options: Options) -> Iterator[Line]:
    """The counts alone, and the whole fit; memory of ten times the rows."""
    many = options.rows(20_000_000)
    with tempfile.TemporaryDirectory() as folder:
        path, small = made(many, Path(folder, "large.db")), made(many // 10, Path(folder, "small.db"))
        rows = table(path)
        model = fitted(rows)
        told = [sorted(counts) for counts in by_column(rows)]
        ours = [sorted(level_counts(model, column)) for column in model.model_.schema.features]
        agreement = Agreement(float(told != ours), 0)
        peer = "DuckDB GROUP BY"
        for name, work, target in (("tables with the class", by_class, within(1.5)), ("fit", fitted, None)):
            mine, theirs = alternate(partial(work, rows), partial(by_column, rows), REPEATS)
            label = f"DuckDB {name}, {many:,} x {len(LEVELS)}"
            yield Line(label, peer, mine, theirs, target, agreement, None, "the peer counts each column by itself")
        memory = extra_peak(partial(fitted_of, small)), extra_peak(partial(fitted_of, path))
        yield Line(f"DuckDB fit, {many:,} rows", f"{many // 10:,} rows", mine, mine, None, None, memory, "memory only")


def level_counts(model: Any, column: Any) -> list[tuple[Any, int]]:
    """How many rows show each level."""
    counts = model.model_.tally.table(column.name, model.model_.schema.target.name).sum(1)
    return list(zip(column.levels, counts[1:].tolist(), strict=True))
