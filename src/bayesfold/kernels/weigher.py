"""The log-loss of weighed parts with its gradient and Hessian, row by row."""

import cython
from cython.cimports.libc.math import exp, log

NOTHING = cython.declare(cython.double, 1e-10)  # a class less likely than this does not bend the loss


def newton(
    T: cython.const[cython.double][:, :, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    w: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    away: cython.double[:, ::1],
    P: cython.double[:, ::1],
    gradient: cython.double[::1],
    H: cython.double[:, ::1],
) -> cython.double:
    """sum_i v_i -log softmax_c(sum_q w_q T[i, q, c] + b_c)[own_i] of rows begin to end, w being the weights and b.

    P[i] are the rows' posteriors; the gradient and the upper half of H are added to. `away` is scratch, [class, part].
    """
    i: cython.Py_ssize_t
    q: cython.Py_ssize_t
    r: cython.Py_ssize_t
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
                for q in range(parts):
                    a = s * away[c, q]
                    H[q, parts + c] += a
                    for r in range(q, parts):
                        H[q, r] += a * away[c, r]
                H[parts + c, parts + c] += s
                for k in range(c, classes):
                    H[parts + c, parts + k] -= s * P[i, k]
            gradient[parts + own[i]] -= v
    return value
