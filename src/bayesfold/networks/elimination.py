"""Variable elimination with labelled tables, step by step: how a sum of products is pushed inwards.

It answers any question, and prints each line of the answer; the compiled engine is checked against it.

Tables are multiplied and summed as logs, so that the probability of what was observed may be as small as it likes: a
table that doubles cannot hold is shown over a power of ten.

P(s, d=1) = sum_b sum_c sum_x P(s) P(c | s) P(b | s) P(x | c, s) P(d=1 | c, b)
          = P(s) sum_b P(b | s) sum_c P(c | s) P(d=1 | c, b) sum_x P(x | c, s)
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import floor, log, prod

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.factor import Factor, spread_over
from bayesfold.networks.factor_states import MOST_AXES, States, check_name, log_sum, refuse_size, shorten_count
from bayesfold.runtime.messages import listed

SMALLEST = -600.0
"""The log of the largest number of a table below which it is shown over a power of ten."""

MOST_CELLS = 1 << 24
"""So many cells may the tables of all steps have together."""

MOST_WRITTEN = 40
"""So many sums, the innermost, are written out in a line; with thousands of them each line would fill a book."""


@dataclass(frozen=True)
class Term:
    """How a factor is written, its table over a power of ten (its exponent), and the logs of what it stands for."""

    text: str
    factor: Factor
    logs: Floats
    exponent: int = 0

    @classmethod
    def of(cls, text: str, factor: Factor) -> "Term":
        """A factor as it is."""
        with np.errstate(divide="ignore"):
            return cls(text, factor, np.log(factor.values))

    @classmethod
    def from_logs(
        cls, text: str, axes: Mapping[str, States], logs: Floats, given: Mapping[str, Level], label: str = ""
    ) -> "Term":
        """A table whose numbers may be too small to be written as they are."""
        top = float(logs.max())
        exponent = floor(top / log(10)) if -np.inf < top < SMALLEST else 0
        return cls(text, Factor(axes, np.exp(logs - exponent * log(10)), given, label), logs, exponent)

    def table(self) -> str:
        """The table in print, without its title."""
        note = [f"(times 1e{self.exponent})"] if self.exponent else []
        return "\n".join([*note, *str(self.factor).splitlines()[1:]])


@dataclass(frozen=True)
class EliminationStep:
    """One variable summed out: the terms it stood in, and the table that takes their place."""

    variable: str
    terms: tuple[Term, ...]
    result: Term
    after: str

    def __str__(self) -> str:
        inner = " ".join(term.text for term in self.terms)
        table = "\n".join(f"        {line}" for line in self.result.table().splitlines())
        return f"    {self.result.text} = Σ_{self.variable} {inner}\n{table}\n  = {self.after}"


@dataclass(frozen=True)
class Derivation:
    """A question answered in the open: the product, the sums pushed inwards, each step, and the answer.

    joint: P(targets, evidence), over 10^exponent where that is too small for a number.
    """

    question: str
    evidence: Mapping[str, Level]
    pruned: tuple[str, ...]
    product: str
    nested: str
    steps: tuple[EliminationStep, ...]
    joint: Factor
    answer: Factor
    exponent: int = 0

    def __str__(self) -> str:
        lines = [f"{self.question} ∝ {self.joint.label}"]
        if self.pruned:
            lines.append(f"  without {', '.join(self.pruned)}: below everything asked or observed, each sums to 1")
        lines.append(f"  = {self.product}")
        if self.nested != self.product:
            lines.append(f"  = {self.nested}")
        lines += map(str, self.steps)
        over = f" (times 1e{self.exponent})" if self.exponent else ""
        lines += [self.joint.label + over, *str(self.joint).splitlines()[1:]]
        if self.evidence:
            times = f" times 1e{self.exponent}" if self.exponent else ""
            lines += [f"divided by its sum, {self.joint.total:.6g}{times}:", str(self.answer)]
        return "\n".join(lines)


def derive(
    terms: Sequence[Term],
    targets: Sequence[str],
    evidence: Mapping[str, Level],
    order: Sequence[str] | None = None,
    pruned: Sequence[str] = (),
) -> Derivation:
    """P(targets | evidence) from terms whose product is the joint; evidence is already cut out of them."""
    hidden = [v for v in dict.fromkeys(v for t in terms for v in t.factor.axes) if v not in targets]
    plan = list(check_order(order, hidden)) if order is not None else choose_order(terms, hidden)
    product = " ".join([*(f"Σ_{v}" for v in reversed(plan)), *(t.text for t in terms)])
    place = {v: k for k, v in enumerate(plan)}
    behind: list[list[Term]] = [[] for _ in range(len(plan) + 1)]  # by the innermost sum; then those in front of all

    def put(term: Term) -> None:
        behind[min((place[v] for v in term.factor.axes if v in place), default=len(plan))].append(term)

    for term in terms:
        put(term)
    refuse_large(plan, behind, place)
    nested = push_sums(plan, behind, 0, len(plan))
    steps = []
    for k, variable in enumerate(plan):
        axes, logs = multiply_terms(behind[k])
        kept = {v: states for v, states in axes.items() if v != variable}
        summed = log_sum(logs, (list(axes).index(variable),))
        result = Term.from_logs(f"f{k + 1}({', '.join(kept)})", kept, summed, {})
        put(result)
        steps.append(EliminationStep(variable, tuple(behind[k]), result, push_sums(plan, behind, k + 1, MOST_WRITTEN)))
    axes, logs = multiply_terms(behind[-1])
    logs = logs.transpose([list(axes).index(v) for v in targets])
    seen = ", ".join(f"{v}={s}" for v, s in evidence.items())
    question = f"P({', '.join(targets)}{' | ' if seen else ''}{seen})"
    ordered = {v: axes[v] for v in targets}
    joint = Term.from_logs("", ordered, logs, evidence, question.replace(" | ", ", "))
    answer = joint.factor.normalise()
    return Derivation(
        question, evidence, tuple(pruned), product, nested, tuple(steps), joint.factor, answer, joint.exponent
    )


def refuse_large(plan: Sequence[str], behind: Sequence[Sequence[Term]], place: Mapping[str, int]) -> None:
    """Refuse, before any table is made, what could be neither held nor read."""
    scopes = [[term.factor.axes for term in terms] for terms in behind]
    cells, widest = 0, 0
    for k, variable in enumerate(plan):
        whole = {v: states for scope in scopes[k] for v, states in scope.items()}
        cells += prod(map(len, whole.values()))
        widest = max(widest, len(whole))
        del whole[variable]
        scopes[min((place[v] for v in whole if v in place), default=len(plan))].append(whole)
    if cells > MOST_CELLS or widest > MOST_AXES:
        raise ValueError(
            f"the tables of this derivation, the widest over {widest} variables, would have {shorten_count(cells)} "
            f"cells; {shorten_count(MOST_CELLS)} can be held. Observe more variables, or ask query() for the "
            "answer alone"
        )


def multiply_terms(terms: Iterable[Term]) -> tuple[dict[str, States], Floats]:
    """The axes and the logs of a product."""
    terms = list(terms)
    axes = {v: states for term in terms for v, states in term.factor.axes.items()}
    refuse_size(axes)
    logs: Floats = np.zeros([len(states) for states in axes.values()])
    for term in terms:
        logs = logs + spread_over(Factor(term.factor.axes, term.logs), axes)
    return axes, logs


def push_sums(plan: Sequence[str], behind: Sequence[Sequence[Term]], done: int, most: int) -> str:
    """The sums pushed inwards: the first of the plan stands innermost, each term behind its innermost sum."""
    parts = [term.text for term in behind[-1][:most]]
    if len(plan) - done > most or len(behind[-1]) > most:
        parts.append("...")
    for k in reversed(range(done, min(done + most, len(plan)))):
        parts += [f"Σ_{plan[k]}", *(term.text for term in behind[k])]
    return " ".join(parts) or "1"


def choose_order(terms: Sequence[Term], hidden: Sequence[str]) -> list[str]:
    """An order by the smallest next table; of equals, the variable that comes last in the product."""
    cards = {v: len(states) for term in terms for v, states in term.factor.axes.items()}
    near: dict[str, set[str]] = {v: set() for v in cards}
    for term in terms:
        for v in term.factor.axes:
            near[v].update(term.factor.axes)
    for v, others in near.items():
        others.discard(v)
    place = {v: -k for k, v in enumerate(hidden)}
    size = {v: prod(cards[u] for u in near[v]) for v in hidden}
    waiting = [(size[v], place[v], v) for v in hidden]
    heapify(waiting)
    plan: list[str] = []
    while waiting:
        price, _, best = heappop(waiting)
        if size.get(best) != price:
            continue  # its price has changed since
        del size[best]
        plan.append(best)
        for v in near[best]:
            fresh = near[best] - near[v] - {v}
            near[v] |= fresh
            near[v].discard(best)
            if v in size:
                size[v] = size[v] * prod(cards[u] for u in fresh) // cards[best]
                heappush(waiting, (size[v], place[v], v))
    return plan


def check_order(order: Sequence[str], hidden: Sequence[str]) -> Sequence[str]:
    """An order that the caller chose names every variable to be summed out, once."""
    for v in order:
        check_name("variable to sum out", v, hidden)
    if sorted(order) != sorted(hidden):
        raise ValueError(f"the order must name each of {listed(hidden)} once")
    return order
