"""Tables from rows with holes, and hidden variables: expectation and maximisation in turn (Dempster et al. 1977).

Expected counts take the place of counts: each row is spread over its possible states by their posterior under the
tables so far, and tables are made of the sums as they are made of counts. Each turn raises

    log P(what the rows show) + sum over cells a log P(cell),

a what the estimate adds to each cell (0 for "mle": then it is the log-likelihood), until it rises by less than
`tolerance` for each row. A hidden variable, one without a column, may end in several optima: the best of `restarts`
beginnings is kept. Where holes depend on what they hide, the tables are biased, as those of any other method.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.evidence import Codes
from bayesfold.networks.factor_states import States
from bayesfold.networks.learning.clique_tree import CliqueTree
from bayesfold.networks.learning.parameters import Estimate

Watcher = Callable[[int, float], None]


@dataclass(frozen=True)
class EM:
    """Options of EM, which stops after `iterations`, or when one gains less than `tolerance` per row.

    restarts: random starts, if a variable is hidden. states: {hidden variable: numbers of states to choose from, by
    held-out likelihood}. watch: called after each iteration with its number and the log-likelihood.
    """

    iterations: int = 500
    tolerance: float = 1e-6
    restarts: int = 5
    random_state: int | None = 0
    states: Mapping[str, Sequence[int]] = field(default_factory=dict)
    watch: Watcher | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.restarts < 1 or not 0 <= self.tolerance < np.inf:
            raise ValueError("EM needs at least 1 iteration and 1 restart, and a tolerance of at least 0")


def read_em(em: Any) -> EM | None:
    """How EM goes on, None where it is not asked for."""
    if em is None or isinstance(em, bool):
        return EM() if em else None
    if not isinstance(em, EM):
        raise TypeError(f"em must be True, False or bf.EM(...), not {em!r}")
    return em


@dataclass(frozen=True)
class Convergence:
    """How EM went: the log-likelihood before each iteration, the same with the prior, and whether it came to rest.

    counts: the expected counts of each family in the end. starts: what each beginning reached. held_out: where numbers
    of states were tried, the log-likelihood for each row held out, by these numbers.
    """

    log_likelihood: tuple[float, ...]
    objective: tuple[float, ...]
    converged: bool
    hidden: tuple[str, ...]
    starts: tuple[float, ...]
    counts: Mapping[str, Floats] = field(repr=False, default_factory=dict)
    held_out: Mapping[tuple[int, ...], float] = field(default_factory=dict)

    def __str__(self) -> str:
        end = "came to rest" if self.converged else "was stopped: allow more iterations, or a larger tolerance"
        of = f", the best of {len(self.starts)} beginnings" if len(self.starts) > 1 else ""
        rose = f"{self.log_likelihood[0]:.6g} -> {self.log_likelihood[-1]:.6g}"
        lines = [f"EM {end} after {len(self.objective)} iterations{of}: log-likelihood {rose}"]
        for numbers, value in self.held_out.items():
            best = "  chosen" if value == max(self.held_out.values()) else ""
            lines.append(f"  {' x '.join(map(str, numbers))} states: {value:.5f} for each row held out{best}")
        return "\n".join(lines)


def run_em(
    dag: Dag, axes: Mapping[str, States], codes: Codes, weight: Floats, estimate: Estimate, how: EM
) -> tuple[dict[str, Floats], Convergence]:
    """Tables that no further iteration would improve by much, and how they were reached."""
    cards = [len(axes[v]) for v in dag.names]
    tree = CliqueTree.of(cards, dag.parents)
    rows, times = fold_repeated_rows(codes, weight)
    hidden = [v for v in range(len(cards)) if not (codes[:, v] >= 0).any()]
    draw = np.random.default_rng(how.random_state)
    runs = [
        iterate_em(tree, start_tables(tree, dag, rows, times, hidden, draw), rows, times, dag.names, estimate, how)
        for _ in range(how.restarts if hidden else 1)
    ]
    tables, best = max(runs, key=lambda run: run[1].objective[-1])
    names = tuple(dag.names[v] for v in hidden)
    convergence = Convergence(
        best.log_likelihood, best.objective, best.converged, names, tuple(c.objective[-1] for _, c in runs), best.counts
    )
    return dict(zip(dag.names, tables, strict=True)), convergence


def iterate_em(
    tree: CliqueTree,
    tables: list[Floats],
    codes: Codes,
    weight: Floats,
    names: Sequence[str],
    estimate: Estimate,
    how: EM,
) -> tuple[list[Floats], Convergence]:
    """One run: expectation and maximisation in turn."""
    likelihood: list[float] = []
    objective: list[float] = []
    enough = how.tolerance * float(weight.sum())
    while True:
        counts, logs = tree.expect(tables, codes, weight)
        likelihood.append(float(weight @ logs))
        objective.append(likelihood[-1] + log_prior(tables, names, estimate))
        if how.watch is not None:
            how.watch(len(objective), objective[-1])
        resting = len(objective) > 1 and objective[-1] - objective[-2] <= enough
        if resting or len(objective) > how.iterations:
            by_name = dict(zip(names, counts, strict=True))
            return tables, Convergence(tuple(likelihood), tuple(objective), resting, (), (), by_name)
        tables = [estimate.table(v, cells) for v, cells in zip(names, counts, strict=True)]


def log_prior(tables: Sequence[Floats], names: Sequence[str], estimate: Estimate) -> float:
    """Sum of a log P over all cells, a what the estimate adds to each."""
    added = [estimate.pseudocount(v, table.shape) for v, table in zip(names, tables, strict=True)]
    return float(sum(a * np.log(table).sum() for a, table in zip(added, tables, strict=True) if a > 0))


def start_tables(
    tree: CliqueTree, dag: Dag, codes: Codes, weight: Floats, hidden: Sequence[int], draw: np.random.Generator
) -> list[Floats]:
    """Tables to begin with: counted where a family has no holes, drawn at random where it has a hidden variable."""
    tables = []
    for v, family in enumerate(tree.families):
        shape = [tree.cards[u] for u in family]
        if any(u in hidden for u in family):
            cells = draw.gamma(1.0, size=shape) + 0.1
        else:
            cells = np.ones(shape)
            whole = (codes[:, family] >= 0).all(1)
            np.add.at(cells, tuple(codes[whole][:, family].T), weight[whole])
        tables.append(Estimate("mle").table(dag.names[v], cells))
    return tables


def fold_repeated_rows(codes: Codes, weight: Floats) -> tuple[Codes, Floats]:
    """Each different row once, with the weight of all that are like it; rows of no weight left out."""
    kept = weight > 0
    rows = np.ascontiguousarray(codes[kept], np.int32)
    if not len(rows):
        return rows, weight[kept]
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    return np.ascontiguousarray(rows[first]), np.bincount(which, weight[kept], len(first)).astype(np.float64)
