"""Networks that are changed: the one of a file stays as it is, a copy of it gets other arcs and tables."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from bayesfold.web.server import editing
from bayesfold.web.server.endpoint import Answer, Ask, Name, Word, post
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.room import Room
from bayesfold.web.server.shelf import Entry

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Line = Annotated[list[Share], Field(min_length=1, max_length=10_000)]


class ArcEdit(Ask):
    """An arc to add or to remove."""

    action: Literal["add", "remove"]
    parent: Word
    child: Word


class Edit(Ask):
    """Arcs first, in their order, then tables: P(node | parents), one line for each combination of parents' states.

    `version` is that of the model that was looked at: lines are of the parents that a node had then.
    """

    version: int | None = None
    arcs: list[ArcEdit] = Field(default_factory=list, max_length=100)
    tables: dict[Word, Annotated[list[Line], Field(max_length=200_000)]] = Field(default_factory=dict)


class Edited(Answer):
    """The model that has the changes: a copy, or the same if it was one already."""

    model: str
    version: int


def edit(room: Room, model: Name, ask: Edit) -> dict[str, Any]:
    """Change arcs and tables of a network that was made here, or of a copy of one that has a file of its own."""
    room.require_memory()
    with room.shelf.changing(model) as entry:
        if ask.version not in (None, entry.version):
            raise Problem("not-now", f"{model} has changed since it was shown; look again")
        net = entry.net()
        for arc in ask.arcs:
            net = (editing.add_arc if arc.action == "add" else editing.remove_arc)(net, arc.parent, arc.child)
        for node, lines in ask.tables.items():
            net = editing.set_table(net, node, lines)
        made_here = entry.made and entry.trained is None
        if made_here:
            edited = room.shelf.swap(replace(entry, network=net))
        else:
            edited = room.shelf.put(Entry(f"{entry.name} (edited)", network=net, made=True))
    return {"model": edited.name, "version": edited.version}


ENDPOINTS = (post("/models/{model}/edit", edit, Edited),)
