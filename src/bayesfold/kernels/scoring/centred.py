"""What sums of w, w x and w x^2, in pairs of doubles, say of rows: their mean, and how far they are from it."""

import cython
from cython.cimports.bayesfold.kernels.counting.moments import mean_and_squares, pair_sum

Weight = cython.fused_type(cython.longlong, cython.double)  # row counts, or sums of row weights


def centre(
    weight: cython.const[Weight][:, ::1],
    rest: cython.const[cython.double][:, ::1],
    high: cython.const[cython.double][:, :, ::1],
    low: cython.const[cython.double][:, :, ::1],
    mean: cython.double[:, ::1],
    spread: cython.double[:, ::1],
) -> None:
    """mean = S1 / W and spread = S2 - S1^2 / W (the sum of squares about the mean), 0 where W is 0.

    `rest` is the low part of W; it has no columns where W is a count.
    """
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    wl: cython.double = 0.0
    p: tuple[cython.double, cython.double]
    with cython.nogil:
        for j in range(weight.shape[0]):
            for g in range(weight.shape[1]):
                if rest.shape[1] > 0:
                    wl = rest[j, g]
                p = mean_and_squares(weight[j, g], wl, high[j, g, 0], low[j, g, 0], high[j, g, 1], low[j, g, 1])
                mean[j, g] = p[0]
                spread[j, g] = p[1]


def summary(
    weight: cython.const[Weight][:, ::1],
    rest: cython.const[cython.double][:, ::1],
    high: cython.const[cython.double][:, :, ::1],
    low: cython.const[cython.double][:, :, ::1],
    mean: cython.double[::1],
    variance: cython.double[::1],
    within: cython.double[::1],
) -> None:
    """Each column's mean, variance, and variance within groups, over all its groups."""
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    wl: cython.double = 0.0
    inside: cython.double
    p: tuple[cython.double, cython.double]
    s: tuple[cython.double, cython.double]
    t: tuple[cython.double, cython.double]
    w: tuple[cython.double, cython.double]
    with cython.nogil:
        for j in range(weight.shape[0]):
            inside = 0.0
            w = (0.0, 0.0)
            s = (0.0, 0.0)
            t = (0.0, 0.0)
            for g in range(weight.shape[1]):
                if rest.shape[1] > 0:
                    wl = rest[j, g]
                w = pair_sum(w[0], w[1], weight[j, g], wl)
                s = pair_sum(s[0], s[1], high[j, g, 0], low[j, g, 0])
                t = pair_sum(t[0], t[1], high[j, g, 1], low[j, g, 1])
                p = mean_and_squares(weight[j, g], wl, high[j, g, 0], low[j, g, 0], high[j, g, 1], low[j, g, 1])
                inside += p[1]
            p = mean_and_squares(w[0], w[1], s[0], s[1], t[0], t[1])
            mean[j] = p[0]
            variance[j] = p[1] / w[0] if w[0] > 0.0 else 0.0
            within[j] = inside / w[0] if w[0] > 0.0 else 0.0
