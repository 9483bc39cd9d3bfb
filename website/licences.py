"""What bayesfold installs, what for, and under which licence; `python -m website.licences` writes the page."""

import re
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from website.contents import DOCS

PAGE = DOCS / "licences.md"
HEAD = """\
# Licences of dependencies

bayesfold is under BSD-3-Clause. These packages are installed with `pip install bayesfold` and its extras on Linux; the
licences are those in the packages' metadata. `python -m website.licences` writes this page, and a test checks it. No
code of these packages is copied into bayesfold, except that reports and the browser interface contain plotly.js (MIT).

| package | comes with | licence |
|---|---|---|
"""
SHORT = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}


def needed() -> dict[str, set[str]]:
    """{package: the extras that bring it, "" for the core}"""
    found: dict[str, set[str]] = {}
    for line in distribution("bayesfold").requires or ():
        requirement = Requirement(line)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", str(requirement.marker or ""))
        gather(requirement, extra[1] if extra else "", found)
    return found


def gather(requirement: Requirement, reason: str, found: dict[str, set[str]]) -> None:
    """Add a requirement and what it requires in turn."""
    name = canonicalize_name(requirement.name)
    if reason in found.setdefault(name, set()):
        return
    found[name].add(reason)
    for line in distribution(name).requires or ():
        inner = Requirement(line)
        wanted = any(
            inner.marker is None or inner.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)
        )
        if wanted:
            try:
                gather(inner, reason, found)
            except PackageNotFoundError:  # another platform's
                del found[canonicalize_name(inner.name)]


def licence(name: str) -> str:
    """What a package says of its licence: an expression, its classifiers, or the first line of its own words."""
    said = distribution(name).metadata
    if said.get("License-Expression"):
        return str(said["License-Expression"])
    classified = [c.rpartition(" :: ")[2] for c in said.get_all("Classifier") or () if c.startswith("License :: ")]
    if classified and classified != ["OSI Approved"]:
        return " / ".join(SHORT.get(one, one) for one in classified)
    return str(said.get("License") or "not stated").splitlines()[0][:40]


def page() -> str:
    """The page as it should be."""
    rows = []
    for name, reasons in sorted(needed().items()):
        brought = "bayesfold" if "" in reasons else ", ".join(f"`[{extra}]`" for extra in sorted(reasons))
        rows.append(f"| {name} | {brought} | {licence(name)} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
