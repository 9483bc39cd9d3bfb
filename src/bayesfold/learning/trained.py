"""A model and what it was told: all that answers and saved files need, without scikit-learn.

>>> from bayesfold.data.frame import Frame
>>> f = Frame.of({"coat": ["short", "long", "short", "short"], "size": ["s", "s", "l", "l"]})
>>> pets = train(find("naive")(loss={"cat": {"dog": 5}, "dog": {"cat": 1}}), f, ["cat", "cat", "dog", "dog"], "pet")
>>> pets.decide(pets.log_proba(Frame.of({"coat": ["long"], "size": ["s"]}))).tolist()
['cat']
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.labels import classes_of
from bayesfold.data.tables import frame as read_table
from bayesfold.data.tables import is_dicts, with_absent
from bayesfold.decisions.decide import check_decision, decide_labels
from bayesfold.decisions.unseen_class import model_share
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.kinds import Settings, find
from bayesfold.learning.pool.report import Report
from bayesfold.learning.scores import Scores
from bayesfold.learning.unlabelled import Unlabelled
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.models.refusals import require_classes
from bayesfold.runtime.messages import rows_numbered

__all__ = ["DropIn", "Step", "Trained", "find", "train"]


@dataclass(frozen=True)
class Step:
    """Where a model's rows came from: what was done, with how many rows, of what source, when (ISO 8601); `digests` are
    those of files that were learned."""

    what: str
    rows: int
    source: str = ""
    date: str = ""
    digests: tuple[str, ...] = ()


@dataclass(frozen=True)
class DropIn:
    """The parameters of one of scikit-learn's classes, which learns by rules that only the estimator knows."""

    estimator: str
    parameters: Mapping[str, Any]
    details: Mapping[str, Any] = field(default_factory=dict)  # what the estimator keeps beside its model

    @property
    def loss(self) -> Any:
        """loss[decision][truth]."""
        return self.parameters.get("loss")

    @property
    def reject_cost(self) -> Any:
        """What it costs not to decide."""
        return self.parameters.get("reject_cost")

    @property
    def reject_label(self) -> Any:
        """What a rejected row is called."""
        return self.parameters.get("reject_label")


@dataclass
class Trained:
    """`names` are the columns of the table that was learned (`named`: by its own names, not by place), `target` the one
    that it predicts; `history` says where the rows came from, as far as it was noted."""

    settings: Settings | DropIn
    model_: Model | Pool
    columns: ColumnTable
    names: tuple[str, ...]
    target: str = "class"
    label_type: np.dtype[Any] | None = None
    report: Report | None = None
    unlabelled: Unlabelled | None = None
    reweigh_needed: bool = False
    named: bool = True
    history: tuple[Step, ...] = ()
    scores: Scores | None = None
    _labels: tuple[tuple[Level, ...], NDArray[Any]] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def judged(self) -> Scores | None:
        """How good it is on rows that nothing of it has seen, where that was found out when it was learned.

        A pool's are in its report. A model that has learned or forgotten rows since is another one.
        """
        if self.report is not None:
            return None if self.reweigh_needed else self.report.scores
        return self.scores

    @property
    def rows(self) -> int:
        """How many rows are in it."""
        return int(self.model_.class_counts().sum())

    @property
    def feature_settings(self) -> Settings:
        """The settings without what they say of the target, which is none of the columns that are learned."""
        self._require_settings("learn its rows anew")
        assert isinstance(self.settings, Settings)
        return of_features(self.settings, self.target)

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, of the labels' own type."""
        return self.classes_in(self.model_)

    def classes_in(self, model: Model | Pool) -> NDArray[Any]:
        """The classes of a model that is or was in this one, of the labels' own type; worked out once."""
        if self._labels is None or self._labels[0] is not model.classes:
            self._labels = model.classes, classes_of(model.classes, self.label_type)
        return self._labels[1]

    @property
    def loss(self) -> Any:
        """loss[decision][truth]."""
        return self.settings.loss

    @property
    def reject_cost(self) -> Any:
        """What it costs not to decide."""
        return self.settings.reject_cost

    @property
    def reject_label(self) -> Any:
        """What a rejected row is called."""
        return self.settings.reject_label

    @property
    def unseen_share_(self) -> float:
        """The probability that a row is of a class never seen."""
        if isinstance(self.settings, DropIn):
            return 0.0
        return model_share(self.settings.unseen_class, self.model_, self.settings.copies)

    @property
    def _names(self) -> tuple[str, ...]:
        return self.names

    def _read(self, X: Any, reset: bool = False) -> Frame:
        """A table as a frame that has every column this model reads; what no dict of a list has is missing in all."""
        frame = with_absent(read_table(X), self.model_.schema.sources) if is_dicts(X) else read_table(X)
        frame.require(self.model_.schema.sources)
        return frame

    # answers

    def log_proba(self, X: Any) -> Floats:
        """log P(class | row)."""
        model = self.model_  # another thread may put a newer one in its place
        require_classes(model)  # type: ignore[arg-type]
        return model.log_proba(model.schema.encode(self._read(X)))

    def decide(self, log_proba: Floats) -> NDArray[Any]:
        """The label of each row: of least conditional risk, or the reject label."""
        return decide_labels(self, log_proba)

    # more rows, fewer rows

    def learn(self, X: Any, y: Any, weight: Any = None) -> None:
        """Learn more rows; on an error nothing has changed."""
        self._require_settings("learn more rows")
        self.learn_frame(self._read(X), y, weight)

    def learn_frame(self, frame: Frame, y: Any, weight: Any = None) -> None:
        """As `learn`, of a table that was read."""
        from bayesfold.learning.labels_and_weights import without_weightless  # a model that answers does without
        from bayesfold.learning.more_rows import update

        fresh = self.model_.twin()
        frame, y, weight, places = without_weightless(frame, y, weight)
        with rows_numbered(places):
            update(fresh, frame, y, weight)  # type: ignore[arg-type]
        self.put(fresh)

    def learned(self, X: Any, y: Any, weight: Any = None, to_forget: bool = False) -> Batch:
        """Rows that were learned; a row that cannot have been is named."""
        from bayesfold.learning.learned_rows import learned  # a model that answers does without

        copies = isinstance(self.settings, Settings) and self.settings.copies
        return learned(self.model_, self._read(X), y, weight, copies, to_forget)

    def blank(self) -> "Trained":
        """The same model of no rows, to learn elsewhere and be merged."""
        self._require_settings("be emptied")
        return self.emptied()

    def emptied(self) -> "Trained":
        """As `blank`, for whoever knows how such a model learns."""
        model = self.model_.blank()
        return replace(self, model_=model, reweigh_needed=isinstance(model, Pool), history=(), scores=None)

    def merge(self, other: "Trained") -> "Trained":
        """A model of both models' rows, with this one's settings."""
        self._require_settings("merge")
        if type(self.settings) is not type(other.settings) or self.target != other.target:
            mine, theirs = (f"a {t.settings.estimator} of {t.target!r}" for t in (self, other))
            raise ValueError(f"{mine} and {theirs} cannot be merged: they are models of different things")
        return self.joined(other)

    def joined(self, other: "Trained") -> "Trained":
        """As `merge`, for whoever knows that both learn the same thing."""
        both = self.model_ + other.model_  # type: ignore[operator]
        history = (*self.history, *other.history)
        return replace(self, model_=both, reweigh_needed=isinstance(both, Pool), history=history, scores=None)

    def forget(self, X: Any, y: Any, weight: Any = None, keep_levels: bool = False) -> None:
        """Take learned rows out again, and the names that only they showed; on an error nothing has changed."""
        self._require_settings("forget rows")
        self.forget_batch(self.learned(X, y, weight, to_forget=True), keep_levels, self._names_classes)

    def forget_batch(self, batch: Batch, keep_levels: bool, keep_classes: bool) -> None:
        """As `forget`, of rows that were found to have been learned."""
        fresh = self.model_.twin()
        with rows_numbered(None if batch.weight is None else np.flatnonzero(batch.weight > 0)):
            fresh.forget(batch.weighing())
        self.put(fresh if keep_levels else fresh.trimmed(classes=not keep_classes))

    def put(self, model: Model | Pool) -> None:
        """Put another model in place of this one; what was found out about that is not about the new one."""
        self.model_ = model
        self.reweigh_needed = isinstance(model, Pool)
        self.scores = None

    def trim(self) -> None:
        """Leave out the levels, terms and classes that no row shows; what a person named stays."""
        self.model_ = self.model_.trimmed(classes=not self._names_classes)

    @property
    def _names_classes(self) -> bool:
        """Whether the settings say something of each class, so that none may go."""
        return self.loss is not None or self.model_.prior is not None

    def _require_settings(self, what: str) -> None:
        """Refuse what only the estimator can do."""
        if isinstance(self.settings, DropIn):
            raise ValueError(
                f"this is a {self.settings.estimator}, which follows scikit-learn's rules: to {what}, load it in "
                "Python with bayesfold.load(path), or learn a NaiveBayes, which does it here"
            )


def of_features(settings: Settings, target: str) -> Settings:
    """Settings whose markers of missing values are those of features: `missing` may also name the target."""
    if not isinstance(settings.missing, Mapping) or target not in settings.missing:
        return settings
    return replace(settings, missing={name: marks for name, marks in settings.missing.items() if name != target})


def train(
    settings: Settings,
    frame: Frame,
    y: Any,
    target: str = "",
    label_type: np.dtype[Any] | None = None,
    weight: Any = None,
    classes: Sequence[Level] = (),
    more_to_come: bool = False,
) -> Trained:
    """Learn the rows of a table as these settings say; without a name the target is called as in the schema.

    With `more_to_come` later rows may show more classes, so that a loss may speak of some that are not there yet.
    """
    from bayesfold.learning.labels_and_weights import without_weightless  # a model that answers does without

    frame, y, weight, places = without_weightless(frame, y, weight)
    with rows_numbered(places):
        learned = settings.learn(settings.without_marks(frame), y, weight, classes, more_to_come)
    target = target or learned.model.schema.target.name
    trained = Trained(
        settings, learned.model, learned.columns, frame.names, target, label_type, learned.report, learned.unlabelled
    )
    if not more_to_come:
        check_decision(trained)
    return trained
