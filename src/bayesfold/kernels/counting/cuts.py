"""Where to cut a sorted column so that the classes on both sides are as pure as they can be; where numbers fall."""

import cython
from cython.cimports.libc.math import log, log1p, pow

Slot = cython.fused_type(cython.uchar, cython.int)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def plogp(n: cython.double) -> cython.double:
    """n log n, 0 at 0."""
    return n * log(n) if n > 0.0 else 0.0


def products(out: cython.double[::1]) -> None:
    """out[n] = n log n."""
    n: cython.Py_ssize_t
    with cython.nogil:
        for n in range(out.shape[0]):
            out[n] = plogp(n)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def looked_up(known: cython.const[cython.double][::1], n: cython.double) -> cython.double:
    """n log n: of a whole number that is known already, without working it out."""
    if 0.0 <= n and n < known.shape[0]:
        i: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, n)
        if i == n:
            return known[i]
    return plogp(n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pays(
    cumulated: cython.const[cython.double][:, ::1],
    low: cython.Py_ssize_t,
    cut: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    left_over: cython.double,
) -> cython.bint:
    """Whether a split's information gain is above what describes it (Fayyad and Irani 1993, eq. 13), in nats."""
    k: cython.Py_ssize_t
    a: cython.double
    b: cython.double
    n: cython.double = 0.0
    left: cython.double = 0.0
    right: cython.double = 0.0
    whole: cython.double = 0.0  # n H of both sides together, and of each
    on_left: cython.double = 0.0
    on_right: cython.double = 0.0
    classes: cython.Py_ssize_t = 0
    left_classes: cython.Py_ssize_t = 0
    right_classes: cython.Py_ssize_t = 0
    for k in range(cumulated.shape[1]):
        a = cumulated[cut, k] - cumulated[low, k]
        b = cumulated[high, k] - cumulated[cut, k]
        left += a
        right += b
        on_left -= plogp(a)
        on_right -= plogp(b)
        whole -= plogp(a + b)
        left_classes += a > 0.0
        right_classes += b > 0.0
        classes += a + b > 0.0
    n = left + right
    if n <= 1.0:
        return False
    whole += plogp(n)
    on_left += plogp(left)
    on_right += plogp(right)
    # 3^k overflows for many classes; log(3^k - 2) = k log 3 + log(1 - 2 / 3^k)
    describe: cython.double = classes * log(3.0) + log1p(-2.0 * pow(3.0, -classes))
    own: cython.double = left_classes * on_left / left + right_classes * on_right / right
    return whole - left_over > log(n - 1.0) + describe - (classes * whole / n - own)


def paying_split(
    cumulated: cython.const[cython.double][:, ::1],
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    known: cython.const[cython.double][::1],
) -> int:
    """The cut t, low < t < high, with the least sum of n_side H(classes | side); -1 where none pays for itself.

    cumulated[t] are the class weights of the values before t. Between two values that show the same one class no cut is
    best (Fayyad and Irani 1992), so none is tried. `known` has n log n of the first whole numbers.
    """
    t: cython.Py_ssize_t
    k: cython.Py_ssize_t
    groups: cython.Py_ssize_t = cumulated.shape[1]
    best: cython.Py_ssize_t = -1
    least: cython.double = 1e300
    left: cython.double
    right: cython.double
    a: cython.double
    b: cython.double
    total: cython.double
    inside: cython.Py_ssize_t
    with cython.nogil:
        for t in range(low + 1, high):
            inside = 0
            for k in range(groups):
                if cumulated[t + 1, k] > cumulated[t - 1, k]:
                    inside += 1
            if inside < 2:
                continue
            left = right = total = 0.0
            for k in range(groups):
                a = cumulated[t, k] - cumulated[low, k]
                b = cumulated[high, k] - cumulated[t, k]
                left += a
                right += b
                total -= looked_up(known, a) + looked_up(known, b)
            total += plogp(left) + plogp(right)
            if total < least:
                least = total
                best = t
        if best >= 0 and not pays(cumulated, low, best, high, least):
            best = -1
    return best


def even_shares(
    cumulated: cython.const[cython.double][::1], bins: cython.Py_ssize_t, cells: cython.Py_ssize_t[::1]
) -> int:
    """Fill in the cells in front of which a cut has k / bins of the weight behind it, k = 1, 2, ...; how many they are.

    cumulated[i] is the weight of cell i and those before it. No cell is named twice, and none behind the last.
    """
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    many: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = cumulated.shape[0] - 1
    wanted: cython.double
    with cython.nogil:
        for k in range(1, bins):
            wanted = cumulated[last] * k / bins * (1.0 - 1e-12)
            while cumulated[at] < wanted:
                at += 1
            if at >= last:
                break
            if many == 0 or cells[many - 1] != at + 1:
                cells[many] = at + 1
                many += 1
    return many


def half_way(
    low: cython.const[cython.double][::1],
    high: cython.const[cython.double][::1],
    cells: cython.const[cython.Py_ssize_t][::1],
    out: cython.double[::1],
) -> None:
    """out[i] is half way from the value before cell cells[i] to that cell; `low` and `high` are where cells end."""
    i: cython.Py_ssize_t
    below: cython.double
    above: cython.double
    half: cython.double
    with cython.nogil:
        for i in range(cells.shape[0]):
            below = high[cells[i] - 1]
            above = low[cells[i]]
            half = below / 2 + above / 2  # their difference may be infinite
            out[i] = half if half > below else above


def even_widths(low: cython.double, high: cython.double, out: cython.double[::1]) -> int:
    """Fill in cuts at equal distances between two numbers, as many as there is room for; how many of them differ."""
    k: cython.Py_ssize_t
    many: cython.Py_ssize_t = 0
    bins: cython.Py_ssize_t = out.shape[0] + 1
    whole: cython.double = high / 2 - low / 2  # halved: high - low may be infinite
    step: cython.double = whole / bins
    cut: cython.double
    with cython.nogil:
        for k in range(1, bins):
            cut = k * step if step != 0.0 else cython.cast(cython.double, k) / bins * whole
            cut = 2 * (cut + low / 2)
            if low < cut <= high and (many == 0 or cut > out[many - 1]):
                out[many] = cut
                many += 1
    return many


def place(
    cuts: cython.const[cython.double][::1], x: cython.const[cython.double][::1], hole: cython.int, out: Slot[::1]
) -> None:
    """out[i] = 1 + the number of cuts <= x[i], `hole` where x[i] is NaN.

    Half of what is left is left after each step, whatever the number: there is no branch to guess wrong.
    """
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    left: cython.Py_ssize_t
    half: cython.Py_ssize_t
    v: cython.double
    with cython.nogil:
        for i in range(x.shape[0]):
            v = x[i]
            at = 0
            left = cuts.shape[0]
            while left > 1:
                half = left >> 1
                at += half if cuts[at + half - 1] <= v else 0
                left -= half
            if left == 1:
                at += 1 if cuts[at] <= v else 0
            out[i] = at + 1 if v == v else hole
