"""Queries row by row: each row's cells are its evidence, and rows with the same cells missing share a plan."""

import cython
from cython.cimports.bayesfold.kernels.bucket_tree import BucketTree
from cython.cimports.bayesfold.kernels.propagation import Propagation

DONE = cython.declare(cython.Py_ssize_t, 0)
IMPOSSIBLE = cython.declare(cython.Py_ssize_t, 1)
LARGER_PROGRAM = cython.declare(cython.Py_ssize_t, 2)
LARGER_BUFFERS = cython.declare(cython.Py_ssize_t, 3)
TOO_LARGE = cython.declare(cython.Py_ssize_t, 4)
NEVER = cython.declare(cython.double, float("-inf"))


def answer(
    tree: BucketTree,
    run: Propagation,
    codes: cython.const[cython.Py_ssize_t][:, ::1],
    rows: cython.const[cython.Py_ssize_t][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    target: cython.Py_ssize_t,
    likelihood: cython.const[cython.double][:, ::1],
    room: cython.const[cython.Py_ssize_t][::1],
    tile: cython.Py_ssize_t,
    out: cython.double[:, ::1],
    stop: cython.Py_ssize_t[::1],
) -> None:
    """Marginals of the target, or (target -1) of every variable, of rows[begin:end], until one of them needs more.

    room: entries of tables, messages, records, and of a plan altogether. stop: how many were done, why no more, and
    the length of the program (0: far too large). The caller has marked the target and what has a likelihood.
    """
    i: cython.Py_ssize_t
    v: cython.Py_ssize_t
    row: cython.Py_ssize_t
    state: cython.Py_ssize_t
    size: cython.Py_ssize_t
    why: cython.Py_ssize_t = DONE
    n: cython.Py_ssize_t = codes.shape[1]
    fresh: cython.bint = True
    z: cython.double
    with cython.nogil:
        i = begin
        while i < end:
            row = rows[i]
            for v in range(n):
                state = codes[row, v] if v != target else -1
                fresh |= (state < 0) != (run.code[v] < 0)
                run.code[v] = state
            if likelihood.shape[0] > 0:
                for v in range(likelihood.shape[1]):
                    run.likelihood[v] = likelihood[row, v]
            if fresh:
                size = tree.plan(target < 0, target >= 0, False, False, target < 0, tile)
                if size <= 0:
                    why = LARGER_PROGRAM if size < 0 else TOO_LARGE
                    stop[2] = -size
                    break
                if tree.program[2] > room[3]:
                    why = TOO_LARGE
                    stop[2] = size
                    break
                if (
                    tree.program[3] + tree.program[5] > room[0]
                    or tree.program[4] > room[1]
                    or tree.program[6] > room[2]
                ):
                    why = LARGER_BUFFERS
                    break
                fresh = False
            z = run.collect(tree.program)
            if z == NEVER:
                why = IMPOSSIBLE
                break
            if target < 0:
                run.distribute(tree.program, out[row])
            else:
                size = tree.program[4] - out.shape[1]
                for v in range(out.shape[1]):
                    out[row, v] = run.messages[size + v]
            i += 1
    stop[0] = i
    stop[1] = why
