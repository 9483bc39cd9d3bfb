"""Queries: one, or one for each row, whose cells are its evidence; rows with the same cells missing share a plan.

A plan is finished while it first runs: how many zeros a message has decides how the clique that takes it is walked.

A double ends at 1e-308, e^-708. What is smaller in a clique is less than e^-708 of what its message is divided by, and
these divisors multiply to P(evidence): so above e^-600 nothing is lost that an answer would show. Below it an answer is
given only if the processor noticed no loss (`losses`); otherwise it is NaN, and `unbounded` knows the answer.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.layout import Layout
from cython.cimports.bayesfold.kernels.inference.losses import forget, happened
from cython.cimports.bayesfold.kernels.inference.program import (
    ABOVE,
    CLIQUE,
    DONE,
    ENTRIES,
    HEADER,
    IMPOSSIBLE,
    LARGER_BUFFERS,
    LARGER_PROGRAM,
    LARGEST,
    LENGTH,
    MESSAGE_AT,
    MESSAGE_ENTRIES,
    MESSAGES,
    MOST,
    STORED,
    TILE,
    TILES,
    TOO_LARGE,
)
from cython.cimports.bayesfold.kernels.inference.propagation import Propagation
from cython.cimports.libc.math import log

NEVER = cython.declare(cython.double, float("-inf"))
NO_ROOM = cython.declare(cython.double, float("inf"))
UNSURE = cython.declare(cython.double, float("nan"))
SAFE = cython.declare(cython.double, -600.0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def trusted(z: cython.double) -> cython.double:
    """log P(evidence) as it was found, or NaN if numbers that matter may have become too small on the way."""
    return UNSURE if z < SAFE and happened() else z


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def first_run(tree: Layout, run: Propagation) -> cython.double:
    """Collect along a tree just prepared, laying out each clique as it is reached; log P(evidence), if it is sure."""
    c: cython.Py_ssize_t
    v: cython.Py_ssize_t
    at: cython.Py_ssize_t
    zeros: cython.Py_ssize_t
    z: cython.double
    total: cython.double
    if tree.program[LENGTH] != 0:  # it has run: laying it out twice would write past its end
        return again(tree, run) if tree.program[LENGTH] > 0 else NEVER
    tree.program[LENGTH] = -1
    forget()
    total = run.constants(tree.program)
    if total == NEVER:
        return total
    for c in range(tree.cliques):
        tree.inputs(c)
        z = run.gather(tree.program, c)
        if not z > 0.0:
            return trusted(NEVER)
        total += log(z)
        at = HEADER + c * CLIQUE
        v = tree.program[at + ABOVE]
        if tree.sparse and v >= 0 and tree.program[HEADER + v * CLIQUE + TILE] > tree.tile:  # it may skip zeros
            zeros = 0
            for v in range(
                tree.program[at + MESSAGE_AT], tree.program[at + MESSAGE_AT] + tree.program[at + MESSAGE_ENTRIES]
            ):
                zeros += run.messages[v] == 0.0
            tree.thin[c] = 1.0 - zeros / cython.cast(cython.double, tree.program[at + MESSAGE_ENTRIES])
    tree.finish()
    return trusted(total)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def again(tree: Layout, run: Propagation) -> cython.double:
    """Collect along a tree that was laid out before; log P(evidence), if it is sure."""
    forget()
    return trusted(run.collect(tree.program))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def fits(tree: Layout, run: Propagation, most: cython.double) -> cython.bint:
    """Whether the buffers hold what a plan needs, and it has no more entries than it may."""
    return (
        tree.program[ENTRIES] <= most
        and tree.program[STORED] + TILES * tree.program[LARGEST] <= run.tables.shape[0]
        and tree.program[MESSAGES] <= run.messages.shape[0]
        and tree.program[MOST] <= run.at.shape[0]
    )


def one(
    tree: Layout,
    run: Propagation,
    target: cython.Py_ssize_t,
    most: cython.double,
    tile: cython.Py_ssize_t,
    out: cython.double[::1],
) -> float:
    """Plan and collect for one target, whose marginal goes to `out`. Returns log P(the evidence that matters to it).

    Infinity says that there is no room for the plan, or that it has more than `most` entries; NaN, that numbers became
    too small.
    """
    v: cython.Py_ssize_t
    z: cython.double = NO_ROOM
    with cython.nogil:
        tree.graph.asked[target] = 1
        v = tree.prepare(False, 1, False, False, False, tile)
        tree.graph.asked[target] = 0
        if v > 0 and fits(tree, run, most):
            z = first_run(tree, run)
            for v in range(out.shape[0]):
                out[v] = run.messages[tree.program[MESSAGES] - out.shape[0] + v]
    return z


def every(
    tree: Layout,
    run: Propagation,
    most: cython.double,
    tile: cython.Py_ssize_t,
    out: cython.double[::1],
) -> float:
    """Plan, collect and distribute: every marginal into `out`. Returns log P(evidence), infinity or NaN as above."""
    z: cython.double = NO_ROOM
    with cython.nogil:
        if tree.prepare(True, 0, False, False, True, tile) > 0 and fits(tree, run, most):
            z = first_run(tree, run)
            if z > NEVER:
                run.distribute(tree.program, out)
                z = trusted(z)
    return z


def up(tree: Layout, run: Propagation) -> float:
    """Collect; the root's message is left as the last of the messages. Returns log P(evidence)."""
    z: cython.double
    with cython.nogil:
        z = first_run(tree, run)
    return z


def most(tree: Layout, run: Propagation, states: cython.Py_ssize_t[::1]) -> float:
    """Collect by maximum and write the states that reach it. Returns the log of the maximum."""
    z: cython.double
    with cython.nogil:
        z = first_run(tree, run)
        if z > NEVER:
            run.trace(tree.program, states)
    return z


def answer(
    tree: Layout,
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
                size = tree.prepare(target < 0, target >= 0, False, False, target < 0, tile)
                if size <= 0:
                    why = LARGER_PROGRAM if size < 0 else TOO_LARGE
                    stop[2] = -size
                    break
                if tree.program[ENTRIES] > room[3]:
                    why = TOO_LARGE
                    stop[2] = size
                    break
                if (
                    tree.program[STORED] + TILES * tree.program[LARGEST] > room[0]
                    or tree.program[MESSAGES] > room[1]
                    or tree.program[MOST] > room[2]
                ):
                    why = LARGER_BUFFERS
                    break
                z = first_run(tree, run)
            else:
                z = again(tree, run)
            fresh = False
            if z > NEVER and target < 0:
                run.distribute(tree.program, out[row])
                z = trusted(z)
            if not z > NEVER:
                why = IMPOSSIBLE
                break
            if target >= 0:
                size = tree.program[MESSAGES] - out.shape[1]
                for v in range(out.shape[1]):
                    out[row, v] = run.messages[size + v]
            i += 1
    stop[0] = i
    stop[1] = why
