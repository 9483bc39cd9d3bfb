"""A fitted classifier as a plan of plain tables: what every exported form is made from, and JSON is a dump of.

A row becomes slots and numbers (`_columns`); factors (`_factors`) and networks (`_networks`) turn these into
log P(class, row) of each member; a pool weighs the members; the decision weighs the classes.
"""

from dataclasses import dataclass
from typing import Any

from bayesfold.data.frame import Floats, Level
from bayesfold.store.export._columns import Column
from bayesfold.store.export._factors import Factor
from bayesfold.store.export._networks import Networks

VERSION = 1


@dataclass(frozen=True)
class Member:
    """exponent (prior + factors + networks) + bias, and `bare` for a row without a value; then shift is added."""

    prior: Floats
    factors: tuple[Factor, ...]
    networks: Networks | None
    exponent: float
    bias: Floats
    bare: Floats | None
    shift: Floats


@dataclass(frozen=True)
class PoolPlan:
    """sum_m weights[m] log(max(P_m, e^-30) + doubt) + bias, `bare` for a row without a value; then shift."""

    weights: tuple[float, ...]
    bias: Floats
    bare: Floats
    shift: Floats
    doubt: float


@dataclass(frozen=True)
class Decision:
    """costs[decision][truth]; None: the most probable class. Above `reject_cost` a row is called `reject_label`.

    A class never seen has the probability `unseen_share` in every row; the others are given that the class is known,
    and `reject_cost` is what rejecting costs less what such a class does.
    """

    costs: Floats | None
    reject_cost: float | None
    reject_label: Any
    unseen_share: float = 0.0


@dataclass(frozen=True)
class Plan:
    """`impossible` classes have probability 0 (scikit-learn's rule for classes without rows)."""

    target: str
    classes: tuple[Level, ...]
    sources: tuple[str, ...]
    columns: tuple[Column, ...]
    members: tuple[Member, ...]
    pool: PoolPlan | None
    impossible: tuple[int, ...]
    decision: Decision
    version: int = VERSION
