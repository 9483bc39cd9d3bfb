"""Columns of one family and the same parents, which are fitted and scored together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.tally.layout import Clique, Span
from bayesfold.tally.statistic import Cells, Tally


@dataclass(frozen=True)
class Group:
    """Columns that share a family and their parents: held and fitted together."""

    names: tuple[str, ...]
    cliques: tuple[Clique, ...]
    span: Span
    family: Any
    powers: Floats

    @cached_property
    def position(self) -> dict[str, int]:
        """The place of each column in the group."""
        return {name: j for j, name in enumerate(self.names)}

    def places(self, names: Sequence[str]) -> NDArray[np.intp]:
        """The places of these columns in the group."""
        return np.array([self.position[n] for n in names], np.intp)

    def held(self, tally: Tally) -> tuple[Cells, Any]:
        """The group's cells and its family with what it learns from them fixed."""
        cells = tally.cells(self.span)
        return cells, self.family.hold(cells)
