"""What every kind of classifier may be told: class probabilities, kinds of columns, missing markers, costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bayesfold.data.frame import Frame, Level
from bayesfold.learning.discover import ColumnTable, Options
from bayesfold.learning.em import Unlabelled
from bayesfold.learning.pool.report import Report
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool


@dataclass(frozen=True)
class Learned:
    """A model of rows, what became of each column, and what else was found out on the way."""

    model: Model | Pool
    columns: ColumnTable
    report: Report | None = None
    unlabelled: Unlabelled | None = None


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A subclass says how rows become a model; `estimator` is the public class that has these parameters."""

    estimator: ClassVar[str]
    side_by_side: ClassVar[bool] = False  # whether each column is counted with the class alone

    prior_alpha: float | str = 1.0
    families: Mapping[Any, Any] | None = None
    missing: Any = None
    priors: Any = None
    class_weight: Any = None
    loss: Any = None
    reject_cost: Any = None
    reject_label: Any = None

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A model of the rows; `classes` may come without a row, and later rows may follow these."""
        raise TypeError(f"{type(self).__name__} does not say how rows become a model")

    def _options(self, frame: Frame, more_to_come: bool, **others: Any) -> Options:
        """How the columns of this table are to be read; they may be named by their place."""
        for name in ("alpha", "prior_alpha"):
            check_alpha(name, getattr(self, name, 1.0))
        families = by_name("families", self.families or {}, frame)
        missing = by_name("missing", self.missing, frame)
        given = {"families": families, "missing": missing, "prior_alpha": self.prior_alpha}
        return Options(**given, more_to_come=more_to_come, **others)


def by_name(parameter: str, told: Any, frame: Frame) -> Any:
    """What is told by column, by the columns' names: a number that is no name is a place, which begins at 0."""
    if not isinstance(told, Mapping):
        return told
    found = {}
    for key, value in told.items():
        name = key
        if isinstance(key, int | np.integer):
            name = str(key)
            if name not in frame.position:
                if not -len(frame.names) <= key < len(frame.names):
                    raise ValueError(
                        f"{parameter}= names the column {key}, but the table has {len(frame.names)} columns, "
                        f"from 0 to {len(frame.names) - 1}"
                    )
                name = frame.names[key]
        found[name] = value
    return found


def check_alpha(name: str, value: Any) -> None:
    """A smoothing is "auto" or a number of at least 0."""
    if value != "auto" and not (isinstance(value, int | float) and value >= 0):
        raise ValueError(f"{name}={value!r} must be 'auto' or a number of at least 0")
