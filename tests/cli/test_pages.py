"""Every command in README.md and docs/ is run, and prints what the page says; "..." stands for anything."""

import mailbox
import re
import shlex
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from bayesfold.cli._main import main

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COSTS = """\
{"home": {"ward": 6, "intensive care": 60}, "ward": {"home": 2, "intensive care": 15}, \
"intensive care": {"home": 8, "ward": 4}}
"""
SHOP = """\
spent,town,left
"$1,250.00",York,yes
"$90.50",york,no
"$2,100.00",Bath,yes
"""
FILTER = """\
{"spam": {"ham": 9}, "ham": {"spam": 1}}
"""
WORDS = {
    "ham": ["lunch", "meeting", "report", "ten", "office", "notes", "late", "thanks"],
    "spam": ["win", "prize", "money", "free", "click", "cash", "claim", "now"],
}


def mail(folder, words, draw):
    """A made-up message: mostly the words of its folder, now and then another's, from one of two places."""
    of = [*WORDS[folder] * 2, "the", "and", "you", "to", *WORDS["ham" if folder == "spam" else "spam"]]
    made = EmailMessage()
    made["From"] = f"someone@{draw.choice([folder, 'shop'])}.example"
    made["Date"] = f"Tue, {draw.randint(1, 28):02} Jan 2026 {draw.randint(0, 23):02}:15:00 +0000"
    text = words.split() if words else draw.choices(of, k=draw.randint(5, 12))
    made["Subject"] = " ".join(text[:2])
    made.set_content(" ".join(text[2:]))
    return made


def mailboxes(draw):
    """A sorted maildir, an inbox, and one message of the wrong folder with its correction."""
    slip = mail("ham", "free lunch thanks to the office", draw)
    for name in ("Maildir", "wrong", "right"):
        Path(name).mkdir()
    every = [("Maildir", "ham", mail("ham", "", draw)) for _ in range(60)]
    every += [("Maildir", "spam", mail("spam", "", draw)) for _ in range(40)]
    every += [("Maildir", "spam", slip), ("wrong", "spam", slip), ("right", "ham", slip)]
    for name, folder, message in every:
        mailbox.Maildir(Path(name) / f".{folder}").add(message)
    box = mailbox.mbox("inbox.mbox")
    for folder, words in (("ham", "report is late thanks"), ("spam", "win cash now click"), ("spam", "free lunch now")):
        box.add(mail(folder, words, draw))
    box.close()


def steps(page):
    """(command, what it is to print) of every block."""
    found = []
    for block in FENCE.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            found.append((command, expected))
    return found


def agrees(expected, said):
    """Whether a text is what a page says, whatever the white space and whatever stands for "..."."""
    first, *others = [" ".join(piece.split()) for piece in expected.split("...")]
    text = " ".join(said.split())
    if not others:
        return text == first
    place, found = len(first), text.startswith(first)
    for piece in others[:-1]:  # the first place behind the piece before it leaves the most room for the rest
        at = text.find(piece, place)
        place, found = at + len(piece), found and at >= 0
    return found and text.endswith(others[-1]) and place + len(others[-1]) <= len(text)


SERVED = "docs/page.md"
"""The page whose commands are asked of a running server: tests/web/test_page_docs.py runs them."""
PAGES = [
    name
    for page in (*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").rglob("*.md")))
    if (name := page.relative_to(ROOT).as_posix()) != SERVED and FENCE.search(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_prints_what_the_command_prints(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("costs.json").write_text(COSTS, encoding="utf-8")
    Path("shop.csv").write_text(SHOP, encoding="utf-8")
    Path("filter.json").write_text(FILTER, encoding="utf-8")
    mailboxes(Random(0))
    every = steps(ROOT / page)
    assert every
    for command, expected in every:
        name, *arguments = shlex.split(command)
        if name == "cat":
            print(Path(arguments[0]).read_text(encoding="utf-8"), end="")
        else:
            assert name == "bayesfold", command
            main(arguments)
        said = capsys.readouterr()
        assert agrees(expected, said.out + said.err), (
            f"$ {command}\n--- the page says\n{expected}\n--- it prints\n{said.out}{said.err}"
        )
