"""Rows of a network that classifies, and learned rows each left out of the tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Frame, code
from bayesfold.data.tables import is_row
from bayesfold.estimators.rows import read_frame, read_labels, row_with_label
from bayesfold.networks.evidence import UNKNOWN, Codes, find_slot
from bayesfold.networks.learning.counts import check_weights
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.messages import refuse_strangers


def read_rows(estimator: Any, X: Any) -> Frame:
    """A table with the columns of `fit`: one that is not there is more likely misspelled than unknown."""
    frame = read_frame(estimator, X, reset=False)
    frame.require(name for name in estimator._names if name in estimator.network_.dag.index)
    return frame


def read_labelled(estimator: Any, X: Any, y: Any, weight: Any, reset: bool = False) -> tuple[Frame, Any, Any]:
    """Rows, a label for each, and weights; some labels may be missing where EM is asked for, which guesses them."""
    X, y, weight = row_with_label(X, y, weight)
    frame = read_frame(estimator, X, reset=True) if reset else read_rows(estimator, X)
    values = read_labels(estimator, y)
    if len(values) != frame.rows:
        raise ValueError(f"there are {frame.rows} rows but {len(values)} labels")
    missing = code(values).first_missing()
    guessed = any((options or {}).get("em") for options in (estimator.learn, estimator.tables))
    if missing is not None and not guessed:
        raise ValueError(f"row {missing} has no label; leave out rows whose class is unknown")
    return frame, values, weight


def encode_rows(net: BayesianNetwork, target: str, frame: Frame, column: Callable[[str], Any]) -> Codes:
    """Rows as a network's codes, by what `column` gives; what it does not know is missing, and so is the target."""
    codes = np.full((frame.rows, len(net.nodes)), -1, np.int32)
    for j, name in enumerate(net.nodes):
        if name != target and name in frame.position:
            coded = code(column(name))
            slots = [find_slot(net.states(name), level) for level in coded.levels]
            codes[:, j] = coded.places([-1 if s == UNKNOWN else s for s in slots], -1)
    return codes


def complete_row(row: Mapping[str, Any], names: Sequence[str]) -> list[dict[str, Any]]:
    """A table of one row that has every column, those that the row lacks missing; a row of strangers is refused."""
    if row:
        refuse_strangers(row, names)
    return [dict.fromkeys(names) | dict(row)]


def read_row(estimator: Any, row: Any) -> Frame:
    """The one row that questions are asked of: a dict, or a table of it."""
    frame = read_rows(estimator, complete_row(row, estimator._names) if is_row(row) else row)
    if frame.rows != 1:
        raise ValueError(f"questions are asked of one row, and these are {frame.rows}")
    return frame


def answer_left_out(net: BayesianNetwork, target: str, codes: Codes, table: Frame, weight: Any, copies: bool) -> Floats:
    """P(class | row) of learned rows, each by the network without it, or without one of its copies.

    Equal rows are answered once.
    """
    weights = np.ones(table.rows) if weight is None else check_weights(weight, table.rows)
    keys = np.column_stack([codes, code(table.column(target)).index, weights])
    out, node = np.empty((table.rows, len(net.states(target)))), net.dag.number(target)
    for rows in rows_alike(keys):
        alone = table.take(np.arange(table.rows) == rows[0])
        without = net.forget(alone, None if weight is None else weights[rows[:1]], keep_states=True)
        if copies and weights[rows[0]] > 1:
            without = without.partial_fit(alone, weights[rows[:1]] - 1)
        out[rows] = without.answers.predict_codes(codes[rows[:1]], node, int(rows[0]))
    return out


def rows_alike(keys: Floats) -> list[NDArray[np.intp]]:
    """The places of equal rows, one array for each distinct row.

    >>> [places.tolist() for places in rows_alike(np.array([[1, 2], [0, 5], [1, 2]]))]
    [[1], [0, 2]]
    """
    _, place = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(place, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(place[order])) + 1)
