"""How likely each class is before a row is seen: as given, or as learned; times the class weights."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats, Level
from bayesfold.families._tables import log_ratio
from bayesfold.families.categorical import Categorical
from bayesfold.models.scoring.scorer import leaving
from bayesfold.tally.statistic import Cells

Prior = Mapping[Level, float] | None
LEAST = -700.0
"""The least log P(class): its exponential is still above 0."""


@dataclass(frozen=True)
class ClassPrior:
    """`given` replaces what was learned, `class_weight` multiplies it ("balanced": every class as likely as any)."""

    classes: tuple[Level, ...]
    family: Categorical
    given: Prior = None
    class_weight: Mapping[Level, float] | str | None = None

    def chances(self, weights: Floats) -> Floats:
        """One number per class, above 0 where the class is possible: its given probability, or its rows' weight."""
        return weights if self.given is None else np.array([*self.given.values()])

    def log(self, cells: Cells) -> Floats:
        """log P(class), from the cells of the class."""
        if self.given is not None:
            with np.errstate(divide="ignore"):
                learned = np.log([float(self.given[c]) for c in self.classes])
        else:
            learned = self.family.hold(cells).fit(cells).table[1:-1, 0]
        return np.maximum(learned + self._log_class_weight(cells.weight[1:, 0]), LEAST)

    def log_left_out(self, cells: Cells, batch: Batch) -> Floats:
        """log P(class) of each row, with that row taken out of the cells."""
        if self.given is not None:
            return np.broadcast_to(self.log(cells), (batch.rows, len(self.classes)))
        assert batch.labels is not None
        alpha = self.family.hold(cells).alpha
        n, out = cells.weight[1:, 0], leaving(batch)[:, None]
        own = out * (np.arange(1, len(n) + 1) == batch.labels[:, None])
        rest = np.where(n - own > 1e-12 * n, n - own, 0.0)  # of several copies, some stay
        log_p = log_ratio(rest, rest.sum(1, keepdims=True), len(n), float(np.ravel(alpha)[0]))
        return np.maximum(log_p + self._log_class_weight(rest), LEAST)

    def _log_class_weight(self, n: Floats) -> Floats:
        """The log weight of each class, given the weights n of their rows along the last axis."""
        if self.class_weight is None:
            return np.zeros(len(self.classes))
        if isinstance(self.class_weight, str):
            share = n / np.maximum(n.sum(-1, keepdims=True), np.finfo(np.float64).tiny)
            return np.asarray(-np.log(len(self.classes) * np.where(share > 0, share, 1 / len(self.classes))))
        with np.errstate(divide="ignore"):
            return np.log([float(self.class_weight.get(c, 1.0)) for c in self.classes])
