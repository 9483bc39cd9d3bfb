"""Any classifier that gives probabilities, made to decide by what its decisions cost."""

import os
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from bayesfold.data.frame import Floats
from bayesfold.decisions.decide import check_decision, decide_labels, share_right
from bayesfold.decisions.unseen_class import share_of
from bayesfold.estimators.base import Classifier


def inner_has(verb: str) -> Any:
    """Whether the inner classifier, fitted or not yet, has a verb; scikit-learn's way of saying that it lacks it."""

    def check(self: Any) -> bool:
        getattr(self.__dict__.get("estimator_", self.estimator), verb)
        return True

    return available_if(check)


class MinimumRisk(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier whose `predict` minimises the conditional risk R(d | x) = sum_t loss[d][t] P(t | x).

    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["well", "well", "sick", "sick"]
    >>> costs = {"sick": {"well": 1}, "well": {"sick": 20}}            # loss[decision][truth]
    >>> MinimumRisk(LogisticRegression(), loss=costs).fit(X, y).predict([[0.2], [1.4]]).tolist()
    ['sick', 'sick']
    >>> MinimumRisk(LogisticRegression(), loss=costs, reject_cost=0.8).fit(X, y).predict([[-5], [-1], [3]]).tolist()
    ['well', 'reject', 'sick']

    The classifiers of bayesfold take these parameters themselves. To wrap a classifier that is already fitted, pass it
    in scikit-learn's FrozenEstimator.

    Parameters
    ----------
    estimator : classifier with predict_proba
        It is cloned and fitted.
    loss : matrix, nested dict by class name, or data frame (index: decisions)
        The cost loss[decision][truth]; None is 0/1 loss.
    reject_cost : float
        The cost of not deciding: a row is rejected if every decision has a higher expected cost.
    reject_label : label
        What `predict` returns for a rejected row; "reject" if classes are strings, required otherwise.
    """

    def __init__(self, estimator: Any, *, loss: Any = None, reject_cost: Any = None, reject_label: Any = None) -> None:
        self.estimator = estimator
        self.loss = loss
        self.reject_cost = reject_cost
        self.reject_label = reject_label

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Fit a clone of the classifier; further arguments are handed on to its `fit`."""
        if sample_weight is not None:
            params["sample_weight"] = sample_weight
        if not hasattr(self.estimator, "predict_proba"):
            raise TypeError(
                f"{type(self.estimator).__name__} gives no probabilities (predict_proba), and risk is an expectation "
                "under them; wrap it in scikit-learn's CalibratedClassifierCV"
            )
        routing = get_config()["enable_metadata_routing"]
        handed = process_routing(self, "fit", **params).estimator.fit if routing else params
        inner = clone(self.estimator).fit(X, y, **handed)
        before = self.__dict__.get("estimator_")
        self.estimator_ = inner
        try:
            check_decision(self)
        except ValueError:
            self.__dict__.pop("estimator_") if before is None else setattr(self, "estimator_", before)
            raise
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The decision of least conditional risk in each row, or the reject label."""
        check_is_fitted(self, "estimator_")
        with np.errstate(divide="ignore"):
            return decide_labels(self, np.log(self.predict_proba(X)))

    def predict_proba(self, X: Any) -> Floats:
        """The classifier's own P(class | row)."""
        check_is_fitted(self, "estimator_")
        proba: Floats = np.asarray(self.estimator_.predict_proba(X), np.float64)
        return proba

    @inner_has("predict_log_proba")  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Floats:
        """The classifier's own log P(class | row)."""
        check_is_fitted(self, "estimator_")
        log_proba: Floats = self.estimator_.predict_log_proba(X)
        return log_proba

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy; a rejected row counts as wrong."""
        return share_right(self.classes_, self.predict(X), y, sample_weight)

    def save(self, path: str | os.PathLike[str], source: str = "", date: str | None = None) -> None:
        """Write the wrapped bayesfold classifier, with these costs, to a file: `load` gives that classifier.

        Any other classifier is refused, because a model file contains no code.
        """
        check_is_fitted(self, "estimator_")
        inner = self.estimator_.estimator if isinstance(self.estimator_, FrozenEstimator) else self.estimator_
        if not isinstance(inner, Classifier):
            raise TypeError(
                f"a .bayes file holds sums and no code, so it cannot hold a {type(inner).__name__}; keep this one with "
                "joblib or skops, or put one of bayesfold's classifiers inside"
            )
        costs = {name: getattr(self, name) for name in ("loss", "reject_cost", "reject_label")}
        inner._with(copy(inner._trained)).set_params(**costs).save(path, source, date)

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, in the order of the columns of `predict_proba`."""
        classes: NDArray[Any] = self.estimator_.classes_
        return classes

    @property
    def unseen_share_(self) -> float:
        """What the classifier leaves to classes never seen, which is weighed where rows may be rejected."""
        return share_of(self.estimator_)

    @property
    def n_features_in_(self) -> int:
        """Columns that were learned."""
        width: int = self.estimator_.n_features_in_
        return width

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Their names, where they have any."""
        names: NDArray[Any] = self.estimator_.feature_names_in_
        return names

    def get_metadata_routing(self) -> Any:
        """What `fit` hands on, for scikit-learn's metadata routing."""
        route = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=route)

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = inner.input_tags, inner.classifier_tags
        return tags
