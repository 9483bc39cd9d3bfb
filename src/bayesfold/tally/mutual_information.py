"""How much columns tell about the class, and about each other once the class is known, in nats.

I(X; C) = sum p(x, c) log p(x, c) / p(x) p(c) and I(X; Y | C) = sum p(x, y, c) log p(x, y | c) / p(x | c) p(y | c),
from the tally's tables; rows in which a value is missing are left out of that table.

>>> round(float(of_tables(np.array([[4.0, 0.0], [0.0, 4.0]]))), 3)                 # x settles the class: log 2
0.693
"""

from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.kernels.counting import information
from bayesfold.runtime.identity_cache import kept_while_alive
from bayesfold.tally.statistic import Tally, cut

LOOSE = 8
"""Times the cells that tables have, up to which they are filled up to the size of the largest."""


def with_class(tally: Tally, names: tuple[str, ...]) -> Floats:
    """I(X; C) of each column."""
    tables = [weights_over(tally, (name,)) for name in names]
    levels = max((len(n) for n in tables), default=0)
    if levels * len(tables) > LOOSE * sum(map(len, tables)):  # one column of very many levels
        return np.array([of_tables(n) for n in tables])
    together = np.zeros((len(tables), levels, tally.schema.target.slots - 1))
    for n, all_levels in zip(tables, together, strict=True):
        all_levels[: len(n)] = n
    return of_tables(together)


def between(tally: Tally, names: tuple[str, ...]) -> Floats:
    """I(X; Y | C) of each pair of columns, as a symmetric matrix; the tally holds every pair's table."""
    symmetric = np.zeros((len(names), len(names)))
    if len(names) < 2:
        return symmetric
    width, axes = tally.schema.target.slots, np.array([tally.schema.axis(name) for name in names], np.intp)
    i, j = np.triu_indices(len(names), 1)
    tables = np.column_stack([tally.layout.first_cells(names, i, j), axes[i], axes[j]])
    shared, flat = np.empty(len(i)), tally.weights[0] if tally.weighted else tally.counts
    information.given_class(flat, tables, width, np.empty(axes.max()), shared)
    symmetric[i, j] = shared
    return symmetric + symmetric.T


@kept_while_alive
def rank_columns(tally: Tally, names: tuple[str, ...]) -> tuple[tuple[str, ...], Floats, Floats]:
    """The columns, the most telling first, with I(X; C) of each and I(X; Y | C) of each two, in that order.

    The tally is one that does not change any more. Where columns tell the same, their counts decide and then their
    names: neither the order in which columns stand nor the names of classes may.
    """
    telling, shared = round_off(with_class(tally, names)), round_off(between(tally, names))
    _, place, times = np.unique(telling, return_inverse=True, return_counts=True)
    tied = (times > 1)[place].tolist()
    contents = [
        sorted_counts(weights_over(tally, (name,))) if same else [] for name, same in zip(names, tied, strict=True)
    ]
    order = sorted(range(len(names)), key=lambda i: (-telling[i], contents[i], names[i]))
    return tuple(names[i] for i in order), telling[order], shared[np.ix_(order, order)]


def round_off(information: Floats) -> Floats:
    """The same numbers without their last digits, which depend on the order of summation."""
    return np.asarray(np.round(information, 10))


def sorted_counts(counts: Floats) -> list[list[float]]:
    """A table of counts in an order that does not depend on the names of its levels and classes."""
    return sorted(np.sort(np.round(counts, 6), axis=1).tolist())


def weights_over(tally: Tally, names: tuple[str, ...]) -> Any:
    """The weights over some columns (in the order of the schema) and the class, without missing slots."""
    keys = *names, tally.schema.target.name
    flat = tally.weights[0] if tally.weighted else tally.counts
    whole = cut(flat, tally.layout.firsts[keys], tuple([tally.schema.axis(key) for key in keys]))
    return whole[(slice(1, None),) * whole.ndim].astype(np.float64)


def of_tables(n: Floats) -> Floats:
    """The mutual information of the last two axes, for each table along the others."""
    total = n.sum((-2, -1), keepdims=True)
    p = n / np.where(total > 0, total, 1.0)  # products of weights themselves may be infinite, or 0
    expected = p.sum(-1, keepdims=True) * p.sum(-2, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log(p / expected), 0.0)
        return np.asarray(np.maximum(terms.sum((-2, -1)), 0.0))
