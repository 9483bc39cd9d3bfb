"""Whether two columns are independent given others: the G-test, summed over what the others show.

G = 2 sum O log (O / E) over the cells of each stratum, E what independence would expect there; a stratum has
(rows that occur - 1)(columns that occur - 1) degrees of freedom. With one degree, counts are moved half a row towards
what is expected (Yates), as scipy's `chi2_contingency` does.
"""

import cython
from cython.cimports.bayesfold.kernels.structure.families import Families
from cython.cimports.libc.math import fabs, log


def g_test(
    families: Families,
    x: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
    given: cython.const[cython.Py_ssize_t][::1],
    table: cython.double[::1],
    margins: cython.double[::1],
    out: cython.double[::1],
) -> None:
    """out = G and its degrees of freedom, for columns x and y given some others.

    table, margins: scratch, for the states of any two columns together, and one after the other.
    """
    t: cython.Py_ssize_t
    i: cython.Py_ssize_t
    g: cython.Py_ssize_t
    kinds: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t
    a: cython.Py_ssize_t = families.cards[x]
    b: cython.Py_ssize_t = families.cards[y]
    block: cython.Py_ssize_t = max(1, table.shape[0] // (a * b))
    with cython.nogil:
        out[0] = out[1] = 0.0
        for t in range(given.shape[0]):
            families.members[t] = given[t]
        kinds = families.tell_apart(given.shape[0])
        while first < kinds:  # as many strata as there is room for
            last = min(kinds, first + block)
            for i in range((last - first) * a * b):
                table[i] = 0.0
            for i in range(families.rows):
                g = families.label[i] - first
                if 0 <= g < last - first:
                    table[(g * a + families.codes[x, i]) * b + families.codes[y, i]] += (
                        families.weight[i] if families.weighted else 1.0
                    )
            for g in range(last - first):
                stratum(table, g * a * b, a, b, margins, out)
            first = last


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stratum(
    table: cython.double[::1],
    at: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    margins: cython.double[::1],
    out: cython.double[::1],
) -> cython.void:
    """Add what one table of a rows and b columns tells."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    rows: cython.Py_ssize_t = 0
    columns: cython.Py_ssize_t = 0
    n: cython.double = 0.0
    o: cython.double
    e: cython.double
    for i in range(a + b):
        margins[i] = 0.0
    for i in range(a):
        for k in range(b):
            margins[i] += table[at + i * b + k]
            margins[a + k] += table[at + i * b + k]
    for i in range(a):
        n += margins[i]
        rows += margins[i] > 0.0
    for k in range(b):
        columns += margins[a + k] > 0.0
    if rows < 2 or columns < 2:
        return
    out[1] += (rows - 1) * (columns - 1)
    for i in range(a):
        for k in range(b):
            e = margins[i] * margins[a + k] / n
            o = table[at + i * b + k]
            if rows == 2 and columns == 2 and e > 0.0:
                o = e if fabs(e - o) < 0.5 else o + 0.5 if o < e else o - 0.5
            if o > 0.0:
                out[0] += 2.0 * o * log(o / e)
