"""What a file is, by its first and last bytes, its size and its name.

A few letters say little: a header may begin with BZ, PAR1, From or (µ. So all of a signature is looked at, and where a
text could begin like it, what must stand behind it or at the end of the file; of a name that says so, the first letters
are enough, so that a damaged file is called that.

>>> form_of(b"PAR1,y\\n1,p\\n", b"1,p\\n", 11, "t.csv"), form_of(b"From a to b,y\\n", b"", 14, "-")
('text', 'text')
>>> form_of(b"From x@y Sat Jan  6 12:00:00 2024\\nTo: z\\n", b"", 99, "-"), form_of(b"From x\\n", b"", 7, "in.mbox")
('mail', 'mail')
"""

import re
from pathlib import Path

HEAD, TAIL = 4_096, 16
"""Bytes that are looked at."""
PACKED = (
    (re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"), "gzip"),
    (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), "bz2"),  # behind its name a block, or the end
    (re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), "zstd"),
)
MONTHS = b"Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
MAIL = re.compile(rb"From [^\r\n]*\b(" + MONTHS + rb")\b[^\r\n]*\d\d:\d\d[^\r\n]*\r?\n[!-9;-~]+:")
"""The line that begins a message in an mbox has a date, and a header of the message comes behind it."""
OTHERS = (
    (b"PK\x03\x04", "a ZIP archive, as spreadsheets (.xlsx) are; save the sheet as a CSV file, best as 'CSV UTF-8'"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old spreadsheet (.xls); save the sheet as a CSV file"),
    (b"\xfd7zXZ\x00", "packed with xz; unpack it first"),
    (b"SQLite format 3\x00", "an SQLite database; export the table as a CSV file"),
    (b"ORC\x0a", "an ORC file; convert it to Parquet"),
    (b"Obj\x01", "an Avro file; convert it to Parquet"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file; export the table as Parquet or CSV"),
    (b"%PDF-", "a PDF document"),
)


def form_of_file(path: Path, name: str) -> str:
    """What a file is, called `name` by people: "parquet", "arrow", "mail" or "text"; what is none is refused."""
    with path.open("rb") as file:
        head = file.read(HEAD)
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL))
        return form_of(head, file.read(TAIL), size, name)


def form_of(head: bytes, tail: bytes, size: int, name: str) -> str:
    """What a file of such bytes at its ends is."""
    for mark, what in OTHERS:
        if head.startswith(mark):
            raise ValueError(f"{name} is {what}")
    ending = Path(name).suffix.lower()
    if head.startswith(b"PAR1") and (ending in (".parquet", ".pq") or is_parquet(tail, size)):
        return "parquet"
    if head.startswith(b"ARROW1") and (
        ending in (".arrow", ".feather", ".ipc") or (head[6:8] == b"\0\0" and tail.endswith(b"ARROW1"))
    ):
        return "arrow"
    if head.startswith(b"\xff\xff\xff\xff"):
        return "arrow"
    if head.startswith(b"From ") and (ending == ".mbox" or MAIL.match(head)):
        return "mail"
    return "text"


def is_parquet(tail: bytes, size: int) -> bool:
    """Whether a file ends as Parquet does: with the length of its footer, which fits in, and its name."""
    return tail.endswith(b"PAR1") and 0 < int.from_bytes(tail[-8:-4], "little") <= size - 12


def codec_of(path: Path) -> str | None:
    """How a file is compressed, if it is."""
    with path.open("rb") as file:
        head = file.read(16)
    return next((name for pattern, name in PACKED if pattern.match(head)), None)
