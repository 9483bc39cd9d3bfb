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
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.counting import products

NO_WEIGHT = np.empty(0)


def sum_products(x: Floats, weight: Floats | None) -> tuple[Floats, Floats]:
    """S w x and S w x x' of rows, one behind the other: high parts and low parts."""
    width = x.shape[1]
    high, low = np.zeros((2, width + width * width))
    add_products(x, np.arange(len(x)), weight, high, low)
    return high, low


def add_products(x: Floats, rows: NDArray[np.intp], weight: Floats | None, high: Floats, low: Floats) -> None:
    """Add the same of some rows to what the pair has; the products in it are symmetric, and stay so."""
    products.add(np.ascontiguousarray(x), rows, NO_WEIGHT if weight is None else weight, high, low)
