"""Rows of one unit, a patient or a customer: they share a fold, since each would tell the model of the others.

>>> groups = read_groups(["ann", "bob", "ann", "eve"], None)
>>> groups.tolist(), deal_groups(groups, np.array([0, 1, 0, 1]), 3, 1, seed=0).tolist()
([0, 1, 0, 2], [[2, 1, 2, 0]])
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, code
from bayesfold.data.labels import one_per_row
from bayesfold.decisions.metrics import Codes
from bayesfold.runtime.messages import listed
from bayesfold.runtime.unique import distinct


def split_groups(X: Any, groups: Any) -> tuple[Any, Codes]:
    """The table without the column that names the units, and the unit of each row; or both, where units are given."""
    if not isinstance(groups, str):
        return X, read_groups(groups, None)
    names = {str(name): name for name in column_names(X)}  # a data frame's may be numbers
    if not names:
        raise ValueError(f"groups={groups!r}: the columns of this table have no names; give a value for each row")
    if groups not in names:
        raise ValueError(f"groups={groups!r} is no column of the table; it has {listed(names)}")
    name = names[groups]
    units = read_groups(X[name], groups)
    if isinstance(X, Mapping):
        return {other: values for other, values in X.items() if other != name}, units
    if hasattr(X, "drop_columns"):  # an Arrow table
        return X.drop_columns([name]), units
    return (X.drop(columns=[name]) if hasattr(X, "iloc") else X.drop(name)), units


def column_names(X: Any) -> Iterable[Any]:
    """The names of a table's columns; of an array, none."""
    return X if isinstance(X, Mapping) else getattr(X, "column_names", getattr(X, "columns", ()))


def read_groups(groups: Any, name: str | None) -> Codes:
    """The unit of each row, as a number."""
    coded = code(one_per_row(groups))
    missing = coded.first_missing()
    if missing is not None:
        raise ValueError(f"row {missing} has no {'group' if name is None else name}; every row is of some unit")
    return np.asarray(coded.index, np.intp)


def deal_groups(groups: Codes, truth: Codes, folds: int, repeats: int, seed: int) -> Codes:
    """A fold for each row, [repeat, row]: units dealt at random within each class, by the class of most of their rows.

    Large units come first, and each goes to the fold that has fewest rows of its class, then fewest rows.
    """
    groups = number_by_appearance(groups)
    units = distinct(groups)
    if len(units) == 1:
        raise ValueError("all rows are of one group, so that none can be held out by groups")
    if not 2 <= folds <= len(units):
        raise ValueError(f"folds={folds!r} must be from 2 to the number of groups, {len(units)}")
    rows = np.zeros((int(groups.max()) + 1, int(truth.max()) + 1), np.intp)
    np.add.at(rows, (groups, truth), 1)
    draw = np.random.default_rng(seed)
    dealt = np.empty((repeats, len(groups)), np.intp)
    for fold in dealt:
        held = np.zeros((folds, rows.shape[1]), np.intp)
        place = np.zeros(len(rows), np.intp)
        order = draw.permutation(units)
        for unit in order[np.argsort(-rows[order].sum(axis=1), kind="stable")]:
            own = int(rows[unit].argmax())
            turn = draw.permutation(folds)
            place[unit] = turn[np.lexsort((held.sum(axis=1)[turn], held[turn, own]))[0]]
            held[place[unit]] += rows[unit]
        fold[:] = place[groups]
    return dealt


def number_by_appearance(groups: Codes) -> Codes:
    """Units numbered in the order of their first rows, so that folds do not depend on how units are named.

    >>> number_by_appearance(np.array([7, 3, 7, 5])).tolist()
    [0, 1, 0, 2]
    """
    _, first, place = np.unique(groups, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[place], np.intp)


def rows_per_group(groups: Codes | None, weight: Floats) -> float:
    """How many rows say no more than one of a unit of their own, if rows of a unit are all alike.

    >>> rows_per_group(np.array([0, 0, 1, 1]), np.ones(4)), rows_per_group(None, np.ones(4))
    (2.0, 1.0)
    """
    if groups is None:
        return 1.0
    w = weight / weight.max()
    return float((np.bincount(groups, w) ** 2).sum() / (w**2).sum())
