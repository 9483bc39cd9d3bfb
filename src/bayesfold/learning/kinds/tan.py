"""Tree-augmented naive Bayes."""

from dataclasses import dataclass
from typing import Any, ClassVar

from bayesfold.data.frame import Frame
from bayesfold.learning.kinds._tables import TableSettings
from bayesfold.models.structures.tan import Tan


@dataclass(frozen=True, kw_only=True)
class TanSettings(TableSettings):
    """The parameters of `bayesfold.TAN`.

    Parameters
    ----------
    weights : None, "information" or "auto"
        Exponents on the columns: none, in proportion to their mutual information with the class, or fitted to held-out
        rows.
    """

    estimator: ClassVar[str] = "TAN"

    weights: str | None = None

    def structure(self, frame: Frame) -> Tan:
        """A tree over the columns."""
        return Tan()

    def exponents(self) -> Any:
        """Exponents on the columns."""
        return self.weights


KIND = TanSettings
