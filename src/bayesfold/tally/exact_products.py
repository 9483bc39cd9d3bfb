"""Sums of products without rounding errors that matter: each product as a pair of doubles, added in pairs.

What is taken out of such a sum again leaves what a sum of the others would have been, also where a number was a billion
times as large as they are. (Dekker 1971; Ogita, Rump and Oishi 2005.)

>>> x = np.array([[1e9, 1.0], [1.0, 2.0], [3.0, 1.0]])
>>> high, low = sum_products(x, None)
>>> gone_high, gone_low = sum_products(x[:1], None)
>>> ((high - gone_high) + (low - gone_low)).tolist()               # the sums and the products of the last two rows
[4.0, 3.0, 10.0, 5.0, 5.0, 5.0]
"""

import numpy as np

from bayesfold.data.frame import Floats

SPLIT = 134_217_729.0
"""2^27 + 1: a double times this falls apart into two halves."""

CELLS = 1 << 18
"""Products that are held at once."""

Pair = tuple[Floats, Floats]


def sum_products(x: Floats, weight: Floats | None) -> Pair:
    """S w x and S w x x' over rows, side by side, as high parts and low parts."""
    width = x.shape[1]
    total = np.zeros((1, width + width * width)), np.zeros((1, width + width * width))
    step = max(1, CELLS // max(1, width + width * width))
    for begin in range(0, len(x), step):
        rows = x[begin : begin + step]
        high, low = rows, np.zeros_like(rows)
        if weight is not None:
            high, low = multiply(rows, weight[begin : begin + step, None])
        upper, lower = multiply(high[:, :, None], rows[:, None, :])
        lower = lower + low[:, :, None] * rows[:, None, :]
        products = (
            np.concatenate([high, upper.reshape(len(rows), -1)], axis=1),
            np.concatenate([low, lower.reshape(len(rows), -1)], axis=1),
        )
        total = add_pairs(total, sum_rows(products))
    return total[0][0], total[1][0]


def sum_rows(terms: Pair) -> Pair:
    """The sum over the first axis, as one pair per column: the first half added to the second, again and again."""
    high, low = terms
    while len(high) > 1:
        if len(high) % 2:
            high, low = (np.concatenate([part, np.zeros((1, part.shape[1]))]) for part in (high, low))
        half = len(high) // 2
        high, low = add_pairs((high[:half], low[:half]), (high[half:], low[half:]))
    return high, low


def add_pairs(a: Pair, b: Pair) -> Pair:
    """The sum of two pairs."""
    total = a[0] + b[0]
    part = total - a[0]
    rest = (a[0] - (total - part)) + (b[0] - part) + (a[1] + b[1])
    high = total + rest
    return high, rest - (high - total)


def multiply(a: Floats, b: Floats) -> Pair:
    """A product, and the rounding error that it lost."""
    whole = a * b
    (a_high, a_low), (b_high, b_low) = split_double(a), split_double(b)
    return whole, ((a_high * b_high - whole) + a_high * b_low + a_low * b_high) + a_low * b_low


def split_double(a: Floats) -> Pair:
    """Each double as a sum of two doubles with half as many digits."""
    high = SPLIT * a - (SPLIT * a - a)
    return high, a - high
