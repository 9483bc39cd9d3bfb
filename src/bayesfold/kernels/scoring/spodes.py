"""The mean of networks with one super-parent each: sums of products, with exact powers of 2 taken out of them."""

import cython
from cython.cimports.bayesfold.kernels.scoring.record import ROW, SLOTS

HALF = cython.declare(cython.double, 2.0**-512)
AGAIN = cython.declare(cython.double, 2.0**512)


def average(
    codes: cython.const[cython.int][:, ::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    roots: cython.const[cython.Py_ssize_t][::1],
    firsts: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.double][::1],
    voice: cython.const[cython.double][::1],
    width: cython.Py_ssize_t,
    often: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    places: cython.int[:, ::1],
    sums: cython.double[:, ::1],
    halvings: cython.int[:, ::1],
    whole: cython.double[::1],
) -> None:
    """The mean over super-parents i of prod_j table[i, x_i, j, x_j, class], for rows begin to end.

    sums[row, c] 2^(-512 halvings[row, c]) = sum_i voice[i, x_i] prod_j ..., whole[row] = sum_i voice[i, x_i], with rows
    from 0. Column j has the slots starts[j] to starts[j + 1], super-parent i (column roots[i]) those from firsts[i];
    `width` are the classes and what fills them up to an even number. A product is looked at every `often` factors:
    below 2^-512 it goes on from 2^512 times as much. `places` is scratch.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    row: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    base: cython.Py_ssize_t
    at: cython.Py_ssize_t
    d: cython.Py_ssize_t = codes.shape[0]
    size: cython.Py_ssize_t = starts[d] * width
    v: cython.double
    p0: cython.double
    p1: cython.double
    p2: cython.double
    p3: cython.double
    q0: cython.double
    q1: cython.double
    q2: cython.double
    q3: cython.double
    h0: cython.int
    h1: cython.int
    h2: cython.int
    h3: cython.int
    with cython.nogil:
        for row in range(end - begin):
            whole[row] = 0.0
            for c in range(width):
                sums[row, c] = 0.0
                halvings[row, c] = 0
        for j in range(d):
            for row in range(end - begin):
                places[row, j] = cython.cast(cython.int, (starts[j] + codes[j, begin + row]) * width)
        for i in range(roots.shape[0]):
            for row in range(end - begin):
                at = firsts[i] + codes[roots[i], begin + row]
                v = voice[at]
                if v == 0.0:
                    continue
                whole[row] += v
                base = at * size
                c = 0
                while c < width:
                    p0 = p1 = p2 = p3 = 1.0
                    h0 = h1 = h2 = h3 = 0
                    j = 0
                    if c + 2 == width:
                        while j < d:
                            stop = min(j + often, d)
                            q0 = q1 = 1.0
                            while j + 1 < stop:
                                at = base + places[row, j] + c
                                p0 = p0 * table[at]
                                p1 = p1 * table[at + 1]
                                at = base + places[row, j + 1] + c
                                q0 = q0 * table[at]
                                q1 = q1 * table[at + 1]
                                j += 2
                            if j < stop:
                                at = base + places[row, j] + c
                                q0 = q0 * table[at]
                                q1 = q1 * table[at + 1]
                                j += 1
                            p0 = p0 * q0
                            p1 = p1 * q1
                            if p0 < HALF:
                                p0 = p0 * AGAIN
                                h0 += 1
                            if p1 < HALF:
                                p1 = p1 * AGAIN
                                h1 += 1
                    else:
                        while j < d:
                            stop = min(j + often, d)
                            q0 = q1 = q2 = q3 = 1.0  # a second chain of products, which need not wait for the first
                            while j + 1 < stop:
                                at = base + places[row, j] + c
                                p0 = p0 * table[at]
                                p1 = p1 * table[at + 1]
                                p2 = p2 * table[at + 2]
                                p3 = p3 * table[at + 3]
                                at = base + places[row, j + 1] + c
                                q0 = q0 * table[at]
                                q1 = q1 * table[at + 1]
                                q2 = q2 * table[at + 2]
                                q3 = q3 * table[at + 3]
                                j += 2
                            if j < stop:
                                at = base + places[row, j] + c
                                q0 = q0 * table[at]
                                q1 = q1 * table[at + 1]
                                q2 = q2 * table[at + 2]
                                q3 = q3 * table[at + 3]
                                j += 1
                            p0 = p0 * q0
                            p1 = p1 * q1
                            p2 = p2 * q2
                            p3 = p3 * q3
                            if p0 < HALF:
                                p0 = p0 * AGAIN
                                h0 += 1
                            if p1 < HALF:
                                p1 = p1 * AGAIN
                                h1 += 1
                            if p2 < HALF:
                                p2 = p2 * AGAIN
                                h2 += 1
                            if p3 < HALF:
                                p3 = p3 * AGAIN
                                h3 += 1
                        join(sums, halvings, row, c + 2, v * p2, h2)
                        join(sums, halvings, row, c + 3, v * p3, h3)
                    join(sums, halvings, row, c, v * p0, h0)
                    join(sums, halvings, row, c + 1, v * p1, h1)
                    c += 2 if c + 2 == width else 4


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def join(
    sums: cython.double[:, ::1],
    halvings: cython.int[:, ::1],
    row: cython.Py_ssize_t,
    c: cython.Py_ssize_t,
    p: cython.double,
    h: cython.int,
) -> cython.void:
    """Add p 2^(-512 h) to a sum that is kept in its own such units; what is 2^-512 of the rest is still added."""
    if h == halvings[row, c]:
        sums[row, c] += p
    elif sums[row, c] == 0.0 or h < halvings[row, c] - 1:
        sums[row, c] = p
        halvings[row, c] = h
    elif h == halvings[row, c] - 1:
        sums[row, c] = sums[row, c] * HALF + p
        halvings[row, c] = h
    elif h == halvings[row, c] + 1:
        sums[row, c] += p * HALF


def merge(
    program: cython.const[cython.Py_ssize_t][::1],
    first: cython.const[cython.Py_ssize_t][::1],
    second: cython.const[cython.Py_ssize_t][::1],
    table: cython.double[:, ::1],
) -> None:
    """table[x given y] += table[y given x], for pairs of records of `program` (record.pxd), the first and second.

    The first's rows are [parent, child], the second's, whose child is the first's parent, the other way round.
    """
    k: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    c: cython.Py_ssize_t
    slots: cython.Py_ssize_t
    others: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    with cython.nogil:
        for k in range(first.shape[0]):
            slots = program[first[k] + SLOTS]
            others = program[second[k] + SLOTS]
            a = program[first[k] + ROW]
            b = program[second[k] + ROW]
            for y in range(others):
                for x in range(slots):
                    for c in range(table.shape[1]):
                        table[a + y * slots + x, c] += table[b + x * others + y, c]
