"""Two versions of the project on the same work, in one table: `python -m benchmarks.compare OLD... -- NEW...`.

The files are written by `python -m benchmarks --json`, in turns (old, new, old, new), so that a slow moment of the
machine falls on both. The fastest repetition of each side is compared: it is the one that other work disturbed least.
"""

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.table import duration, figure


@dataclass(frozen=True)
class Pair:
    """The fastest seconds of one piece of work in the old and in the new version, and how often each was measured."""

    work: str
    old: float
    new: float
    repetitions: tuple[int, int]

    @property
    def ratio(self) -> float:
        """How many times faster the new version is."""
        return self.old / self.new


def read_seconds(files: Iterable[Path]) -> dict[str, list[float]]:
    """Every repetition of ours by its work, over all files.

    >>> read_seconds([])
    {}
    """
    seconds: dict[str, list[float]] = {}
    for file in files:
        for lines in json.loads(file.read_text()).values():
            for line in lines:
                seconds.setdefault(line["work"], []).extend(line["ours_seconds"])
    return seconds


def pair(old: dict[str, list[float]], new: dict[str, list[float]]) -> list[Pair]:
    """The work that both versions did, in the order of the new one.

    >>> pair({"a": [2.0, 3.0], "gone": [1.0]}, {"a": [1.0]})
    [Pair(work='a', old=2.0, new=1.0, repetitions=(2, 1))]
    """
    return [
        Pair(work, min(old[work]), min(seconds), (len(old[work]), len(seconds)))
        for work, seconds in new.items()
        if work in old
    ]


def print_table(pairs: list[Pair]) -> None:
    """One Markdown row per piece of work."""
    print("| work | before | after | before / after |\n|---|---:|---:|---:|")
    for one in pairs:
        print(f"| {one.work} | {duration(one.old)} | {duration(one.new)} | {figure(one.ratio)}x |")


def main(arguments: list[str]) -> int:
    """Print the table, and what only one version measured."""
    if "--" not in arguments:
        print(__doc__)
        return 2
    border = arguments.index("--")
    old, new = (read_seconds(map(Path, names)) for names in (arguments[:border], arguments[border + 1 :]))
    pairs = pair(old, new)
    print_table(pairs)
    slower = [one.work for one in pairs if one.ratio < 0.95]
    print(f"\n{len(pairs)} pieces of work, {len(slower)} slower than .95x{': ' if slower else ''}{'; '.join(slower)}.")
    alone = [*(work for work in old if work not in new), *(work for work in new if work not in old)]
    if alone:
        print(f"Measured in one version only: {'; '.join(alone)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
