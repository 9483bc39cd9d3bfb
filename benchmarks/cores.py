"""What a second core is worth: the same work kept to one core and on all of them, by the clock and by processor time.

On a machine that others use, the clock says more about them. So the work's own processor time is taken apart: what the
thread that asks does by itself, and of each piece of work that it shares out how long the piece takes. `alone` is how
long the work would take if every thread had a core to itself: its own part, and of what is shared out the longest
thread. `total` is what all threads do together; the less it grows, the less is done twice.

>>> from functools import partial
>>> one, two = on_one_and_more(partial(sum, range(100)), 2, 3)
>>> len(one.clock), len(two.clock)
(3, 3)
"""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bayesfold.runtime.threads
from benchmarks.timing import Task


@dataclass(frozen=True)
class Cores:
    """Seconds of several calls: by the clock, of all threads together, and as if each thread had a core to itself."""

    clock: tuple[float, ...]
    total: tuple[float, ...]
    alone: tuple[float, ...]


class Recorded(ThreadPoolExecutor):
    """A pool that notes what its pieces of work cost."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.threads, self.longest = threads, 0.0

    def map(self, work: Any, *items: Any, **options: Any) -> Iterator[Any]:
        """As the pool does; the pieces go, in order, to whichever thread is free first."""
        spent: list[float] = []

        def timed(*item: Any) -> Any:
            before = time.thread_time()
            answer = work(*item)
            spent.append(time.thread_time() - before)
            return answer

        answers = list(super().map(timed, *items, **options))
        busy = [0.0] * self.threads
        for seconds in spent:
            busy[busy.index(min(busy))] += seconds
        self.longest += max(busy)
        return iter(answers)


@contextmanager
def cores(number: int) -> Iterator[None]:
    """Keep this process to so many of its cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:number])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def on_one_and_more(task: Task, number: int, repeats: int = 7) -> tuple[Cores, Cores]:
    """The work on one core and on so many, by turns."""
    kept, seconds = dict(bayesfold.runtime.threads._pools), {1: [], number: []}
    try:
        for turn in range(repeats + 1):
            for some, figures in seconds.items():
                figure = once(task, some)
                if turn:  # the first call warms up
                    figures.append(figure)
    finally:
        bayesfold.runtime.threads._pools.clear()
        bayesfold.runtime.threads._pools.update(kept)
    one, more = (Cores(*zip(*figures, strict=True)) for figures in seconds.values())
    return one, more


def once(task: Task, number: int) -> tuple[float, float, float]:
    """One call on so many cores, with a pool of its own."""
    with cores(number), Recorded(number) as pool:
        bayesfold.runtime.threads._pools.clear()
        bayesfold.runtime.threads._pools[os.getpid()] = pool
        clock, total, own = time.perf_counter(), time.process_time(), time.thread_time()
        task()
        clock, total, own = time.perf_counter() - clock, time.process_time() - total, time.thread_time() - own
    return clock, total, own + pool.longest
