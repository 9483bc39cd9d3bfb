"""Bayesian networks of categories and numbers: conditional linear Gaussian networks, built, learned, and asked.

A number is normal about a line in the numbers above it, with a line for each state of the categories above it. A
category never depends on a number; what numbers say of categories comes from Bayes' rule.

>>> net = MixedNetwork.from_edges(
...     [("sex", "height"), ("height", "weight")],
...     tables={
...         "sex": {"f": 0.5, "m": 0.5},
...         "height": {"f": LinearGaussian(165, 6), "m": LinearGaussian(178, 7)},
...         "weight": LinearGaussian(-60, 8, {"height": 0.75}),
...     },
... )
>>> print(net.query("weight | sex=f"))
weight | sex=f ~ N(63.75, 9.17878^2)
>>> print(net.query("sex | height=180"))
P(sex | height=180)
sex=f  0.0506887
sex=m  0.949311
>>> print(net.query("height | weight=60"))
height | weight=60: a mixture of 2 normals with mean 166.242 and sd 6.69024
0.722  sex=f  N(163.798, 5.22945^2)
0.278  sex=m  N(172.582, 5.85234^2)
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.by_label import by_label
from bayesfold.data.frame import Floats, Level
from bayesfold.networks.answers import MostProbable
from bayesfold.networks.approximate import Approximation
from bayesfold.networks.counting import Counting
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor import Factor
from bayesfold.networks.factor_states import States, check_name, join_given, key_by_name
from bayesfold.networks.learning.counts import find_states as states_in_rows
from bayesfold.networks.learning.parameters import Estimate
from bayesfold.networks.learning.weightless_rows import blank_weightless
from bayesfold.networks.mixed.answers import MixedAnswers
from bayesfold.networks.mixed.declared import axes_of, make_certain, read_tables, refuse_backwards
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.mixed.learned import LearnedMoments
from bayesfold.networks.mixed.lines import LinearGaussian as LinearGaussian
from bayesfold.networks.mixed.lines import Lines
from bayesfold.networks.mixed.mixture import JointMixture, NormalMixture
from bayesfold.networks.mixed.rows import encode, soft_evidence
from bayesfold.networks.mixed.weighting import SampledNumber, sample_mixed, weigh_mixed
from bayesfold.networks.mixed.words import count_of, describe, factor_of, lines_of
from bayesfold.networks.network import total
from bayesfold.networks.query import Query, read_query
from bayesfold.runtime.counts import check_count
from bayesfold.runtime.messages import listed

Tables = Mapping[str, Floats | Lines]


@dataclass(frozen=True, eq=False, repr=False)
class MixedNetwork(Counting):
    """A conditional linear Gaussian network: tables of categories, linear regressions ("lines") of numbers."""

    dag: Dag
    axes: Mapping[str, States]
    tables: Tables = field(default_factory=dict)
    name: str = ""
    learned: LearnedMoments | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "axes", {v: self.axes[v] for v in self.nodes if v in self.axes})
        tables = read_tables(self.dag, self.axes, self.tables)
        object.__setattr__(self, "tables", {v: tables[v] for v in self.nodes if v in tables})

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str]],
        nodes: Iterable[str] = (),
        tables: Mapping[str, Any] | None = None,
        states: Mapping[str, Sequence[Level]] | None = None,
        numbers: Iterable[str] = (),
        name: str = "",
    ) -> "MixedNetwork":
        """A network of (parent, child) edges.

        tables: for a category as for `BayesianNetwork`; for a number a `LinearGaussian`, or a dict of them by states of
        its categorical parents. numbers: nodes that are numeric, if no table says so. states: those of categories that
        no table names.
        """
        dag, declared = Dag.of(edges, nodes), key_by_name(states or {})
        given = {v: by_label(table, declared.get(v, ())) for v, table in key_by_name(tables or {}).items()}
        axes = axes_of(dag, given, declared, numbers)
        refuse_backwards(dag, axes)
        return cls(dag, axes, given, name)

    def states(self, node: str) -> States:
        """The states of a category, in the order of every answer; () of a number."""
        name = check_name("node", node, self.dag.index)
        if name not in self.axes:
            raise ValueError(f"the states of {node!r} are not known; give its table, or states=, or numbers=")
        return self.axes[name]

    @property
    def numbers(self) -> tuple[str, ...]:
        """The nodes that are numbers."""
        return tuple(v for v in self.nodes if self.axes.get(v) == ())

    @property
    def categories(self) -> tuple[str, ...]:
        """The nodes that are categories."""
        return tuple(v for v in self.nodes if self.axes.get(v) != ())

    @cached_property
    def kinds(self) -> Kinds:
        """The graph and which of its nodes are numbers."""
        for v in self.nodes:
            self.states(v)
        return Kinds(self.dag, self.axes)

    def complete(self) -> Tables:
        """Every table and line, or an error that names a node without one."""
        if lacking := [v for v in self.nodes if v not in self.tables]:
            raise ValueError(
                f"this needs every table, and {listed(lacking)} has none; give tables= to from_edges, or fit"
            )
        return self.tables

    def table(self, node: str) -> Factor:
        """P(category | parents) as a factor, its own axis last."""
        v = self.nodes[self.dag.number(node)]
        values = self.complete()[v]
        if isinstance(values, Lines):
            raise ValueError(f"{v!r} is a number and has lines instead of a table: see lines({v!r})")
        return factor_of(self.kinds, self.dag.index[v], values)

    def lines(self, node: str) -> dict[tuple[Level, ...], LinearGaussian]:
        """The regressions of a numeric node, by the states of its categorical parents."""
        v = self.dag.number(node)
        lines = self.complete()[self.nodes[v]]
        if not isinstance(lines, Lines):
            raise ValueError(f"{node!r} is a category and has a table instead of lines: see table({node!r})")
        return lines_of(self.kinds, v, lines)

    # ------------------------------------------------------------------------------------------------------ questions

    def query(
        self,
        question: str,
        /,
        *,
        likelihood: Mapping[str, Any] | None = None,
        evidence: Mapping[str, Any] | None = None,
        **observed: Any,
    ) -> Factor | NormalMixture | JointMixture:
        """P(targets | evidence), exactly: of categories a table, of a number its mean and variance, or a mixture.

        Evidence is states and numbers: net.query("sex | height=180"). likelihood: soft evidence about categories.
        """
        ask = self._read(question, join_given(evidence, observed))
        if not ask.targets and not ask.events:
            raise ValueError(f"{question!r} asks about nothing: name a node before '|'")
        net = self._after(ask)
        return net.answers.distribution(ask, soft_evidence(net.kinds, likelihood))

    def approximate(
        self,
        question: str,
        /,
        *,
        samples: int = 20_000,
        random_state: "int | np.random.Generator | None" = None,
        evidence: Mapping[str, Any] | None = None,
        **observed: Any,
    ) -> Approximation | SampledNumber:
        """P(targets | evidence) by likelihood weighting, where exact is too large; print it for its error."""
        ask = self._read(question, join_given(evidence, observed))
        if not ask.targets or ask.events:
            raise ValueError(f"name what you want to know, without a state, not {question!r}")
        return weigh_mixed(self._after(ask).answers, ask, samples, np.random.default_rng(random_state))

    def probability(self, question: str, /, **observed: Any) -> float:
        """P(states | evidence), a number: net.probability("sex=m | height=180")."""
        ask = self._read(question, observed)
        if ask.targets or not ask.events:
            raise ValueError(f"a probability needs states: write {listed([f'{v}=...' for v in ask.targets or ('x',)])}")
        answer = self._after(ask).answers.distribution(ask, {})
        assert isinstance(answer, Factor)
        return float(answer.values)

    def map(self, question: str, /, **observed: Any) -> MostProbable:
        """The most probable joint state of some categories, all else summed out: net.map("sex, sport | height=180")."""
        ask = self._read(question, observed)
        if not ask.targets or ask.events or any(not self.axes[v] for v in ask.targets):
            raise ValueError(f"name the categories whose states you want, without a state, not {question!r}")
        answer = self._after(ask).answers.distribution(ask, {})
        assert isinstance(answer, Factor)
        return MostProbable(answer.argmax(), float(answer.values.max()))

    def posteriors(self, table: Any, likelihood: Mapping[str, Any] | None = None) -> dict[str, Floats]:
        """The posterior of every node for each row: P(state | row), [row, state], or mean and variance, [row, 2]."""
        codes, values, soft = *encode(self.kinds, table), soft_evidence(self.kinds, likelihood)
        return {v: self.answers.beliefs(codes, values, i, soft) for i, v in enumerate(self.nodes)}

    def predict_proba(self, table: Any, target: str, likelihood: Mapping[str, Any] | None = None) -> Floats:
        """P(category | row) for each row of a table with missing values, [row, state]; ignores the target's column."""
        if not self.states(target):
            raise ValueError(f"{target!r} is a number: predict_number gives its mean and variance")
        return self._predicted(table, target, likelihood)

    def predict_number(self, table: Any, target: str, likelihood: Mapping[str, Any] | None = None) -> Floats:
        """The mean and the variance of a number given each row, [row, 2]; the target's own column is ignored."""
        if self.states(target):
            raise ValueError(f"{target!r} is a category: predict_proba gives the probabilities of its states")
        return self._predicted(table, target, likelihood)

    def _predicted(self, table: Any, target: str, likelihood: Mapping[str, Any] | None) -> Floats:
        v = self.dag.number(target)
        codes, values = encode(self.kinds, table, self.dag.names[v])
        return self.answers.beliefs(codes, values, v, soft_evidence(self.kinds, likelihood))

    def log_likelihood(self, table: Any, weight: ArrayLike | None = None) -> float:
        """The log density of a table: sum_rows weight log p(observed cells), over all completions of missing cells."""
        return total(self.answers.log_probabilities(*encode(self.kinds, table), {}), weight)

    def sample(self, rows: int, random_state: "int | np.random.Generator | None" = None) -> dict[str, Any]:
        """Rows drawn from the joint distribution, as columns by name."""
        return sample_mixed(self.answers, check_count("rows", rows), np.random.default_rng(random_state))

    def do(self, fixed: Mapping[str, Level] | None = None, /, **more: Level) -> "MixedNetwork":
        """The network after an intervention: these nodes are set, and the arcs into them removed."""
        dag, states = self._intervene(join_given(fixed, more))
        tables = {**self.complete(), **{v: make_certain(v, self.axes[v], state) for v, state in states.items()}}
        return replace(self, dag=dag, tables=tables, learned=None)

    # ------------------------------------------------------------------------------------------------------- learning

    def fit(
        self,
        table: Any,
        *,
        method: str = "lambda",
        alpha: float | Mapping[str, float] = 1.0,
        equivalent_sample_size: float | Mapping[str, float] = 1.0,
        weight: ArrayLike | None = None,
    ) -> "MixedNetwork":
        """The same graph with tables and regressions estimated from rows; the new network keeps the counts and moments.

        Options as for `BayesianNetwork.fit`; for a numeric node, alpha is the weight, in rows, of the pooled
        within-group scatter that is added to that of each group. A row that lacks a value of a node or of one of its
        parents is not counted for that node.
        """
        return self.fitted(table, Estimate(method, alpha, equivalent_sample_size), weight)

    def fitted(self, table: Any, estimate: Estimate, weight: ArrayLike | None) -> "MixedNetwork":
        """The same with the options as one."""
        table, weight = blank_weightless(table, self.nodes, weight)
        shown = states_in_rows(table, self.categories, {v: s for v, s in self.axes.items() if s})
        axes = {v: shown.get(v, ()) for v in self.nodes}
        learned = LearnedMoments.of(table, Kinds(self.dag, axes), estimate, weight)
        before = frozenset() if self.learned is None else self.learned.found
        found = before | {v for v in self.categories if not self.axes.get(v)}
        return self._with(replace(learned, found=found), axes)

    def merge(self, other: "MixedNetwork") -> "MixedNetwork":
        """A network fitted on the rows of both; they must have the same graph and states."""
        learned, axes = self._united(other)
        return self._with(learned.with_other(other._counts(), Kinds(self.dag, axes), other.kinds), axes)

    def _with(self, learned: LearnedMoments, axes: Mapping[str, States] | None = None) -> "MixedNetwork":
        axes = self.axes if axes is None else axes
        return replace(self, axes=axes, tables=learned.tables(Kinds(self.dag, axes)), learned=learned)

    # --------------------------------------------------------------------------------------------------------- inside

    @cached_property
    def answers(self) -> MixedAnswers:
        """The engine behind every exact answer, made once."""
        tables, index = self.complete(), self.dag.index
        lines = {index[v]: table for v, table in tables.items() if isinstance(table, Lines)}
        return MixedAnswers(self.kinds, {index[v]: t for v, t in tables.items() if not isinstance(t, Lines)}, lines)

    def _after(self, ask: Query) -> "MixedNetwork":
        return self.do(ask.do) if ask.do else self

    def _read(self, question: str, evidence: Mapping[str, Any]) -> Query:
        self.complete()
        return read_query(question, self.axes, evidence)

    def __str__(self) -> str:
        """Every line and table, parents before children, as a statistician writes them."""
        return describe(self.kinds, self.tables) if len(self.tables) == len(self.nodes) else repr(self)

    def __repr__(self) -> str:
        title = f"MixedNetwork {self.name}".strip()
        kinds = f"{count_of(len(self.categories), 'category', 'categories')}, {count_of(len(self.numbers), 'number')}"
        return f"<{title}: {kinds}, {count_of(len(self.edges), 'edge')}>"
