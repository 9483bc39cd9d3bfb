"""Counting the cells of one table over several columns and the class: a step a row.

Codes stand column by column, codes[column, row]; 0 is missing. A cell's place is sum_k stride_k code_k + class.
"""

import cython


def counts(
    codes: cython.const[cython.int][:, ::1],
    columns: cython.const[cython.Py_ssize_t][::1],
    strides: cython.const[cython.Py_ssize_t][::1],
    group: cython.const[cython.int][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    cells: cython.longlong[::1],
) -> None:
    """cells[sum_k strides[k] codes[columns[k], i] + group[i]] += 1."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    m: cython.Py_ssize_t = columns.shape[0]
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    with cython.nogil:
        if m == 2:
            a = columns[0]
            b = columns[1]
            for i in range(begin, end):
                cells[strides[0] * codes[a, i] + strides[1] * codes[b, i] + group[i]] += 1
        else:
            for i in range(begin, end):
                at = group[i]
                for k in range(m):
                    at += strides[k] * codes[columns[k], i]
                cells[at] += 1


def weights(
    codes: cython.const[cython.int][:, ::1],
    columns: cython.const[cython.Py_ssize_t][::1],
    strides: cython.const[cython.Py_ssize_t][::1],
    group: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    sums: cython.double[::1],
) -> None:
    """As `counts`, adding the rows' weights."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    with cython.nogil:
        for i in range(begin, end):
            at = group[i]
            for k in range(columns.shape[0]):
                at += strides[k] * codes[columns[k], i]
            sums[at] += weight[i]
