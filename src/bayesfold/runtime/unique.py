"""Distinct values in order.

>>> distinct(np.array([3.0, 1.0, 3.0]))
array([1., 3.])
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(values: Any) -> NDArray[Any]:
    """The sorted distinct values, none of them NaN; `np.unique` would first load numpy.ma, as long as all of ours."""
    ordered = np.sort(np.asarray(values), axis=None)
    first = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def distinct_rows(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The distinct rows in order, none with NaN or -0.0, and the place of each row among them, as `np.unique` has them.

    Rows are compared as a whole only where their first numbers are equal, which is seldom.

    >>> rows, place = distinct_rows(np.array([[2.0, 1.0], [1.0, 9.0], [2.0, 0.0], [1.0, 9.0]]))
    >>> rows.tolist(), place.tolist()
    ([[1.0, 9.0], [2.0, 0.0], [2.0, 1.0]], [2, 0, 1, 0])
    """
    first = values[:, 0] if values.shape[1] else np.zeros(len(values))
    order = np.argsort(first, kind="stable")
    new = np.ones(len(order), bool)
    np.not_equal(first[order[1:]], first[order[:-1]], out=new[1:])
    ends = np.append(np.flatnonzero(new), len(order))
    for begin in np.flatnonzero(np.diff(ends) > 1).tolist():
        some = slice(ends[begin], ends[begin + 1])
        rows = {int(i): values[i].tolist() for i in order[some]}
        tied = sorted(rows, key=rows.__getitem__)
        order[some] = tied
        new[some] = [i == 0 or rows[tied[i]] != rows[tied[i - 1]] for i in range(len(tied))]
    place = np.empty(len(order), np.intp)
    place[order] = np.cumsum(new) - 1
    return values[order[new]], place
