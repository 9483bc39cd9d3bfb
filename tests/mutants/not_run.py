"""Which lines the tests run, package by package, and which of them no test runs, as `trace` found it.

Kernels are compiled: what of them is run is seen by planting mistakes alone.
"""

from collections import defaultdict
from itertools import groupby
from pathlib import Path

from coverage import Coverage
from tests.mutants.lines import PACKAGE


def not_run(known: dict, package: Path = PACKAGE) -> dict[str, tuple[int, list[int]]]:
    """How many lines each module has, and those that are not run; a line that only types see is none."""
    reader = Coverage(data_file=None, config_file=False)
    found: dict[str, tuple[int, list[int]]] = {}
    for file in sorted(package.rglob("*.py")):
        path = str(file.relative_to(package.parents[1]))
        if "/kernels/" not in path:
            lines = reader.analysis2(str(file))[1]
            run = known["lines"].get(path, {})
            found[path] = len(lines), [line for line in lines if str(line) not in run]
    return found


def summary(known: dict, rooms: tuple[str, ...] = (), package: Path = PACKAGE) -> str:
    """A line per package, and per module of the rooms that are named, with the lines that are not run."""
    total, missing, told = defaultdict[str, int](int), defaultdict[str, int](int), []
    for path, (lines, left) in not_run(known, package).items():
        room = path.split("/")[2].removesuffix(".py")
        total[room] += lines
        missing[room] += len(left)
        if room in rooms and left:
            told.append(f"{path}: {', '.join(runs(left))}")
    total["all"], missing["all"] = sum(total.values()), sum(missing.values())
    told += [f"{room}: {1 - missing[room] / total[room]:.1%} of {total[room]} lines" for room in total]
    return "\n".join(told)


def runs(lines: list[int]) -> list[str]:
    """Numbers, and runs of them by their ends.

    >>> runs([3, 4, 5, 9])
    ['3-5', '9']
    """
    groups = [[line for _, line in group] for _, group in groupby(enumerate(lines), lambda pair: pair[1] - pair[0])]
    return [f"{group[0]}-{group[-1]}" if len(group) > 1 else str(group[0]) for group in groups]
