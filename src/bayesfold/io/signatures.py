"""What a file is, by its first and last bytes, its size and its name; what each engine opens it says itself (`opens`).

A few letters say little: a header may begin with BZ, PAR1, From or (µ. So all of a signature is looked at, and where a
text could begin like it, what must stand behind it or at the end of the file; of a name that says so, the first letters
are enough, so that a damaged file is called that.
"""

import re
from dataclasses import dataclass
from pathlib import Path

HEAD, TAIL = 4_096, 16
"""Bytes that are looked at."""
PACKED = (
    (re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"), "gzip"),
    (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), "bz2"),  # behind its name a block, or the end
    (re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), "zstd"),
)
OTHERS = (
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old document of an office program"),
    (b"\xfd7zXZ\x00", "packed with xz; unpack it first"),
    (b"SQLite format 3\x00", "an SQLite database; export the table as a CSV file"),
    (b"ORC\x0a", "an ORC file; convert it to Parquet"),
    (b"Obj\x01", "an Avro file; convert it to Parquet"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file; export the table as Parquet or CSV"),
    (b"%PDF-", "a PDF document"),
)


@dataclass(frozen=True)
class Ends:
    """The first and the last bytes of a file, its size, and what people call it."""

    head: bytes
    tail: bytes
    size: int
    name: str

    @property
    def suffix(self) -> str:
        """How its name ends, in small letters."""
        return Path(self.name).suffix.lower()


def ends_of(path: Path, name: str) -> Ends:
    """The ends of a file that people call `name`."""
    with path.open("rb") as file:
        head = file.read(HEAD)
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL))
        return Ends(head, file.read(TAIL), size, name)


def refuse_others(ends: Ends) -> None:
    """Say what a file is that is known and cannot be read."""
    for mark, what in OTHERS:
        if ends.head.startswith(mark):
            raise ValueError(f"{ends.name} is {what}")
    if ends.head[257:262] == b"ustar":  # behind the names and dates of its first file
        raise ValueError(f"{ends.name} is a tar archive; unpack it first")


def codec_of(path: Path) -> str | None:
    """How a file is compressed, if it is."""
    with path.open("rb") as file:
        head = file.read(16)
    return next((name for pattern, name in PACKED if pattern.match(head)), None)
