"""A long count that survives its process: the model so far and how many rows are in it, written whole at block ends.

A checkpoint knows which source, columns and settings it belongs to, and is refused for any other. Counting goes on
behind the last row that it holds: no row is counted twice, and the bits are those of a run that was never interrupted.
"""

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import pyarrow as pa

from bayesfold.io.csv.column_types import TEXT
from bayesfold.io.source import Look, Source
from bayesfold.learning.kinds import Settings
from bayesfold.learning.trained import Trained
from bayesfold.runtime.arrow_buffers import empty_table
from bayesfold.store import load_with, save

SECONDS = 5.0
"""A checkpoint is written at the first block end after so long."""


@dataclass(frozen=True)
class Resumed:
    """What a checkpoint holds: the model so far, the rows in it, the features that it counts, and how they are read."""

    trained: Trained
    rows: int
    features: tuple[str, ...]
    look: Look


@dataclass
class Checkpoint:
    """Where to keep the count, and what it is a count of."""

    path: Path
    key: str
    look: Look
    rows_of: tuple[int, ...]
    written: float = field(default_factory=lambda: -SECONDS)

    def keep(self, trained: Trained, rows: int, features: tuple[str, ...], at_once: bool = False) -> None:
        """Write the model so far, if the last time is long ago."""
        if not at_once and monotonic() - self.written < SECONDS:
            return
        kinds = {name: "text" if kind == TEXT else str(kind) for name, kind in self.look.types.items()}
        extra = {
            "checkpoint": self.key,
            "rows": rows,
            "features": features,
            "total": self.look.rows,
            "sampled": self.look.sampled,
            "rows_of": self.rows_of,
            "kinds": kinds,
            "found_out": tuple(sorted(self.look.found_out)),
            "markers": {name: tuple(sorted(some)) for name, some in self.look.markers.items() if some},
        }
        save(trained, self.path, extra)
        self.written = monotonic()


def key_of(settings: Settings, source: Source, target: str, weight: str | None, columns: Any) -> str:
    """A digest of the source, the columns and the settings."""
    parts = source.identity()
    if any(part is None for part in parts) or source.spool is not None:
        raise ValueError(
            f"{source.name} can be read once, so a count of it cannot be taken up again; leave checkpoint= out, or put "
            "the rows in a file first"
        )
    told = repr((type(settings).__name__, settings, parts, target, weight, columns))
    return hashlib.sha256(told.encode()).hexdigest()


def resumed(path: str | os.PathLike[str], key: str, source: Source) -> Resumed | None:
    """What a checkpoint holds; None if there is none yet, and an error if it is one of something else."""
    if not Path(path).exists():
        return None
    trained, extra = load_with(path)
    if not isinstance(extra, dict) or extra.get("checkpoint") != key:
        raise ValueError(
            f"{os.fspath(path)} is not a checkpoint of this: the source, the target, the columns or the settings were "
            "others, or a file has changed since. Remove it to begin again, or give another path"
        )
    own = source.types(list(extra["kinds"]))
    types = {name: type_named(kind, own[name], source.is_text) for name, kind in extra["kinds"].items()}
    markers = {name: frozenset(some) for name, some in extra["markers"].items()}
    source.rows_of = list(extra["rows_of"])
    look = Look(extra["total"], empty_table(types), types, markers, frozenset(extra["found_out"]), extra["sampled"])
    return Resumed(trained, extra["rows"], tuple(extra["features"]), look)


def type_named(kind: str, own: pa.DataType, is_text: bool) -> pa.DataType:
    """A column's type: of a text file as it was decided, elsewhere the one that it has by itself."""
    if not is_text:
        return own
    return {"text": TEXT, "int64": pa.int64(), "double": pa.float64()}[kind]
