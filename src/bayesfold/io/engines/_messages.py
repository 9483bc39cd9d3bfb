"""A message as a row: its headers and its text, whatever can be decoded of them.

>>> from email import message_from_string
>>> row_of(message_from_string("From: Ann <ann@shop.example>\\nSubject: Win!\\n\\nA prize."), "spam")["domain"]
'shop.example'
"""

import codecs
import re
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from html.parser import HTMLParser
from typing import Any

LONGEST = 1 << 20
"""Most characters of a body that are read."""

WORD = r"=\?[^?\s]*\?[qQbB]\?[^?]*\?="
ENCODED = re.compile(rf"{WORD}(?:\s+{WORD})*")
"""Encoded words of a header (RFC 2047); the gaps between them are none."""

WIDER = {"us-ascii": "utf-8", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949"}
"""Charsets that mail names although it goes beyond them, and those that hold the rest too."""

INLINE = """
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong
    sub sup time tt u var wbr
"""
WITHIN_A_WORD = frozenset(INLINE.split())
"""Tags that HTML shows without a gap."""

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def row_of(message: Message, folder: str) -> dict[str, Any]:
    """A message as a row."""
    address = " ".join(parseaddr(raw_header(message, "from") or "")[1].split()) or None
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
    raw = raw_header(message, name)
    if raw is None:
        return None
    return " ".join(ENCODED.sub(lambda found: decode_words(found.group()), raw).split()) or None


def decode_words(encoded: str) -> str:
    """Encoded words that follow one another, as text; as they are if they cannot be decoded."""
    try:
        pieces = decode_header(encoded)
        for _, charset in pieces:
            codecs.lookup(charset or "ascii")
    except (MessageError, LookupError, ValueError):
        return encoded
    return "".join(piece if isinstance(piece, str) else decode_bytes(piece, charset) for piece, charset in pieces)


def raw_header(message: Message, name: str) -> str | None:
    """A header as it was sent: where its letters were not encoded, they are UTF-8 (RFC 6532), or else replaced."""
    found = next((value for key, value in message.raw_items() if key.lower() == name), None)
    if found is None:
        return None
    return str(found).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


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
    texts = plain if any(text.strip() for text in plain) else html
    return "\n".join(texts).strip()


def decode_part(part: Message) -> str:
    """A part's bytes as text."""
    raw = part.get_payload(decode=True)
    if not isinstance(raw, bytes):
        return ""
    return decode_bytes(raw, part.get_content_charset())


def decode_bytes(raw: bytes, charset: str | None) -> str:
    """Bytes as text in the charset that mail names, or a wider one; UTF-8 where it names none that is known."""
    named = (charset or "utf-8").lower()
    try:
        return replace_surrogates(raw.decode(WIDER.get(named, named), "replace"))
    except (LookupError, ValueError):  # a charset that nobody knows
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
        """Skip what is inside scripts and styles; words end where a line or a cell does."""
        self.end_word(tag)
        self.hidden += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        """Stop skipping where a script or a style ends."""
        self.end_word(tag)
        self.hidden -= tag in ("script", "style") and self.hidden > 0

    def end_word(self, tag: str) -> None:
        """Leave a gap, unless a page shows none."""
        if tag not in WITHIN_A_WORD:
            self.words.append(" ")

    def handle_data(self, data: str) -> None:
        """Keep the text that a reader sees."""
        if not self.hidden:
            self.words.append(data)


def without_tags(page: str) -> str:
    """The text of HTML."""
    parser = HtmlText()
    parser.feed(page)
    parser.close()
    return " ".join("".join(parser.words).split())
