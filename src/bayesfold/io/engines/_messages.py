"""A message as a row: its headers and its text, whatever can be decoded of them.

>>> from email import message_from_string
>>> row_of(message_from_string("From: Ann <ann@shop.example>\\nSubject: Win!\\n\\nA prize."), "spam")["domain"]
'shop.example'
"""

from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from html.parser import HTMLParser
from typing import Any

LONGEST = 1 << 20
"""Most characters of a body that are read."""

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def row_of(message: Message, folder: str) -> dict[str, Any]:
    """A message as a row."""
    address = parseaddr(read_header(message, "from") or "")[1] or None
    try:
        sent = parsedate_to_datetime(str(message.get("date", "")))
    except (ValueError, TypeError, IndexError):
        sent = None
    return {
        "from": address,
        "domain": address.rpartition("@")[2].lower() or None if address else None,
        "subject": read_header(message, "subject"),
        "weekday": None if sent is None else DAYS[sent.weekday()],
        "hour": None if sent is None else sent.hour,
        "body": body_of(message)[:LONGEST] or None,
        "folder": folder,
    }


def read_header(message: Message, name: str) -> str | None:
    """A header as text, encoded words decoded."""
    raw = message.get(name)
    if raw is None:
        return None
    try:
        text = str(make_header(decode_header(str(raw))))
    except (LookupError, ValueError):
        text = str(raw)
    return replace_surrogates(" ".join(text.split())) or None


def body_of(message: Message) -> str:
    """The plain parts of a message; where there are none, the HTML ones without tags."""
    plain, html = [], []
    for part in message.walk():
        if part.is_multipart() or part.get_content_disposition() == "attachment":
            continue
        kind = part.get_content_type()
        if kind == "text/plain":
            plain.append(decode_part(part))
        elif kind == "text/html":
            html.append(without_tags(decode_part(part)))
    return "\n".join(plain or html).strip()


def decode_part(part: Message) -> str:
    """A part's bytes as text."""
    raw = part.get_payload(decode=True)
    if not isinstance(raw, bytes):
        return ""
    try:
        return replace_surrogates(raw.decode(part.get_content_charset() or "utf-8", "replace"))
    except LookupError:  # a charset that nobody knows
        return raw.decode("utf-8", "replace")


def replace_surrogates(text: str) -> str:
    """Text that UTF-8 can hold: the lone surrogates that mail's parser leaves become question marks."""
    return text.encode("utf-8", "replace").decode()


class HtmlText(HTMLParser):
    """The words of a page, without those of scripts and styles."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Skip what is inside scripts and styles."""
        self.hidden += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        """Stop skipping where a script or a style ends."""
        self.hidden -= tag in ("script", "style") and self.hidden > 0

    def handle_data(self, data: str) -> None:
        """Keep the text that a reader sees."""
        if not self.hidden:
            self.words.append(data)


def without_tags(page: str) -> str:
    """The text of HTML."""
    parser = HtmlText()
    parser.feed(page)
    parser.close()
    return " ".join(" ".join(parser.words).split())
