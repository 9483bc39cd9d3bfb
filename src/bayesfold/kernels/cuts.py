"""Where to cut a sorted column so that the classes on both sides are as pure as they can be."""

import cython
from cython.cimports.libc.math import log


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def plogp(n: cython.double) -> cython.double:
    """n log n, 0 at 0."""
    return n * log(n) if n > 0.0 else 0.0


def best_split(
    cumulated: cython.const[cython.double][:, ::1], low: cython.Py_ssize_t, high: cython.Py_ssize_t
) -> tuple[int, float]:
    """The cut t, low < t < high, with the least sum of n_side H(classes | side), and that sum in nats; -1: none.

    cumulated[t] are the class weights of the values before t. Between two values that show the same one class no cut is
    best (Fayyad and Irani 1992), so none is tried.
    """
    t: cython.Py_ssize_t
    k: cython.Py_ssize_t
    groups: cython.Py_ssize_t = cumulated.shape[1]
    best: cython.Py_ssize_t = -1
    least: cython.double = 1e300
    left: cython.double
    right: cython.double
    a: cython.double
    b: cython.double
    total: cython.double
    inside: cython.Py_ssize_t
    with cython.nogil:
        for t in range(low + 1, high):
            inside = 0
            for k in range(groups):
                if cumulated[t + 1, k] > cumulated[t - 1, k]:
                    inside += 1
            if inside < 2:
                continue
            left = right = total = 0.0
            for k in range(groups):
                a = cumulated[t, k] - cumulated[low, k]
                b = cumulated[high, k] - cumulated[t, k]
                left += a
                right += b
                total -= plogp(a) + plogp(b)
            total += plogp(left) + plogp(right)
            if total < least:
                least = total
                best = t
    return best, least
