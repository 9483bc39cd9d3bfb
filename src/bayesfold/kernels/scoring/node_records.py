"""The records of nodes with parents (record.pxd says what is in one), one after another."""

import cython
from cython.cimports.bayesfold.kernels.scoring.record import (
    CELLS,
    CHILD,
    HEAD,
    PARENT,
    PARENTS,
    ROOT,
    ROW,
    SLOTS,
    SOURCE,
    STEP,
)


def fill(
    columns: cython.const[cython.Py_ssize_t][::1],
    ends: cython.const[cython.Py_ssize_t][::1],
    roots: cython.const[cython.uchar][::1],
    sources: cython.const[cython.Py_ssize_t][::1],
    slots: cython.const[cython.Py_ssize_t][::1],
    places: cython.const[cython.Py_ssize_t][::1],
    width: cython.Py_ssize_t,
    begins: cython.Py_ssize_t[::1],
    program: cython.Py_ssize_t[::1],
    sizes: cython.Py_ssize_t[::1],
) -> None:
    """Fill in every node's record, where it begins, and the numbers of rows, cells and totals of all.

    columns[ends[node]:ends[node + 1]] are a node's parents and itself, as columns of the grid; sources[node] is where
    its table begins in the tally. `slots` and `places` are by column: how many slots it has, and its place among the
    keys of a table, whose last is the class with `width` slots.
    """
    node: cython.Py_ssize_t
    r: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    m: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    at: cython.Py_ssize_t
    step: cython.Py_ssize_t
    own: cython.Py_ssize_t
    many: cython.Py_ssize_t
    row: cython.Py_ssize_t = 0
    cell: cython.Py_ssize_t = 0
    total: cython.Py_ssize_t = 0
    with cython.nogil:
        for node in range(begins.shape[0]):
            first = ends[node]
            m = ends[node + 1] - first - 1
            own = slots[columns[first + m]]
            begins[node] = r
            program[r + CHILD] = columns[first + m]
            program[r + SLOTS] = own
            program[r + PARENTS] = m
            program[r + ROOT] = roots[node]
            program[r + SOURCE] = sources[node]
            program[r + ROW] = row
            program[r + CELLS] = cell
            program[r + CELLS + 1] = total
            program[r + CELLS + 2] = cell + own
            program[r + CELLS + 3] = total + 1
            cell += own + own * width
            total += 1 + width
            many = 1
            for i in range(m + 1):
                step = width  # a key's step: the slots of all keys behind it
                for j in range(m + 1):
                    if places[columns[first + j]] > places[columns[first + i]]:
                        step = step * slots[columns[first + j]]
                if i == m:
                    program[r + STEP] = step
                    break
                at = r + HEAD + PARENT * i
                many = many * slots[columns[first + i]]
                program[at] = columns[first + i]
                program[at + 1] = slots[columns[first + i]]
                program[at + 2] = step
                program[at + 3] = cell
                program[at + 4] = total
                cell += many * own * width
                total += many * width
            row += many * own
            r += HEAD + PARENT * m
    sizes[0] = row
    sizes[1] = cell
    sizes[2] = total
