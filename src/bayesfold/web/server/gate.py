"""How much is worked on at once: a few threads, a bounded queue before them, and a time after which nobody waits."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from bayesfold.web.server.limits import Limits
from bayesfold.web.server.problems import Problem

Result = TypeVar("Result")


@dataclass
class Gate:
    """`inside` counts work that has not ended, also work whose asker has stopped waiting."""

    limits: Limits
    inside: int = 0
    _pool: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.limits.threads, thread_name_prefix="bayesfold-serve")

    async def run(self, work: Callable[..., Result], /, *given: object, **named: object) -> Result:
        """The result of work that is done in another thread, or a problem: busy, or too long."""
        if self.inside >= self.limits.threads + self.limits.waiting:
            raise Problem("busy", "too many requests are waiting; try again in a moment", **{"Retry-After": "1"})
        self.inside += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *given, **named))
        future.add_done_callback(self._left)
        try:
            return await asyncio.wait_for(asyncio.shield(future), self.limits.seconds)
        except TimeoutError:
            raise Problem("too-long", f"it takes longer than {self.limits.seconds:g} s; ask for less") from None

    def _left(self, future: "asyncio.Future[Any]") -> None:
        self.inside -= 1
        if not future.cancelled():
            future.exception()  # an error that nobody waits for any more is no news

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
