"""What the classifiers of tables share (SPODE, AODE, TAN, KDB): numbers in bins, smoothing, weights, calibration.

Parameters
----------
alpha : "auto" or float
    "auto": every table takes m pseudo rows from the one with a parent fewer, m by held-out score. A number: Laplace's
    lambda in every cell, as in the textbooks.
prior_alpha : float or "auto"
    Laplace's lambda for the class.
numeric : "auto", or the name of a density
    How numbers are cut into bins: "mdl", "equal_frequency", "equal_width", "proportional", "quintiles"; "auto" takes
    the better of "mdl" and "quintiles" by held-out score. Under "gaussian" and the like numbers depend on the class
    alone.
families, missing, missing_as, priors, class_weight, schema, loss, reject_cost, reject_label
    As for NaiveBayes.
calibration : None or "temperature"
    One exponent on the joint probability, by held-out score, so that posteriors are as sure as they are right.
"""

from collections.abc import Sequence
from typing import Any

from bayesfold.discover import ColumnReport, Options
from bayesfold.estimators.base import Classifier
from bayesfold.estimators.naive import check_alpha
from bayesfold.fit import Recipe, learn, update
from bayesfold.frame import Frame, Level
from bayesfold.model import Model


class TableClassifier(Classifier):
    """A subclass names its structure."""

    alpha: Any
    prior_alpha: Any
    numeric: str
    families: Any
    missing: Any
    missing_as: str
    priors: Any
    class_weight: Any
    calibration: Any
    schema: Any

    def _structure(self) -> Any:
        """The structure that the tables have."""
        raise TypeError(f"{type(self).__name__} has no structure of its own")

    def _selective(self) -> bool:
        """Whether only the most telling columns are kept."""
        return False

    def _weights(self) -> Any:
        """Exponents or weights of networks: None, "information" or "auto"."""
        return None

    def _one_network(self) -> bool:
        """Whether of a structure's networks only the best is kept."""
        return False

    def _learn(
        self, frame: Frame, values: Any, weight: Any, classes: Sequence[Level], more_to_come: bool
    ) -> tuple[Model, tuple[ColumnReport, ...]]:
        for name in ("alpha", "prior_alpha"):
            check_alpha(name, getattr(self, name))
        families = {frame.names[k] if isinstance(k, int) else k: v for k, v in (self.families or {}).items()}
        options = Options(
            families, self.numeric, self.missing, self.alpha, self.prior_alpha, self.missing_as, more_to_come
        )
        recipe = Recipe(
            options,
            self.schema,
            classes,
            self.priors,
            self.class_weight,
            self._structure(),
            self._weights(),
            self.calibration,
            one_network=self._one_network(),
            selective=self._selective(),
        )
        return learn(frame, values, weight, recipe)

    def _update(self, frame: Frame, values: Any, weight: Any) -> None:
        update(self.model_, frame, values, weight)
        self._updated()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
