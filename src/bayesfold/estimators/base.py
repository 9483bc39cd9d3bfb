"""How every classifier learns: scikit-learn's verbs, and the group's (update, forget, merge, decay)."""

import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Frame, Level
from bayesfold.data.labels import type_of
from bayesfold.data.tables import is_row
from bayesfold.decisions.decide import check_decision
from bayesfold.estimators.answering import PredictingClassifier
from bayesfold.estimators.rows import ColumnWarning, alone, read_labels, weight_alone
from bayesfold.io.fit import Account
from bayesfold.io.open import open_source
from bayesfold.io.rows import RowWarning
from bayesfold.io.unseen import notes_of_dates
from bayesfold.learning.discover import BY_CHANCE
from bayesfold.learning.labels_and_weights import LARGEST_WEIGHT, coded_labels
from bayesfold.learning.lost_variance import lost_spreads
from bayesfold.learning.trained import Trained
from bayesfold.runtime.messages import listed
from bayesfold.runtime.one_writer import one_writer
from bayesfold.runtime.progress import Watcher

if TYPE_CHECKING:
    from bayesfold.learning.kinds import Settings
    from bayesfold.learning.trained import DropIn


class Classifier(PredictingClassifier, ABC):
    """A subclass says how rows become a model (`_learn`) and how more rows change it (`_update`).

    Every subclass takes these parameters, which change what `predict` returns and nothing else:

    loss : matrix, nested dict by class name, or data frame (index: decisions)
        loss[decision][truth], what each decision costs; `predict` minimises the conditional risk
        R(d | x) = sum_t loss[d][t] P(t | x). None: 1 for every wrong decision, so the most probable class.
    reject_cost : float
        What it costs not to decide: rows whose every decision is expected to cost more are rejected.
    reject_label : label
        What `predict` calls a rejected row; "reject" for classes that are text, to be given for others.

    And all but scikit-learn's own classes take these:

    unseen_class : None, "good-turing" or a number between 0 and 1
        The probability that a row is of a class never seen; see `unseen_share_`, and the page on decisions and costs.
    weights_are : "importance" or "counts"
        What sample_weight says: how much a row counts, as in scikit-learn; then a row is left out whole, whatever it
        weighs. Or how many equal rows it stands for: then one of them is left out, and the others judge it.
    """

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """The parameters' names: scikit-learn works them out at every fit, which takes as long as to learn ten rows."""
        return list(parameters_of(cls))

    @abstractmethod
    def _learn(
        self,
        frame: Frame,
        values: Any,
        weight: Any,
        label_type: np.dtype[Any] | None,
        classes: Sequence[Level] = (),
        more_to_come: bool = False,
    ) -> Trained:
        """A model of the rows, and what became of each column."""

    @abstractmethod
    def _update(self, frame: Frame, values: Any, weight: Any) -> None:
        """Learn more rows; on an error nothing has changed."""

    @abstractmethod
    def chooses(self, X: Any) -> bool:
        """Whether `fit` of such a table chooses anything on its rows."""

    def number_copies(self, X: Any, y: Any) -> NDArray[np.intp]:
        """A number for each row, the same for copies of a row, so that folds can keep copies together.

        Rows that differ only in an identifier, a timestamp or a free-text remark are copies too.
        """
        from bayesfold.data.folds import number_copies
        from bayesfold.learning.cross_fit import as_read

        unfitted = type(self)(**self.get_params(deep=False))
        frame = unfitted._read(X, reset=True)
        return number_copies(as_read(frame, coded_labels(y, frame.rows), None))

    @abstractmethod
    def _current_settings(self) -> "Settings | DropIn":
        """The parameters, as a saved model keeps them."""

    # learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to these rows, discarding what was learned before. On an error nothing has changed."""
        with nothing_on_error(self):
            frame, values = self._read(X, reset=True), read_labels(self, y)
            self._hold(self._learn(frame, values, sample_weight, type_of(values)))
        self._warn(frame, sample_weight)
        return self

    def fit_from(
        self,
        source: Any,
        target: str,
        *,
        weight: str | None = None,
        columns: Any = None,
        progress: Watcher | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        encoding: str | None = None,
        decimal: str | None = None,
    ) -> Self:
        """Learn every row of a table of any size, whose columns `target` and `weight` name labels and row weights.

        `source` is a path or a glob (CSV, TSV, Parquet, Arrow IPC; also compressed), "-" for standard input, a list of
        paths, a DuckDB relation or query, (connection, query) for any other database, a Spark DataFrame (its rows stay
        in the executors), or anything that yields Arrow record batches. Column types, densities, structure and so on
        are chosen on a sample of at most 50,000 rows that is spread over the source; then every row is counted. Rows
        without a class are left out, with a warning. `source_` says what was read. `columns` are the features to use,
        or the types of columns of a text file ({"zip": "text"}); `progress` is called with a `Progress` now and then.
        `checkpoint` is a file in which the counts are saved from time to time: the same call after an interruption
        resumes from there, and at the end the file is removed. `encoding` ("cp1252") and `decimal` ("," or ".")
        override what is detected in text files. On an error nothing has changed.
        """
        with nothing_on_error(self):
            rows = source if encoding is None and decimal is None else open_source(source, encoding, decimal)
            self.source_ = self._learn_from(rows, target, weight, columns, progress, checkpoint)
            check_decision(self)
        if self.source_.checkpoint is not None:
            self.source_.checkpoint.discard()
            self.source_ = replace(self.source_, checkpoint=None)
        if self.source_.unlabelled:
            warnings.warn(f"{self.source_.source}: {self.source_.put_aside}", RowWarning, stacklevel=2)
        self._warn_left_out()
        return self

    @abstractmethod
    def _learn_from(
        self, source: Any, target: str, weight: str | None, columns: Any, progress: Watcher | None, checkpoint: Any
    ) -> Account:
        """Learn every row of a source; returns an account of how it was read."""

    @one_writer
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same as `fit` of all rows so far, with the schema of the first call.

        X may be one row as a dict, y its label. Later calls may have new levels and new classes; `classes` declares, at
        the first call, classes that are still to come. On an error nothing has changed.
        """
        first = not self.__sklearn_is_fitted__()
        if is_row(X):
            y, weight = alone(y, "label"), None if sample_weight is None else weight_alone(sample_weight)
            if not first and classes is None:
                return self._learn_row(X, y, weight)
            y, sample_weight = [y], None if weight is None else [weight]
        declared = np.asarray([] if classes is None else classes)
        if first:
            with nothing_on_error(self):
                frame, values = self._read(X, reset=True), read_labels(self, y)
                label_type = type_of(declared if len(declared) else values)
                self._hold(self._learn(frame, values, sample_weight, label_type, declared.tolist(), more_to_come=True))
            self._warn(frame, sample_weight)
            return self
        late = [c for c in declared.tolist() if not self.model_.schema.target.knows(c)]
        if late:
            raise ValueError(
                f"classes names {listed(late)} after the first call to partial_fit; declare them at the first call, or "
                "leave classes out: a new class joins when a row shows it"
            )
        frame = self._read(X, reset=False)
        self._update(frame, read_labels(self, y), sample_weight)
        for note in notes_of_dates(self.model_.schema, frame):
            warnings.warn(note, RowWarning, stacklevel=3)
        return self

    def _learn_row(self, row: Any, label: Any, weight: float | None) -> Self:
        """One row as a dict: the same as a table of that row, without the table."""
        if label is None or label != label:
            raise ValueError("this row has no label; leave out rows whose class is unknown")
        if weight is not None and not 1 / LARGEST_WEIGHT <= weight <= LARGEST_WEIGHT:
            if weight == 0:
                return self
            raise ValueError(
                f"this row has the weight {weight}; weights are 0, or from {1 / LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}"
            )
        label = label.item() if isinstance(label, np.generic) else label
        self._check_names(row)
        self._trained.put(self._trained.model_.learn_row(row, label, weight))
        return self

    @one_writer
    def forget(self, X: Any, y: Any, sample_weight: Any = None, keep_levels: bool = False) -> Self:
        """Remove learned rows: the result equals `fit` of the other rows with the same schema.

        A level, a term or a class without any remaining row is removed too, unless it was given by name (`classes=`,
        `schema=`, `priors=`, `loss=`, `blank()`); `keep_levels` keeps them all. A row that cannot have been learned is
        refused with its number, before anything changes; for numeric columns only sums are stored, so a number that was
        never learned may go unnoticed.
        """
        self._require_fit()
        self._trained.forget_batch(
            self._learned(X, y, sample_weight, to_forget=True), keep_levels, self._names_classes()
        )
        self._updated()
        return self

    def _names_classes(self) -> bool:
        """Whether a parameter says something of each class, so that none may go."""
        by_class = (self.loss, *(getattr(self, name, None) for name in ("priors", "class_prior")))
        return any(value is not None for value in by_class)

    def merge(self, other: Self) -> Self:
        """A classifier fitted on the rows of both, with the parameters of this one: smoothing, costs, class weights.

        Models that read a column differently are refused: other cuts, other markers of missing values.
        """
        self._require_fit()
        if not isinstance(other, Classifier):
            raise TypeError(f"a classifier is merged with another one, not with {type(other).__name__}")
        other._require_fit()
        return self._with(self._trained.joined(other._trained))

    def _with(self, trained: Trained) -> Self:
        """A classifier like this one with another model of the same kind."""
        made = self.__class__(**self.get_params(deep=False))
        made.__dict__.update(self.__dict__)
        made._trained = trained
        made._updated()
        return made

    def blank(self) -> Self:
        """A copy without rows: columns, densities, structure and weights stay, the counts are zero.

        Send it to another machine, let it learn there with `partial_fit`, and `merge`.
        """
        self._require_fit()
        return self._with(self._trained.emptied())

    def __add__(self, other: Self) -> Self:
        return self.merge(other) if isinstance(other, type(self)) else NotImplemented

    @one_writer
    def decay(self, factor: float) -> Self:
        """Multiply the weight of every row learned so far by this factor, so that newer rows count for more."""
        self._require_fit()
        if not 0 < factor <= 1:
            raise ValueError(f"factor={factor!r} must be above 0 and at most 1")
        fresh = self.model_.twin()
        fresh.decay(factor)
        self._trained.put(fresh)
        self._updated()
        return self

    def _warn(self, frame: Frame, weight: Any) -> None:
        """Say which columns are not used, and of which the spread is lost, and why."""
        self._warn_left_out(stacklevel=4)
        for why in lost_spreads(self.model_.tally, frame, weight):
            warnings.warn(why, ColumnWarning, stacklevel=3)

    def _warn_left_out(self, stacklevel: int = 3) -> None:
        """Say which columns are not used, and why."""
        left_out = [c for c in self.columns_ if not c.family and c.why != BY_CHANCE]
        if left_out:
            said = "; ".join(f"{c.name!r} ({c.why.removeprefix('left out').lstrip(': ')})" for c in left_out)
            warnings.warn(f"columns left out: {said}", ColumnWarning, stacklevel=stacklevel)

    def _updated(self) -> None:
        """The statistic has changed; a subclass whose parameters follow from it renews them."""


@cache
def parameters_of(kind: type[Classifier]) -> tuple[str, ...]:
    """The parameters' names of a class of estimators."""
    return tuple(super(Classifier, kind)._get_param_names())  # type: ignore[misc]


@contextmanager
def nothing_on_error(estimator: Classifier) -> Iterator[None]:
    """On an error the estimator is what it was before."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise
