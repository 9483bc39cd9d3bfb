"""Which variables say nothing about which, read off the graph: d-separation.

A path is blocked by C if on it stands a head-to-tail or tail-to-tail node that is in C, or a head-to-head node that is
not in C and has no descendant in C. A and B are independent given C in every distribution of the graph iff C blocks
every path.

>>> dag = Dag.of([("smoking", "cancer"), ("smoking", "bronchitis"), ("cancer", "dyspnoea"), ("bronchitis", "dyspnoea")])
>>> print(explain_separation(dag, "cancer", "bronchitis", "smoking"))
cancer and bronchitis are independent given smoking: every path between them is blocked.
  cancer <- smoking -> bronchitis   blocked
    smoking is tail-to-tail and observed: it blocks the path
  cancer -> dyspnoea <- bronchitis   blocked
    dyspnoea is head-to-head, and neither it nor anything below it is observed: it blocks the path
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TypeAlias

from bayesfold.networks.dag import Dag, closure
from bayesfold.runtime.messages import listed

Names: TypeAlias = str | Iterable[str]

MOST_STEPS = 100_000
"""Looking for paths ends after so many steps: there may be more paths than atoms."""


def d_separated(dag: Dag, a: Names, b: Names, given: Names = ()) -> bool:
    """Whether every path from a to b is blocked by `given`; linear in the size of the graph."""
    A, B, C = read_sides(dag, a, b, given)
    return not find_reachable(dag, A, C) & B


def read_sides(dag: Dag, a: Names, b: Names, given: Names) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """The three sets by number; a node on two sides is refused."""
    A, B, C = (dag.numbers(names) for names in (a, b, given))
    if twice := (A & B) | (A & C) | (B & C):
        raise ValueError(
            f"{listed(sorted(dag.names[i] for i in twice))} stands on two sides; a, b and given must not overlap"
        )
    if not A or not B:
        raise ValueError("name at least one node on each side")
    return A, B, C


def find_reachable(dag: Dag, sources: Iterable[int], given: frozenset[int]) -> set[int]:
    """Nodes with an open path from a source (Shachter's ball: it bounces off an observed head, and off no other)."""
    came_up = set(sources) - given  # entered from a child, or the start: may leave both ways
    came_down: set[int] = set()  # entered from a parent
    waiting = [(node, True) for node in came_up]
    while waiting:
        node, up = waiting.pop()
        if node not in given:
            for child in dag.children[node]:
                if child not in came_down:
                    came_down.add(child)
                    waiting.append((child, False))
        if (up and node not in given) or (not up and node in given):
            for parent in dag.parents[node]:
                if parent not in came_up:
                    came_up.add(parent)
                    waiting.append((parent, True))
    return (came_up | came_down) - given


def minimal_separator(dag: Dag, a: Names, b: Names) -> tuple[str, ...] | None:
    """A set that separates a from b and no smaller part of which does; None if they are neighbours.

    Van der Zander and Liskiewicz: of the ancestors keep what a reaches in the moral graph, and of these what b reaches.
    """
    A, B, _ = read_sides(dag, a, b, ())
    above = dag.ancestors(A | B)
    near = dag.moral(above)
    if any(near[x] & B for x in A):
        return None
    first = find_border(near, A, frozenset(above) - A - B)
    return tuple(dag.names[i] for i in sorted(find_border(near, B, first)))


def find_border(near: list[set[int]], start: frozenset[int], wall: frozenset[int]) -> frozenset[int]:
    """The part of the wall that can be touched from `start` without crossing the wall."""
    free = tuple(tuple(n for n in around if n not in wall) for around in near)
    inside = closure(start, free)
    return frozenset(n for node in inside for n in near[node] if n in wall)


@dataclass(frozen=True)
class Independence:
    """a and b are independent given these."""

    a: str
    b: str
    given: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.a} ⊥ {self.b}" + (f" | {', '.join(self.given)}" if self.given else "")


def independencies(dag: Dag, limit: int = 100) -> list[Independence]:
    """For pairs that are not neighbours, a smallest set that makes them independent; at most `limit` of them."""
    pairs: list[Independence] = []
    for a, b in combinations(dag.names, 2):
        if len(pairs) == limit:
            break
        between = minimal_separator(dag, a, b)
        if between is not None:
            pairs.append(Independence(a, b, between))
    return pairs


# ------------------------------------------------------------------------------------------------------ explanations


@dataclass(frozen=True)
class PathNode:
    """An inner node of a path: its rule, and whether it lets the dependence through."""

    node: str
    rule: str
    open: bool
    why: str

    def __str__(self) -> str:
        effect = "lets the dependence through" if self.open else "blocks the path"
        return f"{self.node} is {self.rule}{self.why}: it {effect}"


@dataclass(frozen=True)
class Path:
    """A path with its arrows, and what each inner node does to it."""

    text: str
    steps: tuple[PathNode, ...]

    @property
    def open(self) -> bool:
        """Whether no node blocks it."""
        return all(step.open for step in self.steps)

    def __str__(self) -> str:
        lines = [f"  {self.text}   {'open' if self.open else 'blocked'}"]
        shown = self.steps if self.open else [step for step in self.steps if not step.open]
        return "\n".join([*lines, *(f"    {step}" for step in shown)])


@dataclass(frozen=True)
class Separation:
    """The verdict on a pair of sets, and the paths between them, open ones first."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    given: tuple[str, ...]
    separated: bool
    paths: tuple[Path, ...]
    complete: bool

    def __str__(self) -> str:
        seen = f" given {join_names(self.given)}" if self.given else ""
        verb = "are independent" if self.separated else "may depend on each other"
        why = "every path between them is blocked" if self.separated else "a path between them is open"
        if self.separated and not self.paths and self.complete:
            why = "no path joins them"
        lines = [f"{join_names(self.a)} and {join_names(self.b)} {verb}{seen}: {why}.", *map(str, self.paths)]
        return "\n".join([*lines, *([] if self.complete else ["  ... and more paths, which are not listed"])])


def explain_separation(dag: Dag, a: Names, b: Names, given: Names = (), limit: int = 20) -> Separation:
    """Every path between a and b (at most `limit`, open ones first) with the nodes and rules that block or open it."""
    A, B, C = read_sides(dag, a, b, given)
    separated = not find_reachable(dag, A, C) & B
    walks: dict[tuple[int, ...], None] = {}
    complete = True
    for only_open in (True, False):
        if only_open and separated:
            continue
        budget = [MOST_STEPS]
        for walk in find_paths(dag, A, B, C, only_open, budget):
            if len(walks) == limit and walk not in walks:
                complete = False
                break
            walks[walk] = None
        complete = complete and budget[0] > 0
    shown = [describe_path(dag, walk, C) for walk in walks]
    a, b, given = (tuple(dag.names[i] for i in sorted(side)) for side in (A, B, C))
    return Separation(a, b, given, separated, tuple(sorted(shown, key=lambda p: not p.open)), complete)


def find_paths(
    dag: Dag, A: frozenset[int], B: frozenset[int], C: frozenset[int], only_open: bool, budget: list[int]
) -> Iterator[tuple[int, ...]]:
    """Simple paths from A to B with no other end inside, those that begin alike one after another."""
    opened = dag.ancestors(C)
    for start in sorted(A):
        walk, inside = [start], set(A)
        ways = [iter(neighbours_of(dag, start))]
        while ways:
            node = next(ways[-1], None)
            if node is None:
                ways.pop()
                inside.discard(walk.pop())
                continue
            if node in inside or (
                only_open and len(walk) > 1 and not lets_through(dag, walk[-2], walk[-1], node, C, opened)
            ):
                continue
            budget[0] -= 1
            if budget[0] <= 0:
                return
            if node in B:
                yield (*walk, node)
                continue
            walk.append(node)
            inside.add(node)
            ways.append(iter(neighbours_of(dag, node)))


def neighbours_of(dag: Dag, node: int) -> list[int]:
    """Parents and children, in order."""
    return sorted({*dag.parents[node], *dag.children[node]})


def rule_at(dag: Dag, before: int, node: int, after: int) -> str:
    """How the arrows meet at the inner node of a path."""
    into = (before in dag.parents[node]) + (after in dag.parents[node])
    return ("tail-to-tail", "head-to-tail", "head-to-head")[into]


def lets_through(dag: Dag, before: int, node: int, after: int, C: frozenset[int], opened: set[int]) -> bool:
    """Whether the node lets the dependence through; `opened` are C and its ancestors."""
    return node in opened if rule_at(dag, before, node, after) == "head-to-head" else node not in C


def describe_path(dag: Dag, walk: tuple[int, ...], C: frozenset[int]) -> Path:
    """A path in words."""
    opened = dag.ancestors(C)
    text = [dag.names[walk[0]]]
    for before, node in pairwise(walk):
        text += ["->" if before in dag.parents[node] else "<-", dag.names[node]]
    steps = []
    for before, node, after in zip(walk, walk[1:], walk[2:], strict=False):
        rule, is_open = rule_at(dag, before, node, after), lets_through(dag, before, node, after, C, opened)
        if rule != "head-to-head":
            why = " and observed" if node in C else " and not observed"
        elif node in C:
            why = " and observed, so its causes explain each other away"
        elif node in opened:
            below = sorted(dag.names[i] for i in dag.descendants([node]) & C)
            why = f", and {join_names(below)} below it is observed, so its causes explain each other away"
        else:
            why = ", and neither it nor anything below it is observed"
        steps.append(PathNode(dag.names[node], rule, is_open, why))
    return Path(" ".join(text), tuple(steps))


def join_names(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> join_names(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
