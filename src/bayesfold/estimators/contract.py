"""scikit-learn's contract for its naive Bayes classes: what they accept, refuse and say, on top of the fold.

A drop-in declares its columns instead of discovering them, refuses NaN, and wants `classes` at the first `partial_fit`.
A plain array is not copied and not read once more than needed: at the first learning it is the counting loop that
notices what is not finite.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import Any, ClassVar, Self, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import assert_all_finite, check_array, validate_data

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Coded, Floats, Frame, Level
from bayesfold.data.labels import type_of
from bayesfold.data.own_names import target_name
from bayesfold.data.tables import is_row, materialise
from bayesfold.decisions.decide import check_decision
from bayesfold.estimators.base import Classifier
from bayesfold.estimators.declared_columns import (
    PLAIN,
    count_rows,
    has_finite_sum,
    is_csr,
    naive_structure,
    numbered_names,
    plan,
    without_impossible,
)
from bayesfold.estimators.folded import Folded, add_up, fold_there
from bayesfold.estimators.rows import is_named, read_frame, row_with_label
from bayesfold.families.categorical import Categorical
from bayesfold.io.engines import Fold
from bayesfold.io.fit import Account, with_learned_marks
from bayesfold.io.open import open_source
from bayesfold.io.sample import look_at
from bayesfold.io.selection import Selection, check_classes, label_values, read_rows, select_columns
from bayesfold.io.source import Source
from bayesfold.learning import trained
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.labels_and_weights import check_row_weights, coded_labels
from bayesfold.models.model import Model
from bayesfold.models.posterior import log_posterior
from bayesfold.runtime.messages import ordered
from bayesfold.runtime.one_writer import one_writer
from bayesfold.runtime.progress import Watcher, watch
from bayesfold.tally.statistic import Tally


class DropInClassifier(Classifier):
    """A subclass declares its columns (`_features`), their family (`_family`) and its class prior (`_prior`)."""

    _kind: ClassVar[type]
    """The columns' family."""
    _accepts: ClassVar[dict[str, Any]] = {}
    """What scikit-learn's check of X is told."""
    _plain: ClassVar[frozenset[Any]] = PLAIN
    """Arrays of these kinds are counted as they are ..."""
    _counting_sees_all: ClassVar[bool] = True
    """... and the counting itself notices in them what is not finite."""
    _keeps: ClassVar[tuple[str, ...]] = ()
    """What is learned beside the model, and saved with it."""
    _parameters: ClassVar[tuple[str, ...]] = ()
    """What `get_params` tells, found out once."""
    _declared: bool = False
    """Whether the classes were named by a person, not by rows."""

    def __init_subclass__(cls, **others: Any) -> None:
        super().__init_subclass__(**others)
        cls._parameters = tuple(cls._get_param_names())

    @abstractmethod
    def _features(self, frame: Frame) -> tuple[Any, ...]:
        """A function that makes the columns, and its arguments: what they are the same for is planned once."""

    @abstractmethod
    def _family(self, tally: Tally) -> Any:
        """The columns' family, with what it takes from the whole tally."""

    @abstractmethod
    def _prior(self, classes: tuple[Level, ...]) -> Mapping[Level, float] | None:
        """Class probabilities, where they are given."""

    # learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows, and nothing else: what was learned before is gone."""
        self._validate_params()
        return super().fit(X, y, sample_weight)

    @one_writer
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same as `fit` of all rows so far. The first call must name all `classes`.

        On an error nothing has changed. A label that is not among `classes` is refused.
        """
        X, y, sample_weight = row_with_label(X, y, sample_weight)
        self._validate_params()
        if not self.__sklearn_is_fitted__():
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            classes = unique_labels(classes)
        elif classes is not None and not np.array_equal(self.classes_, np.sort(classes)):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        return super().partial_fit(X, y, classes, sample_weight)

    def _learn(
        self,
        frame: Frame,
        values: Any,
        weight: Any,
        label_type: np.dtype[Any] | None,
        classes: Sequence[Level] = (),
        more_to_come: bool = False,
    ) -> trained.Trained:
        labels = coded_labels(values, frame.rows)
        levels, self._declared = ordered(classes or labels.levels), bool(classes)
        target = Categories(target_name(frame.names), levels)
        made = self._made(self._counted(frame, labels, weight, target), label_type)
        if not more_to_come:
            check_decision(made)
        return made

    def _made(self, tally: Tally, label_type: np.dtype[Any] | None, target: str = "") -> trained.Trained:
        """What was learned, with the current parameters."""
        target = target or tally.schema.target.name
        return trained.Trained(
            self._current_settings(), self._model(tally), ColumnTable(), self._names, target, label_type
        )

    def _learn_from(
        self, source: Any, target: str, weight: str | None, columns: Any, progress: Watcher | None, checkpoint: Any
    ) -> Account:
        """Learn every row of a source: nothing is chosen, the tallies of the blocks are added."""
        self._validate_params()
        self._declared, marks = False, dict[str, str]()
        if checkpoint is not None:
            raise ValueError(f"{type(self).__name__} keeps no checkpoint; leave it out, or use NaiveBayes, which does")
        with open_source(source) as rows:
            selection = select_columns(rows, target, weight, columns, None)
            if rows.remote is not None:
                work = partial(fold_there, type(self), self.get_params(deep=False), selection, rows.name)
                counted = cast(Folded, rows.remote.folded(selection.all, Fold(work, add_up)))
                levels = () if counted.tally is None else counted.tally.schema.target.levels
                check_classes(levels, counted.learned, target, rows.name)
                for name, value in counted.noted.items():
                    setattr(self, name, value)
            else:
                sample = look_at(rows, selection, columns if isinstance(columns, Mapping) else {}, None)
                look, _ = sample.look, sample.rows  # labels that are no classes are refused here
                types = {name: look.types[name] if name == target else look.wider(name) for name in selection.all}
                counted = self._folded(watch(rows.blocks(types, look.markers), look.rows, progress), rows, selection)
                marks = rows.number_formats.learned(look.types)
        if counted.tally is None:
            raise ValueError(f"{rows.name}: no row has a class in column {target!r}")
        self._hold(with_learned_marks(self._made(counted.tally, counted.label_type), marks))
        read, files = counted.learned + counted.unlabelled, tuple(map(str, rows.files))
        return Account(rows.name, rows.engine, counted.learned, read, (), counted.unlabelled, files)

    def _folded(self, blocks: Iterable[tuple[int, pa.Table]], source: Source, selection: Selection) -> "Folded":
        """The tally of a source's rows, counted block by block."""
        counted = Folded()
        for begin, table in blocks:
            block = read_rows(source, table, selection, begin)
            tally = counted.tally
            if block.frame.rows:
                frame = self._read({name: block.frame.column(name) for name in selection.features}, reset=tally is None)
                classes = Categories(target_name(frame.names), ordered(block.labels.levels))
                fresh = self._counted(frame, block.labels, block.weight, classes)
                tally = fresh if tally is None else tally + fresh
            counted = Folded(
                tally,
                counted.learned + block.frame.rows,
                counted.unlabelled + block.unlabelled,
                type_of(label_values(table, selection)),
            )
        return counted

    def _log_proba_of(self, frame: Frame) -> Floats:
        table = {name: frame.numbers(name) for name in frame.names}
        return super()._log_proba_of(self._read(table, reset=False))

    def _update(self, frame: Frame, values: Any, weight: Any) -> None:
        schema = self.model_.schema
        self._declared = schema.target.name in schema.declared
        self._updated(self.model_.tally + self._counted(frame, coded_labels(values, frame.rows), weight, schema.target))

    def _updated(self, tally: Tally | None = None) -> None:
        tally = self.model_.tally if tally is None else tally
        self._trained.put(self._model(tally).on(tally, self.model_.decayed))

    def _counted(self, frame: Frame, labels: Coded, weight: Any, target: Categories) -> Tally:
        """The tally of these rows alone."""
        strangers = [level for level in labels.levels if not target.knows(level)]
        if strangers:
            known = np.asarray(target.levels)
            raise ValueError(
                f"The target label(s) {np.asarray(strangers)} in y do not exist in the initial classes {known}"
            )
        weight = np.full(frame.rows, float(weight)) if isinstance(weight, Real) else weight
        weight, frame, labels = check_row_weights(weight, frame, labels)
        try:
            tally = self._tally(frame, labels, weight, target)
        except ValueError:
            self._refuse(frame.matrix)
            raise
        self._examine(tally, frame)
        return tally

    def _tally(self, frame: Frame, labels: Coded, weight: Any, target: Categories) -> Tally:
        return count_rows(plan(self._kind, target, self._declared, *self._features(frame)), frame, labels, weight)

    def _refuse(self, matrix: Any) -> None:
        """Raise, in scikit-learn's words, if the matrix holds something that may not be counted."""
        assert_all_finite(matrix, estimator_name=type(self).__name__, input_name="X")

    def _examine(self, tally: Tally, frame: Frame) -> None:
        """Notice in a fresh tally what the counting let pass."""

    def _model(self, tally: Tally) -> Model:
        """The model of a tally, with the current parameters."""
        schema = tally.schema
        families = dict.fromkeys(schema.columns, self._family(tally))
        families[schema.target.name] = Categorical(0.0)
        return Model(naive_structure(tally.layout), families, tally, self._prior(schema.target.levels))

    def chooses(self, X: Any) -> bool:
        """Nothing is chosen: the columns are declared, and so is the smoothing."""
        return False

    def _current_settings(self) -> trained.DropIn:
        details = {name: vars(self)[name] for name in self._keeps}
        return trained.DropIn(type(self).__name__, {name: getattr(self, name) for name in self._parameters}, details)

    # answers

    def _joint(self, X: Any, model: Model) -> Floats:
        return super()._joint([X] if is_row(X) else X, model)

    def _posterior(self, X: Any, logs: bool, priors: Any, model: Model) -> Floats:
        return super()._posterior([X] if is_row(X) else X, logs, priors, model)

    def _log_joint(self, model: Model, batch: Batch) -> Floats:
        return without_impossible(model, batch, model.log_joint(batch))

    def _log_proba(self, model: Model, batch: Batch, leave_out: bool = False, logs: bool = True) -> Floats:
        if not leave_out and model.is_every_class_possible:
            return model.log_proba(batch, logs=logs)
        return log_posterior(without_impossible(model, batch, model.log_joint(batch, leave_out), leave_out), logs)

    @property
    def class_count_(self) -> NDArray[Any]:
        """Rows of each class, by weight."""
        return self.model_.class_weights()

    # between a table and a matrix

    def _read(self, X: Any, reset: bool) -> Frame:
        """A table as a frame of one matrix."""
        X = [X] if is_row(X) else materialise(X)
        if self._is_plain(X) and (reset or self._fits(X)):
            matrix = X
            if reset:
                self.n_features_in_ = X.shape[1]
                self.__dict__.pop("feature_names_in_", None)
            if X.dtype.kind == "f" and not (reset and self._counting_sees_all) and not has_finite_sum(X):
                self._refuse(X)
        elif is_named(X):
            frame = read_frame(self, X, reset)
            matrix = check_array(frame.matrix_of(self._names), estimator=self, input_name="X", **self._accepts)
        else:
            matrix = validate_data(self, X, reset=reset, **self._accepts)
        if reset:
            named = self.__dict__.get("feature_names_in_")
            self._names = numbered_names(matrix.shape[1]) if named is None else tuple(named.tolist())
        return Frame(self._names, matrix.shape[0], {}, self._convert(matrix, reset))

    def _convert(self, matrix: Any, reset: bool) -> Any:
        """A matrix as the loops read it."""
        return matrix

    def _is_plain(self, X: Any) -> bool:
        """Whether X can be counted as it is."""
        if type(X) is not np.ndarray and not ("accept_sparse" in self._accepts and is_csr(X)):
            return False
        return X.dtype.type in self._plain and X.dtype.isnative and X.ndim == 2 and 0 not in X.shape

    def _fits(self, X: Any) -> bool:
        """Whether scikit-learn would find nothing to say about the width and the names of a plain array."""
        return X.shape[1] == self.n_features_in_ and "feature_names_in_" not in self.__dict__
