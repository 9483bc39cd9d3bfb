"""Mail as a table: an mbox file or a maildir, one row a message, in batches.

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

import mailbox
import os
from collections.abc import Iterator
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa

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

LONGEST = 1 << 20
"""Characters of a body that are read."""

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def is_maildir(path: Path) -> bool:
    """Whether a path is a maildir, or a folder whose subfolders are."""
    if not path.is_dir():
        return False
    return (path / "cur").is_dir() or any((sub / "cur").is_dir() for sub in path.iterdir() if sub.is_dir())


def reader(path: Path) -> pa.RecordBatchReader:
    """The messages of an mbox file or of a maildir and its subfolders, in the order of their names."""
    return pa.RecordBatchReader.from_batches(SCHEMA, batches(messages(path)))


def batches(rows: Iterator[dict[str, Any]]) -> Iterator[pa.RecordBatch]:
    """Rows in batches; only one batch is held."""
    some: list[dict[str, Any]] = []
    for row in rows:
        some.append(row)
        if len(some) == AT_ONCE:
            yield pa.RecordBatch.from_pylist(some, SCHEMA)
            some = []
    if some:
        yield pa.RecordBatch.from_pylist(some, SCHEMA)


def messages(path: Path) -> Iterator[dict[str, Any]]:
    """One dict a message."""
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
        found = [
            (file.name.partition(":")[0], file.stat().st_size, file.stat().st_mtime_ns)
            for part in ("cur", "new")
            if (folder / part).is_dir()
            for file in os.scandir(folder / part)
            if file.is_file() and not file.name.startswith(".")
        ]
        digest.update(repr((str(folder.relative_to(path)), sorted(found))).encode())
    return [str(path.resolve()), digest.hexdigest()]


def row_of(message: Message, folder: str) -> dict[str, Any]:
    """A message as a row."""
    address = parseaddr(header(message, "from") or "")[1] or None
    try:
        sent = parsedate_to_datetime(str(message.get("date", "")))
    except (ValueError, TypeError, IndexError):
        sent = None
    return {
        "from": address,
        "domain": address.rpartition("@")[2].lower() or None if address else None,
        "subject": header(message, "subject"),
        "weekday": None if sent is None else DAYS[sent.weekday()],
        "hour": None if sent is None else sent.hour,
        "body": body_of(message)[:LONGEST] or None,
        "folder": folder,
    }


def header(message: Message, name: str) -> str | None:
    """A header as text, encoded words decoded."""
    raw = message.get(name)
    if raw is None:
        return None
    try:
        text = str(make_header(decode_header(str(raw))))
    except (LookupError, ValueError):
        text = str(raw)
    return clean(" ".join(text.split())) or None


def body_of(message: Message) -> str:
    """The plain parts of a message; where there are none, the HTML ones without tags."""
    plain, html = [], []
    for part in message.walk():
        if part.is_multipart() or part.get_content_disposition() == "attachment":
            continue
        kind = part.get_content_type()
        if kind == "text/plain":
            plain.append(decoded(part))
        elif kind == "text/html":
            html.append(without_tags(decoded(part)))
    return "\n".join(plain or html).strip()


def decoded(part: Message) -> str:
    """A part's bytes as text."""
    raw = part.get_payload(decode=True)
    if not isinstance(raw, bytes):
        return ""
    try:
        return clean(raw.decode(part.get_content_charset() or "utf-8", "replace"))
    except LookupError:  # a charset that nobody knows
        return raw.decode("utf-8", "replace")


def clean(text: str) -> str:
    """Text that UTF-8 can hold: the lone surrogates that mail's parser leaves become question marks."""
    return text.encode("utf-8", "replace").decode()


class Text(HTMLParser):
    """The words of a page, without those of scripts and styles."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Scripts and styles say nothing."""
        self.hidden += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        """And end."""
        self.hidden -= tag in ("script", "style") and self.hidden > 0

    def handle_data(self, data: str) -> None:
        """What a reader sees."""
        if not self.hidden:
            self.words.append(data)


def without_tags(page: str) -> str:
    """The text of HTML."""
    parser = Text()
    parser.feed(page)
    parser.close()
    return " ".join(" ".join(parser.words).split())
