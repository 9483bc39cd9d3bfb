"""Log scores of rows against every class, added to out[row, class]; the class axis is innermost so it vectorises."""

import cython
from cython.cimports.libc.math import exp, log

Code = cython.fused_type(cython.uchar, cython.ushort, cython.int, cython.longlong)
Number = cython.fused_type(cython.double, cython.float)


def lookup(
    codes: cython.const[Code][:, ::1],
    shift: cython.int,
    slots: cython.const[cython.Py_ssize_t][::1],
    rows: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.double[:, ::1],
) -> None:
    """out[i, k] += table[rows[j] + slot, 1 + k] for every column j; a code off its axis reads the slot behind it."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    at: cython.Py_ssize_t
    m: cython.Py_ssize_t = codes.shape[1]
    classes: cython.Py_ssize_t = out.shape[1]
    with cython.nogil:
        for i in range(begin, end):
            for j in range(m):
                c = cython.cast(cython.Py_ssize_t, codes[i, j]) + shift
                if c < 0 or c > slots[j]:
                    c = slots[j]
                at = rows[j] + c
                for k in range(classes):
                    out[i, k] += table[at, 1 + k]


def gaussian(
    x: cython.const[Number][:, ::1],
    mean: cython.const[cython.double][:, ::1],
    precision: cython.const[cython.double][:, ::1],
    constant: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    scratch: cython.double[:, ::1],
    out: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    """out[i, k] += sum_j constant[j, g] - precision[j, g] (x[i, j] - mean[j, g])^2 with g = 1 + k; NaN says nothing.

    A row whose sum is not finite (a hole, an overflow) is done again column by column, each square within 1e290.
    `scratch` has two rows, one entry a class. Returns i * m + j of the first infinity met, or -1.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    m: cython.Py_ssize_t = x.shape[1]
    classes: cython.Py_ssize_t = out.shape[1]
    bad: cython.Py_ssize_t = -1
    v: cython.double
    d: cython.double
    with cython.nogil:
        for k in range(classes):
            scratch[1, k] = 0.0
        for j in range(m):
            for k in range(classes):
                scratch[1, k] += constant[j, 1 + k]
        for i in range(begin, end):
            if m == 1:  # a column by itself: no sums over columns to keep
                v = x[i, 0]
                if v - v == 0.0 and v < 1e140 and v > -1e140:
                    for k in range(classes):
                        d = v - mean[0, 1 + k]
                        d = precision[0, 1 + k] * d * d
                        out[i, k] += constant[0, 1 + k] - (1e290 if not d < 1e290 else -1e290 if d < -1e290 else d)
                    continue
                if v != v:
                    continue
            for k in range(classes):
                scratch[0, k] = 0.0
            for j in range(m):
                v = x[i, j]
                for k in range(classes):
                    d = v - mean[j, 1 + k]
                    scratch[0, k] += precision[j, 1 + k] * d * d
            v = 0.0
            for k in range(classes):
                v += scratch[0, k] * 0.0
            if v == 0.0:
                for k in range(classes):
                    out[i, k] += scratch[1, k] - scratch[0, k]
                continue
            for j in range(m):
                v = x[i, j]
                if v != v:
                    continue
                if v - v != 0.0:
                    bad = i * m + j
                    break
                for k in range(classes):
                    d = v - mean[j, 1 + k]
                    d = precision[j, 1 + k] * d * d
                    if not d < 1e290:
                        d = 1e290
                    elif d < -1e290:  # under a negative exponent
                        d = -1e290
                    out[i, k] += constant[j, 1 + k] - d
            if bad >= 0:
                break
    return bad


def normalise(begin: cython.Py_ssize_t, end: cython.Py_ssize_t, logs: cython.bint, out: cython.double[:, ::1]) -> None:
    """Log joints to log posteriors (`logs`) or to posteriors, in place, each row by its own largest entry."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    classes: cython.Py_ssize_t = out.shape[1]
    top: cython.double
    z: cython.double
    with cython.nogil:
        for i in range(begin, end):
            top = out[i, 0]
            for k in range(1, classes):
                if out[i, k] > top:
                    top = out[i, k]
            z = 0.0
            if logs:
                for k in range(classes):
                    z += exp(out[i, k] - top)
                z = log(z)
                for k in range(classes):  # in this order: near a large joint, top + z would lose z
                    out[i, k] = (out[i, k] - top) - z
            else:
                for k in range(classes):
                    out[i, k] = exp(out[i, k] - top)
                    z += out[i, k]
                z = 1.0 / z
                for k in range(classes):
                    out[i, k] *= z
