"""Whether the server is well, and what it has done."""

from bayesfold import __version__
from bayesfold.web.server import metrics
from bayesfold.web.server.endpoint import Answer, Reply, get
from bayesfold.web.server.room import Room


class Health(Answer):
    """The server is well if this comes at all."""

    status: str
    version: str
    models: list[str]
    writable: bool
    keeps: bool


def health(room: Room) -> dict[str, object]:
    """Whether it answers, and which models it has; `keeps`: whether tables can be sent and learned."""
    return {
        "status": "ok",
        "version": __version__,
        "models": [entry.name for entry in room.shelf],
        "writable": room.settings.writable,
        "keeps": room.settings.shares_memory,
    }


def prometheus(room: Room) -> Reply:
    """Counters and times, as Prometheus reads them."""
    return Reply(room.metrics.text().encode(), metrics.MEDIA)


ENDPOINTS = (
    get("/health", health, Health, quick=True),
    get("/metrics", prometheus, None, quick=True, gives=("text/plain",)),
)
