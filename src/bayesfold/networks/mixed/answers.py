"""Exact answers about categories and numbers: groups of numbers are conditioned, then categories summed out in logs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.evidence import Codes
from bayesfold.networks.factor import Factor, ImpossibleEvidence
from bayesfold.networks.factor_states import log_sum
from bayesfold.networks.inference.problem import TooLarge
from bayesfold.networks.likelihoods import name_likelihoods
from bayesfold.networks.mixed.components import Component, find_components
from bayesfold.networks.mixed.conditioning import ComponentNormals, condition_on
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.mixed.lines import Lines
from bayesfold.networks.mixed.log_tables import LogTable, join_tables, largest_table, sum_out
from bayesfold.networks.mixed.mixture import JointMixture, NormalMixture
from bayesfold.networks.mixed.rows import find_patterns
from bayesfold.networks.query import Query

CELLS = 1 << 20
"""Numbers worked on at once, over all rows of a block."""

LIMIT = 1 << 25
"""Numbers that one row may need: 256 MiB."""

Soft = Mapping[int, Floats]


@dataclass(frozen=True)
class QuestionPlan:
    """What is done for rows that show the same nodes: the groups of numbers, and the categories that matter."""

    parts: tuple[Component, ...]
    categories: tuple[int, ...]
    seen: frozenset[int]
    keep: tuple[int, ...]
    size: int  # the most numbers that one row needs at once


@dataclass(frozen=True)
class MixedAnswers:
    """A network in numbers: tables of categories, lines of numbers."""

    kinds: Kinds
    tables: Mapping[int, Floats]
    lines: Mapping[int, Lines]

    @cached_property
    def logs(self) -> dict[int, Floats]:
        """The tables in logs."""
        with np.errstate(divide="ignore"):
            return {v: np.log(table) for v, table in self.tables.items()}

    def plan(self, seen: Sequence[int], categories: Sequence[int], numbers: Sequence[int], soft: Soft) -> QuestionPlan:
        """What a question needs: nodes that are neither asked, observed nor above one of these sum to 1."""
        kinds = self.kinds
        needed = kinds.dag.ancestors({*seen, *categories, *numbers, *soft})
        parts = find_components(kinds, set(seen), needed)
        keys = {k for part in parts if set(part.hidden) & set(numbers) for k in part.keys}
        keep = (*categories, *sorted(keys - set(categories)))
        above = tuple(v for v in kinds.dag.order if v in needed and kinds.cards[v])
        hidden = [tuple(u for u in (*kinds.dag.parents[v], v) if u not in seen) for v in above]
        sizes = [prod(kinds.cards[k] for k in part.keys) * max(1, len(part.hidden)) ** 2 for part in parts]
        size = max([largest_table([*hidden, *(part.keys for part in parts)], keep, kinds.cards), *sizes])
        if size > LIMIT:
            raise TooLarge(8.0 * size, 8.0 * LIMIT)
        return QuestionPlan(tuple(parts), above, frozenset(seen), keep, size)

    def weighed(
        self, plan: QuestionPlan, codes: Codes, values: Floats, soft: Soft
    ) -> tuple[Floats, list[ComponentNormals]]:
        """log P(kept categories, what rows show), [row, *keep], and the normals of each group of numbers."""
        normals = [condition_on(self.kinds, self.lines, part, codes, values) for part in plan.parts]
        tables: list[LogTable] = [
            (part.keys, normal.log_density) for part, normal in zip(plan.parts, normals, strict=True)
        ]
        for v in plan.categories:
            family = (*self.kinds.dag.parents[v], v)
            free = tuple(u for u in family if u not in plan.seen)
            tables.append((free, self._at(v, family, free, codes)))
        with np.errstate(divide="ignore"):
            for v, likelihood in soft.items():
                logs = np.log(likelihood)
                tables.append(((), logs[codes[:, v]]) if v in plan.seen else ((v,), logs[None]))
        normal = sum_out(tables, plan.keep, self.kinds.cards)
        return np.broadcast_to(normal, (len(codes), *normal.shape[1:])), normals

    def _at(self, v: int, family: tuple[int, ...], free: tuple[int, ...], codes: Codes) -> Floats:
        """The log table of a category at what each row shows: [row, *free]."""
        logs = self.logs[v]
        if len(free) == len(family):
            return logs[None]
        first = [family.index(u) for u in family if u not in free]
        moved = np.transpose(logs, (*first, *(family.index(u) for u in free)))
        cells: Floats = moved[tuple(codes[:, family[i]] for i in first)]
        return cells

    def blocks(
        self, codes: Codes, values: Floats, categories: Sequence[int], numbers: Sequence[int], soft: Soft
    ) -> Iterator[tuple[QuestionPlan, NDArray[np.intp], Floats, list[ComponentNormals]]]:
        """Rows that show the same nodes, not too many at once, with what is known of each."""
        for seen, rows in find_patterns(codes, values):
            asked = [v for v in categories if v not in seen], [v for v in numbers if v not in seen]
            plan = self.plan(seen, *asked, soft)
            step = max(1, CELLS // plan.size)
            for begin in range(0, len(rows), step):
                block = rows[begin : begin + step]
                yield plan, block, *self.weighed(plan, codes[block], values[block], soft)

    # ---------------------------------------------------------------------------------------------------- one question

    def distribution(self, ask: Query, soft: Soft) -> Factor | NormalMixture | JointMixture:
        """P(targets, events | evidence): a table of categories, or what is known of numbers."""
        index, cards = self.kinds.dag.index, self.kinds.cards
        names = (*ask.targets, *ask.events)
        categories, numbers = ([index[v] for v in names if bool(cards[index[v]]) is kind] for kind in (True, False))
        if any(not cards[index[v]] for v in ask.events):
            lost = next(v for v in ask.events if not cards[index[v]])
            raise ValueError(f"{lost!r} is a number, and one number has no probability: ask for {lost!r}, then .cdf(x)")
        if categories and numbers:
            raise ValueError(
                f"{names[0]!r} and {names[-1]!r} are not both categories or both numbers: ask for categories first, "
                "then for numbers given a state"
            )
        plan, logs, normals = self._one(ask.evidence, categories, numbers, soft)
        ask = ask._replace(likelihood=name_likelihoods(soft, self.kinds.dag.names, self.kinds.axes))
        weights = np.exp(logs - log_sum(logs, tuple(range(logs.ndim))))
        if not numbers:
            axes = {v: self.kinds.axes[v] for v in names}
            whole = Factor(axes, weights, ask.given)
            return replace(whole.condition(ask.events), given=ask.given, label=ask.label) if ask.events else whole
        means, covariances = place_parts(plan, normals, numbers, weights.shape)
        possible = np.flatnonzero(weights.ravel() > 0)
        labels = self.labels(plan.keep)
        if len(numbers) == 1:
            parts = means[possible, 0], covariances[possible, 0, 0]
            return NormalMixture(
                names[0], ask.given, weights.ravel()[possible], *parts, tuple(labels[i] for i in possible)
            )
        return JointMixture(
            names,
            ask.given,
            weights.ravel()[possible],
            means[possible],
            covariances[possible],
            tuple(labels[i] for i in possible),
        )

    def log_evidence(self, evidence: Mapping[str, Level], soft: Soft) -> float:
        """log P of states, and the log density of numbers, together; minus infinity where that cannot happen."""
        codes, values = self.row(evidence)
        plan = self.plan(self.seen(evidence), (), (), soft)
        return float(self.weighed(plan, codes, values, soft)[0][0])

    def _one(
        self, evidence: Mapping[str, Level], categories: Sequence[int], numbers: Sequence[int], soft: Soft
    ) -> tuple[QuestionPlan, Floats, list[ComponentNormals]]:
        plan = self.plan(self.seen(evidence), categories, numbers, soft)
        logs, normals = self.weighed(plan, *self.row(evidence), soft)
        self.refuse_impossible(logs, evidence)
        return plan, logs[0], normals

    def refuse_impossible(self, logs: Floats, evidence: Mapping[str, Level]) -> None:
        """Say which evidence cannot happen, instead of dividing by nothing."""
        if not np.isfinite(logs).any() and logs.size:
            what = ", ".join(f"{v}={s}" for v, s in evidence.items()) or "what was observed"
            raise ImpossibleEvidence(f"{what} cannot happen together: its probability, or its density, is 0")

    def seen(self, evidence: Mapping[str, Level]) -> list[int]:
        """The nodes that evidence is of."""
        return [self.kinds.dag.index[v] for v in evidence]

    def row(self, evidence: Mapping[str, Level]) -> tuple[Codes, Floats]:
        """Evidence as one row."""
        n = len(self.kinds.cards)
        codes, values = np.full((1, n), -1, np.int32), np.full((1, n), np.nan)
        for name, state in evidence.items():
            v = self.kinds.dag.index[name]
            if self.kinds.cards[v]:
                codes[0, v] = self.kinds.axes[name].index(state)
            else:
                values[0, v] = state
        return codes, values

    def labels(self, keys: Sequence[int]) -> list[str]:
        """The states of each combination of categories, in words."""
        names = [self.kinds.dag.names[k] for k in keys]
        every = product(*(self.kinds.axes[v] for v in names))
        return [", ".join(f"{v}={s}" for v, s in zip(names, states, strict=True)) for states in every]

    # ------------------------------------------------------------------------------------------------------- many rows

    def log_probabilities(self, codes: Codes, values: Floats, soft: Soft) -> Floats:
        """log of the probability and density of what each row shows, holes summed out."""
        out = np.zeros(len(codes))
        for _, rows, logs, _ in self.blocks(codes, values, (), (), soft):
            out[rows] = logs
        return out

    def beliefs(self, codes: Codes, values: Floats, target: int, soft: Soft) -> Floats:
        """P(target | row), [row, state]; the mean and the variance of a number, [row, 2]."""
        card = self.kinds.cards[target]
        out = np.empty((len(codes), card or 2))
        for plan, rows, logs, normals in self.blocks(
            codes, values, *(([target], []) if card else ([], [target])), soft
        ):
            top = log_sum(logs.reshape(len(rows), -1), (1,))
            if not np.isfinite(top).all():
                lost = rows[int(np.flatnonzero(~np.isfinite(top))[0])]
                raise ImpossibleEvidence(f"row {lost} cannot happen: its probability, or its density, is 0")
            weights = np.exp(logs - top.reshape(-1, *(1,) * (logs.ndim - 1)))
            if target in plan.seen:
                out[rows] = (
                    np.eye(card)[codes[rows, target]] if card else np.c_[values[rows, target], np.zeros(len(rows))]
                )
            elif card:
                out[rows] = weights
            else:
                out[rows] = mix_moments(plan, normals, target, weights)
        return out


def mix_moments(plan: QuestionPlan, normals: Sequence[ComponentNormals], target: int, weights: Floats) -> Floats:
    """The mean and the variance of a mixture in each row: [row, 2]."""
    part, normal = next((p, n) for p, n in zip(plan.parts, normals, strict=True) if target in p.hidden)
    i, weight = part.hidden.index(target), join_tables([(plan.keep, weights)], part.keys)
    axes = tuple(range(1, weight.ndim))
    mean, within = normal.mean[..., i], normal.covariance[normal.group][..., i, i]
    middle = (weight * mean).sum(axes, keepdims=True)
    spread = (weight * (within + (mean - middle) ** 2)).sum(axes)
    return np.stack([middle.reshape(-1), spread], axis=1)


def place_parts(
    plan: QuestionPlan, normals: Sequence[ComponentNormals], numbers: Sequence[int], shape: tuple[int, ...]
) -> tuple[Any, Any]:
    """Means [part, number] and covariances [part, number, number] for each combination of the kept categories."""
    d = len(numbers)
    means, covariances = np.zeros((*shape, d)), np.zeros((*shape, d, d))
    for part, normal in zip(plan.parts, normals, strict=True):
        mine = [(j, part.hidden.index(v)) for j, v in enumerate(numbers) if v in part.hidden]

        def over(cells: Floats, keys: tuple[int, ...] = part.keys) -> Floats:
            whole: Floats = join_tables([(keys, cells[None])], plan.keep)[0]
            return whole

        for j, i in mine:
            means[..., j] = over(normal.mean[0, ..., i])
            for other, k in mine:
                covariances[..., j, other] = over(normal.covariance[0, ..., i, k])
    return means.reshape(-1, d), covariances.reshape(-1, d, d)
