"""Rows drawn from a network of categories and numbers, and answers by weighting them, with error bars.

Unobserved nodes are drawn from their parents; each row weighs as much as the observed ones were likely. It is good
where evidence lies high up, and says by its effective number of rows where it is not.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.approximate import BLOCK, Approximation
from bayesfold.networks.evidence import Codes
from bayesfold.networks.factor import Factor, ImpossibleEvidence
from bayesfold.networks.factor_states import print_number, write_pairs
from bayesfold.networks.mixed.answers import MixedAnswers
from bayesfold.networks.mixed.conditioning import CertainNumber
from bayesfold.networks.query import Query
from bayesfold.networks.sampling import pick_states, to_states

LEAST = 256
"""So many rows are drawn at least."""


@dataclass(frozen=True, eq=False, repr=False)
class SampledNumber:
    """What weighted rows say of a number: its mean and sd, each with its standard error, and the rows themselves."""

    name: str
    given: Mapping[str, Level]
    mean: float
    mean_error: float
    sd: float
    sd_error: float
    effective: float
    samples: Floats
    weights: Floats

    @property
    def variance(self) -> float:
        """The variance."""
        return self.sd**2

    def quantile(self, p: float) -> float:
        """The number below which the share p of the weight lies."""
        if not 0 < p < 1:
            raise ValueError(f"a quantile needs a share between 0 and 1, not {p}")
        order = np.argsort(self.samples)
        heights = self.weights[order].cumsum()
        return float(self.samples[order][min(int(np.searchsorted(heights, p * heights[-1])), len(order) - 1)])

    def __str__(self) -> str:
        seen = write_pairs({v: print_number(s) if isinstance(s, float) else s for v, s in self.given.items()})
        return (
            f"{self.name}{' | ' if seen else ''}{seen}: mean {print_number(self.mean)} and sd {print_number(self.sd)}\n"
            f"by likelihood weighting: {len(self.samples):,} weighted samples, worth {self.effective:,.0f} independent "
            f"ones; standard error {self.mean_error:.2g} of the mean, {self.sd_error:.2g} of the sd"
        )

    __repr__ = __str__


def draw_rows(
    answers: MixedAnswers, rows: int, draw: "np.random.Generator", codes: Codes, values: Floats, only: Collection[int]
) -> tuple[Codes, Floats, Floats]:
    """Rows of `only` some nodes, with their parents; what the one row given shows is held, and weighed."""
    kinds = answers.kinds
    codes, values = np.repeat(codes, rows, 0), np.repeat(values, rows, 0)
    log_weight = np.zeros(rows)
    for v in kinds.dag.order:
        if v not in only:
            continue
        above = tuple(codes[:, p] for p in kinds.categories_above(v))
        if kinds.cards[v]:
            chances = answers.tables[v][above] if above else np.broadcast_to(answers.tables[v], (rows, kinds.cards[v]))
            if codes[0, v] >= 0:
                with np.errstate(divide="ignore"):
                    log_weight += np.log(chances[:, codes[0, v]])
            else:
                codes[:, v] = pick_states(chances, draw)
            continue
        lines = answers.lines[v]
        middle = lines.intercept[above] + (lines.slopes[above] * values[:, list(kinds.numbers_above(v))]).sum(-1)
        sd = np.broadcast_to(lines.sd[above], rows)
        if np.isnan(values[0, v]):
            values[:, v] = middle + sd * draw.standard_normal(rows)
        elif sd.all():
            log_weight -= 0.5 * ((values[:, v] - middle) / sd) ** 2 + np.log(sd * sqrt(2 * np.pi))
        else:
            raise CertainNumber(kinds.dag.names[v])
    return codes, values, log_weight


def sample_mixed(answers: MixedAnswers, rows: int, draw: "np.random.Generator") -> dict[str, Any]:
    """Rows of all nodes, as columns by name: states of categories, and numbers."""
    kinds = answers.kinds
    codes, values, _ = draw_rows(answers, rows, draw, *answers.row({}), range(len(kinds.cards)))
    places = [v for v, card in enumerate(kinds.cards) if card]
    states = to_states(codes[:, places], [kinds.dag.names[v] for v in places], kinds.axes)
    return {name: states[name] if name in states else values[:, v] for v, name in enumerate(kinds.dag.names)}


def weigh_mixed(
    answers: MixedAnswers, ask: Query, samples: int, draw: "np.random.Generator"
) -> Approximation | SampledNumber:
    """P(targets | evidence), roughly: of categories, or of one number."""
    if samples < LEAST:
        raise ValueError(f"draw at least {LEAST} samples, not {samples}")
    kinds = answers.kinds
    targets = [kinds.dag.index[v] for v in ask.targets]
    number_asked = [v for v in targets if not kinds.cards[v]]
    if number_asked and len(targets) > 1:
        raise ValueError("samples answer about one number at a time, or about categories; ask one question for each")
    seen = answers.seen(ask.evidence)
    needed = kinds.dag.ancestors({*targets, *seen})
    one = answers.row(ask.evidence)
    cells: list[Any] = []
    logs: list[Floats] = []
    for begin in range(0, samples, BLOCK):
        codes, values, log_weight = draw_rows(answers, min(BLOCK, samples - begin), draw, *one, needed)
        cells.append(values[:, targets] if number_asked else codes[:, targets])
        logs.append(log_weight)
    log_all = np.concatenate(logs)
    if not np.isfinite(log_all).any():
        what = ", ".join(f"{v}={s}" for v, s in ask.evidence.items())
        raise ImpossibleEvidence(
            f"none of {samples:,} samples could show {what}: it is impossible, or very rare; draw more, or ask query()"
        )
    weight = np.exp(log_all - log_all.max())
    effective = float(weight.sum() ** 2 / (weight**2).sum())
    share = weight / weight.sum()
    if number_asked:
        return summarize_number(ask, np.concatenate(cells)[:, 0], share, effective)
    shape = tuple(kinds.cards[v] for v in targets)
    cell = np.ravel_multi_index(tuple(np.concatenate(cells).T), shape)
    p, squares = (np.bincount(cell, part, prod(shape)).astype(np.float64) for part in (share, share**2))
    error: Floats = np.sqrt((1 - 2 * p) * squares + p**2 * squares.sum())
    axes = {v: kinds.axes[v] for v in ask.targets}
    answer = Factor(axes, p.reshape(shape), ask.given)
    bars = Factor(axes, error.reshape(shape), ask.given, f"standard error of {answer.title()[1:]}")
    note = f"{samples:,} weighted samples, worth {effective:,.0f} independent ones"
    return Approximation(answer, "likelihood weighting", bars, effective, note)


def summarize_number(ask: Query, x: Floats, share: Floats, effective: float) -> SampledNumber:
    """The weighted mean and spread of a number; their errors by the delta method."""
    mean = float(share @ x)
    off = x - mean
    variance = float(share @ off**2)
    sd = sqrt(variance)
    mean_error = sqrt(float(share**2 @ off**2))
    sd_error = sqrt(float(share**2 @ (off**2 - variance) ** 2)) / (2 * sd) if sd else 0.0
    return SampledNumber(ask.targets[0], ask.given, mean, mean_error, sd, sd_error, effective, x, share)
