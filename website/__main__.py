"""Build the site: `python -m website [FOLDER]`; every warning and every dead link is an error."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from website import examples, reference
from website.contents import ROOT, menu
from website.links import dead
from website.staging import stage


def build(site: Path, source: Path) -> list[str]:
    """Write the site; what is wrong with it."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    stage(source)
    reference.write(source)
    examples.write(source)
    gather_decisions(source)
    add_menu(source)
    (source / "_static").mkdir()
    shutil.copy(Path(__file__).with_name("style.css"), source / "_static")
    shutil.copy(Path(__file__).with_name("conf.py"), source)
    shutil.rmtree(site, ignore_errors=True)
    strict = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(source / ".doctrees")]
    built = subprocess.run([sys.executable, "-m", "sphinx", *strict, str(source), str(site)])
    return ["sphinx has warnings, which stand above"] if built.returncode else dead(site)


def gather_decisions(source: Path) -> None:
    """The list of decisions, which closes the first page of docs/, has a page of its own in the site."""
    home = source / "index.md"
    text, _, decisions = home.read_text(encoding="utf-8").partition("## Decisions\n")
    home.write_text(
        f"{text}## Decisions\n\n[Why it is built as it is](decisions/index.md), half a page each.\n", encoding="utf-8"
    )
    tree = ["```{toctree}", ":hidden:", ":glob:", "", "0*", "```"]
    listed = re.sub(r"^(\d+)\. ", r"- \1\. ", decisions.replace("](decisions/", "]("), flags=re.MULTILINE)
    (source / "decisions" / "index.md").write_text("\n".join(["# Decisions", listed, *tree, ""]), encoding="utf-8")


def add_menu(source: Path) -> None:
    """Hang every page below the first one."""
    home = source / "index.md"
    lines = [home.read_text(encoding="utf-8")]
    for caption, pages in menu(examples.pages(), reference.pages()).items():
        lines += ["", "```{toctree}", ":hidden:", f":caption: {caption}", ":maxdepth: 2", "", *pages, "```"]
    home.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    wrong = build(site, site.with_name(f"{site.name}-source"))
    for line in wrong:
        print(line, file=sys.stderr)
    if not wrong:
        print(f"the site is in {site}/index.html")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
