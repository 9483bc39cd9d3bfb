"""What every kind of classifier may be told: class probabilities, kinds of columns, missing markers, costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

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
    """A subclass says how rows become a model; `estimator` is the public class that has these parameters.

    Fields are documented here or in the subclass, and nowhere else: estimators and the command read it (`documented`).

    Parameters
    ----------
    prior_alpha : float or "auto"
        Laplace's lambda for the class: P(y) = (N_y + prior_alpha) / (N + K prior_alpha).
    families : dict
        A family for named columns, by name or as an object: {"Age": "categorical", "Dose": Gaussian(ddof=1)}.
    missing : value, list or dict
        What marks a missing cell besides None, NaN and the empty text: "?", ["?", -1], {"Glucose": 0, "*": "?"}.
    missing_as : "auto", "skip" or "value"
        What a missing cell of a discrete column is: no evidence, a level like the others, or what predicts held-out
        rows better.
    priors : dict by class, or list
        Class probabilities to use instead of the learned ones.
    class_weight : dict by class or "balanced"
        Multiplies the class probabilities when rows are scored; counts are not touched.
    calibration : None or "temperature"
        One exponent on the joint probability, by held-out score, so that posteriors are as sure as they are right.
    schema : Schema
        Columns, levels and encodings to use instead of discovering them (another model's `schema_`).
    loss : matrix, nested dict by class name, or data frame (index: decisions)
        loss[decision][truth], what each decision costs; `predict` minimises the conditional risk
        R(d | x) = sum_t loss[d][t] P(t | x). None: 1 for every wrong decision, so the most probable class.
    reject_cost : float
        What it costs not to decide: rows whose every decision is expected to cost more are rejected.
    reject_label : label
        What `predict` calls a rejected row; "reject" for classes that are text, to be given for others.
    """

    estimator: ClassVar[str]
    positional: ClassVar[tuple[str, ...]] = ()  # parameters that the estimator also takes by place
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
        """How the columns of this table are to be read; of an array, families may name columns by their place."""
        for name in ("alpha", "prior_alpha"):
            check_alpha(name, getattr(self, name, 1.0))
        families = {frame.names[k] if isinstance(k, int) else k: v for k, v in (self.families or {}).items()}
        given = {"families": families, "missing": self.missing, "prior_alpha": self.prior_alpha}
        return Options(**given, more_to_come=more_to_come, **others)


def check_alpha(name: str, value: Any) -> None:
    """A smoothing is "auto" or a number of at least 0."""
    if value != "auto" and not (isinstance(value, int | float) and value >= 0):
        raise ValueError(f"{name}={value!r} must be 'auto' or a number of at least 0")
