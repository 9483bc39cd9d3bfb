"""One pool of threads for compiled loops, entered only where the work is worth waking it.

>>> spread(lambda begin, end: end - begin, 10, step=4)      # pieces of `step` rows, answers in order
[4, 4, 2]
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ContextDecorator
from threading import Lock, local
from typing import Any, TypeVar, cast

Answer = TypeVar("Answer")
Item = TypeVar("Item")

BLOCK = 65_536
"""Rows in a block: moments are summed block by block and merged left to right, so bits never depend on threads."""

WORTH_WAKING = 4_096
"""Rows of a column from which another thread is worth waking."""

SHARES = 4
"""Into so many shares for each thread work is cut: few, and yet no thread waits long for the last."""

_pools: dict[int, ThreadPoolExecutor] = {}
_own = local()
MARK = (_own, "of_the_pool", True)
"""A thread of the pool does all of its work itself: if it waited for the others, they might all wait."""


def pool() -> ThreadPoolExecutor:
    """This process's pool: keyed by process id, because a forked child inherits a pool whose threads are gone."""
    found = _pools.get(os.getpid())
    if found is None:
        _pools.clear()
        found = ThreadPoolExecutor(workers(), thread_name_prefix="bayesfold", initializer=setattr, initargs=MARK)
        _pools[os.getpid()] = found
    return found


def workers() -> int:
    """How many threads may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class OneAtATime(ContextDecorator):
    """While any thread is inside, matrix products and decompositions use the thread that asks for them alone.

    Of small matrices, threads that wait for one another take many times as long, the more so on a busy machine.
    """

    def __init__(self) -> None:
        self._lock, self._inside, self._libraries, self._limit = Lock(), 0, cast(Any, None), cast(Any, None)

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside > 1:
                return
            if self._libraries is None:
                from threadpoolctl import ThreadpoolController

                self._libraries = ThreadpoolController().select(user_api="blas")
            self._limit = self._libraries.limit(limits=1)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limit.restore_original_limits()


one_at_a_time = OneAtATime()


def spread(work: Callable[[int, int], Answer], rows: int, step: int = BLOCK) -> list[Answer]:
    """work(begin, end) for each piece of `step` rows, side by side when there is more than one; answers in order."""
    if rows <= step:
        return [work(0, rows)]
    return each(lambda begin: work(begin, min(begin + step, rows)), range(0, rows, step))


def each(work: Callable[[Item], Answer], items: Iterable[Item], rows: int = BLOCK) -> list[Answer]:
    """work(item) for each item, side by side when there is more than one and each looks at many rows; in order."""
    todo = list(items)
    if len(todo) < 2 or rows < WORTH_WAKING or workers() < 2 or getattr(_own, "of_the_pool", False):
        return [work(item) for item in todo]
    step = -(-len(todo) // (SHARES * workers()))  # waking a thread costs as much as a short piece of work
    some = [todo[i : i + step] for i in range(0, len(todo), step)]
    return [answer for answers in pool().map(lambda items: [work(i) for i in items], some) for answer in answers]
