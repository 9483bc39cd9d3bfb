"""Networks that are learned from a table: which column depends on which, and how strongly."""

from pathlib import Path
from typing import Any

from pydantic import Field

from bayesfold.networks.learning.structure import learn_network
from bayesfold.networks.network import BayesianNetwork
from bayesfold.web.server.api.tables import Id
from bayesfold.web.server.complete_rows import complete_rows
from bayesfold.web.server.endpoint import Answer, Ask, Word, post
from bayesfold.web.server.room import Room
from bayesfold.web.server.shelf import Entry

MOST_PARENTS = 3


class StructureRequest(Ask):
    """Columns to leave out."""

    drop: list[Word] = Field(default_factory=list, max_length=10_000)


class LearnedStructure(Answer):
    """The network's name, how many whole rows it was learned from, and which columns were left out and why."""

    model: str
    rows: int
    arcs: int
    left_out: dict[str, str]


def network(room: Room, table: Id, ask: StructureRequest) -> dict[str, Any]:
    """The network of the best score (BIC) that hill climbing finds for the columns of a table, with its tables."""
    room.require_memory()
    kept = room.tables.find(table)
    whole = complete_rows(kept, ask.drop)
    learned = learn_network(whole.columns, max_parents=MOST_PARENTS)
    name = f"{Path(kept.name).stem} network"
    net = learned.network
    assert isinstance(net, BayesianNetwork)
    entry = room.shelf.put(Entry(name, network=net, made=True, strength=dict(learned.gains)))
    return {"model": entry.name, "rows": whole.rows, "arcs": len(learned.gains), "left_out": whole.left_out}


ENDPOINTS = (post("/tables/{table}/network", network, LearnedStructure, status=201),)
