"""One line of the table: what was done, how long both sides took, what was aimed at, and whether the answers agree."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.timing import Timing

COLUMNS = {
    "work": 53, "peer": 19, "peer median [min..max]": 24, "our median [min..max]": 24, "ratio": 7, "target": 16,
    "verdict": 21, "memory peer / ours": 18, "largest difference": 18,
}  # fmt: skip


@dataclass(frozen=True)
class Target:
    """Our median may be at most `factor` times the peer's plus `offset` seconds; `text` says it in the table."""

    text: str
    factor: float
    offset: float = 0.0


def at_least(ratio: float) -> Target:
    """So many times faster than the peer."""
    return Target(f">= {ratio:g}x", 1 / ratio)


def within(ratio: float) -> Target:
    """At most so many times the peer's time."""
    return Target(f"<= {ratio:g}x its time", ratio)


def at_most(seconds: float) -> Target:
    """At most so long, whatever the peer takes."""
    return Target(f"<= {duration(seconds)}", 0.0, seconds)


def at_most_longer(seconds: float) -> Target:
    """At most so much longer than the peer."""
    return Target(f"<= peer + {duration(seconds)}", 1.0, seconds)


@dataclass(frozen=True)
class Agreement:
    """The largest difference between two answers, what it may be, and how many labels differ."""

    difference: float
    tolerance: float
    labels: int = 0

    @property
    def holds(self) -> bool:
        return bool(self.difference <= self.tolerance and self.labels == 0)  # NaN does not hold


def compare(ours: npt.ArrayLike, peer: npt.ArrayLike, tolerance: float = 1e-9) -> Agreement:
    """Compare two (n, classes) arrays of probabilities or log probabilities, and the labels that they imply."""
    a, b = np.asarray(ours), np.asarray(peer)
    if a.shape != b.shape:
        return Agreement(float("inf"), tolerance)
    return Agreement(float(np.abs(a - b).max()), tolerance, int((a.argmax(1) != b.argmax(1)).sum()))


@dataclass(frozen=True)
class Line:
    """What is printed; times are for the whole work named, scaled up where the note says that the peer did a part."""

    work: str
    peer: str
    ours_time: Timing
    peer_time: Timing
    target: Target | None = None
    agreement: Agreement | None = None
    memory: tuple[int, int] | None = None  # peer, ours: bytes above the inputs
    note: str = ""

    @property
    def ratio(self) -> float:
        return self.peer_time.median / self.ours_time.median

    @property
    def verdict(self) -> str:
        if self.target is None:
            return "no target"
        reached = (self.target.factor * self.peer_time.median + self.target.offset) / self.ours_time.median
        return "met" if reached >= 1 else "between half and full" if reached >= 0.5 else "missed"

    def cells(self) -> tuple[str, ...]:
        """The texts of one printed line, in the order of COLUMNS."""
        memory = "" if self.memory is None else f"{self.memory[0] / 2**20:.0f} / {self.memory[1] / 2**20:.0f} MiB"
        target = "" if self.target is None else self.target.text
        times = spread(self.peer_time), spread(self.ours_time)
        return (self.work, self.peer, *times, f"{figure(self.ratio)}x", target, self.verdict, memory, self.answer())

    def answer(self) -> str:
        """The largest difference, and a word in capitals where it is too large."""
        if self.agreement is None:
            return ""
        labels = f", {self.agreement.labels} labels" if self.agreement.labels else ""
        return f"{self.agreement.difference:.1e}{labels}" + ("" if self.agreement.holds else " DISAGREES")

    def record(self) -> dict[str, Any]:
        """What goes into the JSON file."""
        plain = {"work": self.work, "peer": self.peer, "ratio": self.ratio, "verdict": self.verdict, "note": self.note}
        times = {"ours_seconds": self.ours_time.seconds, "peer_seconds": self.peer_time.seconds}
        agreement = None if self.agreement is None else {**vars(self.agreement), "holds": self.agreement.holds}
        target = None if self.target is None else self.target.text
        return {**plain, **times, "target": target, "agreement": agreement, "memory_peer_ours_bytes": self.memory}


def row(cells: tuple[str, ...]) -> str:
    """Cells padded to their columns: lines can be printed one by one, as they are measured."""
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, COLUMNS.values(), strict=True)).rstrip()


def figure(number: float) -> str:
    """Three digits, or all of those before the point."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def unit(seconds: float) -> tuple[float, str]:
    """The unit in which a time is best said."""
    return (1.0, "s") if seconds >= 1 else (1e-3, "ms") if seconds >= 1e-3 else (1e-6, "us")


def duration(seconds: float) -> str:
    """A figure and its unit."""
    size, name = unit(seconds)
    return f"{figure(seconds / size)} {name}"


def spread(timing: Timing) -> str:
    """The median and the range, in the median's unit."""
    size, name = unit(timing.median)
    low, median, high = (figure(seconds / size) for seconds in (timing.low, timing.median, timing.high))
    return f"{median} {name} [{low}..{high}]"
