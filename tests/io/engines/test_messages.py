"""A message as a row: addresses, dates and bodies as they come, and what cannot be read."""

from email import message_from_bytes, message_from_string

import pytest

from bayesfold.io.engines import _messages
from bayesfold.io.engines._messages import row_of, without_tags


def row(text):
    return row_of(message_from_string(text), "inbox")


def test_headers_are_read():
    found = row(
        "From: Ann <Ann@Shop.Example>\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n  to  you\n"
        "Date: Tue, 3 Jun 2008 11:05:30 +0100\n\n  A prize.  \n"
    )
    assert found == {
        "from": "Ann@Shop.Example", "domain": "shop.example", "subject": "Grüße to you", "weekday": "Tuesday",
        "hour": 11, "body": "A prize.", "folder": "inbox",
    }  # fmt: skip
    days = [row(f"Date: {7 + k} Jan 2008 00:00:00 +0000\n\nx")["weekday"] for k in range(7)]
    assert days == ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    assert row("Date: 7 Jan 2008 00:00:00 +0000\n\nx")["hour"] == 0, "midnight is an hour"


def test_what_is_not_there_is_missing():
    nothing = dict.fromkeys(("from", "domain", "subject", "weekday", "hour", "body")) | {"folder": "inbox"}
    assert row("\n") == nothing
    assert row("From: \nSubject:  \nDate: someday\n\n \n") == nothing
    assert (row("From: ann\n\nx")["from"], row("From: ann\n\nx")["domain"]) == ("ann", "ann")
    assert row("From: ann@\n\nx")["domain"] is None
    assert row("Subject: =?nobody?q?x?=\n\nx")["subject"] == "=?nobody?q?x?="
    assert row_of(message_from_bytes(b"Subject: a\xff\n\nx"), "f")["subject"] is not None


PARTS = """Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=utf-8

<p>bold <b>words</b><script>no()</script></p>
--b
Content-Type: {}

plain one
--b
Content-Type: text/plain
Content-Disposition: attachment

kept out
--b
Content-Type: image/png

pixels
--b--
"""


def test_a_body_is_its_plain_parts_or_else_the_words_of_its_pages():
    assert row(PARTS.format("text/plain"))["body"] == "plain one"
    assert row(PARTS.format("text/csv"))["body"] == "bold words"
    both = PARTS.format("text/plain").replace("Content-Disposition: attachment\n", "")
    assert row(both)["body"] == "plain one\nkept out"


def test_charsets_that_nobody_knows_are_taken_for_utf_8():
    page = "Content-Type: text/plain; charset={}\nContent-Transfer-Encoding: base64\n\n{}\n"
    assert row(page.format("latin-1", "4A=="))["body"] == "à"
    assert row(page.format("martian", "w6A="))["body"] == "à"
    assert row("Content-Transfer-Encoding: base64\n\nw6A=\n")["body"] == "à"


def test_so_many_characters_are_read(monkeypatch):
    monkeypatch.setattr(_messages, "LONGEST", 4)
    assert row("\n12345")["body"] == "1234"
    assert row("\n1234")["body"] == "1234"


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("<p>a  b</p>\n<p>c</p>", "a b c"), ("a<style>b</style>c", "a c"), ("a</script>b", "a b"),
        ("<script>a</script>b<script>c</script>d", "b d"), ("a &amp; b", "a & b"), ("<i>unended", "unended"), ("", ""),
        ("<script>a</style>b</script>c", "c"),
    ],
)  # fmt: skip
def test_pages_without_their_tags(page, words):
    assert without_tags(page) == words
