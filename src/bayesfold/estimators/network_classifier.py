"""A Bayesian network, given or learned, as a classifier."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesfold.data.frame import Floats, Frame
from bayesfold.data.labels import classes_of, type_of
from bayesfold.data.own_names import own_name
from bayesfold.decisions.decide import check_decision, decided, share_right
from bayesfold.estimators.rows import labels, read
from bayesfold.networks.evidence import UNKNOWN, Codes, slot
from bayesfold.networks.learning.result import LearnedNetwork
from bayesfold.networks.learning.structure import learn_network
from bayesfold.networks.network import BayesianNetwork, fit_network


class NetworkClassifier(ClassifierMixin, BaseEstimator):
    """P(class | row) by a Bayesian network over the columns and the class, whichever cells a row shows.

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = NetworkClassifier().fit(X * 3, ["beach", "beach", "home", "home", "beach", "home"] * 3)
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']
    >>> sorted(clf.network_.edges)
    [('x0', 'class'), ('x0', 'x1')]

    Every column is a category: numbers that are not whole are refused with advice. A value that no row of `fit` had is
    taken for a missing one.

    Parameters
    ----------
    structure : BayesianNetwork or edges (parent, child)
        What depends on what, the class under the name `target`; None: `learn_network` looks for it.
    target : str
        The node of the class.
    learn, tables : dict
        Options of `learn_network` and of `BayesianNetwork.fit`, for example {"score": "bdeu"} and {"alpha": 0.5}.
    loss, reject_cost, reject_label
        What mistakes cost, as for every classifier here.
    """

    network_: BayesianNetwork
    learned_: LearnedNetwork
    classes_: NDArray[Any]
    _names: tuple[str, ...]

    def __init__(
        self,
        structure: Any = None,
        *,
        target: str = "class",
        learn: Mapping[str, Any] | None = None,
        tables: Mapping[str, Any] | None = None,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
    ) -> None:
        self.structure = structure
        self.target = target
        self.learn = learn
        self.tables = tables
        self.loss = loss
        self.reject_cost = reject_cost
        self.reject_label = reject_label

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the arcs, if none were given, and the tables; `learned_` says how arcs were found."""
        before = dict(self.__dict__)
        try:
            self._fit(X, y, sample_weight)
            check_decision(self)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _fit(self, X: Any, y: Any, weight: Any) -> None:
        frame, values = read(self, X, reset=True), labels(self, y)
        self.__dict__.pop("learned_", None)
        self._kind = type_of(values)
        table = self._with_class(frame, values)
        if self.structure is None:
            self.learned_ = learn_network(table, weight=weight, **(self.learn or {}), **(self.tables or {}))
            self.network_ = self.learned_.network
        else:
            self.network_ = fit_network(self.structure, table, weight=weight, **(self.tables or {}))
        self.network_.dag.number(self._target)
        self.classes_ = classes_of(self.network_.states(self._target), self._kind)

    @property
    def _target(self) -> str:
        """The node of the class: `target`, or the like of it if a column is called so."""
        return own_name(self._names, self.target)

    def _with_class(self, frame: Frame, values: Any) -> Frame:
        columns = {name: frame.column(name) for name in frame.names}
        return Frame((*frame.names, self._target), frame.rows, {**columns, self._target: values})

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn more rows: the tables of all rows so far, on the arcs and states of the first call."""
        if not hasattr(self, "network_"):
            return self.fit(X, y, sample_weight)
        table = self._with_class(read(self, X, reset=False), labels(self, y))
        self.network_ = self.network_.partial_fit(table, sample_weight)
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take learned rows out of the tables again; the arcs stay."""
        check_is_fitted(self, "network_")
        table = self._with_class(read(self, X, reset=False), labels(self, y))
        self.network_ = self.network_.forget(table, sample_weight)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), one column per class in the order of `classes_`."""
        check_is_fitted(self, "network_")
        codes = self._codes(read(self, X, reset=False))
        return self.network_.answers.engine.predict(codes, self.network_.dag.number(self._target))

    def _codes(self, frame: Frame) -> Codes:
        """Rows as the network's codes; what it does not know is missing, and so is the class."""
        net = self.network_
        codes = np.full((frame.rows, len(net.nodes)), -1, np.int32)
        for j, name in enumerate(net.nodes):
            if name != self._target and name in frame.position:
                coded = frame.coded(name)
                slots = [slot(net.states(name), level) for level in coded.levels]
                codes[:, j] = coded.places([-1 if s == UNKNOWN else s for s in slots], -1)
        return codes

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, or the decision that is expected to cost least."""
        with np.errstate(divide="ignore"):
            return decided(self, np.log(self.predict_proba(X)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows decided right; a rejected row is not."""
        return share_right(self.predict(X), y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.allow_nan = True
        return tags
