"""What a model is learned by: the options, the structure, and what is to be chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bayesfold.data.frame import Level
from bayesfold.data.schema import Schema
from bayesfold.families._covariance import Shrinkage
from bayesfold.learning import choices as choose
from bayesfold.learning.gaussian_vector import FARTHEST
from bayesfold.learning.one_column import Options
from bayesfold.models.structures.naive import Naive
from bayesfold.runtime.messages import listed

LARGEST_POWER = 1e6
"""Exponents on likelihoods beyond this one would only turn sums of logs into infinities."""


@dataclass(frozen=True)
class CovarianceChoices:
    """The covariances to choose from: shares of the tied one and of its diagonal, numbers as they are or by rank."""

    tied: tuple[float, ...] = (0.0, 0.1, 0.5, 1.0)
    diagonal: tuple[float, ...] = (0.01, 0.1, 0.3)
    start: Shrinkage = Shrinkage(pseudo_rows=4.0)  # noqa: RUF009  (it is frozen)
    ranks: tuple[bool, ...] = (False, True)
    limit: float = FARTHEST
    screened: tuple[bool, ...] = (True, False)  # only columns that tell by themselves, or also those that do not


@dataclass(frozen=True)
class ParzenChoices:
    """The kernels to choose from: shares of the diagonal in what rows are whitened by, and widths; none: a range."""

    diagonal: tuple[float, ...] = (0.1, 0.5, 1.0)
    widths: tuple[float, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """Everything that `learn` may be told."""

    options: Options = field(default_factory=Options)
    schema: Schema | None = None
    classes: Sequence[Level] = ()
    prior: Mapping[Level, float] | Sequence[float] | None = None
    class_weight: Mapping[Level, float] | str | None = None
    structure: Any = field(default_factory=Naive)  # or several, ever larger, of which the best held-out score is kept
    weights: Mapping[str, float] | str | None = None  # exponents by column; "information"; "auto": by held-out rows
    calibration: str | None = None
    deeper: tuple[float, ...] = choose.DEEPER  # pseudo rows of tables with parents, to choose from
    ridges: tuple[float, ...] = ()  # the pulls on fitted weights to choose from; none: a range
    hurried: bool = False  # fit weights under ever weaker ridges only until one is no better
    normal: CovarianceChoices | None = None  # all columns as one vector, normal in each class
    parzen: ParzenChoices | None = None  # kernels around the rows, read as the normal part of a pool reads them
    one_network: bool = False  # of a structure's networks, keep the one with the least held-out loss
    selective: bool = False  # only as many columns as predict held-out rows best, the most telling first
    most_bytes: float = np.inf  # more than this the tables may not take

    @property
    def reads_tables(self) -> bool:
        """Whether every column is a table, in one of several ways, because columns depend on each other."""
        first = self.structure[0] if isinstance(self.structure, tuple) else self.structure
        return self.normal is None and self.schema is None and not isinstance(first, Naive)


def is_tempered(recipe: Recipe) -> bool:
    """Whether the model will have a temperature, so that choices are made under the best one."""
    return recipe.calibration is not None or recipe.weights == "auto"


def check_choices(recipe: Recipe) -> None:
    """Refuse words that are no choice."""
    if isinstance(recipe.weights, str) and recipe.weights not in ("auto", "information"):
        raise ValueError(
            f"weights={recipe.weights!r} is not None, 'auto', 'information' or a dict of exponents by column"
        )
    if recipe.calibration not in (None, "temperature"):
        raise ValueError(f"calibration={recipe.calibration!r} is not None or 'temperature'")


def check_powers(powers: Mapping[str, float], schema: Schema) -> None:
    """Refuse exponents of columns there are not, or that are no numbers."""
    unknown = set(powers) - set(schema.columns)
    if unknown:
        raise ValueError(f"weights names columns that are not in the schema: {listed(sorted(unknown))}")
    for name, power in powers.items():
        if not isinstance(power, int | float) or not abs(power) <= LARGEST_POWER:
            raise ValueError(
                f"weights is {power!r} for column {name!r}; an exponent is a number of at most {LARGEST_POWER:g}"
            )
