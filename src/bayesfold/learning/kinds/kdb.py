"""k-dependence Bayes."""

from dataclasses import dataclass
from typing import Any, ClassVar

from bayesfold.data.frame import Frame
from bayesfold.learning.kinds._tables import TableSettings
from bayesfold.models.structures.kdb import Kdb


@dataclass(frozen=True, kw_only=True)
class KdbSettings(TableSettings):
    """The parameters of `bayesfold.KDB`, which says what they mean."""

    estimator: ClassVar[str] = "KDB"

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
