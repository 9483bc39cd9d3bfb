"""The log-loss of weighed parts with its gradient and Hessian, row by row."""

import cython
from cython.cimports.bayesfold.kernels.wide import add_squares, widest
from cython.cimports.libc.math import exp, log

NOTHING = cython.declare(cython.double, 1e-10)  # a class less likely than this does not bend the loss

FOUR = cython.declare(cython.Py_ssize_t, 4)  # squares that are added at once


def best() -> int:
    """The fastest way to add squares that this processor knows; any way gives the same bits."""
    return widest() if cython.compiled else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add(
    kept: cython.double[:, ::1],
    scale: cython.double[::1],
    held: cython.Py_ssize_t,
    way: cython.int,
    H: cython.double[:, ::1],
) -> cython.void:
    """H[q, r] += scale[k] kept[k, q] kept[k, r] for each k < held, one after another, and q <= r."""
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    r: cython.Py_ssize_t
    a: cython.double
    if cython.compiled and held == FOUR:
        add_squares(
            cython.address(H[0, 0]),
            H.shape[1],
            cython.address(kept[0, 0]),
            kept.shape[1],
            cython.address(scale[0]),
            way,
        )
        return
    for k in range(held):
        for q in range(kept.shape[1]):
            a = scale[k] * kept[k, q]
            for r in range(q, kept.shape[1]):
                H[q, r] += a * kept[k, r]


def newton(
    T: cython.const[cython.double][:, :, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    w: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    way: cython.int,
    away: cython.double[:, ::1],
    squares: cython.double[:, ::1],
    scale: cython.double[::1],
    P: cython.double[:, ::1],
    gradient: cython.double[::1],
    H: cython.double[:, ::1],
) -> cython.double:
    """sum_i v_i -log softmax_c(sum_q w_q T[i, q, c] + b_c)[own_i] of rows begin to end, w being the weights and b.

    P[i] are the rows' posteriors; the gradient and the upper half of H are added to. `way` is how its squares
    are added, four at once. `away` [class, part], `squares` [4, part] and `scale` [4] are scratch.
    """
    i: cython.Py_ssize_t
    q: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    parts: cython.Py_ssize_t = T.shape[1]
    classes: cython.Py_ssize_t = T.shape[2]
    top: cython.double
    sum: cython.double
    s: cython.double
    a: cython.double
    v: cython.double
    value: cython.double = 0.0
    held: cython.Py_ssize_t = 0
    with cython.nogil:
        for i in range(begin, end):
            v = weight[i]
            for c in range(classes):
                P[i, c] = w[parts + c]
            for q in range(parts):
                a = w[q]
                for c in range(classes):
                    P[i, c] += a * T[i, q, c]
            top = P[i, 0]
            for c in range(1, classes):
                top = max(top, P[i, c])
            sum = 0.0
            s = P[i, own[i]] - top
            for c in range(classes):
                P[i, c] = exp(P[i, c] - top)
                sum += P[i, c]
            value += v * (log(sum) - s)
            for c in range(classes):
                P[i, c] = P[i, c] / sum
            for q in range(parts):
                sum = 0.0
                for c in range(classes):
                    sum += P[i, c] * T[i, q, c]
                gradient[q] += v * (sum - T[i, q, own[i]])
                for c in range(classes):
                    away[c, q] = T[i, q, c] - sum
            for c in range(classes):
                s = v * P[i, c]
                gradient[parts + c] += s
                if P[i, c] < NOTHING:
                    continue
                scale[held] = s
                for q in range(parts):
                    squares[held, q] = away[c, q]
                    H[q, parts + c] += s * away[c, q]
                held += 1
                if held == FOUR:
                    add(squares, scale, held, way, H)
                    held = 0
                H[parts + c, parts + c] += s
                for k in range(c, classes):
                    H[parts + c, parts + k] -= s * P[i, k]
            gradient[parts + own[i]] -= v
        add(squares, scale, held, way, H)
    return value
