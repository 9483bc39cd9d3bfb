"""A small matrix product, C[r, j] = sum over k of A[r, k] B[k, j]: what most of a large clique's time goes to."""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def contract(
    t: cython.double[::1],
    a: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    c: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    inner: cython.Py_ssize_t,
    columns: cython.Py_ssize_t,
) -> cython.void:
    """All three lie in t: A from a on, with steps from row to row and within one; B and C one row after another.

    Four rows of B at a time, so that C is read and written a quarter as often; where A is zero they are left out.
    """
    r: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    w: cython.double
    x: cython.double
    y: cython.double
    z: cython.double
    for r in range(rows):
        for j in range(c, c + columns):
            t[j] = 0.0
        p = a + r * row
        q = b
        k = 0
        while k + 4 <= inner:
            w = t[p]
            x = t[p + step]
            y = t[p + 2 * step]
            z = t[p + 3 * step]
            if w != 0.0 or x != 0.0 or y != 0.0 or z != 0.0:
                for j in range(columns):
                    t[c + j] += (w * t[q + j] + x * t[q + columns + j]) + (
                        y * t[q + 2 * columns + j] + z * t[q + 3 * columns + j]
                    )
            p += 4 * step
            q += 4 * columns
            k += 4
        while k < inner:
            w = t[p]
            if w != 0.0:
                for j in range(columns):
                    t[c + j] += w * t[q + j]
            p += step
            q += columns
            k += 1
        c += columns
