"""Tables that were sent: kept in a folder of the server's own under names of its own, the oldest of many let go."""

import gzip
import os
import re
import secrets
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock

import pyarrow as pa

from bayesfold.io.engines.arrow import is_ipc, is_parquet
from bayesfold.io.open import part_of
from bayesfold.io.signatures import HEAD, TAIL, Ends
from bayesfold.io.source import Source
from bayesfold.web.server.limits import Limits
from bayesfold.web.server.problems import Problem

ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".arrow", ".feather", ".ipc")
SPREADSHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")
PIECE = 1 << 20
LONGEST_NAME = 200
"""Bytes; file systems take 255, an ending included."""


@dataclass(frozen=True)
class Kept:
    """A table: what it is called, and where it is."""

    id: str
    name: str
    path: Path
    own: bool = True  # whether the file is the server's, to be removed with the table
    digest: str = ""  # of what was sent


@dataclass
class Tables:
    """Tables by an id that cannot be guessed."""

    limits: Limits
    kept: dict[str, Kept] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @cached_property
    def folder(self) -> Path:
        """Where they are, made when the first one comes."""
        return Path(mkdtemp(prefix="bayesfold-serve-"))

    def find(self, id: str) -> Kept:
        """The table of that id, or a problem."""
        if id not in self.kept:
            raise Problem("not-found", "there is no such table here; it was removed, or too many came after it")
        return self.kept[id]

    def receive(self, body: bytes, name: str) -> Kept:
        """Keep a table that was sent; it is unpacked if need be, and refused where it is too large."""
        if not body:
            raise Problem("not-understood", "the table is empty")
        safe_name = make_safe_name(name)
        data = unpack(body, self.limits.upload) if body[:2] == b"\x1f\x8b" else body
        told = Path(safe_name).suffix.lower()
        if told in SPREADSHEETS:
            advice = f"save its sheet as CSV, or learn it with 'bayesfold fit {safe_name}' and serve the model"
            raise Problem("not-understood", f"{safe_name} is a spreadsheet, which this page does not read; {advice}")
        ends = Ends(data[:HEAD], data[-TAIL:], len(data), safe_name)
        ending = ".parquet" if is_parquet(ends) else ".arrow" if is_ipc(ends) else told if told in ENDINGS else ".csv"
        if data.count(b"\n") > self.limits.rows + 1 and ending not in (".parquet", ".arrow"):
            raise Problem("too-large", f"a table may have {self.limits.rows:,} rows here")
        called, digest = Path(safe_name).stem + ending, sha256(data).hexdigest()
        again = next((kept for kept in list(self.kept.values()) if (kept.digest, kept.name) == (digest, called)), None)
        if again is not None:
            return again
        path = self.folder / f"{secrets.token_hex(8)}{ending}"
        kept = Kept(secrets.token_urlsafe(9), called, path, digest=digest)
        kept.path.write_bytes(data)
        try:
            self.check(kept)
        except Exception:
            kept.path.unlink(missing_ok=True)
            raise
        return self.keep(kept)

    def serve(self, path: Path) -> Kept:
        """A table of the person who started the server."""
        return self.keep(Kept(secrets.token_urlsafe(9), path.name, path, own=False))

    def keep(self, kept: Kept) -> Kept:
        """Add a table; the oldest of too many that were sent goes, and never one that the server was started with."""
        with self._lock:
            sent = [id for id, one in self.kept.items() if one.own]
            for id in sent[: max(0, len(sent) + kept.own - self.limits.tables)]:
                self._drop(id)
            self.kept[kept.id] = kept
        return kept

    def remove(self, id: str) -> None:
        """Remove a table that was sent."""
        if not self.find(id).own:
            raise Problem("forbidden", f"{self.find(id).name} was not sent here; the server was told to serve it")
        with self._lock:
            self._drop(id)

    def _drop(self, id: str) -> None:
        gone = self.kept.pop(id, None)
        if gone is not None and gone.own:
            gone.path.unlink(missing_ok=True)

    def check(self, kept: Kept) -> None:
        """Refuse what is too large once it is read, before it is read."""
        if kept.path.suffix == ".parquet":
            import pyarrow.parquet as parquet

            try:
                metadata = parquet.read_metadata(kept.path)
            except (pa.ArrowException, OSError) as error:
                raise Problem("not-understood", f"{kept.name} is no Parquet file: {error}") from None
            size = sum(metadata.row_group(k).total_byte_size for k in range(metadata.num_row_groups))
            self._limit(metadata.num_rows, metadata.num_columns, size)
        with open_kept(kept) as source:
            self._limit(0, len(source.names), 0)
            self._limit(source.count(), len(source.names), 0)

    def _limit(self, rows: int, columns: int, size: int) -> None:
        most = self.limits
        if columns > most.columns or rows > most.rows or rows * columns > most.cells or size > 4 * most.upload:
            raise Problem(
                "too-large",
                f"a table may have {most.columns:,} columns, {most.rows:,} rows and {most.cells:,} cells here",
            )

    def close(self) -> None:
        """Remove the folder, if there is one."""
        if "folder" in self.__dict__:
            shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def open_kept(kept: Kept) -> Iterator[Source]:
    """A table as a source of rows; messages call it by the name that it came with."""
    try:
        source = Source((part_of(kept.path, kept.name),), kept.name)
        source.names  # noqa: B018  (a file without columns says so here)
    except (pa.ArrowException, OSError) as error:
        raise Problem("not-understood", f"{kept.name} cannot be read: {error}") from None
    with source:
        yield source


def make_safe_name(name: str) -> str:
    """A file's name without anything that means something to a file system or a command.

    >>> make_safe_name("../../etc/pass wd.csv"), make_safe_name(""), make_safe_name("--debug.csv")
    ('pass_wd.csv', 'table.csv', 'debug.csv')
    >>> make_safe_name("C:\\\\data\\\\患者.csv")
    '患者.csv'
    """
    last = re.split(r"[/\\]", name)[-1].removesuffix(".gz")
    plain = re.sub(r"[^\w.-]", "_", last).strip("._-").encode()[:LONGEST_NAME].decode(errors="ignore")
    return plain or "table.csv"


def unpack(body: bytes, limit: int) -> bytes:
    """A gzipped table, as long as it is not too large."""
    import io

    pieces, size = [], 0
    try:
        with gzip.open(io.BytesIO(body)) as file:
            while piece := file.read(PIECE):
                size += len(piece)
                if size > limit:
                    raise Problem("too-large", f"the table has more than {limit:,} bytes once it is unpacked")
                pieces.append(piece)
    except (OSError, EOFError, zlib.error) as error:
        raise Problem("not-understood", f"the table is no whole gzip file: {error}") from None
    return b"".join(pieces)


def put_beside(kept: Kept, folder: Path) -> Path:
    """The table in another folder under its own name."""
    there = folder / kept.name
    try:
        os.symlink(kept.path.absolute(), there)
    except OSError:  # a system, or a person, that may not
        shutil.copyfile(kept.path, there)
    return there
