"""A model that is exported answers as Python does, in JavaScript, SQL and ONNX; what cannot be is refused in words."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.store.export.answers import EVERYWHERE

from .seeds import seeds
from .sentences import attempt
from .tables import Table, table
from .test_tables import ESTIMATORS, answers, fitted

FARTHEST = 1e6
"""Far beyond this, log densities are so large that the order in which they are summed decides."""

FAILED_ONCE = (710_081,)
"""SQL of a nearly singular covariance."""


def check(seed: int, _: Path) -> None:
    """The model of this seed's table, asked in another language about the rows it has learned."""
    made = told_in_json(table(seed))
    if not made.columns:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf, refused = attempt(lambda: fitted(ESTIMATORS[seed % len(ESTIMATORS)], made.columns, made))
        if refused is not None:
            return
        expected = answers(clf, made.columns)
        language = list(EVERYWHERE)[seed // len(ESTIMATORS) % len(EVERYWHERE)]
        found, refused = attempt(lambda: EVERYWHERE[language](clf, made.columns))
    if refused is not None:
        return
    np.testing.assert_allclose(found[0], expected, atol=1e-7, err_msg=language)


def told_in_json(made: Table) -> Table:
    """The columns whose cells every language has, under names that all can tell apart."""
    names = {name.casefold(): name for name, cells in made.columns.items() if name and all(map(is_plain, cells))}
    return Table({name: made.columns[name] for name in names.values()}, made.labels, made.weights)


def is_plain(cell: Any) -> bool:
    """Whether a cell is the same in every language."""
    if isinstance(cell, float):
        return abs(cell) < FARTHEST
    return cell is None or isinstance(cell, str | bool) or (isinstance(cell, int) and abs(cell) < 2**53)


@pytest.mark.parametrize("seed", [*seeds(300), *FAILED_ONCE])
def test_any_export(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)
