"""What every classifier can do: scikit-learn's verbs, and the group's (update, forget, merge, decay, leave out)."""

import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from bayesfold.data.batch import Batch
from bayesfold.data.folds import dealt
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.labels import classes_of, type_of
from bayesfold.data.schema import Schema
from bayesfold.data.tables import is_row
from bayesfold.decisions.decide import check_decision, decided, share_right, takes_the_mode
from bayesfold.estimators.importances import importances
from bayesfold.estimators.rows import ColumnWarning, framed, labels, read
from bayesfold.explanations.counterfactual import Change
from bayesfold.explanations.explanation import Explanations
from bayesfold.explanations.next_question import Questions
from bayesfold.explanations.requests import asked, changed, explained
from bayesfold.io.fit import Account
from bayesfold.io.open import open_source
from bayesfold.io.predict import predict_from
from bayesfold.io.rows import RowWarning
from bayesfold.io.unseen import Unseen, notes_of_unseen
from bayesfold.learning.column_table import ColumnReport
from bayesfold.learning.discover import BY_CHANCE
from bayesfold.learning.fit import LARGEST_WEIGHT, by_class
from bayesfold.learning.kinds import COUNTS, Learned
from bayesfold.learning.learned_rows import learned
from bayesfold.learning.lost_variance import lost_spreads
from bayesfold.models.model import Model
from bayesfold.models.posterior import log_posterior, shift_prior
from bayesfold.runtime.messages import listed
from bayesfold.runtime.progress import Watcher

if TYPE_CHECKING:
    from bayesfold.learning.kinds import Settings
    from bayesfold.learning.trained import DropIn
    from bayesfold.networks.network import BayesianNetwork


class Classifier(ClassifierMixin, BaseEstimator, ABC):
    """A subclass says how rows become a model (`_learn`) and how more rows change it (`_update`).

    Every subclass takes these parameters, which change what `predict` returns and nothing else:

    loss : matrix, nested dict by class name, or data frame (index: decisions)
        loss[decision][truth], what each decision costs; `predict` minimises the conditional risk
        R(d | x) = sum_t loss[d][t] P(t | x). None: 1 for every wrong decision, so the most probable class.
    reject_cost : float
        What it costs not to decide: rows whose every decision is expected to cost more are rejected.
    reject_label : label
        What `predict` calls a rejected row; "reject" for classes that are text, to be given for others.

    And all but scikit-learn's own classes take this one:

    weights_are : "importance" or "counts"
        What sample_weight says: how much a row counts, as in scikit-learn; then a row is left out whole, whatever it
        weighs. Or how many equal rows it stands for: then one of them is left out, and the others judge it.
    """

    loss: Any = None
    reject_cost: Any = None
    reject_label: Any = None
    weights_are: str = "importance"

    model_: Model
    columns_: tuple[ColumnReport, ...]
    classes_: NDArray[Any]
    _named: tuple[tuple[Level, ...], NDArray[Any]]
    _label_type: np.dtype[Any] | None
    n_features_in_: int
    _names: tuple[str, ...]
    source_: Account

    @abstractmethod
    def _learn(self, frame: Frame, values: Any, weight: Any, classes: Sequence[Level], more_to_come: bool) -> Learned:
        """A model of the rows, and what became of each column."""

    @abstractmethod
    def _update(self, frame: Frame, values: Any, weight: Any) -> None:
        """Learn more rows; on an error nothing has changed."""

    @abstractmethod
    def chooses(self, X: Any) -> bool:
        """Whether `fit` of such a table chooses anything on its rows."""

    @abstractmethod
    def _told(self) -> "Settings | DropIn":
        """The parameters, as a saved model keeps them."""

    # learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows, and nothing else: what was learned before is gone. On an error nothing has changed."""
        with nothing_on_error(self):
            frame, values = self._read(X, reset=True), labels(self, y)
            self._fitted(self._learn(frame, values, sample_weight, (), more_to_come=False), type_of(values))
            check_decision(self)
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
        paths, a DuckDB relation or query, (connection, query) for any other database, a DataFrame of Spark (its rows
        stay in the executors, which choose and count), or anything that gives Arrow record batches. What there is to
        choose is chosen on at most 50,000 rows that are spread over the source; then every row is counted. Rows without
        a class are put aside, with a warning. `source_` says what was read. `columns` are the features to use, or what
        columns of a text file hold ({"zip": "text"}); `progress` is called with a `Progress` now and then. `checkpoint`
        is a file in which the count is kept from time to time: the same call after an interruption goes on from there,
        and at the end the file is gone. `encoding` ("cp1252") and `decimal` ("," or ".") say how text files are
        written, where they do not show it themselves. On an error nothing has changed.
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

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same as `fit` of all rows so far, with the schema of the first call.

        X may be one row as a dict, y its label. Later calls may show new levels and new classes; `classes` declares, at
        the first call, classes that no row has shown yet. On an error nothing has changed.
        """
        first = not hasattr(self, "model_")
        if is_row(X):
            if not first and classes is None:
                return self._learn_row(X, y, sample_weight)
            y, sample_weight = [y], None if sample_weight is None else [sample_weight]
        declared = np.asarray([] if classes is None else classes)
        if first:
            with nothing_on_error(self):
                frame, values = self._read(X, reset=True), labels(self, y)
                found = self._learn(frame, values, sample_weight, declared.tolist(), more_to_come=True)
                self._fitted(found, type_of(declared if len(declared) else values))
            self._warn(frame, sample_weight)
            return self
        late = [c for c in declared.tolist() if c not in self.model_.schema.target.slot]
        if late:
            raise ValueError(
                f"classes names {listed(late)} after the first call to partial_fit; declare them at the first call, or "
                "leave classes out: a new class joins when a row shows it"
            )
        self._update(self._read(X, reset=False), labels(self, y), sample_weight)
        return self

    def _learn_row(self, row: Any, label: Any, weight: Any) -> Self:
        """One row as a dict: the same as a table of that row, without the table."""
        if label is None or label != label:
            raise ValueError("this row has no label; leave out rows whose class is unknown")
        if weight is not None and not 1 / LARGEST_WEIGHT <= weight <= LARGEST_WEIGHT:
            if weight == 0:
                return self
            raise ValueError(
                f"this row has the weight {weight}; weights are 0, or from {1 / LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}"
            )
        self.model_ = self.model_.learn_row(row, label.item() if isinstance(label, np.generic) else label, weight)
        self._updated()
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None, keep_levels: bool = False) -> Self:
        """Take learned rows out again: what is left is what `fit` of the other rows (same schema) would be.

        A level, a term or a class that no row shows any more goes with them, name and all, unless somebody named it
        (`classes=`, `schema=`, `priors=`, `loss=`, `blank()`); `keep_levels` leaves them all. A row that cannot have
        been learned is refused by number, before anything changes; sums of numbers alone cannot notice a value that was
        never there.
        """
        self._require_fit()
        batch, fresh = self._learned(X, y, sample_weight), self.model_.twin()
        fresh.forget(batch if batch.weight is None else batch.take(batch.weight > 0))
        self.model_ = fresh if keep_levels else fresh.trimmed(classes=not self._names_classes())
        self._updated()
        return self

    def _names_classes(self) -> bool:
        """Whether a parameter says something of each class, so that none may go."""
        told = (self.loss, *(getattr(self, name, None) for name in ("priors", "class_prior")))
        return any(value is not None for value in told)

    def merge(self, other: Self) -> Self:
        """A classifier of both classifiers' rows, with this one's settings."""
        self._require_fit()
        other._require_fit()
        return self._with(self.model_ + other.model_)

    def _with(self, model: Model) -> Self:
        """A classifier like this one with another model of the same kind."""
        made = self.__class__(**self.get_params(deep=False))
        made.__dict__.update(self.__dict__)
        made.model_ = model
        made._updated()
        return made

    def blank(self) -> Self:
        """The same classifier of no rows: columns, densities, structure and weights stay, the counts are zero.

        Hand it to another machine, let it learn there with `partial_fit`, and `merge`.
        """
        self._require_fit()
        return self._with(self.model_.blank())

    def __add__(self, other: Self) -> Self:
        return self.merge(other) if isinstance(other, type(self)) else NotImplemented

    def decay(self, factor: float) -> Self:
        """Multiply the weight of every row learned so far, so that newer rows count for more."""
        self._require_fit()
        if not 0 < factor <= 1:
            raise ValueError(f"factor={factor!r} must be above 0 and at most 1")
        fresh = self.model_.twin()
        fresh.decay(factor)
        self.model_ = fresh
        self._updated()
        return self

    # answers

    def predict(self, X: Any, priors: Any = None) -> NDArray[Any]:
        """The class of least conditional risk, which is the most probable one unless `loss` says otherwise.

        `priors` (by class) are class frequencies among these rows, where they differ from those that were learned.
        """
        model = self._snapshot()
        if priors is None and takes_the_mode(self):
            best = self._joint(X, model).argmax(axis=1)
            found: NDArray[Any] = self._classes_of(model)[best]
            return found
        return decided(self._deciding(model), self._posterior(X, True, priors, model))

    def predict_proba(self, X: Any, as_frame: bool = False, priors: Any = None) -> Any:
        """P(class | row), one column per class; `as_frame` gives the kind of frame X is, with the classes as names.

        `priors` (by class) are class frequencies among these rows, where they differ from those that were learned.
        """
        model = self._snapshot()
        proba = self._posterior(X, False, priors, model)
        return framed(proba, X, model.classes) if as_frame else proba

    def predict_log_proba(self, X: Any, priors: Any = None) -> Floats:
        """log P(class | row); `priors` as in `predict_proba`."""
        return self._posterior(X, True, priors, self._snapshot())

    def predict_from(
        self,
        source: Any,
        out: Any = None,
        *,
        progress: Watcher | None = None,
        prefix: str = "",
        encoding: str | None = None,
        decimal: str | None = None,
        missing_columns: str = "error",
    ) -> Any:
        """Write the rows of a source with the answers for them appended; returns how many there were.

        Appended are `predicted`, `P(c)` for each class c, and, with a loss or a reject cost, `risk`, their names after
        `prefix`. `source`, `encoding` and `decimal` are as for `fit_from`; `out` is a path (*.csv, *.tsv, both also
        with .gz, *.parquet, *.arrow), "-", or a binary file. A file appears only when it is complete. A warning tells
        of a column of which no value was ever learned (male and female, where it was M and F). A column that the
        source lacks is an error, or, with missing_columns="unknown", unknown in every row.

        A DataFrame of Spark gets its answers in the executors: without `out` they are returned as a DataFrame; with it,
        they are written to files there (*.parquet, *.orc, *.json, *.csv), or to the table of that name.
        """
        self._require_fit()
        rows = source if encoding is None and decimal is None else open_source(source, encoding, decimal)
        unseen = Unseen(self.model_.schema)
        many = predict_from(self, rows, out, self._log_proba_of, progress, prefix, unseen, missing_columns)
        for note in unseen.notes():
            warnings.warn(note, RowWarning, stacklevel=2)
        return many

    def _log_proba_of(self, frame: Frame) -> Floats:
        """log P(class | row) of rows that have this model's columns."""
        model = self.model_
        return self._log_proba(model, model.schema.encode(frame))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows decided right; a rejected row is not."""
        if self.reject_cost is None:
            return float(super().score(X, y, sample_weight))
        return share_right(self.predict(X), y, sample_weight)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(class, row): the generative model's own number, before it is normalised."""
        return self._joint(X, self._snapshot())

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """log P(class | row) of learned rows, each taken out of the sums; schema, densities, structure, weights held.

        The answer is exactly that of a fit of the other rows with all that was chosen as it is. What was chosen on the
        rows flatters them, on wide tables a lot: for scores use `bayesfold.evaluate`, which chooses anew without each
        fold. `chooses(X)` says whether there is anything to choose.
        """
        self._require_fit()
        return self._log_proba(self.model_, self._learned(X, y, sample_weight), leave_out=True)

    def leave_folds_out(self, X: Any, y: Any, folds: Any = 10, sample_weight: Any = None) -> Floats:
        """log P(class | row) of learned rows, each fold taken out of the sums; schema, densities and the like held.

        What is held is the schema, densities, structure and weights: as in `leave_one_out`, what was chosen on the rows
        flatters them. `folds` is a number of folds (rows are then dealt out by their content, equal rows together) or a
        fold for each row.
        """
        self._require_fit()
        batch = self._learned(X, y, sample_weight)
        if np.ndim(folds) == 0 and (folds < 2 or folds != int(folds)):
            raise ValueError(f"folds={folds!r} must be a whole number of at least 2, or the fold of each row")
        fold = dealt(batch, folds) if np.ndim(folds) == 0 else np.asarray(folds)
        if len(fold) != batch.rows:
            raise ValueError(f"there are {batch.rows} rows but {len(fold)} folds")
        unnamed = np.flatnonzero(fold != fold)  # NaN
        if len(unnamed):
            raise ValueError(f"row {unnamed[0]} has no fold: folds is NaN there")
        out = np.empty((batch.rows, len(self.classes_)))
        for f in np.unique(fold):
            rows = np.flatnonzero(fold == f)
            held_out = batch.take(rows)
            out[rows] = self._log_proba(self.model_.without(held_out), held_out)
        return out

    # reasons

    def explain(self, X: Any, of: Any = None, against: Any = None) -> Explanations:
        """Why each row is decided as it is: what the prior and each column add to the log-odds between two classes.

        The contributions sum to the model's log-odds. `of` and `against` are classes; left out, they are the decision
        and the most probable other class. `[0]` is the first row's explanation, `importance()` the mean over rows.
        """
        self._require_fit()
        return explained(self, X, of, against)

    def what_would_change(
        self, row: Any, to: Any = None, fixed: Iterable[str] = (), values: Mapping[str, Sequence[Any]] | None = None
    ) -> Change:
        """The smallest set of columns that, with other values, would change a row's decision (to the class `to`).

        Columns named in `fixed` stay as they are. Values that are tried: the levels of categories, and for numbers a
        grid over what the model itself draws; `values` gives others by column.
        """
        self._require_fit()
        return changed(self, row, to, tuple(fixed), values)

    def what_to_ask(self, row: Any) -> Questions:
        """The columns missing from a row, by how much their value is expected to lower the risk of the decision."""
        self._require_fit()
        return asked(self, row)

    @property
    def feature_importances_(self) -> Floats:
        """What each column adds to the reasons of rows that the model draws; the sum is 1."""
        self._require_fit()
        return importances(self)

    def sample(self, n: int = 1, random_state: Any = None) -> tuple[dict[str, Any], NDArray[Any]]:
        """n rows drawn from the model, as (columns by name, labels)."""
        self._require_fit()
        seed = check_random_state(random_state).randint(2**31)
        columns, drawn = self.model_.sample(n, np.random.default_rng(seed))
        return columns, drawn.astype(self.classes_.dtype)

    def to_network(self) -> "BayesianNetwork":
        """The classifier as a Bayesian network: one graph over columns with levels or bins, no exponents."""
        from bayesfold.store.to_network import to_network  # networks are loaded when they are asked for

        self._require_fit()
        return to_network(self.model_, vars(self).get("_target", ""))

    def save(self, path: str | os.PathLike[str], source: str = "", date: str | None = None) -> None:
        """Write the model to a file, whole or not at all; `bayesfold.load` reads it, and `bayesfold.updating` changes a
        file that others may be changing too.

        `source` says where the rows came from and `date` when they were learned (None: now), for `inspect` to show.
        """
        from bayesfold.estimators.saved import save  # what saving needs is loaded when it is asked for

        self._require_fit()
        save(self, path, source, date)

    @property
    def schema_(self) -> Schema:
        """What was learned about the columns; hand it to another machine as schema=."""
        return self.model_.schema

    # between a table and a model

    def _require_fit(self) -> None:
        if not hasattr(self, "model_"):
            check_is_fitted(self)

    def _fitted(self, found: Learned, label_type: np.dtype[Any] | None) -> None:
        self.model_ = cast(Model, found.model)  # a pool has a model's verbs
        self.columns_ = found.columns
        self.__dict__.pop("_target", None)  # of a file that this classifier was loaded from
        self.__dict__.pop("_history", None)
        self.__dict__.pop("_scores", None)
        self._label_type = label_type
        self._named = found.model.classes, classes_of(found.model.classes, label_type)
        self.classes_ = self._named[1]

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
        self.__dict__.pop("_scores", None)  # of the model that was in a file, which this no longer is
        levels = self.model_.classes
        if self._named[0] is not levels:
            self._named = levels, classes_of(levels, self._label_type)
            self.classes_ = self._named[1]

    def _read(self, X: Any, reset: bool) -> Frame:
        return read(self, X, reset)

    def _snapshot(self) -> Model:
        """The model as it is: one answer is given by one, whatever another thread learns meanwhile."""
        self._require_fit()
        return self.model_

    def _classes_of(self, model: Model) -> NDArray[Any]:
        """The classes of a model, of the labels' own type."""
        levels, classes = self._named
        return classes if levels is model.classes else classes_of(model.classes, self._label_type)

    def _deciding(self, model: Model) -> Any:
        """What decisions are made by: the costs, and the classes of a model."""
        told = {name: getattr(self, name) for name in ("loss", "reject_cost", "reject_label")}
        return SimpleNamespace(classes_=self._classes_of(model), **told)

    def _joint(self, X: Any, model: Model) -> Floats:
        """log P(class, row) of the rows of a table, or of one row as a dict."""
        if is_row(X):
            return model.row_log_joint(X)
        return self._log_joint(model, self._encoded(X, model))

    def _encoded(self, X: Any, model: Model) -> Batch:
        """The rows of a table; a warning tells of columns of which no value was ever learned."""
        frame = self._read(X, reset=False)
        batch = model.schema.encode(frame)
        for note in notes_of_unseen(model.schema, frame, batch):
            warnings.warn(note, RowWarning, stacklevel=4)
        return batch

    def _posterior(self, X: Any, logs: bool, priors: Any, model: Model) -> Floats:
        """P(class | row), or its log; `priors` replace the class frequencies."""
        if priors is not None:
            given = by_class(priors, model.classes)
            assert given is not None
            with np.errstate(divide="ignore"):
                new = np.log([*given.values()])
            return shift_prior(self._posterior(X, True, None, model), model.log_prior(), new, logs)
        if is_row(X):
            return log_posterior(model.row_log_joint(X), logs)
        return self._log_proba(model, self._encoded(X, model), logs=logs)

    def _log_joint(self, model: Model, batch: Batch) -> Floats:
        return model.log_joint(batch)

    def _log_proba(self, model: Model, batch: Batch, leave_out: bool = False, logs: bool = True) -> Floats:
        return model.log_proba(batch, leave_out, logs)

    def _learned(self, X: Any, y: Any, weight: Any) -> Batch:
        """Rows that were learned, encoded with their labels; a value never seen names its row."""
        if is_row(X):
            y, weight = [y], None if weight is None else [weight]
        return learned(self.model_, self._read(X, reset=False), labels(self, y), weight, self.weights_are == COUNTS)


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
