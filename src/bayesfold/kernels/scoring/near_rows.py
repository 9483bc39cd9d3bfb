"""How far rows are from landmarks, and what the landmarks near a row weigh in each class.

Legend: i row, j coordinate, z landmark, c class. A landmark's weights by class are those of `at[z]` to `at[z + 1]`:
class[k], weight[k].
"""

import cython
from cython.cimports.libc.math import exp

NOTHING = cython.declare(cython.double, 1e-12)  # the share of a weight below which what is left of it is rounding


def turn(
    x: cython.const[cython.double][:, ::1],
    centre: cython.const[cython.double][::1],
    whitening: cython.const[cython.double][:, ::1],
    out: cython.double[:, ::1],
) -> None:
    """out = (x - centre) @ whitening, each row summed in one order: the same bits, whichever rows are beside it."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    away: cython.double
    with cython.nogil:
        for i in range(x.shape[0]):
            for k in range(out.shape[1]):
                out[i, k] = 0.0
            for j in range(x.shape[1]):
                away = x[i, j] - centre[j]
                for k in range(out.shape[1]):
                    out[i, k] += away * whitening[j, k]


def square_distances(
    x: cython.const[cython.double][:, ::1],
    landmarks: cython.const[cython.double][:, ::1],
    out: cython.double[:, ::1],
) -> None:
    """out[i, z] = |x[i] - landmark z|^2, of landmarks by coordinate: [j, z]; four coordinates at once."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    z: cython.Py_ssize_t
    a: cython.double
    b: cython.double
    c: cython.double
    d: cython.double
    J: cython.Py_ssize_t = x.shape[1]
    Z: cython.Py_ssize_t = landmarks.shape[1]
    with cython.nogil:
        for i in range(x.shape[0]):
            for z in range(Z):
                out[i, z] = 0.0
            for j in range(0, J - 3, 4):
                for z in range(Z):
                    a = x[i, j] - landmarks[j, z]
                    b = x[i, j + 1] - landmarks[j + 1, z]
                    c = x[i, j + 2] - landmarks[j + 2, z]
                    d = x[i, j + 3] - landmarks[j + 3, z]
                    out[i, z] = out[i, z] + a * a + b * b + c * c + d * d
            for j in range(J - J % 4, J):
                for z in range(Z):
                    a = x[i, j] - landmarks[j, z]
                    out[i, z] += a * a


def nearest(distance: cython.const[cython.double][:, ::1], out: cython.Py_ssize_t[::1]) -> None:
    """The landmark that is nearest to each row, the first of those that are equally near."""
    i: cython.Py_ssize_t
    z: cython.Py_ssize_t
    best: cython.Py_ssize_t
    with cython.nogil:
        for i in range(distance.shape[0]):
            best = 0
            for z in range(1, distance.shape[1]):
                if distance[i, z] < distance[i, best]:
                    best = z
            out[i] = best


def weigh(
    distance: cython.const[cython.double][:, ::1],
    at: cython.const[cython.Py_ssize_t][::1],
    classes: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    precision: cython.double,
    farthest: cython.double,
    own: cython.const[cython.Py_ssize_t][::1],
    group: cython.const[cython.Py_ssize_t][::1],
    gone: cython.const[cython.double][::1],
    out: cython.double[:, :, ::1],
    least: cython.double[::1],
) -> None:
    """out[0, i, c] = sum over landmarks of their weight in c times exp(-precision (distance - least)), being 0 before.

    out[1] is the same of twice the precision, out[2] of four times, and so on. `least` is the distance of the nearest
    landmark that weighs something; what is `farthest` beyond it in the exponent is left out. Of the landmark own[i],
    gone[i] of its weight in group[i] is taken away first; `own` has no entries where nothing is.
    """
    i: cython.Py_ssize_t
    z: cython.Py_ssize_t
    k: cython.Py_ssize_t
    width: cython.Py_ssize_t
    near: cython.double
    factor: cython.double
    power: cython.double
    mine: cython.Py_ssize_t
    widths: cython.Py_ssize_t = out.shape[0]
    mass: cython.double
    rest: cython.double
    cut: cython.double
    is_left_out: cython.bint = own.shape[0] > 0
    is_full: cython.bint = distance.shape[1] > 0
    Z: cython.Py_ssize_t = distance.shape[1]
    with cython.nogil:
        for z in range(Z):
            is_full = is_full and at[z] < at[z + 1]
        for i in range(distance.shape[0]):
            near = -1.0
            if is_full and not is_left_out:
                near = distance[i, 0]
                for z in range(1, Z):
                    near = distance[i, z] if distance[i, z] < near else near
            else:
                for z in range(Z):
                    if at[z] == at[z + 1] or (near >= 0.0 and distance[i, z] >= near):
                        continue
                    if is_left_out and own[i] == z:
                        mass = rest = 0.0
                        for k in range(at[z], at[z + 1]):
                            mass += weight[k]
                            rest += weight[k] - (gone[i] if classes[k] == group[i] else 0.0)
                        if rest <= NOTHING * mass:
                            continue
                    near = distance[i, z]
            least[i] = near
            if near < 0.0:
                continue
            cut = near + farthest / precision
            mine = own[i] if is_left_out else -1
            for z in range(Z):
                if distance[i, z] > cut:
                    continue
                factor = exp(precision * (near - distance[i, z]))
                factor = factor if factor < 1.0 else 1.0
                for k in range(at[z], at[z + 1]):
                    rest = weight[k]
                    if z == mine and classes[k] == group[i]:
                        rest -= gone[i]
                        if rest <= NOTHING * weight[k]:
                            continue
                    power = factor
                    for width in range(widths):
                        out[width, i, classes[k]] += power * rest
                        power = power * power
