"""How far rows are from normal classes that have not seen them, in the coordinates of a covariance's eigenvectors.

Legend: i row, j eigenvector, k value of `diagonal`; x the row about the class's mean, v about its own class's mean,
t v v' what the row adds to the matrix. S_k = (1 - diagonal_k) diag(values) + (diagonal_k + floor) I.
"""

import cython
from cython.cimports.libc.math import log


def left_out(
    Y: cython.const[cython.double][:, ::1],
    rows: cython.const[cython.Py_ssize_t][::1],
    y: cython.const[cython.Py_ssize_t][::1],
    centre: cython.const[cython.double][:, ::1],
    middle: cython.Py_ssize_t,
    weight: cython.const[cython.double][::1],
    of: cython.double,
    q: cython.const[cython.double][::1],
    a: cython.double,
    values: cython.const[cython.double][::1],
    diagonal: cython.const[cython.double][::1],
    floor: cython.double,
    rests: cython.double,
    steep: cython.double,
    independent: cython.bint,
    scratch: cython.double[:, ::1],
    out: cython.double[:, :, ::1],
    c: cython.Py_ssize_t,
) -> None:
    """out[k, r, c] = log |S_k - t v v'| + away^2 x' (S_k - t v v')^-1 x, r = rows[i], t = a q[r].

    The mean without the row is farther from it by away = 1 / (1 - weight[r] / of). Where v was all there was of a
    direction, 1 - t v' S^-1 v would be rounding: as 1 - t v' diag(values)^-1 v, exactly zero below `rests`, or `steep`
    times the largest value over the smallest, plus what `diagonal` and the floor add to it, it is sharp. If
    `independent`, each column is a matrix of one row, and the answers are summed. `scratch` has a row more than twice
    as many as there are diagonals.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    width: cython.Py_ssize_t = values.shape[0]
    K: cython.Py_ssize_t = diagonal.shape[0]
    x: cython.double
    v: cython.double
    rest: cython.double
    square: cython.double
    share: cython.double
    cross: cython.double
    factor: cython.double
    total: cython.double
    variance: cython.double
    t: cython.double
    away: cython.double
    own: cython.Py_ssize_t
    high: cython.double = 0.0
    low: cython.double = 0.0
    least: cython.double = rests
    with cython.nogil:
        for j in range(width):  # scratch: 1 / values, then of each diagonal 1 / variance and what it adds to a share
            scratch[0, j] = 1.0 / values[j] if values[j] > 0.0 else 0.0
            if values[j] > 0.0:
                high = max(high, values[j])
                low = values[j] if low == 0.0 else min(low, values[j])
        if low > 0.0:
            least = max(rests, steep * high / low)
        for k in range(K):
            scratch[2 * K + 1, k] = 0.0
            for j in range(width):
                variance = (1.0 - diagonal[k]) * values[j] + diagonal[k] + floor
                scratch[1 + k, j] = 1.0 / variance
                scratch[1 + K + k, j] = (diagonal[k] + floor) / variance * scratch[0, j]
                scratch[2 * K + 1, k] += log(variance)
        for i in range(rows.shape[0]):
            own = y[rows[i]]
            t = a * q[rows[i]]
            away = 1.0 / (1.0 - weight[rows[i]] / of)
            rest = 1.0
            if not independent:
                for j in range(width):
                    v = Y[i, j] - centre[own, j]
                    rest -= t * v * v * scratch[0, j]
                rest = 0.0 if rest < least else rest
            for k in range(K):
                square = share = cross = total = 0.0
                for j in range(width):
                    x = Y[i, j] - centre[middle, j]
                    v = Y[i, j] - centre[own, j]
                    if independent:
                        rest = 1.0 - t * v * v * scratch[0, j]
                        rest = 0.0 if rest < least else rest
                        factor = rest + t * v * v * scratch[1 + K + k, j]
                        cross = x * v * scratch[1 + k, j] if values[j] > 0.0 else 0.0
                        square += x * x * scratch[1 + k, j] + (1.0 - diagonal[k]) * t * cross * cross / factor
                        total += log(factor)
                    else:
                        square += x * x * scratch[1 + k, j]
                        share += v * v * scratch[1 + K + k, j]
                        if values[j] > 0.0:
                            cross += x * v * scratch[1 + k, j]
                if not independent:
                    factor = rest + t * share
                    square += (1.0 - diagonal[k]) * t * cross * cross / factor
                    total = log(factor)
                out[k, rows[i], c] = away * away * square + total + scratch[2 * K + 1, k]
