"""Every command in README.md and docs/command.md is run, and prints what the page says; "..." stands for anything."""

import re
import shlex
from pathlib import Path

import pytest

from bayesfold.cli._main import main

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COSTS = """\
{"home": {"ward": 6, "intensive care": 60}, "ward": {"home": 2, "intensive care": 15}, \
"intensive care": {"home": 8, "ward": 4}}
"""


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
    pieces = [" ".join(piece.split()) for piece in expected.split("...")]
    return re.fullmatch(r" ?.* ?".join(map(re.escape, pieces)), " ".join(said.split())) is not None


@pytest.mark.parametrize("page", ["README.md", "docs/command.md"])
def test_a_page_prints_what_the_command_prints(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("costs.json").write_text(COSTS, encoding="utf-8")
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
