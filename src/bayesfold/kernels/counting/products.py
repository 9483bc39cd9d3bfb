"""Sums of products of a row's numbers, kept as unevaluated pairs of doubles (hi, lo)."""

import cython
from cython.cimports.bayesfold.kernels.counting.moments import pair_sum, two_product


def add(
    x: cython.const[cython.double][:, ::1],
    rows: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    high: cython.double[::1],
    low: cython.double[::1],
) -> None:
    """Add S w x and behind it S w x x' of some rows; no weights: every w is 1."""
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    at: cython.Py_ssize_t
    width: cython.Py_ssize_t = x.shape[1]
    weighted: cython.bint = weight.shape[0] > 0
    first: tuple[cython.double, cython.double]
    both: tuple[cython.double, cython.double]
    with cython.nogil:
        for i in range(rows.shape[0]):
            r = rows[i]
            for a in range(width):
                first = two_product(x[r, a], weight[r] if weighted else 1.0)
                both = pair_sum(high[a], low[a], first[0], first[1])
                high[a] = both[0]
                low[a] = both[1]
                for b in range(a, width):
                    both = two_product(first[0], x[r, b])
                    at = width + a * width + b
                    both = pair_sum(high[at], low[at], both[0], both[1] + first[1] * x[r, b])
                    high[at] = both[0]
                    low[at] = both[1]
        for a in range(width):
            for b in range(a):
                high[width + a * width + b] = high[width + b * width + a]
                low[width + a * width + b] = low[width + b * width + a]
