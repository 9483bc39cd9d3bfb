"""The factors of a plan: what a column says of each class. `column` is its place among the columns.

What all classes have in common is left out, because posteriors do not feel it. Lists along classes stand in the order
of the plan's classes.
"""

from dataclasses import dataclass
from typing import TypeAlias

from bayesfold.data.frame import Floats

MOST = 1e290
"""No square is larger, as in the kernels."""


@dataclass(frozen=True)
class TableFactor:
    """log[slot][class]."""

    column: int
    log: Floats
    kind: str = "table"


@dataclass(frozen=True)
class NormalFactor:
    """constant - precision (x - mean)^2, the latter within 1e290."""

    column: int
    mean: Floats
    precision: Floats
    constant: Floats
    kind: str = "normal"


@dataclass(frozen=True)
class RateFactor:
    """x slope - rate, 0 where x is below 0."""

    column: int
    slope: Floats
    rate: Floats
    kind: str = "rate"


@dataclass(frozen=True)
class LinearFactor:
    """constant + sum_i x_i weights[i][class]."""

    column: int
    weights: Floats
    constant: Floats
    kind: str = "linear"


@dataclass(frozen=True)
class MultinormalFactor:
    """power (constant - |(x / unit - mean) @ whitening|^2 / 2), where unit is missing x / unit is 0.

    One whitening for all classes stands alone, and `mean` is then whitened already: x / unit @ whitening - mean.
    """

    column: int
    unit: tuple[float | None, ...]
    mean: Floats  # [class][axis]
    whitening: Floats  # [class, or 1][axis][axis]
    constant: Floats
    power: float
    kind: str = "multinormal"

    @property
    def shared(self) -> bool:
        """Whether all classes share the whitening."""
        return len(self.whitening) == 1


@dataclass(frozen=True)
class ParzenFactor:
    """power log((near[class] / sum near + m / sum total) / (total[class] + m)).

    near[class] is the sum over landmarks of weight[landmark][class] exp(-precision (d - least d)), d being the square
    of the distance between (x - centre) @ whitening and places[landmark].
    """

    column: int
    centre: Floats
    whitening: Floats  # [axis][coordinate]
    places: Floats  # [landmark][coordinate]
    weight: Floats  # [landmark][class]
    total: Floats
    precision: float
    m: float
    power: float
    kind: str = "parzen"


Factor: TypeAlias = TableFactor | NormalFactor | RateFactor | LinearFactor | MultinormalFactor | ParzenFactor
