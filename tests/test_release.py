"""What goes with a release says the same as pyproject.toml: the recipe for conda, the licences, the workflow."""

import re
import tomllib
from pathlib import Path

from website import licences

import bayesfold

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_there_is_one_version():
    recipe = (ROOT / "release" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    assert re.findall(r'set version = "(.*)"', recipe) == [bayesfold.__version__]
    assert PROJECT["version"] == bayesfold.__version__


def test_the_recipe_needs_what_the_package_needs():
    recipe = (ROOT / "release" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    run = recipe.partition("  run:\n")[2].partition("\ntest:")[0]
    needed = [line.replace(" ", "") for line in re.findall(r"^    - (.*)$", run, re.MULTILINE)]
    assert needed == ["python", *PROJECT["dependencies"]]


def test_the_licences_are_those_of_what_is_installed():
    """After a change of the dependencies: python -m website.licences."""
    assert licences.PAGE.read_text(encoding="utf-8") == licences.page()
    assert "not stated" not in licences.page()


def test_the_workflow_is_nothing_but_the_checks_that_anybody_can_run():
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.findall(r"- run: (.*)", workflow) == [".ci/run"]


def test_wheels_are_built_for_every_python_that_is_supported():
    wheels = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    named = re.findall(r"Python :: 3\.(\d+)", " ".join(PROJECT["classifiers"]))
    assert wheels["build"] == [f"cp3{minor}-*" for minor in named]
