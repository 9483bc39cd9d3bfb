"""How far a long piece of work has come.

>>> Progress(rows=500_000, total=2_000_000, seconds=2.0)
25 %, 250,000 rows/s, 6 s left
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Progress:
    """Rows done, of how many, in how long."""

    rows: int
    total: int
    seconds: float

    @property
    def share(self) -> float:
        """The share of the rows that is done, from 0 to 1."""
        return self.rows / self.total if self.total else 1.0

    @property
    def rate(self) -> float:
        """Rows per second."""
        return self.rows / max(self.seconds, 1e-9)

    @property
    def left(self) -> float:
        """Seconds that the remaining rows will take at this rate."""
        return max(0, self.total - self.rows) / max(self.rate, 1e-9)

    def __repr__(self) -> str:
        return f"{self.share:.0%}".replace("%", " %") + f", {self.rate:,.0f} rows/s, {self.left:.0f} s left"


Watcher = Callable[[Progress], None]


def watch(
    blocks: Iterator[tuple[int, Item]], total: int, watcher: Watcher | None, begin: int = 0
) -> Iterator[tuple[int, Item]]:
    """Yield the blocks as they come, and report the progress after each to the watcher."""
    started = perf_counter()
    previous = begin
    for at, block in blocks:
        if watcher is not None and at > previous:
            watcher(Progress(at - begin, total - begin, perf_counter() - started))
        previous = at
        yield at, block
    if watcher is not None:
        watcher(Progress(total - begin, total - begin, perf_counter() - started))
