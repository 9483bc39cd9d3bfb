"""Averaged one-dependence estimators."""

from dataclasses import dataclass
from typing import Any, ClassVar

from bayesfold.data.frame import Frame
from bayesfold.learning.kinds._tables import TableSettings
from bayesfold.models.structures.aode import Aode


@dataclass(frozen=True, kw_only=True)
class AodeSettings(TableSettings):
    """The parameters of `bayesfold.AODE`.

    Parameters
    ----------
    combine : "mean" or "pool"
        "mean": Webb's average of the super-parents' probabilities. "pool": their weighted product (logarithmic
        opinion pool), with weights fitted to held-out rows.
    weights : None or "information"
        Equal weights in the mean, or in proportion to the mutual information of super-parent and class (WAODE).
    minimum : float
        A super-parent is left out for a row if fewer training rows than this have its value.
    n : 1 or 2
        Super-parents of each network; 2 is A2DE, which needs tables of every three columns.
    subsumption : float
        Subsumption resolution (Zheng & Webb 2006): if every row with one value ("pregnant") also has another
        ("female"), and at least this many rows have the first, the more general value is left out of rows that have
        both, as child and as super-parent; of two values that always occur together, one is kept. 0 turns it off;
        Zheng and Webb use 100.
    """

    estimator: ClassVar[str] = "AODE"

    combine: str = "mean"
    weights: str | None = None
    minimum: float = 1.0
    n: int = 1
    subsumption: float = 0.0

    def structure(self, frame: Frame) -> Aode:
        """Every column, or every pair, in turn the parent of all the others."""
        if self.n not in (1, 2):
            raise ValueError(f"n={self.n!r} must be 1 or 2")
        if not self.subsumption >= 0:
            raise ValueError(f"subsumption={self.subsumption!r} must be a number of rows, or 0 for none")
        return Aode(self.minimum, self.n, self.subsumption)

    def exponents(self) -> Any:
        """Weights of the super-parents."""
        if self.combine not in ("mean", "pool"):
            raise ValueError(f"combine={self.combine!r} is not 'mean' or 'pool'")
        if self.weights not in (None, "information"):
            raise ValueError(
                f"weights={self.weights!r} is not None or 'information'; fitted weights are combine='pool'"
            )
        if self.combine == "pool" and self.weights is not None:
            raise ValueError("combine='pool' fits the weights; leave weights out")
        return "auto" if self.combine == "pool" else self.weights


KIND = AodeSettings
