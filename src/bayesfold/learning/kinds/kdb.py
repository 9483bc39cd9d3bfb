"""k-dependence Bayes."""

from dataclasses import dataclass
from typing import Any, ClassVar

from bayesfold.data.frame import Frame
from bayesfold.learning.kinds._tables import TableSettings
from bayesfold.models.structures.kdb import Kdb


@dataclass(frozen=True, kw_only=True)
class KdbSettings(TableSettings):
    """The parameters of `bayesfold.KDB`.

    Parameters
    ----------
    k : int
        How many columns a column may depend on, beside the class.
    selective : bool
        Choose k (up to the one given) and the number of most informative columns by held-out score (Martinez 2016).
    weights : None, "information" or "auto"
        Exponents on the columns: none, in proportion to their mutual information with the class, or fitted to held-out
        rows.
    """

    estimator: ClassVar[str] = "KDB"
    positional: ClassVar[tuple[str, ...]] = ("k",)

    k: int = 2
    selective: bool = False
    weights: str | None = None

    def structure(self, frame: Frame) -> Kdb | tuple[Kdb, ...]:
        """Up to k columns above each column; every smaller k too, where the best is to be taken."""
        if not (isinstance(self.k, int) and self.k >= 0):
            raise ValueError(f"k={self.k!r} must be a whole number of at least 0")
        return tuple(Kdb(k) for k in range(self.k + 1)) if self.selective else Kdb(self.k)

    def exponents(self) -> Any:
        """Exponents on the columns."""
        return self.weights

    def few_columns(self) -> bool:
        """Whether only the most telling columns are kept."""
        return self.selective


KIND = KdbSettings
