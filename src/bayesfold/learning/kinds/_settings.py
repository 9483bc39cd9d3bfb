"""What every kind of classifier may be told: class probabilities, kinds of columns, missing markers, costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Coded, Floats, Frame, Level
from bayesfold.decisions.unseen_class import check_unseen_class
from bayesfold.kernels.counting.records import absent
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.labels_and_weights import check_row_weights, coded_labels
from bayesfold.learning.pool.report import Report
from bayesfold.learning.scores import Scores, scored
from bayesfold.learning.unlabelled import Unlabelled
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool

if TYPE_CHECKING:  # settings are told to models that only answer
    from bayesfold.decisions.metrics import Codes
    from bayesfold.learning.held_out import HeldOut
    from bayesfold.learning.one_column import Options

COUNTS = "counts"
WEIGHTS_ARE = ("importance", COUNTS)
"""What sample weights are: how much a row counts, or how many equal rows it stands for."""


def are_copies(weights_are: str) -> bool:
    """Whether a weight says how many equal rows a row stands for; what is neither word is refused."""
    if weights_are not in WEIGHTS_ARE:
        raise ValueError(f"weights_are={weights_are!r} is not one of {', '.join(map(repr, WEIGHTS_ARE))}")
    return weights_are == COUNTS


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
        The distribution family of named columns, by name or as an object: {"Age": "categorical", "Dose":
        Gaussian(ddof=1)}. Other columns are inferred.
    missing : value, list or dict
        Markers of missing values besides None, NaN and the empty string: "?", ["?", -1], {"Glucose": 0, "*": "?"}.
    missing_as : "auto", "skip" or "value"
        How missing values of a discrete column are treated: ignored ("skip"), as a level of their own ("value"), or
        whichever has the better held-out score ("auto").
    priors : dict or Series by class, or list in the order of the classes
        Class probabilities to use instead of the learned ones.
    class_weight : dict or Series by class, or "balanced"
        Multiplies the class probabilities when rows are scored; counts do not change.
    calibration : None or "temperature"
        Temperature scaling: one exponent on the joint probability, fitted by held-out log-loss, so that posteriors are
        calibrated.
    schema : Schema
        Columns, levels and encodings to use instead of inferring them (another model's `schema_`). `families` and
        `missing` that say otherwise are refused.
    loss : matrix, nested dict by class name, or data frame (index: decisions)
        The cost loss[decision][truth]; `predict` minimises the conditional risk R(d | x) = sum_t loss[d][t] P(t | x).
        None is 0/1 loss, so the most probable class.
    reject_cost : float
        The cost of not deciding: a row is rejected if every decision has a higher expected cost.
    reject_label : label
        What `predict` returns for a rejected row; "reject" if classes are strings, required otherwise.
    unseen_class : None, "good-turing" or a number between 0 and 1
        The probability that a row belongs to a class without training rows, the same for every row: a number, or the
        Good-Turing estimate, classes seen exactly once / rows (with that count kept between 0.5 and rows - 0.5).
        `unseen_share_` is that probability, `predict_proba(X, unseen=True)` has a column for it, and for rejection
        such a class costs as much as the most expensive mistake.
    weights_are : "importance" or "counts"
        What `sample_weight` means: the importance of a row, which is held out as a whole, or the number of equal rows
        it stands for, which are held out one at a time.
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
    unseen_class: float | str | None = None
    weights_are: str = "importance"

    @property
    def copies(self) -> bool:
        """Whether a row's weight is a number of equal rows."""
        return are_copies(self.weights_are)

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A model of the rows; `classes` may come without a row, and later rows may follow these."""
        raise TypeError(f"{type(self).__name__} does not say how rows become a model")

    def chooses(self, frame: Frame) -> bool:
        """Whether anything is chosen on the rows of such a table, so that they flatter a model that has seen them."""
        return True

    def held_out(self, frame: Frame, y: Any, weight: Any = None, group: "Codes | None" = None) -> "HeldOut | None":
        """What models of these settings say of rows that nothing of them has seen; None where all rows are equal.

        Rows of one `group` are held out together. Rows that weigh nothing are not among them.
        """
        labels = coded_labels(y, frame.rows)
        heavy = np.arange(frame.rows) if weight is None else np.flatnonzero(np.asarray(weight) > 0)
        weight, frame, labels = check_row_weights(weight, self.without_marks(frame), labels)
        found = self._held_out(frame, labels, weight, None if group is None else group[heavy])
        return None if found is None else replace(found, rows=heavy[found.rows])

    def _held_out(self, frame: Frame, labels: Coded, weight: Floats | None, group: "Codes | None") -> "HeldOut | None":
        """The same of checked rows."""
        from bayesfold.learning.cross_fit import cross_fit

        def learn(frame: Frame, some: Coded, weight: Floats | None) -> Model | Pool:
            return self.learn(frame, some, weight, labels.levels).model

        return cross_fit(learn, frame, labels, weight, group)

    def scores(self, frame: Frame, y: Any, weight: Any = None, group: "Codes | None" = None) -> Scores | None:
        """How good a model of these settings is on rows that nothing of it has seen; None where all rows are equal."""
        found, labels = self.held_out(frame, y, weight, group), coded_labels(y, frame.rows)
        return None if found is None else self.scored(found, labels, weight)

    def scored(self, held_out: "HeldOut", labels: Coded, weight: Any) -> Scores:
        """The scores of what was said of rows of a table with these labels and weights."""
        weight = None if weight is None else np.asarray(weight, np.float64)
        return scored(held_out, labels, weight, self.loss, self.reject_cost, self.unseen_class, self.copies)

    def without_marks(self, frame: Frame) -> Frame:
        """The frame with numbers in columns of numbers and `missing` marks, as files of text are read, too."""
        odd = [name for name, held in frame.columns.items() if isinstance(held, np.ndarray) and held.dtype == object]
        if self.missing is None or not odd:
            return frame
        from bayesfold.learning.one_column import markers

        missing, families = by_name("missing", self.missing, frame), by_name("families", self.families or {}, frame)
        read = {name: numbers_beside(frame.columns[name], markers(missing, name)) for name in odd}
        numbers = {name: x for name, x in read.items() if x is not None and name not in families}
        return Frame(frame.names, frame.rows, {**frame.columns, **numbers}, unread=frame.unread)

    def _options(self, frame: Frame, more_to_come: bool, **others: Any) -> "Options":
        """How the columns of this table are to be read; they may be named by their place."""
        from bayesfold.learning.one_column import Options

        for name in ("alpha", "prior_alpha"):
            check_alpha(name, getattr(self, name, 1.0))
        check_unseen_class(self.unseen_class)
        are_copies(self.weights_are)
        families = by_name("families", self.families or {}, frame)
        missing = by_name("missing", self.missing, frame)
        given = {"families": families, "missing": missing, "prior_alpha": self.prior_alpha}
        return Options(**given, copies=self.copies, more_to_come=more_to_come, **others)


def numbers_beside(values: NDArray[Any], marks: frozenset[Level]) -> Floats | None:
    """Numbers, NaN where a value is missing or one of the marks; None where some value is another text.

    >>> numbers_beside(np.array([3, "?", None, 2.5], object), frozenset(["?"]))
    array([3. , nan, nan, 2.5])
    """
    x = np.full(len(values), np.nan)
    for i, value in enumerate(values):
        if isinstance(value, int | float | np.number) and not isinstance(value, bool):
            x[i] = value
        elif not absent(value) and value not in marks:
            return None
    return None if np.isnan(x).all() else x


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
