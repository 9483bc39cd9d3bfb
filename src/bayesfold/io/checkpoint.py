"""A long count that survives its process: the model so far and how many rows are in it, written whole at block ends.

A checkpoint knows which source, columns and settings it belongs to, and is refused for any other. Counting goes on
behind the last row that it holds: no row is counted twice, and the bits are those of a run that was never interrupted.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import pyarrow as pa

from bayesfold.io.csv.column_types import TEXT
from bayesfold.io.look import Look
from bayesfold.io.selection import Selection
from bayesfold.io.source import Source
from bayesfold.learning.kinds import Settings
from bayesfold.learning.trained import Trained
from bayesfold.runtime.arrow_buffers import empty_table
from bayesfold.runtime.overwriting import refuse_overwriting
from bayesfold.store import Unreadable, load_with, save
from bayesfold.store.container import Arrays
from bayesfold.store.plain import encode

SECONDS = 5.0
"""Seconds after which a checkpoint is written, at the next end of a block."""


@dataclass(frozen=True)
class Resumed:
    """What a checkpoint holds: the model so far, the rows that were counted (`unlabelled` of them had no class), the
    features that it counts, and how they are read."""

    trained: Trained
    rows: int
    unlabelled: int
    features: tuple[str, ...]
    look: Look


@dataclass
class Checkpoint:
    """Where to keep the count, and what it is a count of."""

    path: Path
    key: str
    look: Look
    source: Source
    written: float = field(default_factory=lambda: -SECONDS)

    def keep(
        self, trained: Trained, rows: int, unlabelled: int, features: tuple[str, ...], at_once: bool = False
    ) -> None:
        """Write the model so far, if the last time was long enough ago."""
        if not at_once and monotonic() - self.written < SECONDS:
            return
        kinds = {name: "text" if kind == TEXT else str(kind) for name, kind in self.look.types.items()}
        extra = {
            "checkpoint": self.key,
            "rows": rows,
            "unlabelled": unlabelled,
            "features": features,
            "total": self.look.rows,
            "sampled": self.look.sampled,
            "delivered": tuple(self.source.delivered),
            "kinds": kinds,
            "found_out": tuple(sorted(self.look.found_out)),
            "markers": {name: tuple(sorted(marks)) for name, marks in self.look.markers.items() if marks},
            "usual": {name: tuple(marks) for name, marks in self.look.usual.items()},
        }
        save(trained, self.path, extra)
        self.written = monotonic()

    def discard(self) -> None:
        """Remove the file, if it is there and a checkpoint of this."""
        if self.path.exists():
            read_checkpoint(self.path, self.key)
            self.path.unlink()


@dataclass(frozen=True)
class Keeping:
    """Where a count is to be kept, what tells it from others, and what is there already of it."""

    path: Path
    key: str
    before: Resumed | None

    @classmethod
    def of(
        cls,
        path: str | os.PathLike[str],
        settings: Settings,
        source: Source,
        selection: Selection,
        declared: Mapping[str, str],
    ) -> "Keeping":
        """A file that is not there yet, or is a checkpoint of this work; any other is refused."""
        refuse_overwriting(path, source.files, "give the checkpoint another name")
        key = key_of(settings, source, selection, declared)
        return cls(Path(path), key, resume(path, key, source))

    def checkpoint(self, look: Look, source: Source) -> Checkpoint:
        """The checkpoint that writes the count."""
        return Checkpoint(self.path, self.key, look, source)


def key_of(settings: Settings, source: Source, selection: Selection, declared: Mapping[str, str]) -> str:
    """A digest of the source, the columns and the settings."""
    parts = source.identity()
    if any(part is None for part in parts) or source.spool is not None:
        raise ValueError(
            f"{source.name} can be read once, so a count of it cannot be taken up again; leave checkpoint= out, or put "
            "the rows in a file first"
        )
    unknown = sorted(map(repr, selection.unknown))
    columns = selection.features, selection.target, selection.weight, unknown, sorted(declared.items())
    digest = hashlib.sha256(repr((type(settings).__name__, parts, *columns)).encode())
    arrays: Arrays = {}
    told = {name: without_frame(value) for name, value in vars(settings).items()}
    digest.update(json.dumps(encode(told, arrays)).encode())  # print elides arrays and rounds their numbers
    for name, array in arrays.items():
        digest.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
    return digest.hexdigest()


def without_frame(value: Any) -> Any:
    """What a person has told, as dicts and lists where it is a data frame, a table or a Series."""
    ways = ("to_pylist", "to_dicts", "to_dict", "to_list")
    way = next((way for way in ways if hasattr(value, way)), None)
    return value if way is None else getattr(value, way)()


def resume(path: str | os.PathLike[str], key: str, source: Source) -> Resumed | None:
    """What a checkpoint holds; None if there is none yet, and an error if it is one of something else."""
    if not Path(path).exists():
        return None
    trained, extra = read_checkpoint(path, key)
    own = source.types(list(extra["kinds"]))
    types = {name: restore_type(kind, own[name], source.is_text) for name, kind in extra["kinds"].items()}
    markers = {name: frozenset(marks) for name, marks in extra["markers"].items()}
    source.delivered = list(extra["delivered"])
    usual = {name: list(marks) for name, marks in extra["usual"].items()}
    found_out = frozenset(extra["found_out"])
    look = Look(extra["total"], empty_table(types), types, markers, found_out, extra["sampled"], usual)
    return Resumed(trained, extra["rows"], extra["unlabelled"], tuple(extra["features"]), look)


def read_checkpoint(path: str | os.PathLike[str], key: str) -> tuple[Trained, dict[str, Any]]:
    """The model in a checkpoint and what is noted beside it; any other file is refused."""
    try:
        trained, extra = load_with(path)
    except (Unreadable, IsADirectoryError) as error:
        raise ValueError(
            f"{os.fspath(path)} is not a checkpoint and was left as it is ({error}); give a path where there is no "
            "file yet"
        ) from None
    if not isinstance(extra, dict) or "checkpoint" not in extra:
        raise ValueError(
            f"{os.fspath(path)} is not a checkpoint but a model, and was left as it is; give a path where there is no "
            "file yet"
        )
    if extra["checkpoint"] != key:
        raise ValueError(
            f"{os.fspath(path)} is not a checkpoint of this work: the source, the target, the columns or the settings "
            "differ, or a file has changed since. Remove it to begin again, or give another path"
        )
    return trained, extra


def restore_type(kind: str, own: pa.DataType, is_text: bool) -> pa.DataType:
    """A column's type: of a text file as it was decided, elsewhere the one that it has by itself."""
    if not is_text:
        return own
    return {"text": TEXT, "int64": pa.int64(), "double": pa.float64()}[kind]
