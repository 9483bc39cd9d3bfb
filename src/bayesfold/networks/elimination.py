"""Variable elimination with labelled tables, step by step: how a sum of products is pushed inwards.

It answers any question, and prints each line of the answer; the compiled engine is checked against it.

P(s, d=1) = sum_b sum_c sum_x P(s) P(c | s) P(b | s) P(x | c, s) P(d=1 | c, b)
          = P(s) sum_b P(b | s) sum_c P(c | s) P(d=1 | c, b) sum_x P(x | c, s)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from bayesfold.data.frame import Level
from bayesfold.networks.factor import Factor, known, multiply
from bayesfold.runtime.messages import listed


@dataclass(frozen=True)
class Term:
    """A factor and how it is written."""

    text: str
    factor: Factor


@dataclass(frozen=True)
class Step:
    """One variable summed out: the terms it stood in, and the table that takes their place."""

    variable: str
    terms: tuple[Term, ...]
    result: Term
    after: str

    def __str__(self) -> str:
        inner = " ".join(term.text for term in self.terms)
        table = "\n".join(f"        {line}" for line in str(self.result.factor).splitlines()[1:])
        return f"    {self.result.text} = Σ_{self.variable} {inner}\n{table}\n  = {self.after}"


@dataclass(frozen=True)
class Derivation:
    """A question answered in the open: the product, the sums pushed inwards, each step, and the answer."""

    question: str
    evidence: Mapping[str, Level]
    pruned: tuple[str, ...]
    product: str
    nested: str
    steps: tuple[Step, ...]
    joint: Factor
    answer: Factor

    def __str__(self) -> str:
        lines = [f"{self.question} ∝ {self.joint.label}"]
        if self.pruned:
            lines.append(f"  without {', '.join(self.pruned)}: below everything asked or observed, its sum is 1")
        lines.append(f"  = {self.product}")
        if self.nested != self.product:
            lines.append(f"  = {self.nested}")
        lines += map(str, self.steps)
        lines.append(str(self.joint))
        if self.evidence:
            lines += [f"divided by its sum, {self.joint.total:.6g}:", str(self.answer)]
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
    plan = list(checked(order, hidden)) if order is not None else cheapest(terms, hidden)
    sums = " ".join(f"Σ_{v}" for v in reversed(plan))
    product = " ".join(filter(None, [sums, *(t.text for t in terms)]))
    nested = written(terms, plan)
    left, steps = list(terms), []
    for k, variable in enumerate(plan):
        inside = [t for t in left if variable in t.factor.axes]
        table = multiply(t.factor for t in inside).sum(variable)
        result = Term(f"f{k + 1}({', '.join(table.axes)})", table)
        left = [t for t in left if variable not in t.factor.axes] + [result]
        steps.append(Step(variable, tuple(inside), result, written(left, plan[k + 1 :])))
    whole = multiply(t.factor for t in left)
    seen = ", ".join(f"{v}={s}" for v, s in evidence.items())
    question = f"P({', '.join(targets)}{' | ' if seen else ''}{seen})"
    ordered = whole.ordered(*targets)
    joint = Factor(ordered.axes, ordered.values, evidence, question.replace(" | ", ", "))
    return Derivation(question, evidence, tuple(pruned), product, nested, tuple(steps), joint, joint.normalise())


def written(terms: Sequence[Term], plan: Sequence[str]) -> str:
    """The sums pushed inwards: the first of the plan stands innermost, each term behind its innermost sum."""
    behind: dict[str, list[str]] = {v: [] for v in plan}
    front: list[str] = []
    for term in terms:
        inner = next((v for v in plan if v in term.factor.axes), None)
        (front if inner is None else behind[inner]).append(term.text)
    parts = [*front]
    for v in reversed(plan):
        parts += [f"Σ_{v}", *behind[v]]
    return " ".join(parts) or "1"


def cheapest(terms: Sequence[Term], hidden: Sequence[str]) -> list[str]:
    """An order by the smallest next table; of equals, the variable that comes last in the product."""
    scopes = [dict(t.factor.axes) for t in terms]
    left, plan = list(hidden), []

    def merged(variable: str) -> dict[str, tuple[Level, ...]]:
        return {v: s for scope in scopes if variable in scope for v, s in scope.items() if v != variable}

    while left:
        sizes = {v: prod(len(s) for s in merged(v).values()) for v in left}
        best = min(reversed(left), key=sizes.__getitem__)
        fresh = merged(best)
        scopes = [scope for scope in scopes if best not in scope] + [fresh]
        left.remove(best)
        plan.append(best)
    return plan


def checked(order: Sequence[str], hidden: Sequence[str]) -> Sequence[str]:
    """An order that the caller chose names every variable to be summed out, once."""
    for v in order:
        known("variable to sum out", v, hidden)
    if sorted(order) != sorted(hidden):
        raise ValueError(f"the order must name each of {listed(hidden)} once")
    return order
