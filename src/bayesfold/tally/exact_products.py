"""Sums of products without rounding errors that matter: each product as a pair of doubles, added in pairs.

What is taken out of such a sum again leaves what a sum of the others would have been, also where a number was a billion
times as large as they are. (Dekker 1971; Ogita, Rump and Oishi 2005.)

>>> x = np.array([[1e9, 1.0], [1.0, 2.0], [3.0, 1.0]])
>>> high, low = summed(x, None)
>>> gone_high, gone_low = summed(x[:1], None)
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


def summed(x: Floats, weight: Floats | None) -> Pair:
    """S w x and S w x x' of rows, one behind the other: high parts and low parts."""
    width = x.shape[1]
    total = np.zeros((1, width + width * width)), np.zeros((1, width + width * width))
    step = max(1, CELLS // max(1, width + width * width))
    for begin in range(0, len(x), step):
        rows = x[begin : begin + step]
        high, low = rows, np.zeros_like(rows)
        if weight is not None:
            high, low = product(rows, weight[begin : begin + step, None])
        upper, lower = product(high[:, :, None], rows[:, None, :])
        lower = lower + low[:, :, None] * rows[:, None, :]
        found = (
            np.concatenate([high, upper.reshape(len(rows), -1)], axis=1),
            np.concatenate([low, lower.reshape(len(rows), -1)], axis=1),
        )
        total = plus(total, folded(found))
    return total[0][0], total[1][0]


def folded(terms: Pair) -> Pair:
    """The sum over the first axis, halves added to halves."""
    high, low = terms
    while len(high) > 1:
        if len(high) % 2:
            high, low = (np.concatenate([part, np.zeros((1, part.shape[1]))]) for part in (high, low))
        half = len(high) // 2
        high, low = plus((high[:half], low[:half]), (high[half:], low[half:]))
    return high, low


def plus(a: Pair, b: Pair) -> Pair:
    """The sum of two pairs."""
    total = a[0] + b[0]
    part = total - a[0]
    rest = (a[0] - (total - part)) + (b[0] - part) + (a[1] + b[1])
    high = total + rest
    return high, rest - (high - total)


def product(a: Floats, b: Floats) -> Pair:
    """A product and what rounding took from it."""
    whole = a * b
    (a_high, a_low), (b_high, b_low) = halves(a), halves(b)
    return whole, ((a_high * b_high - whole) + a_high * b_low + a_low * b_high) + a_low * b_low


def halves(a: Floats) -> Pair:
    """A double as the sum of two of half as many digits."""
    high = SPLIT * a - (SPLIT * a - a)
    return high, a - high
