"""Everything that README.md and docs/ print is run: one namespace a file, block after block."""

import doctest
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import bayesfold

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "examples" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(page):
    """The python blocks of a page, each with the line it begins on."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, found.start(1)), found.group(1)) for found in FENCE.finditer(text)]


TRANSLATED = sorted((ROOT / "docs" / "zh" / "tour").glob("*.md"))
"""Pages whose code is that of the page in English, comments aside: it is run there."""


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda p: p.name)
def test_a_translated_page_has_the_code_of_the_original(page):
    def code(of):
        return [re.sub(r" +# .*$", "", text, flags=re.MULTILINE) for _, text in blocks(of)]

    assert code(page) == code(ROOT / "docs" / "tour" / page.name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page not in TRANSLATED and blocks(page)],
    ids=lambda p: p.relative_to(ROOT).as_posix(),
)
def test_what_a_page_prints_is_what_python_prints(page):
    names = {"__name__": "__main__"}
    runner, parser, said = doctest.DocTestRunner(optionflags=FLAGS), doctest.DocTestParser(), []
    for line, text in blocks(page):
        if ">>>" not in text:  # a script: it prints nothing that could be checked, but it has to run
            exec(compile("\n" * line + text, str(page), "exec"), names)
            continue
        session = parser.get_doctest(text, names, page.name, str(page), line)
        runner.run(session, out=said.append, clear_globs=False)
        names.update(session.globs)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


def test_there_are_pages_to_run():
    assert any(blocks(page) for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_link_to_a_file_leads_somewhere(page):
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_readme_runs_in_what_it_sets_up():
    """What its snippets import, and what the report draws with, is in the lock of ./dev demo."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^>>> (?:import|from) (\w+)", text, re.MULTILINE)) - {"bayesfold"} - sys.stdlib_module_names
    assert "pandas" in shown
    assert "$ bayesfold report" in text
    wanted = {package for name in shown | {"plotly"} for package in packages_distributions()[name]}
    locked = set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / "run.txt").read_text(), re.MULTILINE))
    assert wanted - locked == set()


def test_what_is_cited_is_this_version():
    told = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert told is not None
    assert told[1] == bayesfold.__version__


def test_the_tests_that_vouch_for_safety_are_there():
    named = re.findall(r"`(tests/[\w/.]+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("*.md")), ids=lambda p: p.name)
def test_a_decision_is_listed_under_its_number(page):
    number = int(page.name[:4])
    assert page.read_text(encoding="utf-8").startswith(f"# {number}. ")
    assert re.search(
        rf"^{number}\. \[.+\]\(decisions/{re.escape(page.name)}\)",
        (ROOT / "docs" / "index.md").read_text("utf-8"),
        re.MULTILINE,
    )
