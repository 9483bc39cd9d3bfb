"""Tables with m pseudo rows of the column's own distribution in each group: log tables, and rows left out of them.

`mass` is [slot, group]: the slots of a column stand one after another from starts[column], first the missing one.
"""

import cython
from cython.cimports.libc.math import log

Number = cython.fused_type(cython.double, cython.longlong)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_up(
    mass: cython.const[Number][:, ::1],
    first: cython.Py_ssize_t,
    levels: cython.Py_ssize_t,
    totals: cython.double[::1],
) -> cython.void:
    """The weight of each group that shows a level, and behind them that of all groups."""
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    groups: cython.Py_ssize_t = mass.shape[1]
    for g in range(groups + 1):
        totals[g] = 0.0
    for i in range(levels):
        for g in range(groups):
            totals[g] += mass[first + i, g]
    for g in range(groups):
        totals[groups] += totals[g]


def tables(
    mass: cython.const[Number][:, ::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    m: cython.double,
    totals: cython.double[::1],
    out: cython.double[:, ::1],
) -> None:
    """log P(level | group) of every column, one line more than it has slots; missing and unseen have the factor 1.

    `totals` is scratch: [group and all].
    """
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    first: cython.Py_ssize_t
    levels: cython.Py_ssize_t
    groups: cython.Py_ssize_t = mass.shape[1]
    p: cython.double
    with cython.nogil:
        for j in range(starts.shape[0] - 1):
            first = starts[j] + 1
            levels = starts[j + 1] - first
            add_up(mass, first, levels, totals)
            for g in range(groups):
                out[first + j - 1, g] = out[first + j + levels, g] = 0.0
            for i in range(levels):
                p = 1.0
                for g in range(groups):
                    p += mass[first + i, g]
                p = p / (totals[groups] + levels)
                for g in range(groups):
                    out[first + j + i, g] = log((mass[first + i, g] + m * p) / (totals[g] + m))


def left_out(
    mass: cython.const[Number][:, ::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    where: cython.const[cython.Py_ssize_t][::1],
    x: cython.const[cython.Py_ssize_t][:, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    m: cython.double,
    totals: cython.double[::1],
    out: cython.double[:, :, ::1],
) -> None:
    """[row, column, group]: log P(x | group) of the columns `where`, with the row out of its cell, group and column.

    Of a value that is missing or unseen it is 0. `totals` is scratch: [group and all].
    """
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    first: cython.Py_ssize_t
    levels: cython.Py_ssize_t
    groups: cython.Py_ssize_t = mass.shape[1]
    p: cython.double
    v: cython.double
    with cython.nogil:
        for k in range(where.shape[0]):
            j = where[k]
            first = starts[j] + 1
            levels = starts[j + 1] - first
            add_up(mass, first, levels, totals)
            for r in range(x.shape[0]):
                i = x[r, k] - 1
                if i < 0 or i >= levels:
                    for g in range(groups):
                        out[r, k, g] = 0.0
                    continue
                p = 0.0
                for g in range(groups):
                    p += mass[first + i, g]
                p = (max(p - weight[r], 0.0) + 1.0) / (max(totals[groups] - weight[r], 0.0) + levels)
                for g in range(groups):
                    v = weight[r] if g == own[r] else 0.0
                    out[r, k, g] = log((max(mass[first + i, g] - v, 0.0) + m * p) / (max(totals[g] - v, 0.0) + m))
