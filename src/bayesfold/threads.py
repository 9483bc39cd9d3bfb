"""One pool of threads for compiled loops, entered only where the work is worth waking it.

>>> spread(lambda begin, end: end - begin, 10, step=4)      # pieces of `step` rows, answers in order
[4, 4, 2]
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Answer = TypeVar("Answer")
Item = TypeVar("Item")

BLOCK = 65_536
"""Rows in a block: moments are summed block by block and merged left to right, so bits never depend on threads."""

WORTH_WAKING = 4_096
"""Rows of a column from which another thread is worth waking."""

_pools: dict[int, ThreadPoolExecutor] = {}


def pool() -> ThreadPoolExecutor:
    """This process's pool: keyed by process id, because a forked child inherits a pool whose threads are gone."""
    found = _pools.get(os.getpid())
    if found is None:
        _pools.clear()
        found = _pools[os.getpid()] = ThreadPoolExecutor(workers(), thread_name_prefix="bayesfold")
    return found


def workers() -> int:
    """How many threads may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[int, int], Answer], rows: int, step: int = BLOCK) -> list[Answer]:
    """work(begin, end) for each piece of `step` rows, side by side when there is more than one; answers in order."""
    if rows <= step:
        return [work(0, rows)]
    return each(lambda begin: work(begin, min(begin + step, rows)), range(0, rows, step))


def each(work: Callable[[Item], Answer], items: Iterable[Item], rows: int = BLOCK) -> list[Answer]:
    """work(item) for each item, side by side when there is more than one and each looks at many rows; in order."""
    todo = list(items)
    if len(todo) < 2 or rows < WORTH_WAKING or workers() < 2:
        return [work(item) for item in todo]
    return list(pool().map(work, todo))
