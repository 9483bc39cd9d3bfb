"""One file for each row of the table; its name is the word for `--rows`, and its `run(options)` yields lines."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.table import Line


@dataclass(frozen=True)
class Options:
    """How much work to do."""

    quick: bool = False  # a fiftieth of the rows: a check that everything runs, not a measurement
    full: bool = False  # do all of the work that is otherwise scaled up from a part

    def rows(self, number: int) -> int:
        return number // 50 if self.quick else number


def names() -> list[str]:
    """Every row, by discovery."""
    return [module.name for module in pkgutil.iter_modules(__path__)]


def find(name: str) -> Callable[[Options], Iterator[Line]]:
    """The `run` of one row."""
    if name not in names():
        raise SystemExit(f"There is no row {name!r}. Choose from: {', '.join(names())}.")
    run: Callable[[Options], Iterator[Line]] = importlib.import_module(f"{__name__}.{name}").run
    return run
