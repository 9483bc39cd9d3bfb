"""Mutual information of many tables, straight from a tally's flat array."""

import cython
from cython.cimports.libc.math import log

Number = cython.fused_type(cython.double, cython.longlong)


def given_class(
    source: cython.const[Number][::1],
    tables: cython.const[cython.Py_ssize_t][:, ::1],
    width: cython.Py_ssize_t,
    margin: cython.double[::1],
    out: cython.double[::1],
) -> None:
    """out[t] = I(X; Y | C) in nats, of the table [x, y, class] of tables[t] = (where it begins, slots of x and of y).

    Slot 0 of each axis, a missing value, is left out. `margin` is scratch for the slots of y.
    """
    t: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    c: cython.Py_ssize_t
    n: cython.double
    row: cython.double
    total: cython.double
    whole: cython.double
    sum: cython.double
    own: cython.double
    with cython.nogil:
        for t in range(tables.shape[0]):
            sum = whole = 0.0
            for c in range(1, width):
                for y in range(1, tables[t, 2]):
                    margin[y] = 0.0
                total = own = 0.0
                for x in range(1, tables[t, 1]):
                    row = 0.0
                    for y in range(1, tables[t, 2]):
                        n = source[tables[t, 0] + (x * tables[t, 2] + y) * width + c]
                        if n > 0.0:
                            row += n
                            margin[y] += n
                            own += n * log(n)
                    if row > 0.0:
                        own -= row * log(row)
                        total += row
                if total > 0.0:
                    own += total * log(total)
                    for y in range(1, tables[t, 2]):
                        if margin[y] > 0.0:
                            own -= margin[y] * log(margin[y])
                    sum += max(own, 0.0)
                    whole += total
            out[t] = sum / whole if whole > 0.0 else 0.0
