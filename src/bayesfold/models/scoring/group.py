"""Columns of one family and the same parents, which are fitted and scored together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel
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


def group_columns(batch: Batch, group: Group) -> list[tuple[NDArray[np.intp], Any]]:
    """A group's columns as they stand side by side in a batch: their places in the group, their slots or numbers."""
    if any(group.names[0] in panel.names for panel in batch.counts):
        return [(np.zeros(1, np.intp), batch.column(group.names[0]))]
    slots = [(group.places(n), v.astype(np.intp) + p.shift) for p, n, v in select_panels(batch.codes, group.names)]
    return slots + [(group.places(n), np.asarray(v, np.float64)) for _, n, v in select_panels(batch.reals, group.names)]


def select_panels(panels: Sequence[Panel], names: Sequence[str]) -> list[tuple[Panel, tuple[str, ...], Any]]:
    """Each panel that holds some of these columns, with those columns alone."""
    wanted = set(names)
    found = []
    for panel in panels:
        if wanted.issuperset(panel.names):
            found.append((panel, panel.names, panel.values))
            continue
        where = [i for i, name in enumerate(panel.names) if name in wanted]
        if where:
            values = np.ascontiguousarray(panel.values[:, where])
            found.append((panel, tuple(panel.names[i] for i in where), values))
    return found
