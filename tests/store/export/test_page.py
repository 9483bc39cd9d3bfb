"""What the page on exports says of JavaScript is what Node prints: each comment is a line of its output."""

import doctest
import re
import subprocess
from pathlib import Path

from .answers import node

PAGE = (Path(__file__).parents[3] / "docs" / "export.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_what_the_page_prints_is_what_node_prints():
    names = {}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for text in blocks("python"):
        session = doctest.DocTestParser().get_doctest(text, names, "export.md", None, 0)
        runner.run(session, clear_globs=False)
        names.update(session.globs)
    script = "".join(blocks("js"))
    run = subprocess.run(
        [node().args[0], "-e", script], cwd=names["folder"], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == re.findall("^// (.*)$", script, re.MULTILINE)
