"""Answers where exact ones are too large: sampled, with error bars, or by loopy messages. Each says how it was found.

Likelihood weighting draws unobserved variables from their parents and weights each row by how likely the observed ones
were: good when evidence lies high up. Gibbs sampling redraws one variable at a time given its Markov blanket: good when
evidence lies low, bad when tables hold zeros (its chains may be stuck, which their disagreement, R-hat, shows).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.networks.answers import ExactAnswers
from bayesfold.networks.factor import Factor, ImpossibleEvidence
from bayesfold.networks.factor_graph import FactorGraph
from bayesfold.networks.query import Query
from bayesfold.networks.sampling import Codes, pick_states, sample_forward

METHODS = ("weighting", "gibbs", "loopy")
CHAINS = 64
BLOCK = 20_000
TRUSTED = 1.05
"""Chains whose R-hat is above this have not mixed."""


@dataclass(frozen=True)
class Approximation:
    """An answer, the method that gave it, and how exact it is: a standard error for each cell, or a note in words."""

    answer: Factor
    method: str
    error: Factor | None
    effective: float | None
    note: str

    def __str__(self) -> str:
        bars = "" if self.error is None else f"; standard error at most {self.error.values.max():.2g}"
        return f"{self.answer}\nby {self.method}: {self.note}{bars}"


@dataclass(frozen=True)
class RelevantQuery:
    """A question in numbers: which variables matter to it, which are asked and which observed."""

    answers: ExactAnswers
    query: Query
    targets: tuple[int, ...]
    seen: Mapping[int, int]
    needed: frozenset[int]

    @classmethod
    def of(cls, answers: ExactAnswers, query: Query) -> "RelevantQuery":
        """Variables that are neither asked, observed nor above one of these are left out: they sum to 1."""
        targets = tuple(answers.dag.index[v] for v in query.targets)
        seen = answers.numbers(query.evidence)
        return cls(answers, query, targets, seen, frozenset(answers.dag.ancestors({*targets, *seen})))

    @property
    def shape(self) -> tuple[int, ...]:
        """States of each target."""
        return tuple(len(self.answers.axes[v]) for v in self.query.targets)

    def cells(self, codes: Codes) -> NDArray[np.intp]:
        """The cell of the answer that each row falls into."""
        return np.ravel_multi_index(tuple(codes[:, t] for t in self.targets), self.shape)

    def factor(self, values: Floats) -> Factor:
        """Values over the targets."""
        axes = {v: self.answers.axes[v] for v in self.query.targets}
        return Factor(axes, values.reshape(self.shape), self.query.given)

    def error(self, values: Floats) -> Factor:
        """Standard errors over the targets."""
        plain = self.factor(values)
        return Factor(plain.axes, plain.values, plain.given, f"standard error of {self.factor(values).title()[1:]}")


def approximate(
    answers: ExactAnswers, query: Query, method: str, samples: int, random_state: "int | np.random.Generator | None"
) -> Approximation:
    """P(targets | evidence), roughly; "auto" weights, and turns to Gibbs where few samples would count."""
    if method not in {*METHODS, "auto"}:
        raise ValueError(f"there is no method {method!r}; there are auto, {', '.join(METHODS)}")
    if samples < CHAINS * 4:
        raise ValueError(f"draw at least {CHAINS * 4} samples, not {samples}")
    asked, draw = RelevantQuery.of(answers, query), np.random.default_rng(random_state)
    if method == "loopy":
        return run_loopy(asked)
    if method == "gibbs":
        return sample_gibbs(asked, samples, draw)
    weighted = weigh_samples(asked, samples, draw)
    assert weighted.effective is not None
    return sample_gibbs(asked, samples, draw) if method == "auto" and weighted.effective < samples / 100 else weighted


def weigh_samples(asked: RelevantQuery, samples: int, draw: "np.random.Generator") -> Approximation:
    """Likelihood weighting: p = sum of the weights in a cell / sum of the weights."""
    cells, logs = [], []
    for begin in range(0, samples, BLOCK):
        codes, log_weight = draw_weighted(asked, min(BLOCK, samples - begin), draw)
        cells.append(asked.cells(codes))
        logs.append(log_weight)
    weight = scale_weights(asked, np.concatenate(logs))
    cell, size = np.concatenate(cells), prod(asked.shape)
    p = np.bincount(cell, weight, size) / weight.sum()
    squares = np.bincount(cell, weight**2, size)
    error = np.sqrt((1 - 2 * p) * squares + p**2 * squares.sum()) / weight.sum()
    effective = float(weight.sum() ** 2 / (weight**2).sum())
    note = f"{samples:,} weighted samples, worth {effective:,.0f} independent ones"
    return Approximation(asked.factor(p), "likelihood weighting", asked.error(error), effective, note)


def sample_gibbs(asked: RelevantQuery, samples: int, draw: "np.random.Generator") -> Approximation:
    """Gibbs sampling: chains from weighted starts, each variable redrawn given its blanket, sweep after sweep."""
    codes, log_weight = draw_weighted(asked, max(BLOCK // 4, CHAINS), draw)
    weight = scale_weights(asked, log_weight)
    codes = codes[draw.choice(len(codes), CHAINS, p=weight / weight.sum())]
    free = [(v, blanket_tables(asked, v)) for v in asked.answers.dag.order if v in asked.needed and v not in asked.seen]
    sweeps = -(-samples // CHAINS)
    size = prod(asked.shape)
    counts = np.zeros((CHAINS, size))
    rows = np.arange(CHAINS)
    for sweep in range(-(sweeps // 4), sweeps):  # a quarter as many first, to forget the start
        for v, parts in free:
            logs = np.zeros((CHAINS, parts[0][0].shape[-1]))  # a product over many children may be too small
            for table, others in parts:
                logs = logs + table[tuple(codes[:, u] for u in others)]
            codes[:, v] = pick_states(np.exp(logs - logs.max(1, keepdims=True)), draw)
        if sweep >= 0:
            counts[rows, asked.cells(codes)] += 1
    means = counts / sweeps
    p = means.mean(0)
    error = means.std(0, ddof=1) / np.sqrt(CHAINS)
    within, between = p * (1 - p), means.var(0, ddof=1)
    spread = np.where(within > 0, between / np.maximum(within, 1e-300), 0.0).max()
    r_hat = float(np.sqrt(1 + spread))
    worst = int(within.argmax())
    independent = float(within[worst] / error[worst] ** 2) if error[worst] > 0 else float(CHAINS * sweeps)
    effective = min(independent, float(CHAINS * sweeps))
    note = f"{CHAINS} chains of {sweeps:,} sweeps, worth {effective:,.0f} independent samples (R-hat {r_hat:.3f})"
    if r_hat > TRUSTED:
        note += "; THE CHAINS DISAGREE: do not trust this, take likelihood weighting or more samples"
    return Approximation(asked.factor(p), "Gibbs sampling", asked.error(error), effective, note)


def run_loopy(asked: RelevantQuery) -> Approximation:
    """Loopy sum-product over the tables that matter."""
    if len(asked.targets) != 1:
        raise ValueError("loopy sum-product answers about one variable at a time; name one, or take another method")
    dag, axes = asked.answers.dag, asked.answers.axes
    factors = []
    for v in sorted(asked.needed):
        names = [dag.names[u] for u in (*dag.parents[v], v)]
        factors.append(Factor({u: axes[u] for u in names}, asked.answers.tables[v]))
    beliefs = FactorGraph(factors).sum_product(asked.query.evidence, damping=0.3)
    answer = asked.factor(beliefs.marginals[asked.query.targets[0]].values)
    return Approximation(answer, "loopy sum-product", None, None, str(beliefs))


def blanket_tables(asked: RelevantQuery, v: int) -> list[tuple[Floats, Sequence[int]]]:
    """The logs of the tables that v stands in, each with v's axis last, and the variables of the other axes."""
    dag, tables = asked.answers.dag, asked.answers.tables
    parts: list[tuple[Floats, Sequence[int]]] = []
    with np.errstate(divide="ignore"):
        for u in (v, *(child for child in dag.children[v] if child in asked.needed)):
            family = (*dag.parents[u], u)
            moved = np.moveaxis(np.log(tables[u]), family.index(v), -1)
            parts.append((moved, [w for w in family if w != v]))
    return parts


def draw_weighted(asked: RelevantQuery, rows: int, draw: "np.random.Generator") -> tuple[Codes, Floats]:
    """Weighted rows of the variables that matter."""
    return sample_forward(asked.answers.dag, asked.answers.tables, rows, draw, asked.seen, asked.needed)


def scale_weights(asked: RelevantQuery, log_weight: Floats) -> Floats:
    """Weights, the largest 1; if none of the rows could show the evidence, an error says so."""
    top = log_weight.max()
    if top == -np.inf:
        what = ", ".join(f"{v}={s}" for v, s in asked.query.evidence.items())
        raise ImpossibleEvidence(
            f"none of {len(log_weight):,} samples could show {what}: it is impossible, or very rare; "
            "draw more, or ask query()"
        )
    weight: Floats = np.exp(log_weight - top)
    return weight
