"""What a fitted classifier answers: classes, probabilities, rows left out, reasons, rows drawn."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from bayesfold.data.batch import Batch
from bayesfold.data.folds import deal
from bayesfold.data.frame import Floats, Frame
from bayesfold.data.tables import is_row
from bayesfold.decisions.decide import decide_labels, share_right, takes_the_mode
from bayesfold.decisions.unseen_class import unseen_name, with_unseen
from bayesfold.estimators.fitted import Fitted
from bayesfold.estimators.importances import importances
from bayesfold.estimators.rows import to_frame_like, warn_of_misnamed
from bayesfold.explanations.counterfactual import Change
from bayesfold.explanations.explanation import Explanations
from bayesfold.explanations.next_question import Questions
from bayesfold.explanations.requests import explain_rows, find_change, rank_questions
from bayesfold.io.open import open_source
from bayesfold.io.predict import predict_from
from bayesfold.io.rows import RowWarning
from bayesfold.io.unseen import Unseen, notes_of_unseen
from bayesfold.learning.labels_and_weights import by_class
from bayesfold.models.model import Model
from bayesfold.models.posterior import log_posterior, most_probable, shift_prior
from bayesfold.runtime.counts import check_count
from bayesfold.runtime.progress import Watcher

if TYPE_CHECKING:
    from bayesfold.networks.network import BayesianNetwork


class PredictingClassifier(Fitted):
    """A subclass says how it learns."""

    # answers

    def predict(self, X: Any, priors: Any = None) -> NDArray[Any]:
        """The class of least conditional risk, which is the most probable one unless `loss` says otherwise.

        `priors` (by class) are class frequencies among these rows, where they differ from those that were learned.
        """
        model = self._snapshot()
        if priors is None and takes_the_mode(self):
            best = most_probable(self._joint(X, model))
            classes: NDArray[Any] = self._trained.classes_in(model)
            return classes[best]
        return decide_labels(self._deciding(model), self._posterior(X, True, priors, model))

    def predict_proba(self, X: Any, as_frame: bool = False, priors: Any = None, unseen: bool = False) -> Any:
        """P(class | row), one column per class; `as_frame` gives the kind of frame X is, with the classes as names.

        `priors` (by class) are the class frequencies among these rows, if they differ from those learned. With `unseen`
        there is one more column, the last: the probability that `unseen_class` reserves for classes never seen. Without
        it the probabilities are conditional on a known class.
        """
        model = self._snapshot()
        proba, names = self._posterior(X, False, priors, model), model.classes
        if unseen:
            proba, names = with_unseen(proba, self._unseen_share(model)), (*names, unseen_name(names))
        return to_frame_like(proba, X, names) if as_frame else proba

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
        """Write the rows of a source with predictions appended; returns the number of rows.

        The new columns are `predicted`, `P(c)` for each class c, and, with a loss or a reject cost, `risk`; their names
        begin with `prefix`. `source`, `encoding` and `decimal` are as for `fit_from`; `out` is a path (*.csv, *.tsv,
        both also with .gz, *.parquet, *.arrow), "-", or a binary file. A file appears only when it is complete. A
        warning names a column none of whose values occurred in training (male and female instead of M and F), or whose
        points may separate thousands (1.300; `decimal` says what they do). A column that the source lacks is an error,
        or, with missing_columns="unknown", missing in every row.

        For a Spark DataFrame, the executors predict: without `out` the result is a DataFrame; with it, they write files
        (*.parquet, *.orc, *.json, *.csv) or the table of that name.
        """
        self._snapshot()
        rows = open_source(source, encoding, decimal)
        unseen = Unseen(self.model_.schema)
        many = predict_from(self, rows, out, self._log_proba_of, progress, prefix, unseen, missing_columns)
        for note in (*rows.number_formats.notes(doubtful=True), *unseen.notes()):
            warnings.warn(note, RowWarning, stacklevel=2)
        return many

    def _log_proba_of(self, frame: Frame) -> Floats:
        """log P(class | row) of rows that have this model's columns."""
        model = self.model_
        return self._log_proba(model, model.schema.encode(frame))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy; a rejected row counts as wrong."""
        return share_right(self.classes_, self.predict(X), y, sample_weight)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(class, row), the joint probability of the generative model, not normalised."""
        return self._joint(X, self._snapshot())

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """log P(class | row) of learned rows, each subtracted from the sums; what was chosen by `fit` stays fixed.

        The result is exactly that of a fit of the other rows with the same schema, densities, structure and weights.
        Because these were chosen on the same rows, such scores are optimistic, on wide tables strongly: use
        `bayesfold.evaluate`, which repeats them without each fold. `chooses(X)` says whether there is anything to
        choose.
        """
        self._snapshot()
        return self._log_proba(self.model_, self._learned(X, y, sample_weight), leave_out=True)

    def leave_folds_out(self, X: Any, y: Any, folds: Any = 10, sample_weight: Any = None) -> Floats:
        """log P(class | row) of learned rows, each fold subtracted from the sums; schema, densities and so on fixed.

        As in `leave_one_out`, the schema, densities, structure and weights were chosen on the same rows, so scores are
        optimistic. `folds` is a number of folds (rows are assigned by content, equal rows together) or the fold of each
        row.
        """
        self._snapshot()
        batch = self._learned(X, y, sample_weight)
        if np.ndim(folds) == 0 and (folds < 2 or folds != int(folds)):
            raise ValueError(f"folds={folds!r} must be a whole number of at least 2, or the fold of each row")
        fold = deal(batch, folds) if np.ndim(folds) == 0 else np.asarray(folds)
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
        """Explain each decision: what the prior and each column add to the log-odds between two classes.

        The contributions sum to the model's log-odds. `of` and `against` are classes; left out, they are the decision
        and the most probable other class. `[0]` is the first row's explanation, `importance()` the mean over rows.
        """
        self._snapshot()
        return explain_rows(self, X, of, against)

    def what_would_change(
        self, row: Any, to: Any = None, fixed: Iterable[str] = (), values: Mapping[str, Sequence[Any]] | None = None
    ) -> Change:
        """The smallest set of columns that, with other values, would change a row's decision (to the class `to`).

        Columns named in `fixed` stay as they are. The candidate values are the levels of categorical columns, and for
        numbers a grid over samples of the model; `values` gives others by column. A date changes as a whole, to a day
        near by, in the form in which the row has it.
        """
        self._snapshot()
        return find_change(self, row, to, tuple(fixed), values)

    def what_to_ask(self, row: Any) -> Questions:
        """The columns missing from a row, by how much their value is expected to lower the risk of the decision.

        A date is worth as much as its best part.
        """
        self._snapshot()
        return rank_questions(self, row)

    @property
    def feature_importances_(self) -> Floats:
        """The mean absolute contribution of each column, over rows sampled from the model, normalised to sum to 1."""
        self._snapshot()
        return importances(self)

    def sample(self, n: int = 1, random_state: Any = None) -> tuple[dict[str, Any], NDArray[Any]]:
        """n rows drawn from the model, as (columns by name, labels)."""
        self._snapshot()
        seed = check_random_state(random_state).randint(2**31)
        columns, drawn = self.model_.sample(check_count("n", n), np.random.default_rng(seed))
        return columns, drawn.astype(self.classes_.dtype)

    def to_network(self) -> "BayesianNetwork":
        """The classifier as a Bayesian network: for a single graph over discrete columns, without feature weights."""
        from bayesfold.store.to_network import to_network  # networks are loaded when they are asked for

        self._snapshot()
        return to_network(self.model_, self._trained.target)

    # between a table and an answer

    def _deciding(self, model: Model) -> Any:
        """What decisions are made by: the costs, and the classes of a model."""
        costs = {name: getattr(self, name) for name in ("loss", "reject_cost", "reject_label")}
        share = self._unseen_share(model)
        return SimpleNamespace(classes_=self._trained.classes_in(model), unseen_share_=share, **costs)

    def _joint(self, X: Any, model: Model) -> Floats:
        """log P(class, row) of the rows of a table, or of one row as a dict."""
        if is_row(X):
            self._check_names(X)
            return model.row_log_joint(X)
        return self._log_joint(model, self._encoded(X, model))

    def _check_names(self, row: Mapping[Any, Any]) -> None:
        """Tell of a row with a strange key in place of a column; most rows have all columns."""
        if not all(map(row.__contains__, self._names)):
            warn_of_misnamed(row, self)

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
            self._check_names(X)
            joint = model.row_log_joint(X)
            return log_posterior(joint, logs, out=joint)
        return self._log_proba(model, self._encoded(X, model), logs=logs)

    def _log_joint(self, model: Model, batch: Batch) -> Floats:
        return model.log_joint(batch)

    def _log_proba(self, model: Model, batch: Batch, leave_out: bool = False, logs: bool = True) -> Floats:
        return model.log_proba(batch, leave_out, logs)
