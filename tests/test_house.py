"""The house is as it is drawn: rooms in their order, plugs that do not know each other, a test for every module."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "bayesfold"
PLUGS = (
    "cli/commands",
    "families",
    "io/engines",
    "learning/kinds",
    "models/structures",
    "networks/formats",
    "plots",
    "store/export",
)
"""Folders whose files are found by name."""


def rows() -> list[str]:
    """The rooms of each row, top to bottom, as the contract has them."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    found: list[str] = next(c for c in contracts if c.get("containers") == ["bayesfold"])["layers"]
    return found


def imported(path: Path) -> set[str]:
    """The modules that a file imports, by name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


def test_nothing_lies_flat_but_init() -> None:
    assert [path.name for path in SOURCE.glob("*.py")] in (["__init__.py"], ["__init__.py", "__main__.py"])


def test_a_person_can_remember_the_rows() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms == {room for row in rows() for room in row.split(" | ")}
    assert len(rows()) <= 16
    assert len(rooms) <= 17


def test_contributing_draws_the_rows_as_they_are() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn = text.partition("## The rooms")[2].split("```")[1].strip().splitlines()
    assert [re.split(r"\s{2,}", line)[0] for line in drawn] == rows()


@pytest.mark.parametrize("folder", PLUGS)
def test_plugs_do_not_know_each_other(folder: str) -> None:
    home = "bayesfold." + folder.replace("/", ".")
    plugs = {path.stem: path for path in (SOURCE / folder).glob("*.py") if not path.stem.startswith("_")}
    assert plugs
    known = {
        (name, other)
        for name, path in plugs.items()
        for other in plugs
        if other != name and f"{home}.{other}" in imported(path)
    }
    assert not known


@pytest.mark.parametrize("folder", PLUGS)
def test_a_folder_of_plugs_holds_nothing_else(folder: str) -> None:
    others = [path.name for path in (SOURCE / folder).iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert not others


def test_the_walk_through_the_rooms_names_places_that_are_there() -> None:
    text = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    rooms = "|".join(room for row in rows() for room in row.split(" | "))
    places = set(re.findall(rf"(?<![\w/])(?:{rooms})/\w+(?:/\w+)*", text))
    assert len(places) > 15
    missing = [p for p in places if not ((SOURCE / f"{p}.py").exists() or (SOURCE / p / "__init__.py").exists())]
    assert not missing
    named = re.findall(r"(\w+(?:/\w+)+) +(?:\w+\.)?(\w+): ", text)
    assert len(named) > 6
    for module, function in named:
        assert re.search(rf"def {function}\b", (SOURCE / f"{module}.py").read_text()), function
