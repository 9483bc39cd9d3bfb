"""Mail as a table: an mbox file or a maildir, one row per message, in batches.

Columns: from (the address), domain, subject, weekday, hour (by the sender's clock), body (plain text, or HTML without
its tags; attachments are left out) and folder, which is the label where mail is sorted into folders: the name of the
mbox file, or of the maildir or its subfolder. Whatever cannot be decoded is read with replacement characters; a header
that is missing or cannot be read is null. Only the standard library is used.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "spam"
>>> _ = path.write_text("From a@b\\nFrom: Ann <ann@shop.example>\\nSubject: Win!\\n\\nA prize.\\n")
>>> reader(path).read_all().to_pylist()[0]["domain"]
'shop.example'
"""

import os
import re
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from bayesfold.io.engines._batches import Batches
from bayesfold.io.signatures import Ends

SUFFIXES = (".mbox",)
MONTHS = b"Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
FIRST_LINES = re.compile(rb"From [^\r\n]*\b(" + MONTHS + rb")\b[^\r\n]*\d\d:\d\d[^\r\n]*\r?\n[!-9;-~]+:")
"""The line that begins a message in an mbox has a date, and a header of the message comes behind it."""

SCHEMA = pa.schema(
    [
        ("from", pa.string()),
        ("domain", pa.string()),
        ("subject", pa.string()),
        ("weekday", pa.string()),
        ("hour", pa.int64()),
        ("body", pa.string()),
        ("folder", pa.string()),
    ]
)
AT_ONCE = 1_000
"""Messages in a batch."""


def opens(ends: Ends) -> bool:
    """Whether a file is an mbox.

    >>> opens(Ends(b"From a to b,y\\n", b"", 14, "-")), opens(Ends(b"From x\\n", b"", 7, "in.mbox"))
    (False, True)
    >>> opens(Ends(b"From x@y Sat Jan  6 12:00:00 2024\\nTo: z\\n", b"", 99, "-"))
    True
    """
    return ends.head.startswith(b"From ") and (ends.suffix == ".mbox" or FIRST_LINES.match(ends.head) is not None)


def part(path: Path, label: str) -> Batches:
    """An mbox file or a maildir."""
    return Batches(partial(reader, path), label, path, partial(identity, path) if path.is_dir() else None)


def opens_folder(path: Path) -> bool:
    """Whether a folder is a maildir, or has subfolders that are."""
    return (path / "cur").is_dir() or any((sub / "cur").is_dir() for sub in path.iterdir() if sub.is_dir())


def reader(path: Path) -> pa.RecordBatchReader:
    """The messages of an mbox file or of a maildir and its subfolders, in the order of their names."""
    return pa.RecordBatchReader.from_batches(SCHEMA, batches(messages(path)))


def batches(rows: Iterator[dict[str, Any]]) -> Iterator[pa.RecordBatch]:
    """Rows in batches; only one batch is held."""
    chunk: list[dict[str, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == AT_ONCE:
            yield pa.RecordBatch.from_pylist(chunk, SCHEMA)
            chunk = []
    if chunk:
        yield pa.RecordBatch.from_pylist(chunk, SCHEMA)


def messages(path: Path) -> Iterator[dict[str, Any]]:
    """One dict per message."""
    import mailbox  # takes a while to load, as what reads a message does

    from bayesfold.io.engines._messages import row_of

    if not path.is_dir():
        box: Any = mailbox.mbox(path, create=False)
        try:
            yield from (row_of(box[key], path.stem) for key in sorted(box.keys()))
        finally:
            box.close()
        return
    for folder in folders(path):
        own = mailbox.Maildir(folder, create=False)
        yield from (row_of(own[key], folder.name.lstrip(".")) for key in sorted(own.keys()))


def folders(path: Path) -> Iterator[Path]:
    """A maildir and the maildirs in it."""
    if (path / "cur").is_dir():
        yield path
    for sub in sorted(path.iterdir()):
        if sub.is_dir() and (sub / "cur").is_dir():
            yield from folders(sub)


def identity(path: Path) -> list[str]:
    """What tells a maildir from others, and from itself after mail has come or gone: its messages' names, sizes and
    dates. That a message was read or flagged, which is all that the rest of its file's name says, is no change."""
    digest = sha256()
    for folder in folders(path):
        files = [
            (file.name.partition(":")[0], file.stat().st_size, file.stat().st_mtime_ns)
            for part in ("cur", "new")
            if (folder / part).is_dir()
            for file in os.scandir(folder / part)
            if file.is_file() and not file.name.startswith(".")
        ]
        digest.update(repr((str(folder.relative_to(path)), sorted(files))).encode())
    return [str(path.resolve()), digest.hexdigest()]
