"""The list of mistakes fits the sources, and what is planted is a mistake that compiles."""

import ast

import pytest

from .kernels import importers, is_kernel
from .lines import ROOT
from .named import NAMED, Named


@pytest.mark.parametrize("mistake", NAMED, ids=lambda mistake: mistake.what)
def test_every_mistake_can_be_planted_and_names_tests_that_there_are(mistake: Named) -> None:
    planted = mistake.planted(ROOT)
    assert ast.dump(ast.parse(planted.source)) != ast.dump(ast.parse((ROOT / mistake.path).read_text("utf-8")))
    assert all((ROOT / test).exists() for test in mistake.tests)


@pytest.mark.slow
def test_the_callers_of_kernels_are_known() -> None:
    """Each kernel is imported by Python or by a kernel that is; so there are tests to ask about it."""
    kernels = {str(file.relative_to(ROOT)) for file in (ROOT / "src/bayesfold/kernels").rglob("*.py")}
    assert {path for path in kernels if is_kernel(path)} <= set(importers())
