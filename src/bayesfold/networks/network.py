"""Bayesian networks: P(x1, ..., xn) = prod_i P(xi | parents of xi), built, checked, and asked.

>>> net = BayesianNetwork.from_edges(
...     [("rain", "wet")],
...     tables={
...         "rain": {"yes": 0.2, "no": 0.8},
...         "wet": {"yes": {"yes": 0.9, "no": 0.1}, "no": {"yes": 0.15, "no": 0.85}},
...     },
... )
>>> net.factorization()
'P(rain) P(wet | rain)'
>>> print(net.query("rain | wet=yes"))
P(rain | wet=yes)
rain=yes  0.6
rain=no   0.4
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.by_label import by_label
from bayesfold.data.column_values import float_per_row
from bayesfold.data.frame import Floats, Level
from bayesfold.networks.answers import ExactAnswers, MostProbable
from bayesfold.networks.approximate import Approximation, approximate
from bayesfold.networks.counting import Counting
from bayesfold.networks.dag import Dag
from bayesfold.networks.elimination import Derivation, Term, derive
from bayesfold.networks.factor import MOST_LINES, Factor, multiply
from bayesfold.networks.factor_graph import FactorGraph
from bayesfold.networks.factor_states import (
    States,
    check_name,
    find_state,
    join_given,
    key_by_name,
    refuse_holes,
    shorten_count,
)
from bayesfold.networks.query import Query, read_query, split_outside
from bayesfold.networks.sampling import to_states
from bayesfold.networks.tables import check_rows, read_table, states_in
from bayesfold.runtime.counts import check_count
from bayesfold.runtime.messages import listed
from bayesfold.runtime.text_table import html_table

if TYPE_CHECKING:
    from bayesfold.networks.learning.em import EM, Convergence
    from bayesfold.networks.learning.parameters import LearnedCounts


@dataclass(frozen=True, eq=False, repr=False)
class BayesianNetwork(Counting):
    """A Bayesian network: a graph, the states of its variables, and P(variable | parents) for each of them.

    Tables are arrays with axes (*parents, variable). A network without tables answers what the graph alone decides:
    d-separation, Markov blankets, factorisation. A network that was fitted keeps its counts.
    """

    dag: Dag
    axes: Mapping[str, States] = field(default_factory=dict)
    tables: Mapping[str, Floats] = field(default_factory=dict)
    name: str = ""
    learned: "LearnedCounts | None" = None
    em: "Convergence | None" = None

    def __post_init__(self) -> None:
        names = self.dag.names
        object.__setattr__(self, "axes", {v: self.axes[v] for v in names if v in self.axes})
        tables = {v: self.tables[v] for v in names if v in self.tables}
        for v, table in tables.items():
            expected = tuple(len(self.axes[u]) for u in (*self.parents(v), v))
            if table.shape != expected:
                raise ValueError(f"the table of {v!r} has the shape {table.shape} instead of {expected}")
        object.__setattr__(self, "tables", {v: check_rows(t, v, self.parents(v), self.axes) for v, t in tables.items()})

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str]],
        nodes: Iterable[str] = (),
        tables: Mapping[str, Any] | None = None,
        states: Mapping[str, Sequence[Level]] | None = None,
        name: str = "",
    ) -> "BayesianNetwork":
        """A network of (parent, child) edges; a table's axes are its parents in the order of the edges, then the child.

        Node names are strings; a number stands for its decimal string, here and in every query.

        tables: P(node | parents) as nested dicts by state, as arrays, or as factors. states: needed only for nodes
        whose states no table names.
        """
        declared = key_by_name(states or {})
        given = {v: by_label(table, declared.get(v, ())) for v, table in key_by_name(tables or {}).items()}
        dag = Dag.of(edges, nodes)
        for v in (*given, *declared):
            check_name("node", v, dag.index)
        axes: dict[str, States] = {v: tuple(s) for v, s in declared.items()}
        parents = {v: tuple(dag.names[p] for p in dag.parents[dag.index[v]]) for v in dag.names}
        for own in (True, False):  # a variable's own table comes before what its children say
            for v, table in given.items():
                for u, levels in states_in(table, v, parents[v]).items():
                    if (u == v) is own:
                        axes.setdefault(u, levels)
        for v, levels in axes.items():
            if not levels or len(set(levels)) < len(levels):
                raise ValueError(f"the states of {v!r} must be distinct, and at least one: {listed(levels)}")
            refuse_holes(v, levels)
        for v in given:
            if lacking := [u for u in (*parents[v], v) if u not in axes]:
                raise ValueError(f"the table of {v!r} needs the states of {listed(lacking)}: give them in states=")
        read = {v: read_table(table, v, parents[v], axes) for v, table in given.items()}
        return cls(dag, axes, read, name)

    @classmethod
    def from_factors(cls, factors: Iterable[Factor], name: str = "") -> "BayesianNetwork":
        """A network of tables P(last variable | the others)."""
        given = {}
        for factor in factors:
            child = factor.variables[-1]
            if child in given:
                raise ValueError(f"two factors have {child!r} as their last variable; each variable has one table")
            given[child] = factor
        edges = [(parent, child) for child, factor in given.items() for parent in factor.variables[:-1]]
        return cls.from_edges(edges, tuple(given), given, name=name)

    # --------------------------------------------------------------------------------------------------------- tables

    def states(self, node: str) -> States:
        """The states of a variable, in the order of every answer."""
        name = check_name("node", node, self.dag.index)
        if name not in self.axes:
            raise ValueError(f"the states of {node!r} are not known; give its table, or states=")
        return self.axes[name]

    def table(self, node: str) -> Factor:
        """P(node | parents) as a factor, its own axis last."""
        node, parents = self.dag.names[self.dag.number(node)], self.parents(node)
        label = f"P({node}{' | ' if parents else ''}{', '.join(parents)})"
        return Factor({v: self.states(v) for v in (*parents, node)}, self.complete()[node], label=label)

    def factors(self) -> list[Factor]:
        """Every table, parents before children; their product is the joint distribution."""
        return [self.table(self.nodes[i]) for i in self.dag.order]

    def joint(self) -> Factor:
        """The joint distribution as one table; an error that states its size, if it would not fit in memory."""
        self.complete()
        axes = {v: self.axes[v] for v in self.nodes}
        cells = prod(map(len, axes.values()))
        if cells > 1 << 24:
            size = f"the joint table of {len(axes)} variables would have {shorten_count(cells)} cells"
            raise ValueError(f"{size}; ask for what you need with query()")
        return multiply(self.factors()).ordered(*axes)

    def complete(self) -> Mapping[str, Floats]:
        """Every table, or an error that names a variable without one."""
        if len(self.tables) < len(self.nodes):
            lacking = [v for v in self.nodes if v not in self.tables]
            raise ValueError(f"this needs every table, and {listed(lacking)} has none; give tables= to from_edges")
        return self.tables

    def factor_graph(self) -> FactorGraph:
        """The tables as a factor graph, for message passing."""
        return FactorGraph(self.factors())

    # ------------------------------------------------------------------------------------------------------ questions

    def query(
        self,
        question: str,
        /,
        *,
        likelihood: Mapping[str, Any] | None = None,
        evidence: Mapping[str, Any] | None = None,
        **observed: Any,
    ) -> Factor:
        """P(targets | evidence), exactly: net.query("lung | smoke=yes"), or net.query("lung", smoke="yes").

        evidence: a dict, for names that cannot be keywords. likelihood: soft evidence, P(observation | state) for the
        states of a variable, as in {"xray": {"yes": 0.8, "no": 0.3}}.
        """
        ask = self._read(question, join_given(evidence, observed))
        if not ask.targets and not ask.events:
            raise ValueError(f"{question!r} asks about nothing: name a variable before '|'")
        return self._after(ask).answers.distribution(ask, likelihood or {})

    def approximate(
        self,
        question: str,
        /,
        *,
        method: str = "auto",
        samples: int = 20_000,
        random_state: "int | np.random.Generator | None" = None,
        evidence: Mapping[str, Any] | None = None,
        **observed: Any,
    ) -> Approximation:
        """Approximate P(targets | evidence), if the exact answer is too large; printed with its method and error.

        method: "weighting" (likelihood weighting), "gibbs" or "loopy" (belief propagation); "auto" takes likelihood
        weighting, or Gibbs sampling where the effective sample size would be too small.
        """
        ask = self._read(question, join_given(evidence, observed))
        if not ask.targets or ask.events:
            raise ValueError(f"name the variables that you want to know, without a state, not {question!r}")
        return approximate(self._after(ask).answers, ask, method, samples, random_state)

    def probability(self, question: str, /, **observed: Any) -> float:
        """P(events | evidence), a number: net.probability("lung=yes | smoke=yes"); without "|", P(the evidence)."""
        ask = self._read(question, observed)
        if ask.targets or not ask.events:
            raise ValueError(f"a probability needs states: write {listed([f'{v}=...' for v in ask.targets or ('x',)])}")
        return self._after(ask).answers.probability(ask)

    def mpe(self, evidence: str = "", /, **observed: Any) -> MostProbable:
        """The most probable joint state of all unobserved variables: net.mpe("xray=abnormal")."""
        bare = len(list(split_outside(evidence, "|"))) == 1  # a bar in quotation marks is a name's own
        ask = self._read(f" | {evidence}" if bare else evidence, observed)
        if ask.targets or ask.events:
            raise ValueError("mpe is about every variable: give evidence only, or name targets in map()")
        return self._after(ask).answers.most_probable(ask)

    def map(self, question: str, /, **observed: Any) -> MostProbable:
        """The most probable joint state of some variables, the others summed out: net.map("lung, smoke | xray=no")."""
        ask = self._read(question, observed)
        if not ask.targets or ask.events:
            raise ValueError(f"name the variables whose states you want, without a state, not {question!r}")
        return self._after(ask).answers.most_probable(ask)

    def next_observation(self, question: str, /, **observed: Any) -> dict[str, float]:
        """What to observe next: the mutual information of each variable with the target in bits, largest first."""
        ask = self._read(question, observed)
        if len(ask.targets) != 1 or ask.events:
            raise ValueError(f"name one variable that you want to know, not {question!r}")
        return self._after(ask).answers.information(ask)

    def posteriors(self, table: Any, likelihood: Mapping[str, Any] | None = None) -> dict[str, Floats]:
        """P(variable | row) of every variable, for each row of a table with missing values: [row, state].

        States are in the order of `states`. Columns that are not variables are ignored; a variable without a column is
        unobserved. likelihood: soft evidence by variable, [row, state] or one row for all.
        """
        self.complete()
        return self.answers.posteriors(table, likelihood or {})

    def predict_proba(self, table: Any, target: str, likelihood: Mapping[str, Any] | None = None) -> Floats:
        """P(target | row) for each row of a table with missing values, [row, state]; ignores the target's column."""
        self.complete()
        return self.answers.predict(table, target, likelihood or {})

    def log_likelihood(
        self, table: Any, weight: ArrayLike | None = None, likelihood: Mapping[str, Any] | None = None
    ) -> float:
        """log P(table) = sum_rows weight log P(observed cells of the row), missing values summed out.

        weight: row weights (1). likelihood: soft evidence by variable, as for `posteriors`; the probability of a row is
        then sum_states P(its cells, states) times the likelihoods of these states.
        """
        self.complete()
        return total(self.answers.log_probabilities(table, likelihood or {}), weight)

    def sample(self, rows: int, random_state: "int | np.random.Generator | None" = None) -> dict[str, Any]:
        """Rows drawn from the joint distribution, as columns by name."""
        self.complete()
        codes = self.answers.sample(check_count("rows", rows), np.random.default_rng(random_state))
        return to_states(codes, self.nodes, self.axes)

    def derivation(
        self,
        question: str,
        /,
        *,
        prune: bool = True,
        order: Sequence[str] | None = None,
        evidence: Mapping[str, Any] | None = None,
        **observed: Any,
    ) -> Derivation:
        """Variable elimination, step by step: its print shows the sums pushed inwards, line by line, with every table.

        prune: leave out irrelevant nodes (those below all targets and evidence). order: the elimination order.
        evidence: a dict, for names that cannot be keywords.
        """
        if not isinstance(prune, bool | np.bool_) or isinstance(order, str):
            raise TypeError(
                f"prune={prune!r}, order={order!r}: prune is an option, True or False, and order is one, a list of "
                "nodes; give nodes of such names as evidence={...}"
            )
        return self._derivation(self._read(question, join_given(evidence, observed)), prune, order)

    def _derivation(self, ask: Query, prune: bool, order: Sequence[str] | None) -> Derivation:
        if ask.do:
            derived = self.do(ask.do)._derivation(ask._replace(do={}), prune, order)
            joint = Query((*ask.targets,), dict(ask.evidence), {}, ask.do).label
            labelled = replace(derived.joint, given={**derived.joint.given, **ask.given}, label=joint)
            return replace(derived, question=ask.label, joint=labelled, answer=replace(derived.answer, given=ask.given))
        if ask.events or not ask.targets:
            raise ValueError("name variables without a state to derive a distribution")
        needed = self.dag.ancestors(self.dag.numbers((*ask.targets, *ask.evidence))) if prune else set(self.dag.order)
        terms = [make_term(self.table(self.nodes[i]), ask.evidence) for i in self.dag.order if i in needed]
        pruned = [self.nodes[i] for i in self.dag.order if i not in needed]
        return derive(terms, ask.targets, ask.evidence, order, pruned)

    def do(self, fixed: Mapping[str, Level] | None = None, /, **more: Level) -> "BayesianNetwork":
        """The network after an intervention: these variables are set, and the arcs into them removed."""
        dag, states = self._intervene(join_given(fixed, more))
        tables = dict(self.complete())
        for v, s in states.items():
            tables[v] = np.eye(len(self.axes[v]))[find_state(v, self.axes[v], s)]
        return replace(self, dag=dag, tables=tables, learned=None, em=None)

    # ------------------------------------------------------------------------------------------------------- learning

    def fit(
        self,
        table: Any,
        *,
        method: str = "lambda",
        alpha: float | Mapping[str, float] = 1.0,
        equivalent_sample_size: float | Mapping[str, float] = 1.0,
        weight: ArrayLike | None = None,
        em: "bool | EM" = False,
    ) -> "BayesianNetwork":
        """The same graph with tables estimated from rows; the new network keeps the counts.

        method: "mle" (maximum likelihood), "lambda" (alpha is added to every count), "bdeu" (a prior worth
        equivalent_sample_size rows for each node) or "backoff" (smoothing towards the table with fewer parents, with
        the weight of equivalent_sample_size rows); alpha and equivalent_sample_size may differ from node to node.
        weight: row weights. States that are not given are the values that occur. A row that lacks a value of a node or
        of one of its parents is not counted for that node, unless `em` (True, or an `EM` object): then missing values
        are completed by expectation-maximisation, and a node without a column is a hidden variable. `network.em`
        reports the run.
        """
        from bayesfold.networks.learning.from_rows import learn_tables  # learning is loaded when it is asked for
        from bayesfold.networks.learning.parameters import Estimate

        estimate = Estimate(method, alpha, equivalent_sample_size)
        before = frozenset() if self.learned is None else self.learned.found
        return replace(self, **learn_tables(self.dag, self.axes, table, estimate, weight, em, before))

    def merge(self, other: "BayesianNetwork") -> "BayesianNetwork":
        """A network fitted on the rows of both; they must have the same graph and states."""
        learned, axes = self._united(other)
        return self._with(learned.with_other(other._counts()), axes)

    def _with(self, learned: "LearnedCounts", axes: Mapping[str, States] | None = None) -> "BayesianNetwork":
        axes = self.axes if axes is None else axes
        return replace(self, axes=axes, tables=learned.tables(self.dag), learned=learned, em=None)

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle or a copy holds: not the engine, which is made again when it is asked."""
        return {name: value for name, value in self.__dict__.items() if name != "answers"}

    @cached_property
    def answers(self) -> ExactAnswers:
        """The engine behind every exact answer, made once."""
        return ExactAnswers(self.dag, self.axes, tuple(self.complete()[v] for v in self.nodes))

    def _after(self, ask: Query) -> "BayesianNetwork":
        return self.do(ask.do) if ask.do else self

    def _read(self, question: str, evidence: Mapping[str, Any]) -> Query:
        self.complete()
        return read_query(question, self.axes, evidence)

    def _repr_html_(self) -> str:
        lines = [
            (v, ", ".join(self.parents(v)), ", ".join(map(str, self.axes.get(v, ())))) for v in self.nodes[:MOST_LINES]
        ]
        more = len(self.nodes) - len(lines)
        tail = f"<p>... and {more} more nodes</p>" if more else ""
        return html_table(("node", "given", "states"), lines, 3, repr(self)[1:-1]) + tail

    def __repr__(self) -> str:
        title = f"BayesianNetwork {self.name}".strip()
        missing = "" if len(self.tables) == len(self.nodes) else f", {len(self.tables)} tables"
        return f"<{title}: {len(self.nodes)} nodes, {len(self.edges)} edges{missing}>"


def total(log_p: Floats, weight: ArrayLike | None) -> float:
    """The sum of so many times each row's log; a row of weight 0 counts for nothing, possible or not.

    >>> total(np.array([-1.0, -2.0, -np.inf]), weight=[1, 3, 0])
    -7.0
    """
    if weight is None:
        return float(log_p.sum())
    times = float_per_row(weight)
    if times.shape != log_p.shape or not np.all((times >= 0) & np.isfinite(times)):
        raise ValueError(f"weight must be one finite number of at least 0 for each of {len(log_p)} rows")
    counted = times > 0
    return float(times[counted] @ log_p[counted])


def make_term(table: Factor, evidence: Mapping[str, Level]) -> Term:
    """P(child | parents) as written, cut at what was observed."""
    *parents, child = (f"{v}={evidence[v]}" if v in evidence else v for v in table.variables)
    return Term.of(
        f"P({child}{' | ' if parents else ''}{', '.join(parents)})",
        table.condition({v: s for v, s in evidence.items() if v in table.axes}),
    )
