"""From cells to log densities: smoothed tables of categories, and normal densities with a variance prior."""

import cython
from cython.cimports.libc.math import lgamma, log

Weight = cython.fused_type(cython.longlong, cython.double)  # row counts, or sums of row weights
ZERO: cython.double = cython.declare(cython.double, -693.1471805599453)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def log_ratio(n: cython.double, total: cython.double, levels: cython.double, alpha: cython.double) -> cython.double:
    """log (n + alpha) / (total + levels alpha): a zero is 2^-1000, nothing known is uniform."""
    top: cython.double = (n if n > 0.0 else 0.0) + alpha
    bottom: cython.double = (total if total > 0.0 else 0.0) + levels * alpha
    if bottom <= 0.0:
        return -log(levels) if levels > 1.0 else 0.0
    if top <= 0.0:
        return ZERO
    top = log(top / bottom)
    return top if top > ZERO else ZERO


def ratios(
    n: cython.const[cython.double][::1],
    total: cython.const[cython.double][::1],
    levels: cython.const[cython.double][::1],
    alpha: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> None:
    """log (n + alpha) / (total + levels alpha), entry by entry."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(n.shape[0]):
            out[i] = log_ratio(n[i], total[i], levels[i], alpha[i])


def smooth(
    weight: cython.const[Weight][:, ::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    alpha: cython.const[cython.double][::1],
    total: cython.double[::1],
    table: cython.double[:, ::1],
) -> None:
    """log P(slot | group) of every column: rows starts[j] + j and on are missing (0), the levels, unseen (0)."""
    j: cython.Py_ssize_t
    r: cython.Py_ssize_t
    g: cython.Py_ssize_t
    groups: cython.Py_ssize_t = weight.shape[1]
    levels: cython.double
    with cython.nogil:
        for j in range(starts.shape[0] - 1):
            levels = starts[j + 1] - starts[j] - 1
            for g in range(groups):
                total[g] = 0.0
                table[starts[j] + j, g] = 0.0
                table[starts[j + 1] + j, g] = 0.0
            for r in range(starts[j] + 1, starts[j + 1]):
                for g in range(groups):
                    total[g] += weight[r, g]
            for r in range(starts[j] + 1, starts[j + 1]):
                for g in range(groups):
                    table[r + j, g] = log_ratio(weight[r, g], total[g], levels, alpha[j])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def variance_of(
    w: cython.double,
    spread: cython.double,
    v: cython.double,
    pseudo_rows: cython.double,
    ddof: cython.double,
    added: cython.double,
) -> cython.double:
    """(spread + pseudo_rows v) / (w - ddof + pseudo_rows) + added; v where that is not defined, never zero."""
    variance: cython.double = v + added
    if variance <= 0.0:
        return 1.0  # nothing varies anywhere: the column says nothing, whatever the groups' sizes
    if w > 0.0 and w - ddof + pseudo_rows > 0.0:
        variance = (spread + pseudo_rows * v) / (w - ddof + pseudo_rows) + added
    w = 8.673617379884035e-19 * (v + added)  # 2^-60: zero is a very narrow normal
    return variance if variance > w else w


def normal(
    weight: cython.const[Weight][:, ::1],
    mean: cython.double[:, ::1],
    spread: cython.double[:, ::1],
    centre: cython.const[cython.double][::1],
    within: cython.const[cython.double][::1],
    pseudo_rows: cython.double,
    ddof: cython.double,
    added: cython.double,
    constant: cython.double[:, ::1],
) -> None:
    """Means and sums of squares to means, 1 / (2 variance) in place of the squares, and -log(2 pi variance) / 2."""
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    variance: cython.double
    with cython.nogil:
        for j in range(weight.shape[0]):
            for g in range(weight.shape[1]):
                variance = variance_of(weight[j, g], spread[j, g], within[j], pseudo_rows, ddof, added)
                if weight[j, g] <= 0:
                    mean[j, g] = centre[j]
                spread[j, g] = 0.5 / variance
                constant[j, g] = -0.5 * log(6.283185307179586 * variance)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def poisson_rate(
    total: cython.double, w: cython.double, pseudo_rows: cython.double, mean: cython.double
) -> cython.double:
    """(total + pseudo_rows mean) / (w + pseudo_rows), the mean where nothing is known, never 0."""
    rate: cython.double = mean
    if mean <= 0.0:
        return 1.0  # every row shows 0: the column says nothing
    if w + pseudo_rows > 0.0:
        rate = (total + pseudo_rows * mean) / (w + pseudo_rows)
    return rate if rate > 9.332636185032189e-302 else 9.332636185032189e-302


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def log_poisson(rate: cython.double, x: cython.double) -> cython.double:
    """x log rate - rate - log x!; between whole numbers as the gamma function has it, below 0 a zero factor."""
    if x < 0.0:
        return ZERO
    if x > 3.273390607896142e150:  # 2^500, where sums are clipped too
        x = 3.273390607896142e150
    return x * log(rate) - rate - lgamma(x + 1.0)


def rates(
    total: cython.const[cython.double][:, :, ::1],
    weight: cython.const[Weight][:, ::1],
    pseudo_rows: cython.double,
    mean: cython.const[cython.double][::1],
    out: cython.double[:, ::1],
) -> None:
    """The rate of each cell."""
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    with cython.nogil:
        for j in range(weight.shape[0]):
            for g in range(weight.shape[1]):
                out[j, g] = poisson_rate(total[j, g, 0], weight[j, g], pseudo_rows, mean[j])


def log_poissons(
    rate: cython.const[cython.double][::1], x: cython.const[cython.double][::1], out: cython.double[::1]
) -> None:
    """The log density, entry by entry."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(x.shape[0]):
            out[i] = log_poisson(rate[i], x[i])
