"""Time two pieces of work side by side: they alternate, so that a slow moment of the machine falls on both.

>>> from functools import partial
>>> ours, peer = alternate(partial(sorted, [2, 1]), partial(list, [2, 1]))
>>> len(ours.seconds), ours.low <= ours.median <= ours.high
(5, True)
"""

import gc
import math
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Task = Callable[[], Any]  # no arguments; picklable where its memory is measured too: a partial of a module's function

SAMPLE_SECONDS = 0.01  # a shorter task is called often enough to fill this, so that the clock's own cost disappears


@dataclass(frozen=True)
class Timing:
    """Seconds of one call, one figure for each repetition."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def low(self) -> float:
        return min(self.seconds)

    @property
    def high(self) -> float:
        return max(self.seconds)

    def times(self, factor: float) -> "Timing":
        """The same measurements for `factor` times the work."""
        return Timing(tuple(second * factor for second in self.seconds))


def alternate(ours: Task, peer: Task, repeats: int = 5, peer_repeats: int | None = None) -> tuple[Timing, Timing]:
    """Warm both up, then time ours, peer, ours, peer, ...; a slow peer may take part in the first rounds only."""
    peer_rounds = repeats if peer_repeats is None else peer_repeats
    calls = {side: calls_per_sample(side) for side in (ours, peer)}
    seconds: dict[Task, list[float]] = {ours: [], peer: []}
    with quiet_collector():
        for turn in range(repeats):
            for side in (ours, peer) if turn < peer_rounds else (ours,):
                seconds[side].append(sample(side, calls[side]))
    return Timing(tuple(seconds[ours])), Timing(tuple(seconds[peer]))


def calls_per_sample(task: Task) -> int:
    """Warm up, and find how many calls fill a sample (the second call is timed: the first may import and allocate)."""
    first = sample(task, 1)
    if first > 10 * SAMPLE_SECONDS:
        return 1
    return max(1, math.ceil(SAMPLE_SECONDS / max(sample(task, 1), 1e-7)))


def sample(task: Task, calls: int) -> float:
    """Seconds of one call, averaged over `calls` in a row, with no garbage collection in between."""
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(calls):
            task()
        return (time.perf_counter() - start) / calls
    finally:
        if enabled:
            gc.enable()


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Set aside every object that lives now, so that the collection before each sample looks at few."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
