"""Every page copied to where it stands in the site, with links that lead there."""

import os
import re
from pathlib import Path

from website.contents import DOCS, ELSEWHERE, ROOT

LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")
EXAMPLES = ROOT / "examples"
END = re.compile(r"\n\n```$")  # the blank line that ends what a session prints
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def places() -> dict[Path, Path]:
    """{file of the repository: its place in the site}"""
    pages = {page: page.relative_to(DOCS) for page in [*DOCS.rglob("*.md"), *DOCS.rglob("*.svg")]}
    return pages | {ROOT / name: Path(place) for name, place in ELSEWHERE.items()}


def stage(into: Path) -> None:
    """Write every page and picture below `into`."""
    where = places()
    for source, place in where.items():
        if source.parent == ROOT and place.name == "index.md":
            continue
        target = into / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            target.write_text(relinked(source.read_text(encoding="utf-8"), source, where, into), encoding="utf-8")
        else:
            target.write_bytes(source.read_bytes())


def relinked(text: str, source: Path, where: dict[Path, Path], into: Path) -> str:
    """The text of a page with its links to files leading to their places in the site; code stays as it is."""
    here = where[source].parent

    def lead(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(source.parent / link[2]))
        if target in where:
            return f"{link[1]}{Path(os.path.relpath(where[target], here)).as_posix()}{link[3]}"
        if target.suffix in (".py", ".ipynb") and target.parent == EXAMPLES:  # its page is made from it
            made = Path("examples") / f"{target.stem}.md"
            return f"{link[1]}{Path(os.path.relpath(made, here)).as_posix()}{link[3]}"
        return f"{link[1]}{Path(os.path.relpath(kept(target, into), here)).as_posix()}{link[3]}"

    parts = FENCE.split(text)
    return "".join(END.sub("\n```", part) if part.startswith("```") else LINK.sub(lead, part) for part in parts)


def kept(file: Path, into: Path) -> Path:
    """The place of a file that is no page (a licence, a script), which is copied as it is."""
    place = Path("files") / file.relative_to(ROOT)
    if file.is_file():
        (into / place).parent.mkdir(parents=True, exist_ok=True)
        (into / place).write_bytes(file.read_bytes())
        return place
    raise FileNotFoundError(f"a page links to {file.relative_to(ROOT)}, which is not a file")
