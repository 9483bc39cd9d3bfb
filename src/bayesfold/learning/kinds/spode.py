"""A super-parent one-dependence estimator."""

from dataclasses import dataclass
from typing import Any, ClassVar

from bayesfold.data.frame import Frame
from bayesfold.learning.kinds._tables import TableSettings
from bayesfold.models.structures.aode import Aode
from bayesfold.models.structures.spode import Spode


@dataclass(frozen=True, kw_only=True)
class SpodeSettings(TableSettings):
    """The parameters of `bayesfold.SPODE`, which says what they mean."""

    estimator: ClassVar[str] = "SPODE"

    parent: Any = None

    def structure(self, frame: Frame) -> Any:
        """One super-parent, or every column in turn, of which the best is kept."""
        if self.parent is None:
            return Aode(minimum=0.0)
        by_place = isinstance(self.parent, int) and 0 <= self.parent < len(frame.names)
        return Spode(frame.names[self.parent] if by_place else self.parent)

    def one_network(self) -> bool:
        """Of the super-parents, the best."""
        return True


KIND = SpodeSettings
