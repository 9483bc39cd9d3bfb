"""The recommended classifier: a pool of Bayesian models that chooses and weighs itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bayesfold.data.frame import Frame, Level
from bayesfold.learning.fit import Recipe
from bayesfold.learning.kinds._settings import Learned, Settings

STRUCTURES = ("auto", "naive", "aode", "kdb", "tan", "gaussian")


@dataclass(frozen=True, kw_only=True)
class BayesSettings(Settings):
    """The parameters of `bayesfold.BayesClassifier`.

    Parameters
    ----------
    structure : "auto" or one of "naive", "aode", "kdb", "tan", "gaussian"
        The pool, or one part of it alone.
    max_memory : float
        Bytes that the tables of a part may take; a part that needs more is left out, and `report_` says so.
    time_budget : float
        Seconds after which no further part is begun.
    """

    estimator: ClassVar[str] = "BayesClassifier"

    structure: str = "auto"
    max_memory: float = 2**31
    time_budget: float = np.inf

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A pool of the rows, and the report on its parts."""
        from bayesfold.learning.pool.recommend import PARTS, Wish, recommend  # a model that is loaded does without

        if self.structure not in STRUCTURES:
            raise ValueError(f"structure={self.structure!r} is not one of {', '.join(map(repr, STRUCTURES))}")
        base = Recipe(self._options(frame, more_to_come), None, classes, self.priors, self.class_weight)
        wish = Wish(PARTS if self.structure == "auto" else (self.structure,), self.max_memory, self.time_budget)
        return Learned(*recommend(frame, y, weight, base, wish))


KIND = BayesSettings
