"""A super-parent one-dependence estimator."""

from dataclasses import dataclass
from typing import Any, ClassVar

from bayesfold.data.frame import Frame
from bayesfold.learning.kinds._tables import TableSettings
from bayesfold.models.structures.aode import Aode
from bayesfold.models.structures.spode import Spode


@dataclass(frozen=True, kw_only=True)
class SpodeSettings(TableSettings):
    """The parameters of `bayesfold.SPODE`.

    Parameters
    ----------
    parent : column name, or None
        The super-parent (for arrays, also its index); None: the column with the lowest leave-one-out log-loss.
        `parent_` says which; later rows do not change it.
    """

    estimator: ClassVar[str] = "SPODE"
    positional: ClassVar[tuple[str, ...]] = ("parent",)

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
