"""Categories summed out in logs, for many rows at once: a density may be too small, or too large, for a double.

A table is (its variables, logs [row, *states]); one that is the same for all rows has one row.

>>> rain, wet = ((0,), np.log([[0.2, 0.8]])), ((0, 1), np.log([[[0.9, 0.1], [0.15, 0.85]]]))
>>> np.exp(sum_out([rain, wet], keep=(1,), cards=(2, 2))).round(2)
array([[0.3, 0.7]])
"""

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.factor_states import log_sum

LogTable = tuple[tuple[int, ...], Floats]


def sum_out(tables: Sequence[LogTable], keep: Sequence[int], cards: Sequence[int]) -> Floats:
    """log of the product with every other variable summed out: [row, *states of keep]."""
    left = list(tables)
    for v in choose_order(tuple(of for of, _ in left), keep, cards):
        with_v = [table for table in left if v in table[0]]
        left = [table for table in left if v not in table[0]]
        over = tuple(sorted({u for of, _ in with_v for u in of}))
        whole = join_tables(with_v, over)
        axis = 1 + over.index(v)
        left.append((tuple(u for u in over if u != v), log_sum(whole, (axis,))))
    log_product = join_tables(left, keep)
    return np.broadcast_to(log_product, (len(log_product), *(cards[v] for v in keep)))


def join_tables(tables: Iterable[LogTable], over: Sequence[int]) -> Floats:
    """The product of tables with these axes behind the row's."""
    total: Floats = np.zeros((1,) * (1 + len(over)))
    for of, logs in tables:
        placed = np.transpose(logs, (0, *(1 + of.index(v) for v in over if v in of)))
        shape = iter(placed.shape[1:])
        total = total + placed.reshape(len(logs), *(next(shape) if v in of else 1 for v in over))
    return total


def choose_order(tables: Sequence[tuple[int, ...]], keep: Sequence[int], cards: Sequence[int]) -> list[int]:
    """Which variable to sum out first, second, ...: each time the one whose table is smallest."""
    return [v for v, _ in eliminate_in_turn(tables, keep, cards)]


def largest_table(tables: Sequence[tuple[int, ...]], keep: Sequence[int], cards: Sequence[int]) -> int:
    """The cells of the largest table on the way, for one row."""
    return max([prod(cards[v] for v in keep), *(size for _, size in eliminate_in_turn(tables, keep, cards))])


def eliminate_in_turn(
    tables: Sequence[tuple[int, ...]], keep: Sequence[int], cards: Sequence[int]
) -> list[tuple[int, int]]:
    """Each variable in the order in which it is summed out, and the cells of the table that it stands in then."""
    left, eliminated = [set(of) for of in tables], []
    hidden = set().union(*left) - set(keep)

    def around(v: int) -> set[int]:
        return set().union(*(of for of in left if v in of))

    while hidden:
        size, v = min((prod(cards[u] for u in around(v)), v) for v in hidden)
        over = around(v) - {v}
        left = [*(of for of in left if v not in of), over]
        hidden.remove(v)
        eliminated.append((v, size))
    return eliminated
