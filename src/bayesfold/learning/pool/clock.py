"""How long the parts of a pool may take, and who hears how far they have come.

>>> heard = []
>>> clock = Clock(budget=60.0, watcher=heard.append)
>>> clock.starts(4)
>>> clock.learned(150)
>>> round(heard[0].share, 2), clock.has(1.0), clock.has(100.0)
(0.25, True, False)
"""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from bayesfold.runtime.progress import Progress, Watcher

OVER = 1.1
"""Times the budget, beyond which what has begun is given up."""


@dataclass
class Clock:
    """`budget` is in seconds from now; the watcher hears after each part that was learned, `parts` in all."""

    budget: float = np.inf
    watcher: Watcher | None = None
    began: float = field(default_factory=perf_counter)
    parts: int = 0
    done: int = 0

    @property
    def spent(self) -> float:
        """Seconds since it began."""
        return perf_counter() - self.began

    def has(self, seconds: float) -> bool:
        """Whether there is time for what takes so long."""
        return self.spent + seconds <= self.budget

    def will_be_late(self, seconds: float) -> bool:
        """Whether so much longer would be well beyond the budget."""
        return self.spent + seconds > OVER * self.budget

    def starts(self, parts: int) -> None:
        """So many more parts will be learned."""
        self.parts += parts

    def learned(self, rows: int) -> None:
        """One more part was learned, on so many rows."""
        self.done += 1
        if self.watcher is not None:
            self.watcher(Progress(self.done * rows, max(self.parts, self.done) * rows, self.spent))
