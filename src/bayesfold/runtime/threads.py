"""One pool of threads for compiled loops, entered only where the work is worth waking it.

>>> spread(lambda begin, end: end - begin, 10, step=4)      # pieces of `step` rows, answers in order
[4, 4, 2]
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ContextDecorator, contextmanager
from threading import Lock, local
from typing import Any, TypeVar, cast

Answer = TypeVar("Answer")
Item = TypeVar("Item")

BLOCK = 65_536
"""Rows in a block: moments are summed block by block and merged left to right, so bits never depend on threads."""

WORTH_WAKING = 4_096
"""Rows of a column from which another thread is worth waking."""

SHARES = 4
"""Shares of work per thread: few, and yet no thread waits long for the last."""

_pools: dict[int, ThreadPoolExecutor] = {}
_lost: list[ThreadPoolExecutor] = []
_own = local()
MARK = (_own, "of_the_pool", True)
"""What a thread of the pool does, or one that shares its work, it does alone: waiting for others, all might wait."""


def pool() -> ThreadPoolExecutor:
    """This process's pool: keyed by process id, because a forked child inherits a pool whose threads are gone."""
    threads = _pools.get(os.getpid())
    if threads is None:
        threads = ThreadPoolExecutor(workers(), thread_name_prefix="bayesfold", initializer=setattr, initargs=MARK)
        _pools[os.getpid()] = threads
    return threads


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

    def start_anew(self) -> None:
        """In a forked child: of the threads that were inside none is left, and one may have held the lock.

        What they limited stays limited: to change it, BLAS would take locks that they may have held too.
        """
        self._lock, self._inside = Lock(), 0


one_at_a_time = OneAtATime()


def start_anew() -> None:
    """In a forked child: a pool whose threads are gone is put aside, and not cleared: that would wait for them."""
    _lost.extend(_pools.values())
    _pools.clear()
    _own.of_the_pool = False
    one_at_a_time.start_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=start_anew)


@contextmanager
def alone() -> Iterator[None]:
    """What this thread does meanwhile it does alone: other processes have the other processors.

    >>> with alone():
    ...     spread(lambda begin, end: end - begin, 10, step=4)
    [4, 4, 2]
    """
    before = getattr(_own, "of_the_pool", False)
    _own.of_the_pool = True
    try:
        with one_at_a_time:
            yield
    finally:
        _own.of_the_pool = before


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
    shares = [todo[i : i + step] for i in range(0, len(todo), step)]
    return [answer for answers in shared(lambda items: [work(i) for i in items], shares) for answer in answers]


def shared(work: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
    """work(item) for each item, each done by the next thread that is free; the one that asks is one of them.

    If it slept meanwhile, the system would often wake the others on its processor, one after another. After an error
    no further item is begun; of several errors the first item's is raised, whichever thread was first.
    """
    answers: dict[int, Answer] = {}
    errors: dict[int, BaseException] = {}
    left, lock = iter(enumerate(items)), Lock()

    def take() -> None:
        while not errors:
            with lock:
                at, item = next(left, (-1, None))
            if at < 0:
                return
            try:
                answers[at] = work(cast(Item, item))
            except BaseException as error:  # noqa: BLE001  (it is raised below)
                errors[at] = error

    others = [pool().submit(take) for _ in range(min(workers(), len(items)) - 1)]
    _own.of_the_pool = True
    try:
        take()
    finally:
        _own.of_the_pool = False
    for other in others:
        if not other.cancel():  # one that has not begun has nothing left to do
            other.result()
    if errors:
        raise errors[min(errors)]
    return [answers[i] for i in range(len(items))]
