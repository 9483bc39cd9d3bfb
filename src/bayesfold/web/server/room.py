"""All that a question may need: what was told, the models, what was sent, what is being learned."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from bayesfold.web.server.jobs import Jobs
from bayesfold.web.server.metrics import Metrics
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.settings import Settings
from bayesfold.web.server.shelf import Shelf, make_shelf
from bayesfold.web.server.tables import Tables


@dataclass
class Room:
    """One server's state."""

    settings: Settings
    shelf: Shelf
    tables: Tables
    jobs: Jobs
    metrics: Metrics = field(default_factory=Metrics)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """A room with the models of the files that were named."""
        shelf = make_shelf(settings.paths, settings.limits.models)
        room = cls(settings, shelf, Tables(settings.limits), Jobs(shelf, settings.limits.fits))
        for path in settings.tables:
            room.tables.serve(Path(path).absolute())
        return room

    def require_memory(self) -> None:
        """Refuse to keep something where several processes answer, because the next request may meet another one."""
        if not self.settings.shares_memory:
            raise Problem(
                "forbidden", "this server has several workers, which keep nothing; start it without --workers"
            )

    def close(self) -> None:
        """Let go of what outlives a request."""
        self.jobs.close()
        self.tables.close()
