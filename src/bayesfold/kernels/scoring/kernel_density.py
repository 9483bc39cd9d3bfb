"""Histograms with each cell's weight spread over its neighbours by a normal kernel."""

import cython
from cython.cimports.libc.math import ceil, exp


def spread(
    histogram: cython.const[cython.double][:, ::1],
    bandwidth: cython.const[cython.double][::1],
    farthest: cython.double,
    kernel: cython.double[::1],
    below: cython.double[::1],
    out: cython.double[:, ::1],
    peak: cython.double[:, ::1],
) -> None:
    """Each group's cells, [group, cell], spread by its bandwidth; `peak` is how much of a cell's weight stays in it.

    A kernel ends after `farthest` bandwidths; what would lie outside the grid goes to the cells inside. `out` is zero
    at first. `kernel` and `below` are scratch for one kernel and its sums: [cells], [2 cells].
    """
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    d: cython.Py_ssize_t
    reach: cython.Py_ssize_t
    cells: cython.Py_ssize_t = histogram.shape[1]
    share: cython.double
    with cython.nogil:
        for g in range(histogram.shape[0]):
            reach = cython.cast(cython.Py_ssize_t, min(ceil(farthest * bandwidth[g]), cells - 1.0))
            for d in range(reach + 1):
                share = d / bandwidth[g]
                kernel[d] = exp(-0.5 * share * share)
            below[0] = 0.0
            for d in range(2 * reach + 1):
                below[d + 1] = below[d] + kernel[d - reach if d > reach else reach - d]
            for i in range(cells):
                peak[g, i] = 1.0 / (below[min(reach + cells - i, 2 * reach + 1)] - below[max(reach - i, 0)])
            for i in range(cells):
                if histogram[g, i] == 0.0:
                    continue
                share = histogram[g, i] * peak[g, i]
                for d in range(max(i - reach, 0), min(i + reach + 1, cells)):
                    out[g, d] += share * kernel[d - i if d > i else i - d]
