"""What the classifiers of tables share (SPODE, AODE, TAN, KDB): numbers in bins, smoothing, weights, calibration."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bayesfold.data.frame import Frame, Level
from bayesfold.data.schema import Schema
from bayesfold.learning.kinds._settings import Learned, Settings


@dataclass(frozen=True, kw_only=True)
class TableSettings(Settings):
    """A subclass names its structure.

    Parameters
    ----------
    alpha : "auto" or float
        Smoothing. "auto": every table is smoothed towards the one with a parent fewer, with a weight of m pseudo rows;
        m is chosen by held-out score. A number: Laplace smoothing, the number is added to every cell.
    numeric : "auto", or the name of a density
        How numbers are discretised: "mdl", "equal_frequency", "equal_width", "proportional", "quintiles";
        "auto" takes the better of "mdl" and "quintiles" by held-out score. With "gaussian" or another density,
        numbers are not discretised and depend on the class alone.
    """

    alpha: float | str = "auto"
    numeric: str = "auto"
    missing_as: str = "auto"
    calibration: str | None = None
    schema: Schema | None = None

    def structure(self, frame: Frame) -> Any:
        """The structure that the tables have, or several to choose from."""
        raise TypeError(f"{type(self).__name__} has no structure of its own")

    def exponents(self) -> Any:
        """Exponents or weights of networks: None, "information" or "auto"."""
        return None

    def one_network(self) -> bool:
        """Whether of a structure's networks only the best is kept."""
        return False

    def few_columns(self) -> bool:
        """Whether only the most telling columns are kept."""
        return False

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A model of the rows."""
        from bayesfold.learning.fit import learn
        from bayesfold.learning.recipe import Recipe

        recipe = Recipe(
            self._options(frame, more_to_come, numeric=self.numeric, alpha=self.alpha, missing_as=self.missing_as),
            self.schema,
            classes,
            self.priors,
            self.class_weight,
            self.structure(frame),
            self.exponents(),
            self.calibration,
            one_network=self.one_network(),
            selective=self.few_columns(),
        )
        return Learned(*learn(frame, y, weight, recipe))
