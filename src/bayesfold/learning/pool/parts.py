"""The parts of a pool before they are weighed: each on a tally of its own, and several of them on one.

Those that have to earn their place are united with the others only where they did: that takes a count of all rows.
"""

from dataclasses import dataclass, field, replace

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.pool.report import PartLine
from bayesfold.learning.pool.shared_tally import unite_models
from bayesfold.learning.pool.stacking import TO_EARN
from bayesfold.learning.recipe import Recipe
from bayesfold.learning.weights import Pooled
from bayesfold.models.model import Model

NOT_EARNED = "left out: it does not improve the held-out log-loss"


@dataclass(frozen=True)
class Parts:
    """What was learned before it is weighed: the parts, their recipes, lines of the report, the work, the rows."""

    alone: dict[str, Model]  # each on a tally of its own
    recipes: dict[str, Recipe]
    lines: dict[str, PartLine]
    columns: ColumnTable
    work: float
    hurried: bool  # there was no time to compare densities
    table: tuple[Frame, Coded, Floats | None]
    united: dict[tuple[str, ...], dict[str, Model]] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """What learning them took."""
        return sum(line.seconds for line in self.lines.values())

    @property
    def to_earn(self) -> tuple[str, ...]:
        """The parts that have to earn their place, if there are others."""
        some = tuple(part for part in self.alone if part in TO_EARN)
        return some if len(some) < len(self.alone) else ()

    def members(self, gone: tuple[str, ...] = ()) -> dict[str, Model]:
        """The parts on one tally, all or without some."""
        kept = tuple(part for part in self.alone if part not in gone)
        if kept not in self.united:
            self.united[kept] = unite_models({part: self.alone[part] for part in kept}, *self.table)
        return self.united[kept]

    def encoded(self, members: dict[str, Model], copies: bool) -> tuple[Model, Batch]:
        """The member that keeps the tally for all, and the rows as it reads them."""
        first = next(iter(members.values()))
        return first, replace(first.schema.encode(*self.table), copies=copies)


def without_unearned(parts: Parts, fitted: Pooled) -> tuple[Parts, Pooled]:
    """The parts without those that had to earn their place and did not, and the weights."""
    gone = [part for part, w in zip(parts.alone, fitted.weights, strict=True) if part in TO_EARN and not w]
    if not gone:
        return parts, fitted
    lines = {
        name: replace(line, what=f"{NOT_EARNED} ({line.what})") if name in gone else line
        for name, line in parts.lines.items()
    }
    keep = [part not in gone for part in parts.alone]
    alone = {part: model for part, model in parts.alone.items() if part not in gone}
    return replace(parts, alone=alone, lines=lines), replace(fitted, weights=fitted.weights[keep])
