"""Sums of a block of count columns in each group of rows, and the block's products with weights."""

import cython
from cython.cimports.bayesfold.kernels.runs import fetch_row

Number = cython.fused_type(
    cython.double, cython.float, cython.longlong, cython.int, cython.short, cython.uchar, cython.uint
)
Index = cython.fused_type(cython.int, cython.longlong)

AHEAD = cython.declare(cython.Py_ssize_t, 8)  # entries by which weights are asked for before they are needed, ...
LARGE = cython.declare(cython.Py_ssize_t, 1 << 17)  # ... if there are so many that the cache may not hold them


def dense(
    x: cython.const[Number][:, ::1],
    group: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    total: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    """total[g, j] += w x[i, j]; returns i * m + j of the first entry that is negative or not finite, or -1."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    m: cython.Py_ssize_t = x.shape[1]
    weighted: cython.bint = weight.shape[0] > 0
    negative: cython.bint = False
    bad: cython.Py_ssize_t = -1
    v: cython.double
    w: cython.double = 1.0
    endless: cython.double = 0.0
    with cython.nogil:
        for i in range(begin, end):
            g = group[i]
            if weighted:
                w = weight[i]
            for j in range(m):
                v = x[i, j]
                negative |= v < 0.0
                total[g, j] += w * v
        for g in range(total.shape[0]):
            for j in range(m):
                endless += total[g, j] - total[g, j]  # what is not finite leaves no finite sum
        if negative or endless != 0.0:
            for i in range(begin, end):
                for j in range(m):
                    v = x[i, j]
                    if bad < 0 and (not (v >= 0.0) or v - v != 0.0):
                        bad = i * m + j
                if bad >= 0:
                    break
    return bad


def sparse(
    starts: cython.const[cython.longlong][::1],
    columns: cython.const[Index][::1],
    x: cython.const[Number][::1],
    group: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    total: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    """As `dense`, for the rows of a CSR matrix."""
    i: cython.Py_ssize_t
    e: cython.Py_ssize_t
    g: cython.Py_ssize_t
    m: cython.Py_ssize_t = total.shape[1]
    weighted: cython.bint = weight.shape[0] > 0
    v: cython.double
    w: cython.double = 1.0
    bad: cython.Py_ssize_t = -1
    with cython.nogil:
        for i in range(begin, end):
            g = group[i]
            if weighted:
                w = weight[i]
            for e in range(starts[i], starts[i + 1]):
                v = x[e]
                if not (v >= 0.0) or v - v != 0.0:
                    bad = i * m + columns[e]
                    break
                total[g, columns[e]] += w * v
            if bad >= 0:
                break
    return bad


def terms(
    starts: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    x: cython.const[Number][::1],
    group: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    order: cython.const[cython.Py_ssize_t][::1],
    total: cython.double[:, ::1],
) -> None:
    """total[g, 2 j] += w x and total[g, 2 j + 1] += w, for the entries of a CSR matrix, its rows in some order."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    g: cython.Py_ssize_t
    j: cython.Py_ssize_t
    weighted: cython.bint = weight.shape[0] > 0
    w: cython.double = 1.0
    with cython.nogil:
        for k in range(order.shape[0]):
            i = order[k]
            g = group[i]
            if weighted:
                w = weight[i]
            for e in range(starts[i], starts[i + 1]):
                j = 2 * columns[e]
                total[g, j] += w * x[e]
                total[g, j + 1] += w


def product(
    starts: cython.const[cython.longlong][::1],
    columns: cython.const[Index][::1],
    x: cython.const[Number][::1],
    weights: cython.const[cython.double][:, ::1],
    power: cython.double,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.double[:, ::1],
) -> None:
    """out[i] += power * (row i of a CSR matrix) @ weights."""
    i: cython.Py_ssize_t
    e: cython.Py_ssize_t
    k: cython.Py_ssize_t
    j: cython.Py_ssize_t
    classes: cython.Py_ssize_t = weights.shape[1]
    last: cython.Py_ssize_t = starts[end] - AHEAD if weights.shape[0] * classes > LARGE else starts[begin]
    v: cython.double
    first: cython.double
    second: cython.double
    if classes == 2:  # sums that stay in registers do not wait for memory
        with cython.nogil:
            for i in range(begin, end):
                first = out[i, 0]
                second = out[i, 1]
                for e in range(starts[i], starts[i + 1]):
                    if e < last:
                        fetch_row(weights, columns[e + AHEAD])
                    v = power * x[e]
                    j = columns[e]
                    first += v * weights[j, 0]
                    second += v * weights[j, 1]
                out[i, 0] = first
                out[i, 1] = second
        return
    with cython.nogil:
        for i in range(begin, end):
            for e in range(starts[i], starts[i + 1]):
                if e < last:
                    fetch_row(weights, columns[e + AHEAD])
                v = power * x[e]
                j = columns[e]
                for k in range(classes):
                    out[i, k] += v * weights[j, k]
