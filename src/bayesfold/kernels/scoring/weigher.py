"""The log-loss of weighed parts with its gradient and Hessian, row by row."""

import cython
from cython.cimports.libc.math import exp, log, sqrt

NOTHING = cython.declare(cython.double, 1e-10)  # a class less likely than this does not bend the loss


def newton(
    T: cython.const[cython.double][:, :, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    w: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    mean: cython.double[::1],
    likely: cython.Py_ssize_t[::1],
    Z: cython.double[:, ::1],
    P: cython.double[:, ::1],
    gradient: cython.double[::1],
    H: cython.double[:, ::1],
) -> tuple[float, int]:
    """sum_i v_i -log softmax_c(sum_q w_q T[i, q, c] + b_c)[own_i] of rows begin to end, w being the weights and b.

    P[i] are the rows' posteriors; the gradient and, of the upper half of H, what has to do with b are added to. Z'Z is
    the rest of H, of the first rows of Z, as many as are returned with the value. `mean` [part] and `likely` [class]
    are scratch.
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
    root: cython.double
    a: cython.double
    v: cython.double
    m0: cython.double
    m1: cython.double
    m2: cython.double
    m3: cython.double
    value: cython.double = 0.0
    held: cython.Py_ssize_t = 0
    some: cython.Py_ssize_t
    j: cython.Py_ssize_t
    m: cython.Py_ssize_t
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
            some = 0
            for c in range(classes):
                gradient[parts + c] += v * P[i, c]
                if P[i, c] >= NOTHING:
                    likely[some] = c
                    some += 1
            for j in range(some):
                c = likely[j]
                s = v * P[i, c]
                root = sqrt(s)
                for q in range(parts):
                    a = T[i, q, c] - mean[q]
                    Z[held, q] = root * a
                    H[q, parts + c] += s * a
                held += 1
                H[parts + c, parts + c] += s
                if 4 * some < classes:  # of many classes most have no say
                    for m in range(j, some):
                        H[parts + c, parts + likely[m]] -= s * P[i, likely[m]]
                else:
                    for k in range(c, classes):
                        H[parts + c, parts + k] -= s * P[i, k]
            gradient[parts + own[i]] -= v
    return value, held
