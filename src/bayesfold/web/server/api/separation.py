"""Which variables of a network say nothing about which, path by path."""

from typing import Annotated, Any

from pydantic import Field

from bayesfold.web.server.endpoint import Answer, Ask, Name, Word, post
from bayesfold.web.server.room import Room

Side = Annotated[list[Word], Field(min_length=1, max_length=1000)]


class Sides(Ask):
    """Two sets of variables, and those that are known."""

    a: Side
    b: Side
    given: list[Word] = Field(default_factory=list, max_length=1000)


class Step(Answer):
    """An inner node of a path: how its arrows meet, and whether it lets the dependence through."""

    node: str
    rule: str
    open: bool
    why: str


class Path(Answer):
    """A path with its arrows."""

    text: str
    open: bool
    steps: list[Step]


class Separation(Answer):
    """The verdict, and the paths that it rests on; `separator` is a smallest set that would separate them."""

    independent: bool
    paths: list[Path]
    complete: bool
    separator: list[str] | None


def dsep(room: Room, model: Name, ask: Sides) -> dict[str, Any]:
    """Whether `given` blocks every path between `a` and `b`, and the rule at each node."""
    net = room.shelf.find(model).net()
    separation = net.explain_separation(ask.a, ask.b, ask.given)
    paths = [
        {
            "text": path.text,
            "open": path.open,
            "steps": [{"node": s.node, "rule": s.rule, "open": s.open, "why": str(s)} for s in path.steps],
        }
        for path in separation.paths
    ]
    between = net.minimal_separator(ask.a, ask.b)
    separator = None if between is None else list(between)
    return {
        "independent": separation.separated,
        "paths": paths,
        "complete": separation.complete,
        "separator": separator,
    }


ENDPOINTS = (post("/models/{model}/dsep", dsep, Separation),)
