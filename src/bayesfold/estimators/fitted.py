"""What an estimator holds: one `Trained`, off which the attributes that scikit-learn knows are read."""

import os
from collections.abc import Mapping
from copy import copy
from inspect import signature
from typing import Any, cast

from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.decisions.unseen_class import model_share
from bayesfold.estimators.rows import read_frame, read_labels, row_with_label
from bayesfold.io.fit import Account
from bayesfold.learning.column_table import ColumnReport
from bayesfold.learning.kinds import COUNTS
from bayesfold.learning.learned_rows import learned
from bayesfold.learning.trained import Trained
from bayesfold.models.model import Model
from bayesfold.models.refusals import require_classes


class Fitted(ClassifierMixin, BaseEstimator):
    """An estimator that has learned something, or has not yet."""

    loss: Any = None
    reject_cost: Any = None
    reject_label: Any = None
    unseen_class: Any = None
    weights_are: str = "importance"

    _trained: Trained
    """What was learned; the attributes that scikit-learn knows are read off it."""
    n_features_in_: int
    _names: tuple[str, ...]
    source_: Account

    # what was learned

    @property
    def model_(self) -> Model:
        """The fitted model: its counts and sums, families and structure."""
        return cast(Model, self._trained.model_)  # a pool has a model's verbs

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, of the labels' own type."""
        return self._trained.classes_

    @property
    def unseen_share_(self) -> float:
        """The probability reserved for classes never seen (`unseen_class`); 0 if that is None."""
        return self._unseen_share(self.model_)

    def _unseen_share(self, model: Model) -> float:
        """The same of a model that is or was in this one."""
        return model_share(self.unseen_class, model, self.weights_are == COUNTS)

    @property
    def columns_(self) -> tuple[ColumnReport, ...]:
        """How each column is modelled, and why."""
        return self._trained.columns

    @property
    def schema_(self) -> Schema:
        """The types, levels and encodings of the columns; pass it to another model as schema=."""
        return self.model_.schema

    def __sklearn_is_fitted__(self) -> bool:
        """Whether something was learned."""
        return "_trained" in vars(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for name, parameter in signature(type(self).__init__).parameters.items():
            if name != "self" and name not in state:  # an older version has pickled it, which had no such parameter
                setattr(self, name, parameter.default)
        if "_trained" in state:
            self._trained = copy(self._trained)  # what a copy of this classifier learns, this one does not
        elif "model_" in state:
            from bayesfold.estimators.saved import hold_attributes

            hold_attributes(self)

    def save(self, path: str | os.PathLike[str], source: str = "", date: str | None = None) -> None:
        """Write the model to a file, atomically; `bayesfold.load` reads it, and `bayesfold.updating` changes a file
        that other processes may be changing too.

        `source` says where the rows came from and `date` when they were learned (None: now), for `inspect` to show.
        """
        from bayesfold.estimators.saved import save  # what saving needs is loaded when it is asked for

        self._require_fit()
        save(self, path, source, date)

    # between a table and a model

    def _require_fit(self) -> None:
        if not self.__sklearn_is_fitted__():
            check_is_fitted(self)

    def _hold(self, trained: Trained) -> None:
        """Keep what was learned of the table that was read last."""
        trained.named = hasattr(self, "feature_names_in_")
        self._trained = trained

    def _read(self, X: Any, reset: bool) -> Frame:
        return read_frame(self, X, reset)

    def _snapshot(self) -> Model:
        """The model as it is: one answer is given by one, whatever another thread learns meanwhile."""
        self._require_fit()
        model = self.model_
        require_classes(model)
        return model

    def _learned(self, X: Any, y: Any, weight: Any, to_forget: bool = False) -> Batch:
        """Rows that were learned, encoded with their labels; a value never seen names its row."""
        X, y, weight = row_with_label(X, y, weight)
        copies, labels = self.weights_are == COUNTS, read_labels(self, y)
        return learned(self.model_, self._read(X, reset=False), labels, weight, copies, to_forget)


def keep_arguments(estimator: Fitted, given: Mapping[str, Any]) -> None:
    """Keep the arguments of `__init__`, each under its own name and as it is: scikit-learn's contract."""
    for name, value in given.items():
        if name != "self":
            setattr(estimator, name, value)
