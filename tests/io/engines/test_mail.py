"""Mail as a table: mbox and maildir, encodings, broken headers, and a spam filter straight from folders."""

import mailbox
from base64 import b64encode
from email import message_from_bytes
from email.message import EmailMessage

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.io.engines import _messages, mail
from bayesfold.io.engines._messages import body_of, row_of, without_tags
from bayesfold.io.open import open_source


def message(subject="Hello", body="plain words", sender="Ann <ann@Shop.example>", html=None, date=None):
    made = EmailMessage()
    made["From"], made["Subject"] = sender, subject
    made["Date"] = date or "Tue, 03 Nov 2026 23:15:00 +0100"
    made.set_content(body)
    if html is not None:
        made.add_alternative(html, subtype="html")
    return made


@pytest.fixture
def folder(tmp_path):
    """Where a maildir's subfolders go."""
    (tmp_path / "mail").mkdir()
    return tmp_path / "mail"


def rows(path):
    return mail.reader(path).read_all().to_pylist()


def test_an_mbox_is_a_row_a_message(tmp_path):
    box = mailbox.mbox(tmp_path / "spam.mbox")
    for each in (message("Gewinn für Sie €", "größe"), message(html="<p>shown</p>", body="text first")):
        box.add(each)
    box.close()
    first, second = rows(tmp_path / "spam.mbox")
    assert first == {
        "from": "ann@Shop.example",
        "domain": "shop.example",
        "subject": "Gewinn für Sie €",
        "weekday": "Tuesday",
        "hour": 23,
        "body": "größe",
        "folder": "spam",
    }
    assert second["body"] == "text first"


def test_html_alone_is_read_without_tags_and_attachments_are_left_out(tmp_path):
    made = EmailMessage()
    made["From"] = "x@y.example"
    made.set_content("<style>p{}</style><p>Win &amp; <b>smile</b></p><script>no()</script>", subtype="html")
    made.add_attachment(b"bytes", maintype="application", subtype="pdf", filename="a.pdf")
    box = mailbox.mbox(tmp_path / "in")
    box.add(made)
    box.close()
    (row,) = rows(tmp_path / "in")
    assert row["body"] == "Win & smile"
    assert row["subject"] is row["hour"] is row["weekday"] is None


def test_a_maildir_has_its_subfolders_as_labels(folder):
    for name in ("ham", "spam"):
        box = mailbox.Maildir(folder / f".{name}")
        box.add(message(name))
    assert [(r["subject"], r["folder"]) for r in rows(folder)] == [("ham", "ham"), ("spam", "spam")]


@pytest.mark.parametrize(
    "raw",
    [
        b"From x\nSubject: =?utf-8?q?broken=ZZ?=\n\nbody\n",
        b"From x\nSubject: =?no-such-charset?q?a?=\nContent-Type: text/plain; charset=no-such\n\nbody \xff\n",
        b"From x\nDate: yesterday\nFrom: nobody\n\n\xff\xfe raw\n",
        b"From x\n\n",
    ],
)
def test_what_is_broken_is_read_as_far_as_it_goes(tmp_path, raw):
    (tmp_path / "box").write_bytes(raw)
    (row,) = rows(tmp_path / "box")
    assert set(row) == set(mail.SCHEMA.names)


def test_batches_hold_a_limited_number_of_messages(tmp_path, monkeypatch):
    monkeypatch.setattr(mail, "AT_ONCE", 2)
    box = mailbox.mbox(tmp_path / "many")
    for i in range(5):
        box.add(message(f"number {i}"))
    box.close()
    assert [batch.num_rows for batch in mail.reader(tmp_path / "many")] == [2, 2, 1]


def test_mail_is_a_source_of_rows(folder, tmp_path):
    for name in ("ham", "spam"):
        box = mailbox.Maildir(folder / f".{name}")
        for i in range(3):
            box.add(message(f"{name} {i}"))
    box = mailbox.mbox(tmp_path / "one.mbox")
    box.add(message("alone"))
    box.close()
    assert open_source(str(tmp_path / "one.mbox")).parts[0].count() == 1
    assert open_source(str(folder)).parts[0].count() == 6


def test_a_spam_filter_from_folders(folder):
    for name, words in (("ham", "lunch meeting report"), ("spam", "win prize money")):
        box = mailbox.Maildir(folder / f".{name}")
        for i in range(12):
            box.add(message(words.split()[i % 3], " ".join(np.roll(words.split(), i))))
    table = mail.reader(folder).read_all()
    clf = bf.TextClassifier().fit(table.select(["subject", "body"]), table["folder"])
    assert clf.predict({"subject": ["win"], "body": ["money"]}).tolist() == ["spam"]


def test_maildirs_and_mboxes_are_sources_by_path_and_by_glob(folder, tmp_path):
    for label in ("ham", "spam"):
        mailbox.Maildir(folder / f".{label}").add(message(label))
        box = mailbox.mbox(tmp_path / f"{label}.mbox")
        box.add(message(label))
        box.close()
    boxes = [str(tmp_path / "ham.mbox"), str(tmp_path / "spam.mbox")]
    for what in (folder, str(folder / ".*"), [folder / ".ham", folder / ".spam"], str(tmp_path / "*.mbox"), boxes):
        with open_source(what) as source:
            look = source.look(("subject", "folder"), 100, {}, {})
            assert look.table.to_pydict() == {"subject": ["ham", "spam"], "folder": ["ham", "spam"]}
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no file matches"):
        open_source(str(tmp_path / "emp*"))
    with pytest.raises(ValueError, match="is a folder"):
        open_source(tmp_path / "empty")


def test_a_maildir_is_told_from_others_by_its_messages(folder):
    box = mailbox.Maildir(folder / ".ham")
    keys = [box.add(message(f"number {i}")) for i in range(3)]
    before = mail.identity(folder)
    with open_source(str(folder)) as source:
        assert source.identity() == [before]
    new, cur = folder / ".ham" / "new", folder / ".ham" / "cur"
    (new / keys[0]).rename(cur / f"{keys[0]}:2,S")  # it has been read: what it says is the same
    assert mail.identity(folder) == before
    box.add(message("one more"))
    after = mail.identity(folder)
    assert after != before
    (cur / f"{keys[0]}:2,S").unlink()
    assert mail.identity(folder) not in (before, after)


def body(*parts):
    """What is read of a message of these parts, each its kind, its text, and whether it is an attachment."""
    made = EmailMessage()
    made.make_mixed()
    for kind, text, *attached in parts:
        part = EmailMessage()
        part.set_content(text, subtype=kind)
        if attached:
            part.add_header("Content-Disposition", "attachment", filename="a.txt")
        made.attach(part)
    return body_of(message_from_bytes(made.as_bytes()))


def test_all_plain_parts_are_read_or_else_all_parts_of_html():
    assert body(("plain", "one"), ("html", "<p>two</p>"), ("plain", "three")) == "one\n\nthree"
    assert body(("html", "<p>two</p>"), ("html", "<b>four</b>")) == "two\nfour"
    assert body(("plain", "one", True), ("html", "<p>two</p>")) == "two"
    assert body(("calendar", "BEGIN")) == ""


def test_scripts_and_styles_are_skipped_however_deep_they_are():
    assert without_tags("a<script>x<style>y</style>z</script>b") in ("a b", "ab")
    assert without_tags("</script>a <style>x</style> b") == "a b"
    assert without_tags("  a\n\n<i>b</i> &lt;c  ") == "a b <c"


def test_headers_are_read_without_gaps_and_what_is_empty_is_none(monkeypatch):
    monkeypatch.setattr(_messages, "LONGEST", 5)
    text = "From: <Ann@Shop.EXAMPLE>\nSubject: a\n  b\t c\nDate: Sun, 01 Nov 2026 00:05:00 +0000\n\n 123456789"
    assert row_of(message_from_bytes(text.encode()), "in") == {
        "from": "Ann@Shop.EXAMPLE",
        "domain": "shop.example",
        "subject": "a b c",
        "weekday": "Sunday",
        "hour": 0,
        "body": "12345",
        "folder": "in",
    }
    empty = row_of(message_from_bytes(b"From: \nSubject:  \nDate: soon\n\n \n"), "in")
    assert empty == dict.fromkeys(empty, None) | {"folder": "in"}
    assert row_of(message_from_bytes(b"From: nobody\n\nx"), "in")["domain"] == "nobody"


def test_parts_whose_charset_is_unknown_or_does_not_fit_are_read_as_far_as_they_go():
    for charset, data, text in (
        ("latin-1", b"\xe9", "é"),
        ("no-such", b"\xc3\xa9", "é"),
        ("utf-8", b"a\xff", "a\ufffd"),
    ):
        raw = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n".encode() + data
        assert body_of(message_from_bytes(raw)) == text


def test_a_plain_part_without_a_word_does_not_hide_the_html():
    assert body(("plain", " \n"), ("html", "<p>win</p>")) == "win"


def test_tags_within_a_line_and_comments_do_not_split_words():
    assert without_tags("<p><b>W</b>elcome, V<!-- x -->iagra<br>one</p>two<td>1</td><td>2</td>") == (
        "Welcome, Viagra one two 1 2"
    )
    assert without_tags("<a href=x>so</a> <span>it</span><SPAN> is</SPAN>") == "so it is"


def header(text):
    return row_of(message_from_bytes(b"Subject: " + text + b"\n\nx"), "in")["subject"]


def test_headers_that_are_utf_8_as_they_stand_are_read():
    assert header("Größe 你好".encode()) == "Größe 你好"
    assert header("für =?iso-8859-1?Q?Gr=FC=DFe?= 你好 \\u0041".encode()) == "für Grüße 你好 \\u0041"
    assert header("Å =?utf-8?Q?b?= Å".encode()) == "Å b Å"
    assert header(b"caf\xe9") == "caf\ufffd"


def test_a_word_that_cannot_be_decoded_stays_as_it_is():
    assert header(b"a =?utf-8?B?b?= c") == "a =?utf-8?B?b?= c"


def test_a_header_with_a_word_of_a_charset_that_nobody_knows_keeps_the_others():
    assert header(b"=?no-such?Q?a?= x =?utf-8?Q?=C3=BC?=") == "=?no-such?Q?a?= x ü"


def test_a_comma_in_the_encoded_name_of_a_sender_is_not_taken_for_another_address():
    for name in (b"=?utf-8?Q?Doe=2C_John?=", "Jörg".encode(), b'"Doe, John"'):
        row = row_of(message_from_bytes(b"From: " + name + b" <john@x.example>\n\nx"), "in")
        assert (row["from"], row["domain"]) == ("john@x.example", "x.example")


def test_what_goes_beyond_the_named_charset_is_read_as_mail_programs_read_it():
    for charset, wider, text in (
        ("us-ascii", "utf-8", "été"),
        ("gb2312", "gbk", "镕 便宜"),
        ("shift_jis", "cp932", "①"),
        ("euc-kr", "cp949", "똠"),
    ):
        raw = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n".encode()
        assert body_of(message_from_bytes(raw + text.encode(wider))) == text
    assert header(b"=?gb2312?B?" + b64encode("镕".encode("gbk")) + b"?=") == "镕"
