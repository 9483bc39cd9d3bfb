"""The log-loss of weighed parts with its gradient and Hessian, row by row."""

import cython
from cython.cimports.libc.math import exp, log

NOTHING = cython.declare(cython.double, 1e-10)  # a class less likely than this does not bend the loss

FOUR = cython.declare(cython.Py_ssize_t, 4)  # squares that are added at once


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add(
    squares: cython.double[:, ::1], scale: cython.double[::1], held: cython.Py_ssize_t, H: cython.double[:, ::1]
) -> cython.void:
    """H[q, r] += scale[k] squares[k, q] squares[k, r] for each k < held, one after another, and q <= r."""
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    r: cython.Py_ssize_t
    parts: cython.Py_ssize_t = squares.shape[1]
    a: cython.double
    a1: cython.double
    a2: cython.double
    a3: cython.double
    if held == FOUR:
        for q in range(parts):
            a = scale[0] * squares[0, q]
            a1 = scale[1] * squares[1, q]
            a2 = scale[2] * squares[2, q]
            a3 = scale[3] * squares[3, q]
            for r in range(q, parts):
                H[q, r] = (((H[q, r] + a * squares[0, r]) + a1 * squares[1, r]) + a2 * squares[2, r]) + a3 * squares[
                    3, r
                ]
        return
    for k in range(held):
        for q in range(parts):
            a = scale[k] * squares[k, q]
            for r in range(q, parts):
                H[q, r] += a * squares[k, r]


def newton(
    T: cython.const[cython.double][:, :, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    w: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    mean: cython.double[::1],
    squares: cython.double[:, ::1],
    scale: cython.double[::1],
    P: cython.double[:, ::1],
    gradient: cython.double[::1],
    H: cython.double[:, ::1],
) -> cython.double:
    """sum_i v_i -log softmax_c(sum_q w_q T[i, q, c] + b_c)[own_i] of rows begin to end, w being the weights and b.

    P[i] are the rows' posteriors; the gradient and the upper half of H are added to. Its squares are
    added four at once. `mean` [part], `squares` [4, part] and `scale` [4] are scratch.
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
    m0: cython.double
    m1: cython.double
    m2: cython.double
    m3: cython.double
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
            q = 0
            while q + 4 <= parts:  # four sums at once: each waits for its last addition
                m0 = m1 = m2 = m3 = 0.0
                for c in range(classes):
                    a = P[i, c]
                    m0 += a * T[i, q, c]
                    m1 += a * T[i, q + 1, c]
                    m2 += a * T[i, q + 2, c]
                    m3 += a * T[i, q + 3, c]
                mean[q] = m0
                mean[q + 1] = m1
                mean[q + 2] = m2
                mean[q + 3] = m3
                q += 4
            while q < parts:
                m0 = 0.0
                for c in range(classes):
                    m0 += P[i, c] * T[i, q, c]
                mean[q] = m0
                q += 1
            for q in range(parts):
                gradient[q] += v * (mean[q] - T[i, q, own[i]])
            for c in range(classes):
                s = v * P[i, c]
                gradient[parts + c] += s
                if P[i, c] < NOTHING:
                    continue
                scale[held] = s
                for q in range(parts):
                    a = T[i, q, c] - mean[q]
                    squares[held, q] = a
                    H[q, parts + c] += s * a
                held += 1
                if held == FOUR:
                    add(squares, scale, held, H)
                    held = 0
                H[parts + c, parts + c] += s
                for k in range(c, classes):
                    H[parts + c, parts + k] -= s * P[i, k]
            gradient[parts + own[i]] -= v
        add(squares, scale, held, H)
    return value
