"""One verb over a dense tile beside a factor that runs along it by strides of its own: the loops that all time goes to.

The last two axes are plain loops, chosen by how the factor steps along the last one; the others are counted in `index`.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.program import ADD, FROM, SET, TIMES


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk(
    verb: cython.Py_ssize_t,
    tile: cython.double[::1],
    p: cython.Py_ssize_t,
    away: cython.Py_ssize_t,
    program: cython.Py_ssize_t[::1],
    sizes: cython.Py_ssize_t,
    rank: cython.Py_ssize_t,
    factor: cython.double[::1],
    o: cython.Py_ssize_t,
    scale: cython.double,
    index: cython.Py_ssize_t[::1],
) -> cython.void:
    """One verb over the tile from p on, beside a factor from o on with the strides of its record."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    b: cython.Py_ssize_t
    _: cython.Py_ssize_t
    turns: cython.Py_ssize_t = 1
    x: cython.double
    y: cython.double
    steps: cython.Py_ssize_t = sizes + rank
    n: cython.Py_ssize_t = program[sizes + rank - 1]
    s: cython.Py_ssize_t = program[steps + rank - 1]
    m: cython.Py_ssize_t = 1
    d: cython.Py_ssize_t = 0
    if rank > 1:
        m = program[sizes + rank - 2]
        d = program[steps + rank - 2]
    for j in range(rank - 2):
        turns *= program[sizes + j]
        index[j] = 0
    while True:
        b = o
        if verb == SET:
            for _ in range(m):
                if s == 0:
                    x = factor[b] * scale
                    for i in range(p, p + n):
                        tile[i] = x
                elif s == 1:
                    for i in range(n):
                        tile[p + i] = factor[b + i] * scale
                else:
                    for i in range(n):
                        tile[p + i] = factor[b + i * s] * scale
                p += n
                b += d
        elif verb == TIMES:
            for _ in range(m):
                if s == 0:
                    x = factor[b]
                    for i in range(p, p + n):
                        tile[i] *= x
                elif s == 1:
                    for i in range(n):
                        tile[p + i] *= factor[b + i]
                else:
                    for i in range(n):
                        tile[p + i] *= factor[b + i * s]
                p += n
                b += d
        elif verb == ADD:
            for _ in range(m):
                if s == 0:
                    x = 0.0
                    y = 0.0
                    for i in range(p, p + n - 1, 2):  # two sums: additions do not wait for each other
                        x += tile[i]
                        y += tile[i + 1]
                    if n & 1:
                        x += tile[p + n - 1]
                    factor[b] += x + y
                elif s == 1:
                    for i in range(n):
                        factor[b + i] += tile[p + i]
                else:
                    for i in range(n):
                        factor[b + i * s] += tile[p + i]
                p += n
                b += d
        elif verb == FROM:
            for _ in range(m):
                if s == 0:
                    x = factor[b] * scale
                    for i in range(p, p + n):
                        tile[i] = tile[away + i] * x
                elif s == 1:
                    for i in range(n):
                        tile[p + i] = tile[away + p + i] * factor[b + i] * scale
                else:
                    for i in range(n):
                        tile[p + i] = tile[away + p + i] * factor[b + i * s] * scale
                p += n
                b += d
        else:
            for _ in range(m):
                for i in range(n):
                    if tile[p + i] > factor[b + i * s]:
                        factor[b + i * s] = tile[p + i]
                p += n
                b += d
        turns -= 1
        if turns == 0:
            break
        j = rank - 3
        while True:
            index[j] += 1
            o += program[steps + j]
            if index[j] < program[sizes + j]:
                break
            o -= program[steps + j] * program[sizes + j]
            index[j] = 0
            j -= 1
