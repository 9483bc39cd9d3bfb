"""The cells of tables with several parents, and of the coarser ones that they sum to (record.pxd: a node's record)."""

import cython
from cython.cimports.bayesfold.kernels.scoring.record import CELLS, HEAD, PARENT, PARENTS, SLOTS, SOURCE, STEP

Number = cython.fused_type(cython.double, cython.longlong)


def gather(
    source: cython.const[Number][::1],
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    width: cython.Py_ssize_t,
    cells: cython.double[::1],
    totals: cython.double[::1],
) -> None:
    """Every node's cells and totals at every level, from the tally's flat array; cells and totals are zeros before."""
    node: cython.Py_ssize_t
    r: cython.Py_ssize_t
    q: cython.Py_ssize_t
    k: cython.Py_ssize_t
    u: cython.Py_ssize_t
    v: cython.Py_ssize_t
    x: cython.Py_ssize_t
    c: cython.Py_ssize_t
    m: cython.Py_ssize_t
    slots: cython.Py_ssize_t
    many: cython.Py_ssize_t
    start: cython.Py_ssize_t
    to: cython.Py_ssize_t
    under: cython.Py_ssize_t
    n: cython.double
    with cython.nogil:
        for node in range(begins.shape[0]):
            r = begins[node]
            m = program[r + PARENTS]
            slots = program[r + SLOTS]
            many = 1
            for k in range(m):
                many = many * program[r + HEAD + PARENT * k + 1]
            for u in range(many):
                start = program[r + SOURCE]
                v = u
                for k in range(m - 1, -1, -1):
                    q = r + HEAD + PARENT * k
                    start += (v % program[q + 1]) * program[q + 2]
                    v = v // program[q + 1]
                v = u
                for k in range(m, -1, -1):  # the levels with k parents, from the one with all to the one with none
                    to = program[r + CELLS + 2] if k == 0 else program[r + HEAD + PARENT * (k - 1) + 3]
                    under = program[r + CELLS + 3] if k == 0 else program[r + HEAD + PARENT * (k - 1) + 4]
                    to += v * slots * width
                    under += v * width
                    for x in range(slots):
                        for c in range(width):
                            n = source[start + x * program[r + STEP] + c]
                            cells[to + x * width + c] += n
                            if x > 0:
                                totals[under + c] += n
                    if k > 0:
                        v = v // program[r + HEAD + PARENT * (k - 1) + 1]
            for x in range(slots):
                n = 0.0
                for c in range(width):
                    n += cells[program[r + CELLS + 2] + x * width + c]
                cells[program[r + CELLS] + x] = n
                if x > 0:
                    totals[program[r + CELLS + 1]] += n


def inverses(
    program: cython.const[cython.Py_ssize_t][::1],
    begins: cython.const[cython.Py_ssize_t][::1],
    width: cython.Py_ssize_t,
    totals: cython.const[cython.double][::1],
    smoothing: cython.const[cython.double][:, ::1],
    out: cython.double[::1],
) -> None:
    """One over what every total is with its pseudo rows, 0 where that is nothing: a division less for each cell."""
    node: cython.Py_ssize_t
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    u: cython.Py_ssize_t
    under: cython.Py_ssize_t
    many: cython.Py_ssize_t
    m: cython.double
    n: cython.double
    with cython.nogil:
        for node in range(begins.shape[0]):
            r = begins[node]
            many = width
            for k in range(program[r + PARENTS] + 1):
                under = program[r + CELLS + 3] if k == 0 else program[r + HEAD + PARENT * (k - 1) + 4]
                m = smoothing[node, 1] if k == 0 else smoothing[node, 2]
                if smoothing[node, 1] < 0.0:
                    m = smoothing[node, 0] * (program[r + SLOTS] - 1)
                for u in range(many):
                    n = totals[under + u] if totals[under + u] > 1e-9 else 0.0
                    out[under + u] = 1.0 / (n + m) if n + m > 0.0 else 0.0
                if k < program[r + PARENTS]:
                    many = many * program[r + HEAD + PARENT * k + 1]
