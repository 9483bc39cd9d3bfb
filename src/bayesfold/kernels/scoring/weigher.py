"""The log-loss of weighed parts with its gradient and Hessian, row by row; and each row left out of the weights."""

import cython
from cython.cimports.libc.math import exp, fabs, log, sqrt

NOTHING = cython.declare(cython.double, 1e-7)  # a class less likely than this does not bend the loss


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

    P[i] are the rows' posteriors; the gradient and, of the lower half of H, what has to do with b are added to. Z'Z is
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
            if classes == 2 and some == 2:  # both deviations from the mean are shares of one difference
                s = v * P[i, 0] * P[i, 1]
                root = sqrt(s)
                for q in range(parts):
                    a = T[i, q, 0] - T[i, q, 1]
                    Z[held, q] = root * a
                    H[parts, q] += s * a
                    H[parts + 1, q] -= s * a
                held += 1
                H[parts, parts] += s
                H[parts + 1, parts] -= s
                H[parts + 1, parts + 1] += s
                some = 0
            for j in range(some):
                c = likely[j]
                s = v * P[i, c]
                root = sqrt(s)
                for q in range(parts):
                    a = T[i, q, c] - mean[q]
                    Z[held, q] = root * a
                    H[parts + c, q] += s * a
                held += 1
                H[parts + c, parts + c] += s
                if 4 * some < classes:  # of many classes most have no say
                    for m in range(j + 1):
                        H[parts + c, parts + likely[m]] -= s * P[i, likely[m]]
                else:
                    for k in range(c + 1):
                        H[parts + c, parts + k] -= s * P[i, k]
            gradient[parts + own[i]] -= v
    return value, held


def step(
    H: cython.const[cython.double][:, ::1],
    gradient: cython.const[cython.double][::1],
    on: cython.const[cython.Py_ssize_t][::1],
    L: cython.double[:, ::1],
    out: cython.double[::1],
) -> bool:
    """out[on] = H[on, on]^-1 gradient[on], by Cholesky's factor; False where H is not positive definite.

    Of H the lower half is read. `L` is scratch, of which the first rows and columns are used.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t = on.shape[0]
    a: cython.double
    definite: cython.bint = True
    with cython.nogil:
        for i in range(n):
            for j in range(i + 1):
                a = H[on[i], on[j]]
                for k in range(j):
                    a -= L[i, k] * L[j, k]
                if i > j:
                    L[i, j] = a / L[j, j]
                elif a > 0.0:
                    L[i, i] = sqrt(a)
                else:
                    definite = False
            if not definite:
                break
            a = gradient[on[i]]
            for k in range(i):
                a -= L[i, k] * out[on[k]]
            out[on[i]] = a / L[i, i]
        if definite:
            for i in range(n - 1, -1, -1):
                a = out[on[i]]
                for k in range(i + 1, n):
                    a -= L[k, i] * out[on[k]]
                out[on[i]] = a / L[i, i]
    return definite


def leave_out(
    T: cython.const[cython.double][:, :, ::1],
    M: cython.const[cython.double][:, :, ::1],
    rest: cython.const[cython.double][:, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    gone: cython.const[cython.double][::1],
    P: cython.const[cython.double][:, ::1],
    scratch: cython.double[:, :, ::1],
    logits: cython.double[:, ::1],
) -> None:
    """Add to each row's logits what they move by when `gone` of the row is taken out of the weights.

    T is [row, class, part], M = T H^-1 [row, class, part and class], `rest` the last classes x classes of H^-1. With
    S = gone J' H^-1 J, J being the row's parts and the identity, A = diag(p) - p p' and g = p - e_own, they move by
    S (I - A S)^-1 g. `scratch` is [2, class, class + 1].
    """
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    d: cython.Py_ssize_t
    k: cython.Py_ssize_t
    pivot: cython.Py_ssize_t
    q: cython.Py_ssize_t
    parts: cython.Py_ssize_t = T.shape[2]
    classes: cython.Py_ssize_t = T.shape[1]
    a: cython.double
    S: cython.double[:, ::1] = scratch[0]
    E: cython.double[:, ::1] = scratch[1]  # I - A S, and g behind it
    with cython.nogil:
        for i in range(T.shape[0]):
            for c in range(classes):
                for d in range(classes):
                    a = M[i, c, parts + d] + M[i, d, parts + c] + rest[c, d]
                    for q in range(parts):
                        a += M[i, c, q] * T[i, d, q]
                    S[c, d] = gone[i] * a
            for d in range(classes):
                a = 0.0
                for k in range(classes):
                    a += P[i, k] * S[k, d]
                for c in range(classes):
                    E[c, d] = (1.0 + 1e-9 if c == d else 0.0) - P[i, c] * (S[c, d] - a)
            for c in range(classes):
                E[c, classes] = P[i, c] - (1.0 if c == own[i] else 0.0)
            for k in range(classes):  # Gauss's elimination, by the largest of each column
                pivot = k
                for c in range(k + 1, classes):
                    if fabs(E[c, k]) > fabs(E[pivot, k]):
                        pivot = c
                if pivot != k:
                    for d in range(k, classes + 1):
                        a = E[k, d]
                        E[k, d] = E[pivot, d]
                        E[pivot, d] = a
                for c in range(k + 1, classes):
                    a = E[c, k] / E[k, k]
                    if a != 0.0:
                        for d in range(k + 1, classes + 1):
                            E[c, d] -= a * E[k, d]
            for k in range(classes - 1, -1, -1):
                a = E[k, classes]
                for d in range(k + 1, classes):
                    a -= E[k, d] * E[d, classes]
                E[k, classes] = a / E[k, k]
            for c in range(classes):
                a = 0.0
                for d in range(classes):
                    a += S[c, d] * E[d, classes]
                logits[i, c] += a
