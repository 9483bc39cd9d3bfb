"""The path of a single row given as a dict: scored from, and counted into, the cells it touches.

`count` and `score` make arrays and tables that pay for many rows; one row at a time they would cost a hundred times the
work itself. The arithmetic is the same (the kernels share it), so the answers are too.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._normal import NormalFamily
from bayesfold.families.categorical import Categorical
from bayesfold.families.poisson import Poisson
from bayesfold.kernels.scoring.stream import Stream
from bayesfold.models.scoring.group import Group
from bayesfold.models.scoring.scorer import Scorer
from bayesfold.tally.statistic import LARGEST, Tally


class RowStream:
    """One tally's rows; built once, valid while the tally keeps its arrays.

    `prior_alpha` is negative when the class probabilities are given rather than learned.
    """

    def __init__(self, tally: Tally, groups: Sequence[Group], prior_alpha: float) -> None:
        self.tally = tally
        self.kernel_has_prior = prior_alpha >= 0
        schema, layout = tally.schema, tally.layout
        discrete = [c.name for c in schema.categories]
        real = [c.name for c in schema.numbers]
        group_of = {name: (g, j) for g in groups for j, name in enumerate(g.names)}
        place = {n: layout.offsets[g.cliques[j]] for n, (g, j) in group_of.items()}
        here = (Categorical, NormalFamily, Poisson)
        self.rest = [g for g in groups if not isinstance(g.family, here)]
        family = {n: g.family for n, (g, _) in group_of.items()}
        power = {n: float(g.powers[j]) for n, (g, j) in group_of.items()}
        normal = [i for i, n in enumerate(real) if isinstance(family[n], NormalFamily)]
        poisson = [i for i, n in enumerate(real) if isinstance(family[n], Poisson)]

        def places(values: list[Any]) -> NDArray[np.intp]:
            return np.array(values, np.intp)

        def floats(values: list[Any], columns: int) -> Floats:
            return np.array(values, np.float64).reshape(-1, columns)

        self.prior_alpha = prior_alpha
        self.first = places([place[n][0] for n in discrete])
        self.cells = places([place[n][0] for n in real])
        self.fixed = (
            (floats([family[n].alpha for n in discrete], 1).ravel(), floats([power[n] for n in discrete], 1).ravel()),
            (places([place[n][1] for n in real]), places([family[n].order for n in real])),
            (places(normal), floats([normal_prior(family[real[i]], power[real[i]]) for i in normal], 5)),
            (places(poisson), floats([(family[real[i]].pseudo_rows, power[real[i]]) for i in poisson], 2)),
        )
        self._build()

    def _build(self) -> None:
        """The kernel on this tally's arrays."""
        tally = self.tally
        self.schema = schema = tally.schema
        slots = np.array([c.slots for c in schema.categories], np.intp)
        smoothing, sums, normal, poisson = self.fixed
        self.kernel = Stream(
            (tally.counts, tally.weights, tally.sums[0], tally.sums[1]),
            schema.target.slots,
            self.prior_alpha,
            (self.first, slots, *smoothing),
            (self.cells, *sums),
            normal,
            poisson,
            np.empty((2, schema.target.slots)),
        )

    def lengthened(self, tally: Tally) -> "RowStream | None":
        """The rows of a tally that was made of this one's by inserting cells; None when it was not."""
        if tally is self.tally or tally.inserted is None or self.rest:
            return None
        longer = copy(self)
        longer.tally = tally
        longer.first = self.first + np.searchsorted(tally.inserted, self.first, side="right")
        longer.cells = self.cells + np.searchsorted(tally.inserted, self.cells, side="right")
        longer._build()
        return longer

    def log_joint(self, row: Mapping[str, Any], out: Floats) -> Floats:
        """Add log P(class, row), or log P(row | class) where the prior is given, to out[0]."""
        self.kernel.log_joint(*self.schema.read_row(row), out)
        if self.rest:
            scorer, batch = Scorer(np.zeros(out.shape[1]), self.rest, self.tally), self.schema.encode_row(row)
            out += scorer.log_joint(batch)
        return out

    def learn(self, row: Mapping[str, Any], slot: int, weight: float) -> bool:
        """Count the row; False, with nothing changed, when it shows a level for the first time."""
        return bool(self.kernel.learn(*self.schema.read_row(row, to_learn=True), slot, weight, LARGEST))


def normal_prior(family: Any, power: float) -> tuple[float, ...]:
    """The prior of a normal column as the kernel reads it."""
    return family.pseudo_rows, family.ddof, family.added, power, float(bool(getattr(family, "transform", "")))


def can_stream(tally: Tally, groups: Sequence[Group]) -> bool:
    """Whether rows can be counted one by one: no block of counts, and no smoothing that is learned anew at each row."""
    readable = {c.name for c in (*tally.schema.categories, *tally.schema.numbers)}
    plain = all(readable.issuperset(group.names) for group in groups)
    discrete = [g.family for g in groups if g.family.order == 0]
    fixed = all(isinstance(family, Categorical) and not isinstance(family.alpha, str) for family in discrete)
    return plain and fixed and all(len(g.cliques[0].keys) <= 2 for g in groups)
