"""Log probabilities of rows, looked up in tables with several parents (record.pxd: a node's record)."""

import cython
from cython.cimports.bayesfold.kernels.scoring.record import CHILD, HEAD, PARENT, PARENTS, ROW, SLOTS


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add(
    table: cython.const[cython.double][:, ::1],
    row: cython.Py_ssize_t,
    out: cython.double[:, :, ::1],
    network: cython.Py_ssize_t,
    i: cython.Py_ssize_t,
) -> cython.void:
    """out[network, i] += table[row], four at a time."""
    c: cython.Py_ssize_t = 0
    classes: cython.Py_ssize_t = out.shape[2]
    x0: cython.double
    x1: cython.double
    x2: cython.double
    x3: cython.double
    while c + 4 <= classes:
        x0 = out[network, i, c] + table[row, c]
        x1 = out[network, i, c + 1] + table[row, c + 1]
        x2 = out[network, i, c + 2] + table[row, c + 2]
        x3 = out[network, i, c + 3] + table[row, c + 3]
        out[network, i, c] = x0
        out[network, i, c + 1] = x1
        out[network, i, c + 2] = x2
        out[network, i, c + 3] = x3
        c += 4
    while c < classes:
        out[network, i, c] += table[row, c]
        c += 1


def look_up(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    networks: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.double][:, ::1],
    codes: cython.const[cython.int][:, ::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.double[:, :, ::1],
) -> None:
    """out[network, i - begin] = sum over the network's nodes of the row of `table` that row i chooses."""
    network: cython.Py_ssize_t
    node: cython.Py_ssize_t
    r: cython.Py_ssize_t
    q: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    at: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    first: cython.Py_ssize_t
    slots: cython.Py_ssize_t
    m: cython.Py_ssize_t
    classes: cython.Py_ssize_t = out.shape[2]
    with cython.nogil:
        for network in range(out.shape[0]):
            for i in range(end - begin):
                for c in range(classes):
                    out[network, i, c] = 0.0
            for node in range(networks[network], networks[network + 1]):
                r = begins[node]
                m = program[r + PARENTS]
                first = program[r + ROW]
                slots = program[r + SLOTS]
                b = program[r + CHILD]
                if m == 1:
                    a = program[r + HEAD]
                    for i in range(begin, end):
                        add(table, first + codes[a, i] * slots + codes[b, i], out, network, i - begin)
                    continue
                for i in range(begin, end):
                    at = 0
                    for k in range(m):
                        q = r + HEAD + PARENT * k
                        at = at * program[q + 1] + codes[program[q], i]
                    add(table, first + at * slots + codes[b, i], out, network, i - begin)
