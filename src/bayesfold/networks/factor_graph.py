"""Factor graphs: variables and factors that send each other messages until they agree.

A variable tells a factor the product of what its other factors say; a factor tells a variable the sum (or maximum) of
itself times what its other variables say. On a tree one sweep forth and back makes it exact; on a graph with loops it
is an approximation, and whether it settled is reported.

>>> a, ab = Factor({"a": (0, 1)}, [0.2, 0.8]), Factor({"a": (0, 1), "b": (0, 1)}, [[0.9, 0.1], [0.15, 0.85]])
>>> beliefs = FactorGraph([a, ab]).sum_product()
>>> beliefs.exact, beliefs.marginals["b"].values.round(6)
(True, array([0.3, 0.7]))
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.factor import Factor, ImpossibleEvidence, spread_over
from bayesfold.networks.factor_states import States, check_name, log_sum
from bayesfold.networks.product_tree import ProductTree
from bayesfold.runtime.messages import listed

Link: TypeAlias = tuple[int, str]
"""A factor by number and a variable by name."""

TIE = 1e-9
"""Products that differ by this share are equally large."""


@dataclass(frozen=True)
class Message:
    """What was said, and by whom; `change` is the largest difference from what was said before."""

    sweep: int
    sender: str
    receiver: str
    content: Factor
    change: float

    def __str__(self) -> str:
        shares = ", ".join(f"{state}: {p:.4g}" for state, p in self.content.to_dict().items())
        return f"{self.sweep}. {self.sender} -> {self.receiver}: {shares}"


@dataclass(frozen=True)
class Beliefs:
    """What message passing found, and how far to trust it: exact on a tree, otherwise roughly, if it converged."""

    marginals: dict[str, Factor]
    exact: bool
    converged: bool
    sweeps: int
    change: float
    messages: tuple[Message, ...] = ()
    together: Mapping[str, Level] | None = None

    def states(self) -> dict[str, Level]:
        """The likeliest state of each variable; after max-product on a tree, the likeliest states together."""
        if self.together is not None:
            return dict(self.together)
        return {v: next(iter(belief.argmax().values())) for v, belief in self.marginals.items()}

    def __str__(self) -> str:
        if self.exact:
            return f"exact: the graph is a tree; {self.sweeps} sweeps"
        settled = "converged" if self.converged else "NOT converged"
        return f"approximate: the graph has loops; {settled} after {self.sweeps} sweeps, last change {self.change:.2g}"


@dataclass(frozen=True, eq=False, repr=False)
class FactorGraph:
    """A factor graph: a product of factors, as a bipartite graph of factors and variables."""

    factors: Sequence[Factor]

    def __post_init__(self) -> None:
        for factor in self.factors:
            if not np.all(np.isfinite(factor.values) & (factor.values >= 0)):
                raise ValueError(
                    f"{factor.title()} has a number below 0, or one that is not finite; a factor needs neither"
                )
            for v, states in factor.axes.items():
                if set(self.axes[v]) != set(states):
                    other = listed(self.axes[v])
                    raise ValueError(
                        f"{v!r} has the states {other} in one factor and {listed(states)} in another; give the same"
                    )

    @cached_property
    def axes(self) -> dict[str, States]:
        """The states of every variable."""
        axes: dict[str, States] = {}
        for factor in self.factors:
            for v, states in factor.axes.items():
                axes.setdefault(v, states)
        return axes

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name for each factor: its label, or f1, f2, ..."""
        return tuple(factor.label or f"f{i + 1}" for i, factor in enumerate(self.factors))

    @cached_property
    def links(self) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
        """Links of a spanning forest, leaves first, and the others; without others the graph is a tree, or several."""
        near: dict[int | str, list[int | str]] = {}
        for i, factor in enumerate(self.factors):
            for v in factor.axes:
                near.setdefault(i, []).append(v)
                near.setdefault(v, []).append(i)
        inwards: dict[Link, None] = {}
        seen: set[int | str] = set()
        for root in near:
            queue = [root] if root not in seen else []
            seen.add(root)
            for node in queue:  # breadth first, outwards from the root
                for other in near[node]:
                    if other not in seen:
                        seen.add(other)
                        queue.append(other)
                        inwards[(node, str(other)) if isinstance(node, int) else (int(other), node)] = None
        every = [(i, v) for i, factor in enumerate(self.factors) for v in factor.axes]
        return tuple(reversed(inwards)), tuple(link for link in every if link not in inwards)

    @property
    def is_tree(self) -> bool:
        """Whether the graph has no loops."""
        return not self.links[1]

    def sum_product(self, evidence: Mapping[str, Level] | None = None, **how: Any) -> Beliefs:
        """P(variable | evidence) of every variable; `how` as in `pass_messages`."""
        return self.given(evidence or {}).pass_messages("sum", **how)

    def max_product(self, evidence: Mapping[str, Level] | None = None, **how: Any) -> Beliefs:
        """Max-marginals: for each state the largest product it takes part in, normalised; `states()` maximises it."""
        graph = self.given(evidence or {})
        beliefs = graph.pass_messages("max", **how)
        return replace(beliefs, together=graph.choose_together(beliefs.marginals)) if beliefs.exact else beliefs

    def choose_together(self, marginals: Mapping[str, Factor]) -> dict[str, Level]:
        """The likeliest states together, from the largest products of a tree.

        A variable with one best state has it in every best combination. Of several that are equally good each may need
        another state elsewhere, so one is taken and messages are passed again.
        """
        chosen: dict[str, Level] = {}
        graph = self
        while marginals:
            best = {v: np.flatnonzero(f.values >= f.values.max() * (1 - TIE)) for v, f in marginals.items()}
            tied = [v for v, places in best.items() if len(places) > 1]
            sure = {v: marginals[v].axes[v][places[0]] for v, places in best.items() if v not in tied[1:]}
            chosen |= sure
            graph = graph.given(sure)
            marginals = graph.pass_messages("max").marginals if tied[1:] else {}
        return {v: chosen[v] for v in self.axes}

    def given(self, evidence: Mapping[str, Level]) -> "FactorGraph":
        """The graph conditioned on evidence."""
        for v in evidence:
            check_name("variable", v, self.axes)
        cut = []
        for factor, name in zip(self.factors, self.names, strict=True):
            part = factor.condition({v: s for v, s in evidence.items() if v in factor.axes})
            cut.append(Factor(part.axes, part.values, part.given, name))
        return FactorGraph(cut)

    def pass_messages(
        self,
        rule: str = "sum",
        sweeps: int = 200,
        damping: float = 0.0,
        tolerance: float = 1e-10,
        schedule: str = "sequential",
        log: bool = False,
    ) -> Beliefs:
        """Pass messages along every edge, in both directions, until none changes by more than `tolerance`.

        damping: the share of the old message that is kept if the graph has loops, to prevent oscillation. schedule:
        "sequential" uses the newest messages, "flooding" those of the sweep before. log: keep every message.
        """
        if not 0 <= damping < 1:
            raise ValueError(f"damping must be at least 0 and below 1, not {damping}")
        if schedule not in {"sequential", "flooding"}:
            raise ValueError(f"schedule must be 'sequential' or 'flooding', not {schedule!r}")
        tree = self.is_tree
        run = Run(self, rule)
        messages: list[Message] = []
        change, sweep = np.inf, 0
        while sweep < sweeps and change > tolerance:
            sweep += 1
            change = run.sweep(0.0 if tree else damping, schedule, messages if log else None, sweep)
        marginals = {v: run.belief(v) for v in self.axes}
        return Beliefs(
            marginals, tree and change <= tolerance, change <= tolerance, sweep, float(change), tuple(messages)
        )


class Run:
    """The messages of one run, by link, in both directions, as logs: no product of them is too small."""

    def __init__(self, graph: FactorGraph, rule: str) -> None:
        self.graph = graph
        self.reduce = log_sum if rule == "sum" else np.max
        self.links = [*graph.links[0], *graph.links[1]]
        self.seen = {u: s for factor in graph.factors for u, s in factor.given.items()}
        flat = {v: np.full(len(states), -np.log(len(states))) for v, states in graph.axes.items()}
        self.inward = {(i, v): flat[v] for i, v in self.links}  # variable to factor
        self.outward = {(i, v): flat[v] for i, v in self.links}  # factor to variable
        around: dict[str, list[Link]] = {v: [] for v in graph.axes}
        for link in self.links:
            around[link[1]].append(link)
        self.leaf = {link: k for links in around.values() for k, link in enumerate(links)}
        self.heard = {v: ProductTree(np.stack([self.outward[link] for link in links])) for v, links in around.items()}
        with np.errstate(divide="ignore"):
            self.values = [np.log(spread_over(f, {v: graph.axes[v] for v in f.axes})) for f in graph.factors]
        self.places = [{v: k for k, v in enumerate(factor.axes)} for factor in graph.factors]
        for values in self.values:
            if not np.any(values > -np.inf):
                self.refuse("any variable")

    def sweep(self, damping: float, schedule: str, log: list[Message] | None, number: int) -> float:
        """Every message once in each direction, forth and back; the largest change of a share."""
        biggest = 0.0
        inward, heard = self.inward, self.heard
        if schedule == "flooding":
            inward, heard = dict(inward), {v: tree.copy() for v, tree in heard.items()}
        for link in (*self.links, *reversed(self.links)):
            for box, fresh in (
                (self.inward, self.to_factor(link, heard)),
                (self.outward, self.to_variable(link, inward)),
            ):
                mixed = damp(box[link], fresh, damping)
                share = np.exp(mixed)
                change = float(np.abs(share - np.exp(box[link])).max())
                biggest = max(biggest, change)
                box[link] = mixed
                if box is self.outward:
                    self.heard[link[1]].put(self.leaf[link], mixed)
                if log is not None:
                    factor, v = self.graph.names[link[0]], link[1]
                    ends = (v, factor) if box is self.inward else (factor, v)
                    log.append(Message(number, *ends, Factor({v: self.graph.axes[v]}, share), change))
        return biggest

    def to_factor(self, link: Link, heard: Mapping[str, ProductTree]) -> Floats:
        """What the variable has heard from its other factors."""
        return self.scale(heard[link[1]].without(self.leaf[link]), link[1])

    def to_variable(self, link: Link, inward: Mapping[Link, Floats]) -> Floats:
        """The factor times what its other variables say, summed or maximised over them."""
        i, v = link
        whole, rank = self.values[i], self.values[i].ndim
        for u, k in self.places[i].items():
            if u != v:
                whole = whole + inward[i, u].reshape((-1,) + (1,) * (rank - 1 - k))
        others = tuple(k for u, k in self.places[i].items() if u != v)
        return self.scale(self.reduce(whole, axis=others) if others else whole, v)

    def belief(self, v: str) -> Factor:
        """The product of everything that the variable has heard."""
        values = np.exp(self.scale(self.heard[v].whole, v))
        return Factor({v: self.graph.axes[v]}, values / values.sum(), self.seen)

    def scale(self, logs: Floats, v: str) -> Floats:
        """A message about v scaled to sum to 1."""
        total = log_sum(logs)
        if total == -np.inf:
            self.refuse(repr(v))
        return np.asarray(logs - total)

    def refuse(self, what: str) -> NoReturn:
        """Name the evidence that leaves no state."""
        seen = ", ".join(f"{u}={s}" for u, s in self.seen.items()) or "this product of factors"
        raise ImpossibleEvidence(f"{seen} leaves no state of {what} possible")


def damp(old: Floats, fresh: Floats, damping: float) -> Floats:
    """The log of a message of which a share is still the old one."""
    return fresh if damping == 0 else np.logaddexp(np.log(damping) + old, np.log1p(-damping) + fresh)
