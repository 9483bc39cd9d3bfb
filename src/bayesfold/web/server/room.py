"""All that a question may need: what was told, the models, what was sent, what is being learned."""

from dataclasses import dataclass, field
from typing import Self

from bayesfold.web.server.metrics import Metrics
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.settings import Settings
from bayesfold.web.server.shelf import Shelf, shelf_of


@dataclass
class Room:
    """One server's state."""

    settings: Settings
    shelf: Shelf
    metrics: Metrics = field(default_factory=Metrics)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """A room with the models of the files that were named."""
        return cls(settings, shelf_of(settings.paths, settings.limits.models))

    def require_memory(self) -> None:
        """Refuse to keep something where several processes answer, because the next request may meet another one."""
        if not self.settings.shares_memory:
            raise Problem(
                "forbidden", "this server has several workers, which keep nothing; start it without --workers"
            )

    def close(self) -> None:
        """Let go of what outlives a request."""
