"""Densities by normal kernels on a grid: Silverman's bandwidths, log tables, and rows left out of them.

`mass` is [slot, group]: the slots of a column stand one after another from starts[column], first the one of missing
values and then the cells of its grid.
"""

import cython
from cython.cimports.libc.math import ceil, exp, log, pow, sqrt

Number = cython.fused_type(cython.double, cython.longlong)


def silverman(
    mass: cython.const[Number][:, ::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    factor: cython.double,
    out: cython.double[:, ::1],
) -> None:
    """[column, group]: Silverman's bandwidth, times a factor, in cells.

    It is 0.9 min(s, IQR / 1.34) n^-1/5, of a group with one row at most of the column's deviation, and at least a
    twentieth of that and 0.3 cells.
    """
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    first: cython.Py_ssize_t
    cells: cython.Py_ssize_t
    lower: cython.Py_ssize_t
    upper: cython.Py_ssize_t
    n: cython.double
    total: cython.double
    mean: cython.double
    squares: cython.double
    scale: cython.double
    floor: cython.double
    with cython.nogil:
        for j in range(out.shape[0]):
            first = starts[j] + 1
            cells = starts[j + 1] - first
            total = mean = squares = 0.0
            for i in range(cells):
                n = 0.0
                for g in range(out.shape[1]):
                    n += mass[first + i, g]
                total += n
                mean += i * n
                squares += cython.cast(cython.double, i) * i * n
            total = max(total, 1e-300)
            floor = sqrt(max(squares / total - (mean / total) * (mean / total), 0.0))
            for g in range(out.shape[1]):
                total = mean = squares = n = 0.0
                lower = upper = 0
                for i in range(cells):
                    total += mass[first + i, g]
                    mean += i * cython.cast(cython.double, mass[first + i, g])
                mean = mean / max(total, 1e-300)
                for i in range(cells):
                    squares += (i - mean) * (i - mean) * mass[first + i, g]
                    n += mass[first + i, g]
                    if n < 0.25 * total * (1 - 1e-12):
                        lower += 1
                    if n < 0.75 * total * (1 - 1e-12):
                        upper += 1
                scale = sqrt(squares / max(total, 1e-300))
                if upper > lower:
                    scale = min(scale, (upper - lower) / 1.34)
                scale = max(scale if total > 1.0 else floor, 0.05 * floor)
                out[j, g] = factor * max(0.9 * scale * pow(max(total, 1.0), -0.2), 0.3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def spread(
    mass: cython.const[Number][:, ::1],
    first: cython.Py_ssize_t,
    cells: cython.Py_ssize_t,
    bandwidth: cython.const[cython.double][::1],
    farthest: cython.double,
    scratch: cython.double[:, ::1],
    out: cython.double[:, ::1],
    peak: cython.double[:, ::1],
) -> cython.void:
    """[group, cell]: each group's histogram spread by its bandwidth; `peak` is how much of a cell's weight stays in it,
    of cells that have any.

    A kernel ends after `farthest` bandwidths; what would lie outside the grid goes to the cells inside. The last line
    of `out` are the sums over groups.
    """
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    d: cython.Py_ssize_t
    reach: cython.Py_ssize_t
    shown: cython.Py_ssize_t
    groups: cython.Py_ssize_t = mass.shape[1]
    share: cython.double
    for i in range(cells):
        out[groups, i] = 0.0
    for g in range(groups):
        shown = 0
        for i in range(cells):
            out[g, i] = 0.0
            if mass[first + i, g] != 0:
                shown = i + 1
        if shown == 0:
            continue
        reach = cython.cast(cython.Py_ssize_t, min(ceil(farthest * bandwidth[g]), cells - 1.0))
        for d in range(reach + 1):
            share = d / bandwidth[g]
            scratch[0, d] = exp(-0.5 * share * share)
        scratch[1, 0] = 0.0
        for d in range(2 * reach + 1):
            scratch[1, d + 1] = scratch[1, d] + scratch[0, d - reach if d > reach else reach - d]
        for i in range(shown):
            if mass[first + i, g] == 0:
                continue
            share = scratch[1, min(reach + cells - i, 2 * reach + 1)] - scratch[1, max(reach - i, 0)]
            peak[g, i] = 1.0 / share
            share = mass[first + i, g] * peak[g, i]
            for d in range(max(i - reach, 0), i):
                out[g, d] += share * scratch[0, i - d]
            for d in range(i, min(i + reach + 1, cells)):
                out[g, d] += share * scratch[0, d - i]
        for i in range(cells):
            out[groups, i] += out[g, i]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def log_density(
    density: cython.double,
    whole: cython.double,
    total: cython.double,
    rows: cython.double,
    cells: cython.Py_ssize_t,
    m: cython.double,
) -> cython.double:
    """log of (density + m times the whole column's share of the cell) / (total + m)."""
    share: cython.double = (max(whole, 0.0) + 1.0 / cells) / (rows + 1.0)
    return log((max(density, 0.0) + m * share) / (total + m))


def tables(
    mass: cython.const[Number][:, ::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    bandwidth: cython.const[cython.double][:, ::1],
    m: cython.double,
    farthest: cython.double,
    scratch: cython.double[:, ::1],
    density: cython.double[:, ::1],
    peak: cython.double[:, ::1],
    totals: cython.double[::1],
    out: cython.double[:, ::1],
) -> None:
    """log P(cell | group) of every column, one line more than it has slots; missing and unseen have the factor 1.

    `scratch`, `density`, `peak` and `totals` are [2, 2 cells], [group and all, cell], [group, cell], [group and all].
    """
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    first: cython.Py_ssize_t
    cells: cython.Py_ssize_t
    groups: cython.Py_ssize_t = mass.shape[1]
    with cython.nogil:
        for j in range(bandwidth.shape[0]):
            first = starts[j] + 1
            cells = starts[j + 1] - first
            spread(mass, first, cells, bandwidth[j], farthest, scratch, density, peak)
            totals[groups] = 0.0
            for g in range(groups):
                totals[g] = 0.0
                for i in range(cells):
                    totals[g] += mass[first + i, g]
                totals[groups] += totals[g]
                out[first + j - 1, g] = out[first + j + cells, g] = 0.0
            for i in range(cells):
                for g in range(groups):
                    out[first + j + i, g] = log_density(
                        density[g, i], density[groups, i], totals[g], totals[groups], cells, m
                    )


def left_out(
    mass: cython.const[Number][:, ::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    where: cython.const[cython.Py_ssize_t][::1],
    x: cython.const[cython.Py_ssize_t][:, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    bandwidth: cython.const[cython.double][:, ::1],
    m: cython.double,
    farthest: cython.double,
    scratch: cython.double[:, ::1],
    density: cython.double[:, ::1],
    peak: cython.double[:, ::1],
    totals: cython.double[::1],
    out: cython.double[:, :, ::1],
) -> None:
    """[row, column, group]: log P(x | group) of the columns `where`, with the row's kernel out of its own group.

    Of a value that is missing or unseen it is 0. Scratch is as in `tables`.
    """
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    first: cython.Py_ssize_t
    cells: cython.Py_ssize_t
    groups: cython.Py_ssize_t = mass.shape[1]
    gone: cython.double
    v: cython.double
    with cython.nogil:
        for k in range(where.shape[0]):
            j = where[k]
            first = starts[j] + 1
            cells = starts[j + 1] - first
            spread(mass, first, cells, bandwidth[j], farthest, scratch, density, peak)
            totals[groups] = 0.0
            for g in range(groups):
                totals[g] = 0.0
                for i in range(cells):
                    totals[g] += mass[first + i, g]
                totals[groups] += totals[g]
            for r in range(x.shape[0]):
                i = x[r, k] - 1
                if i < 0 or i >= cells:
                    for g in range(groups):
                        out[r, k, g] = 0.0
                    continue
                v = weight[r]
                gone = v * peak[own[r], i] if mass[first + i, own[r]] != 0 else 0.0
                for g in range(groups):
                    out[r, k, g] = log_density(
                        density[g, i] - (gone if g == own[r] else 0.0),
                        density[groups, i] - gone,
                        totals[g] - (v if g == own[r] else 0.0),
                        totals[groups] - v,
                        cells,
                        m,
                    )
