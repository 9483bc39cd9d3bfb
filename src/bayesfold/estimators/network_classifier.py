"""A Bayesian network, given or learned, as a classifier."""

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from bayesfold.data.frame import Floats, Frame, code
from bayesfold.data.labels import classes_of, type_of
from bayesfold.data.own_names import own_name
from bayesfold.decisions.decide import check_decision, decide_labels, label_decisions, share_right
from bayesfold.estimators.network_cuts import cut_column, cuts_of, refuse_other_cuts, with_intervals
from bayesfold.estimators.network_rows import answer_left_out, encode_rows, read_labelled, read_row, read_rows
from bayesfold.estimators.network_structure import nodes_of_rows, read_structure
from bayesfold.estimators.network_weights import smoothing_options, weights_for_choices
from bayesfold.estimators.saved_network import save
from bayesfold.explanations.explanation import Explanations
from bayesfold.explanations.network import explain_network, rank_network_questions
from bayesfold.explanations.next_question import Questions
from bayesfold.explanations.requests import choose_sides, least_risk_of
from bayesfold.learning.intervals import bin_words
from bayesfold.learning.kinds import are_copies
from bayesfold.networks.evidence import Codes
from bayesfold.networks.learning.conditional import learn_for_class
from bayesfold.networks.learning.counts import check_weights
from bayesfold.networks.learning.found_states import mark_found
from bayesfold.networks.learning.result import LearnedNetwork
from bayesfold.networks.learning.search_rows import rows_to_search
from bayesfold.networks.learning.structure import learn_network
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.counts import check_count
from bayesfold.runtime.messages import listed, ordered
from bayesfold.runtime.one_writer import one_writer

CONDITIONAL = "conditional"
"""The search for arcs that tell the class, rather than all columns."""


class NetworkClassifier(ClassifierMixin, BaseEstimator):
    """P(class | row) by a Bayesian network over the columns and the class, with any cells missing.

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = NetworkClassifier().fit(X * 3, ["beach", "beach", "home", "home", "beach", "home"] * 3)
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']
    >>> sorted(clf.network_.edges)
    [('class', 'x0'), ('class', 'x1')]

    Every node is categorical: a column of more than 12 distinct numbers is discretised by MDL, or into quintiles if MDL
    makes no cut. A value that did not occur in `fit` is treated as missing.

    Parameters
    ----------
    structure : BayesianNetwork or edges (parent, child)
        The structure, with the class under the name `target`; None: it is learned by `learn_network`.
    target : str
        The name of the class node.
    learn, tables : dict
        Options of `learn_network` and of `BayesianNetwork.fit`, for example {"score": "bdeu"} and {"alpha": 0.5}.
        learn={"search": "conditional"} maximises the leave-one-out conditional log-likelihood of the class; it takes
        max_parents (default 2, not counting the class) and alpha (default 1).
    loss, reject_cost, reject_label
        The costs of decisions, as for every classifier here.
    weights_are : "importance" or "counts"
        What sample_weight means: the importance of a row (bins, scores of arcs and pseudo rows then use the number of
        rows; only numbers given in `tables` are in the unit of the weights), or the number of equal rows.
    """

    network_: BayesianNetwork
    learned_: LearnedNetwork
    classes_: NDArray[Any]
    cuts_: dict[str, tuple[float, ...]]
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
        weights_are: str = "importance",
    ) -> None:
        self.structure = structure
        self.target = target
        self.learn = learn
        self.tables = tables
        self.loss = loss
        self.reject_cost = reject_cost
        self.reject_label = reject_label
        self.weights_are = weights_are

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the arcs, if none were given, and the tables; `learned_` says how arcs were found."""
        return self._fit_or_leave(X, y, sample_weight, ())

    def _fit_or_leave(self, X: Any, y: Any, weight: Any, classes: Any) -> Self:
        """Learn the rows; on an error nothing has changed."""
        before = dict(self.__dict__)
        try:
            self._fit(X, y, weight, classes)
            check_decision(self)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _fit(self, X: Any, y: Any, weight: Any, classes: Any) -> None:
        frame, values, weight = read_labelled(self, X, y, weight, reset=True)
        self.__dict__ = {name: v for name, v in self.__dict__.items() if name not in ("learned_", "network_")}
        weights = np.ones(frame.rows) if weight is None else check_weights(weight, frame.rows)
        if not weights.any():
            raise ValueError("all weights are zero, so there is nothing to learn")
        self._kind, copies = type_of(values), are_copies(self.weights_are)
        evidence = weights_for_choices(weights, copies)
        self.cuts_ = cuts_of(frame, code(values).index, evidence)
        table = self._with_class(frame, values).take(weights > 0)
        given = None if weight is None else weights[weights > 0]
        levels: Any = ordered(list({*code(values).take(weights > 0).levels, *np.asarray(classes).tolist()}))
        states = {self._target: levels, **{name: bin_words(cuts) for name, cuts in self.cuts_.items()}}
        blank = self._structure(table, None if weight is None else evidence[weights > 0], states)
        fitted = blank.fit(table, weight=given, **smoothing_options(self.tables, given, copies))
        named = [self._target] if len(classes) or self.loss is not None else []
        fitted.dag.number(self._target)
        self._become(mark_found(nodes_of_rows(fitted, self.structure, self.learn, (*self.cuts_, *named)), fitted))

    def _structure(self, table: Frame, weight: Floats | None, states: Mapping[str, Any]) -> BayesianNetwork:
        """The arcs: as given, or as learned from the rows without missing cells, unless EM is asked for."""
        if self.structure is not None:
            return read_structure(self.structure, states)
        shown = {name: ordered(table.coded(name).levels) for name in table.names}
        axes: dict[str, Any] = {**{name: levels for name, levels in shown.items() if levels}, **states}
        options = {"holes": "leave_out", **(self.learn or {})}
        axes |= options.pop("states", {})
        if options.get("search") == CONDITIONAL:
            rows, often = rows_to_search(table, table.names, weight, options.pop("holes"), False)
            options.pop("search")
            if unknown := sorted({*options} - {"max_parents", "alpha"}):
                raise TypeError(f'learn={{"search": "conditional"}} takes max_parents and alpha, not {listed(unknown)}')
            self.learned_ = learn_for_class(rows, axes, self._target, often, **options)
        else:
            self.learned_ = learn_network(table, **options, weight=weight, states=axes)
        learned = self.learned_.network
        return BayesianNetwork.from_edges(learned.edges, learned.nodes, states=learned.axes)

    @property
    def _target(self) -> str:
        """The node of the class: `target`, or the like of it if a column is called so."""
        return own_name(self._names, self.target)

    def _with_class(self, frame: Frame, values: Any) -> Frame:
        columns = {name: self._column(frame, name) for name in frame.names}
        return Frame((*frame.names, self._target), frame.rows, {**columns, self._target: values})

    def _labelled(self, X: Any, y: Any, weight: Any) -> tuple[Frame, Any]:
        """Rows with their class as the network knows them, and their weights."""
        frame, values, weight = read_labelled(self, X, y, weight)
        return self._with_class(frame, values), weight

    def _column(self, frame: Frame, name: str) -> Any:
        """A column as the network knows it, numbers as the words of their intervals."""
        return cut_column(frame, name, self.cuts_, self.__dict__.get("network_"))

    @one_writer
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the tables of all rows so far, on the arcs, states and pseudo rows of the first call.

        classes: at the first call, classes that its rows may not show yet.
        """
        if not hasattr(self, "network_"):
            return self._fit_or_leave(X, y, sample_weight, () if classes is None else classes)
        return self._become(self.network_.partial_fit(*self._labelled(X, y, sample_weight)))

    @one_writer
    def forget(self, X: Any, y: Any, sample_weight: Any = None, keep_levels: bool = False) -> Self:
        """Remove learned rows from the tables, exactly; the arcs stay, but not how they were found (`learned_`).

        Levels and classes that no row shows any more go too, unless they were declared, or `keep_levels`.
        """
        check_is_fitted(self, "network_")
        forgotten = self.network_.forget(*self._labelled(X, y, sample_weight), keep_states=keep_levels)
        self.__dict__.pop("learned_", None)  # it keeps the rows that were searched
        return self._become(forgotten)

    def _become(self, network: BayesianNetwork) -> Self:
        """The same classifier with another network."""
        self.network_, self.classes_ = network, classes_of(network.states(self._target), self._kind)
        return self

    def merge(self, other: Self) -> Self:
        """A classifier of both classifiers' rows, with this one's settings; arcs, states and cuts are the same."""
        check_is_fitted(self, "network_")
        if not isinstance(other, NetworkClassifier):
            raise TypeError(f"a NetworkClassifier is merged with another one, not with {type(other).__name__}")
        check_is_fitted(other, "network_")
        refuse_other_cuts(self._names, self.cuts_, other.cuts_)
        made = self.__class__(**self.get_params(deep=False))
        made.__dict__.update(self.__dict__)
        return made._become(self.network_.merge(other.network_))

    def __add__(self, other: Self) -> Self:
        return self.merge(other) if isinstance(other, NetworkClassifier) else NotImplemented

    @one_writer
    def decay(self, factor: float) -> Self:
        """Multiply the weight of every row learned so far, so that newer rows count for more."""
        check_is_fitted(self, "network_")
        return self._become(self.network_.decay(factor))

    def to_network(self) -> BayesianNetwork:
        """The network itself, the class under the name `target`, numbers as their intervals."""
        check_is_fitted(self, "network_")
        return with_intervals(self.network_, self.cuts_)

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(class | row), one column per class in the order of `classes_`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), one column per class in the order of `classes_`."""
        check_is_fitted(self, "network_")
        codes = self._codes(read_rows(self, X))
        return self.network_.answers.predict_codes(codes, self.network_.dag.number(self._target))

    def _codes(self, frame: Frame) -> Codes:
        """Rows as the network's codes; what it does not know is missing, and so is the class."""
        return encode_rows(self.network_, self._target, frame, partial(self._column, frame))

    def explain(self, X: Any, of: Any = None, against: Any = None) -> Explanations:
        """Why each row is decided as it is: what the prior and each column add to the log-odds between two classes.

        `of` and `against` are classes; left out, they are the decision and the most probable other class.
        """
        check_is_fitted(self, "network_")
        frame = read_rows(self, X)
        codes, target = self._codes(frame), self.network_.dag.number(self._target)
        with np.errstate(divide="ignore"):
            log_proba = np.log(self.network_.answers.predict_codes(codes, target))
        decisions, decision, other = choose_sides(self, log_proba, of, against)
        cells = {name: frame.column(name).tolist() for name in frame.names if name in self.network_.dag.index}
        return explain_network(
            self.network_, target, codes, log_proba, (decision, other), label_decisions(self, decisions), cells
        )

    def what_to_ask(self, row: Any) -> Questions:
        """The columns missing from a row, by how much their value is expected to lower the risk of the decision."""
        check_is_fitted(self, "network_")
        net, codes = self.network_, self._codes(read_row(self, row))
        return rank_network_questions(net, net.dag.number(self._target), codes, least_risk_of(self))

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """log P(class | row) of learned rows, each subtracted from the tables; arcs, states and cuts stay fixed.

        These were chosen on the same rows, so scores are optimistic; `bayesfold.evaluate` chooses them again.
        """
        check_is_fitted(self, "network_")
        net, (table, weight) = self.network_, self._labelled(X, y, sample_weight)
        codes = encode_rows(net, self._target, table, table.column)
        with np.errstate(divide="ignore"):
            return np.log(answer_left_out(net, self._target, codes, table, weight, are_copies(self.weights_are)))

    def sample(self, n: int = 1, random_state: Any = None) -> tuple[dict[str, Any], NDArray[Any]]:
        """n rows drawn from the network, as (columns by name, labels)."""
        check_is_fitted(self, "network_")
        if self.cuts_:
            raise ValueError(
                f"the network knows {listed(self.cuts_)} by intervals, and draws no numbers; to_network().sample({n}) "
                "draws the intervals"
            )
        drawn = self.network_.sample(check_count("n", n), check_random_state(random_state).randint(2**31))
        return drawn, drawn.pop(self._target).astype(self.classes_.dtype)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, or the decision that is expected to cost least."""
        return decide_labels(self, self.predict_log_proba(X))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the classifier to a file; loaded by `bf.load`, it predicts the same and can still learn and forget."""
        check_is_fitted(self, "network_")
        save(self, path)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy; a rejected row counts as wrong."""
        return share_right(self.classes_, self.predict(X), y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.allow_nan = True
        return tags
