"""Log densities of rows under their own group, each row taken out of its cell first."""

import cython
from cython.cimports.bayesfold.kernels.counting.moments import mean_and_squares, pair_product, pair_sum, two_product
from cython.cimports.bayesfold.kernels.scoring.densities import variance_of
from cython.cimports.libc.math import log

Weight = cython.fused_type(cython.longlong, cython.double)


def normal(
    x: cython.const[cython.double][:, ::1],
    group: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    where: cython.const[cython.Py_ssize_t][::1],
    mass: cython.const[Weight][:, ::1],
    rest: cython.const[cython.double][:, ::1],
    high: cython.const[cython.double][:, :, ::1],
    low: cython.const[cython.double][:, :, ::1],
    prior: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    most: cython.double,
    out: cython.double[:, ::1],
) -> None:
    """out[i, j] = log normal density of x[i, j], column where[j], by its group's cell without row i.

    prior[c] = the column's mean, v, pseudo rows, ddof, added; NaN gives 0; |x| was clipped at `most` when counted.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    g: cython.Py_ssize_t
    a: cython.double
    variance: cython.double
    p: tuple[cython.double, cython.double]
    q: tuple[cython.double, cython.double]
    w: tuple[cython.double, cython.double]
    s: tuple[cython.double, cython.double]
    with cython.nogil:
        for i in range(begin, end):
            g = group[i]
            for j in range(x.shape[1]):
                c = where[j]
                a = x[i, j]
                if a != a:
                    out[i, j] = 0.0
                    continue
                a = most if a > most else (-most if a < -most else a)
                w = pair_sum(mass[c, g], rest[c, g] if rest.shape[1] > 0 else 0.0, -weight[i], 0.0)
                if w[0] <= 0.0:
                    w = (0.0, 0.0)
                p = two_product(weight[i], a)
                s = pair_sum(high[c, g, 0], low[c, g, 0], -p[0], -p[1])
                p = pair_product(p[0], p[1], a, 0.0)
                q = pair_sum(high[c, g, 1], low[c, g, 1], -p[0], -p[1])
                p = mean_and_squares(w[0], w[1], s[0], s[1], q[0], q[1])
                variance = variance_of(w[0], p[1], prior[c, 1], prior[c, 2], prior[c, 3], prior[c, 4])
                a = x[i, j] - (p[0] if w[0] > 0.0 else prior[c, 0])
                a = 0.5 / variance * a * a
                out[i, j] = -0.5 * log(6.283185307179586 * variance) - (a if a < 1e290 else 1e290)


def dominant(
    x: cython.const[cython.double][:, ::1],
    group: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    where: cython.const[cython.Py_ssize_t][::1],
    count: cython.const[cython.longlong][:, ::1],
    mass: cython.const[Weight][:, ::1],
    mean: cython.const[cython.double][:, ::1],
    spread: cython.const[cython.double][:, ::1],
    share: cython.double,
    out: cython.uchar[:, ::1],
) -> int:
    """out[i, j] = whether x[i, j], column where[j], holds that share of its group's squares, w d^2 W / (W - w).

    A group of one row or two is left to itself, and NaN holds nothing. How many hold it is returned.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    g: cython.Py_ssize_t
    total: cython.double
    own: cython.double
    found: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(x.shape[0]):
            g = group[i]
            for j in range(x.shape[1]):
                c = where[j]
                out[i, j] = 0
                if spread[c, g] > 0.0 and count[c, g] > 2:
                    total = mass[c, g]
                    own = x[i, j] - mean[c, g]
                    own = weight[i] * own * own * total
                    if own >= share * spread[c, g] * (total - weight[i]):
                        out[i, j] = 1
                        found += 1
    return found
