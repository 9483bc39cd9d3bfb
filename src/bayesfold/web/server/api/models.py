"""Which models there are, and what each is."""

from typing import Any, Literal

from bayesfold.store import inspect
from bayesfold.web.server.endpoint import Answer, Name, Removed, delete, get
from bayesfold.web.server.form import FormColumn, form_of
from bayesfold.web.server.room import Room
from bayesfold.web.server.shelf import Entry


class ModelLine(Answer):
    """A model in a list; `kept`: it has a file of its own, and was not made here."""

    name: str
    kind: Literal["classifier", "network"]
    what: str
    version: int
    kept: bool


class Models(Answer):
    """All models, in the order in which they came."""

    models: list[ModelLine]


class Section(Answer):
    """One table of what a model is, in words."""

    title: str
    header: list[str]
    lines: list[list[str]]


class Info(Answer):
    """What a model is: a network has no `sections`, a classifier has `target`, `classes` and `columns`."""

    name: str
    kind: Literal["classifier", "network"]
    what: str
    version: int
    kept: bool
    is_network: bool
    sections: list[Section]
    target: str | None = None
    classes: list[Any] | None = None
    rows: int | None = None
    prior: list[float] | None = None
    columns: list[FormColumn] | None = None
    loss: list[list[float]] | None = None
    reject_cost: float | None = None
    nodes: int | None = None
    edges: int | None = None


def models(room: Room) -> dict[str, Any]:
    """Every model that can be asked."""
    return {"models": [describe_entry(entry) for entry in room.shelf]}


def model(room: Room, model: Name) -> dict[str, Any]:
    """What a model is and reads: for a classifier all that a form needs, the densities of its columns too."""
    entry = room.shelf.find(model)
    description: dict[str, Any] = describe_entry(entry) | {"sections": []}
    if entry.trained is None:
        net = entry.net()
        return description | {"is_network": True, "nodes": len(net.nodes), "edges": len(net.edges)}
    with entry.lock:
        description["is_network"] = is_network(entry)
        sections = inspect(entry.trained).sections
        description["sections"] = [{"title": s.title, "header": s.header, "lines": s.lines} for s in sections]
        return description | form_of(entry.trained)


def remove(room: Room, model: Name) -> dict[str, str]:
    """Remove a model that was made here; one that has a file of its own stays."""
    room.shelf.remove(model)
    return {"removed": model}


def describe_entry(entry: Entry) -> dict[str, Any]:
    """A model in a list."""
    if entry.trained is None:
        assert entry.network is not None
        what = f"{len(entry.network.nodes)} nodes, {len(entry.network.edges)} arcs"
    else:
        what = f"{entry.trained.settings.estimator} of {entry.trained.target}"
    head = {"name": entry.name, "kind": entry.kind, "what": what}
    return head | {"version": entry.version, "kept": not entry.made}


def is_network(entry: Entry) -> bool:
    """Whether a classifier can be looked at as a network too."""
    return not isinstance(entry._as_network, str)


ENDPOINTS = (
    get("/models", models, Models, quick=True),
    get("/models/{model}", model, Info),
    delete("/models/{model}", remove, Removed, quick=True),
)
