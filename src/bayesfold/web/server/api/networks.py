"""A network: its graph with a place for each node, beliefs under evidence, questions, sums, what to ask next."""

import sys
from itertools import product
from math import ceil, exp, log, sqrt
from typing import Annotated, Any

from pydantic import Field

from bayesfold.networks.factor import Factor
from bayesfold.networks.factor_states import find_state
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.query import quote
from bayesfold.plots._rows import lay_out_rows
from bayesfold.web.server.endpoint import Answer, Ask, Name, State, Word, get, post
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.room import Room

MANY = 60
"""From so many nodes on, boxes are narrow."""
WIDE, NARROW, GAP, PASSING = 192, 132, 18, 0.05
LARGEST = log(sys.float_info.max)
"""The log of the largest number there is."""
MOST_NODES = 2_000
MOST_DERIVED = 60
"""Nodes of a network whose sums are still worth reading line by line."""
Shares = Annotated[list[Annotated[float, Field(ge=0, allow_inf_nan=False)]], Field(min_length=1, max_length=10_000)]


class Evidence(Ask):
    """What was seen, what was set (do), and how likely what was seen is under each state of a variable."""

    see: dict[Word, State] = Field(default_factory=dict)
    do: dict[Word, State] = Field(default_factory=dict)
    likelihood: dict[Word, Shares] = Field(default_factory=dict)


class About(Evidence):
    """The same, and the variable that one wants to know."""

    target: Word


class NetworkQuestion(Ask):
    """As a book writes it: "lung | smoke=yes, do(x=1)"."""

    question: Annotated[str, Field(min_length=1, max_length=10_000)]


class Node(Answer):
    """A variable, its states and parents, and where it stands: x in pixels, y by row."""

    name: str
    states: list[Any]
    parents: list[str]
    x: float
    row: int


class Arc(Answer):
    """An arc, the places that it passes, and how much it adds to the score of a network that was learned."""

    parent: str
    child: str
    path: list[tuple[float, int]]
    strength: float | None


class Graph(Answer):
    """A network drawn in rows, parents above children."""

    name: str
    nodes: list[Node]
    arcs: list[Arc]
    box: float
    width: float
    rows: int
    factorization: str


class Beliefs(Answer):
    """P(state | evidence) of every variable in the order of its states, and P(what was seen | what was set).

    With likelihoods the probability is in their unit; null where that is no number.
    """

    beliefs: dict[str, list[float]]
    probability: float | None


class Cell(Answer):
    """A combination of states."""

    states: dict[str, Any]
    probability: float


class Distribution(Answer):
    """P(targets | evidence)."""

    title: str
    variables: dict[str, list[Any]]
    given: dict[str, Any]
    distribution: list[Cell]


class Likeliest(Answer):
    """The likeliest states of everything else together."""

    states: dict[str, Any]
    probability: float


class NodeTable(Answer):
    """P(node | parents): one line for each combination of the parents' states, one number for each of its own."""

    node: str
    parents: list[str]
    states: list[Any]
    lines: list[list[float]]
    given: list[list[Any]]


class DerivationText(Answer):
    """A question answered in the open: lines of text, and tables where they are made."""

    question: str
    lines: list[str]


class Bits(Answer):
    """A variable, and how much its answer is expected to tell about the target."""

    variable: str
    bits: float


class Next(Answer):
    """What to ask next, the most telling first."""

    target: str
    questions: list[Bits]


def graph(
    room: Room,
    model: Name,
    around: Annotated[Word | None, Field(description="a node: only it and those near it are drawn")] = None,
    steps: Annotated[int, Field(ge=1, le=20, description="how many arcs away is near")] = 2,
) -> dict[str, Any]:
    """The nodes and arcs of a network, or of the part around a node, and a place for each."""
    entry = room.shelf.find(model)
    net = entry.net()
    names = net.nodes if around is None else find_near(net, around, steps)
    edges = [(p, c) for p, c in net.edges if p in names and c in names]
    if len(names) > MOST_NODES:
        raise Problem("not-possible", f"a picture has room for {MOST_NODES:,} nodes; this network has {len(names):,}")
    box = WIDE if len(names) < MANY else NARROW
    across = max(4, ceil(sqrt(1.6 * len(names))))
    rows = lay_out_rows(names, edges, box, GAP, across * (box + GAP) - GAP, passing=PASSING)
    nodes = [
        {"name": v, "states": net.states(v), "parents": net.parents(v), "x": rows.spots[v][0], "row": rows.spots[v][1]}
        for v in names
    ]
    arcs = [
        {"parent": p, "child": c, "path": rows.paths[p, c], "strength": entry.strength.get((p, c))} for p, c in edges
    ]
    size = {"box": box, "width": rows.width, "rows": rows.count}
    return {"name": net.name, "nodes": nodes, "arcs": arcs, "factorization": net.factorization()} | size


def find_near(net: BayesianNetwork, node: str, steps: int) -> tuple[str, ...]:
    """The nodes that are at most so many arcs away, whichever way these point."""
    net.states(node)
    reached, last = {node}, {node}
    for _ in range(steps):
        last = {n for v in last for n in (*net.parents(v), *net.children(v))} - reached
        reached |= last
    return tuple(v for v in net.nodes if v in reached)


def beliefs(room: Room, model: Name, ask: Evidence) -> dict[str, Any]:
    """P(state | evidence) of every variable."""
    entry = room.shelf.find(model)
    with entry.lock:
        net, seen, likelihood = apply_evidence(entry.net(), ask)
        if likelihood:
            posteriors = net.posteriors({v: [s] for v, s in seen.items()} or {net.nodes[0]: [None]}, likelihood)
        else:
            posteriors = net.posteriors(seen or {net.nodes[0]: None})
        log_p = net.log_likelihood({v: [s] for v, s in seen.items()} or {net.nodes[0]: [None]}, likelihood=likelihood)
    probability = exp(log_p) if log_p < LARGEST else None
    return {"beliefs": {v: p[0].tolist() for v, p in posteriors.items()}, "probability": probability}


def apply_evidence(net: BayesianNetwork, ask: Evidence) -> tuple[BayesianNetwork, dict[str, Any], dict[str, Any]]:
    """The network once what is set is set, what was seen in it, and its likelihoods; names and states are checked."""
    for v in (*ask.see, *ask.do, *ask.likelihood):
        net.states(v)
    twice = [v for v in ask.do if v in ask.see or v in ask.likelihood]
    if twice:
        raise Problem("not-possible", f"{twice[0]!r} is set, so it cannot be observed as well")
    for v, shares in ask.likelihood.items():
        if len(shares) != len(net.states(v)) or not any(shares):
            many = len(net.states(v))
            raise Problem("not-possible", f"the likelihood of {v!r} is {many} numbers, not all 0: one for each state")
    seen = {v: net.states(v)[find_state(v, net.states(v), s)] for v, s in ask.see.items()}
    return (net.do(ask.do) if ask.do else net), seen, dict(ask.likelihood)


def query(room: Room, model: Name, ask: NetworkQuestion) -> dict[str, Any]:
    """P(targets | evidence), as a book writes it."""
    entry = room.shelf.find(model)
    with entry.lock:
        return list_cells(entry.net().query(ask.question))


def list_cells(answer: Factor) -> dict[str, Any]:
    """A distribution: one entry for each combination of states."""
    cells = zip(product(*answer.axes.values()), answer.values.ravel().tolist(), strict=True)
    return {
        "title": answer.title(),
        "variables": {name: list(states) for name, states in answer.axes.items()},
        "given": dict(answer.given),
        "distribution": [{"states": dict(zip(answer.axes, s, strict=True)), "probability": p} for s, p in cells],
    }


def likeliest(room: Room, model: Name, ask: Evidence) -> dict[str, Any]:
    """The likeliest states of everything that was not observed, together."""
    entry = room.shelf.find(model)
    if ask.likelihood:
        raise Problem("not-possible", "the likeliest explanation takes what was seen or set, no likelihoods")
    with entry.lock:
        net, seen, _ = apply_evidence(entry.net(), ask)
        most_probable = net.mpe("", **seen) if all(v.isidentifier() for v in seen) else net.mpe(write_evidence(seen))
    states = {v: s for v, s in most_probable.states.items() if v not in ask.do}
    return {"states": states, "probability": most_probable.probability}


def ask_about(room: Room, model: Name, ask: About) -> dict[str, Any]:
    """How much each other variable is expected to tell about the target, in bits."""
    entry = room.shelf.find(model)
    if ask.likelihood:
        raise Problem("not-possible", "what to ask next takes what was seen or set, no likelihoods")
    with entry.lock:
        net, seen, _ = apply_evidence(entry.net(), ask)
        net.states(ask.target)
        if ask.target in seen or ask.target in ask.do:
            raise Problem("not-possible", f"{ask.target!r} is known already")
        information = net.next_observation(write_question(ask.target, seen))
    return {
        "target": ask.target,
        "questions": [{"variable": v, "bits": bits} for v, bits in information.items() if v not in ask.do],
    }


def sums(room: Room, model: Name, ask: About) -> dict[str, Any]:
    """How P(target | evidence) comes about: variable elimination, line by line."""
    entry = room.shelf.find(model)
    if ask.likelihood:
        raise Problem("not-possible", "the sums are written out for what was seen or set, not for likelihoods")
    with entry.lock:
        net, seen, _ = apply_evidence(entry.net(), ask)
        needed = net.dag.ancestors(net.dag.numbers((ask.target, *seen)))
        if len(needed) > MOST_DERIVED:
            raise Problem("not-possible", f"{len(needed)} variables take part; sums are written out for {MOST_DERIVED}")
        derivation = net.derivation(write_question(ask.target, seen))
    return {"question": derivation.question, "lines": str(derivation).splitlines()}


def write_question(target: str, seen: dict[str, Any]) -> str:
    """P(target | what was seen) as a question writes it."""
    return f"{quote(target)} | {write_evidence(seen)}" if seen else quote(target)


def write_evidence(seen: dict[str, Any]) -> str:
    """Evidence as a question writes it."""
    return ", ".join(f"{quote(v)}={quote(str(s))}" for v, s in seen.items())


def table(room: Room, model: Name, node: Word) -> dict[str, Any]:
    """P(node | parents)."""
    net = room.shelf.find(model).net()
    states, parents = net.states(node), net.parents(node)
    values = net.table(node).values.reshape(-1, len(states))
    given = [list(line) for line in product(*(net.states(p) for p in parents))]
    return {"node": node, "parents": list(parents), "states": list(states), "lines": values.tolist(), "given": given}


ENDPOINTS = (
    get("/models/{model}/graph", graph, Graph),
    get("/models/{model}/table", table, NodeTable),
    post("/models/{model}/beliefs", beliefs, Beliefs),
    post("/models/{model}/query", query, Distribution),
    post("/models/{model}/likeliest", likeliest, Likeliest),
    post("/models/{model}/next", ask_about, Next),
    post("/models/{model}/sums", sums, DerivationText),
)
