"""Tables that are sent: what they hold, what their columns would be taken for."""

from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from bayesfold.data.tables import frame as frame_of
from bayesfold.io.rows import labels_of, with_labels
from bayesfold.io.source import Source
from bayesfold.learning.one_column import Options
from bayesfold.learning.readings import read_for_weights
from bayesfold.web.server.endpoint import (
    ARROW,
    BYTES,
    CSV,
    PARQUET,
    Answer,
    Ask,
    Removed,
    Upload,
    Word,
    delete,
    get,
    post,
)
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.room import Room
from bayesfold.web.server.tables import Kept, open_kept

LOOKED_AT = 4_000
EXAMPLES = 4
FEW = 30
CLASS_NAMES = ("class", "target", "label", "y", "outcome", "diagnosis", "species")
Id = Annotated[str, Field(min_length=1, max_length=64, description="the id of a table that was sent")]
Family = Annotated[str, Field(pattern="^[a-z_]{1,40}$")]


class Column(Answer):
    """A column: whether it holds numbers or text, some of its values, and the share that is missing."""

    name: str
    kind: str
    examples: list[str]
    distinct: int
    missing: float


class Table(Answer):
    """A table; `target` is a column that may be the class."""

    id: str
    name: str
    rows: int
    columns: list[Column]
    target: str | None
    notes: list[str]


class Tables(Answer):
    """All tables that are kept."""

    tables: list[dict[str, str]]


class Reading(Ask):
    """The column to predict, columns to leave out, and what columns are where that is not to be found out."""

    target: Word
    drop: list[Word] = Field(default_factory=list, max_length=10_000)
    families: dict[Word, Family] = Field(default_factory=dict)


class Taken(Answer):
    """What a column is taken for, and why; without a family it is left out."""

    name: str
    family: str
    why: str


class ClassCount(Answer):
    """A class, and how many of the rows that were looked at have it."""

    label: Any
    rows: int


class Columns(Answer):
    """What columns are taken for, by a look at `looked_at` rows."""

    columns: list[Taken]
    classes: list[ClassCount]
    unlabelled: int
    looked_at: int


def send(
    room: Room,
    upload: Upload,
    name: Annotated[str, Field(max_length=300, description="what the file is called")] = "",
) -> dict[str, Any]:
    """Send a table: CSV, TSV (gzipped too), Parquet or Arrow, as the bytes of its file."""
    room.require_memory()
    kept = room.tables.receive(upload.body, name)
    try:
        return describe_table(kept)
    except Exception:
        room.tables.remove(kept.id)
        raise


def tables(room: Room) -> dict[str, Any]:
    """The tables that are kept."""
    return {"tables": [{"id": kept.id, "name": kept.name} for kept in list(room.tables.kept.values())]}


def table(room: Room, table: Id) -> dict[str, Any]:
    """What a table holds."""
    return describe_table(room.tables.find(table))


def remove(room: Room, table: Id) -> dict[str, str]:
    """Remove a table."""
    room.tables.remove(table)
    return {"removed": table}


def columns(room: Room, table: Id, ask: Reading) -> dict[str, Any]:
    """What each column would be taken for, and why; what is declared is taken as declared."""
    kept = room.tables.find(table)
    with open_kept(kept) as source:
        source.require(ask.target, *ask.drop, *ask.families)
        features = [name for name in source.names if name != ask.target and name not in ask.drop]
        prose = {name: "text" for name, family in ask.families.items() if family in ("text", "categorical")}
        look = source.look([*features, ask.target], LOOKED_AT, prose | source.number_formats.as_written(ask.target), {})
        if look.table is None or not look.rows:
            raise Problem("not-possible", f"{kept.name} has column names and no rows")
        if not features:
            raise Problem("not-possible", f"{kept.name} has no column to learn from besides {ask.target!r}")
        labels = labels_of(look.table.column(ask.target), ask.target)
        rows = with_labels(frame_of(look.table.select(features)), labels, None)
    if len(rows.classes) < 2:
        raise Problem("not-possible", f"column {ask.target!r} has one value: nothing to tell apart")
    options = Options(families=dict(ask.families), alpha="auto")
    read_as = read_for_weights(rows.frame, rows.labels, None, options).columns
    counts = np.bincount(rows.labels.index, minlength=len(rows.classes)).tolist()
    lines = [{"name": c.name, "family": c.family, "why": c.why} for c in read_as]
    order = {name: k for k, name in enumerate(features)}
    return {
        "columns": sorted(lines, key=lambda line: order.get(line["name"], 0)),
        "classes": [{"label": c, "rows": n} for c, n in zip(rows.classes, counts, strict=True)],
        "unlabelled": rows.unlabelled,
        "looked_at": rows.frame.rows + rows.unlabelled,
    }


def describe_table(kept: Kept) -> dict[str, Any]:
    """A table in words, by a look at its first rows."""
    with open_kept(kept) as source:
        if not source.names:
            raise Problem("not-understood", f"{kept.name} has no columns")
        look = source.look(source.names, LOOKED_AT, {}, {})
        columns = [describe_column(source, look.table, name) for name in source.names] if look.table is not None else []
        notes = list(source.notes())
    likely = [c["name"] for c in columns if 1 < c["distinct"] <= FEW]
    named = [name for name in likely if name.lower() in CLASS_NAMES]
    target = (named or likely[-1:] or [None])[0]
    return {
        "id": kept.id,
        "name": kept.name,
        "rows": look.rows,
        "columns": columns,
        "target": target,
        "notes": notes,
    }


def describe_column(source: Source, table: pa.Table, name: str) -> dict[str, Any]:
    """A column of a table."""
    column = table.column(name)
    kind = column.type
    values = column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column
    distinct = [value for value in values.unique().to_pylist() if value is not None and str(value).strip()]
    there = pc.is_valid(values)
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        there = pc.and_kleene(there, pc.not_equal(pc.utf8_trim_whitespace(values), ""))
    missing = 1 - (pc.sum(there).as_py() or 0) / max(len(column), 1)
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    what = "number" if is_number else "date" if pa.types.is_temporal(kind) else "text"
    examples = [str(value)[:60] for value in distinct[:EXAMPLES]]
    return {"name": name, "kind": what, "examples": examples, "distinct": len(distinct), "missing": missing}


ENDPOINTS = (
    post("/tables", send, Table, takes=(CSV, BYTES, PARQUET, ARROW), status=201),
    get("/tables", tables, Tables, quick=True),
    get("/tables/{table}", table, Table),
    delete("/tables/{table}", remove, Removed),
    post("/tables/{table}/columns", columns, Columns),
)
