"""Sums of x and x^2 in each group of rows, kept as unevaluated pairs of doubles (hi, lo).

A block of rows is summed about the first value each group shows, so a large offset costs no digits; `settle` then moves
those sums to the origin in double-double arithmetic (Dekker 1971), where 106 bits hold whatever the data held.
Legend: g group, j column, a shift[g, j], s1 = sum w (x - a), s2 = sum w (x - a)^2.
"""

import cython

Number = cython.fused_type(cython.double, cython.float)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def two_sum(a: cython.double, b: cython.double) -> tuple[cython.double, cython.double]:
    """a + b as the rounded sum and its exact error (Knuth)."""
    s: cython.double = a + b
    t: cython.double = s - a
    return (s, (a - (s - t)) + (b - t))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def two_product(a: cython.double, b: cython.double) -> tuple[cython.double, cython.double]:
    """a * b as the rounded product and its exact error (Veltkamp split, no fused multiply-add needed)."""
    p: cython.double = a * b
    t: cython.double = 134217729.0 * a
    ah: cython.double = t - (t - a)
    al: cython.double = a - ah
    t = 134217729.0 * b
    bh: cython.double = t - (t - b)
    bl: cython.double = b - bh
    return (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def pair_sum(
    ah: cython.double, al: cython.double, bh: cython.double, bl: cython.double
) -> tuple[cython.double, cython.double]:
    """(ah + al) + (bh + bl), accurate also when the two nearly cancel."""
    s: tuple[cython.double, cython.double] = two_sum(ah, bh)
    t: tuple[cython.double, cython.double] = two_sum(al, bl)
    u: tuple[cython.double, cython.double] = two_sum(s[0], s[1] + t[0])
    return two_sum(u[0], u[1] + t[1])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def pair_product(
    ah: cython.double, al: cython.double, bh: cython.double, bl: cython.double
) -> tuple[cython.double, cython.double]:
    """(ah + al) * (bh + bl)."""
    p: tuple[cython.double, cython.double] = two_product(ah, bh)
    return two_sum(p[0], p[1] + (ah * bl + al * bh))


def dense(
    x: cython.const[Number][:, ::1],
    group: cython.const[cython.int][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    rows: cython.longlong[::1],
    shift: cython.double[:, ::1],
    s1: cython.double[:, ::1],
    s2: cython.double[:, ::1],
) -> None:
    """Block sums of rows without weights or holes; a hole or an infinity leaves a NaN in s2, for the caller to see."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    m: cython.Py_ssize_t = x.shape[1]
    v: cython.double
    with cython.nogil:
        for i in range(begin, end):
            g = group[i]
            if rows[g] == 0:
                for j in range(m):
                    shift[g, j] = x[i, j]
            rows[g] += 1
            for j in range(m):
                v = x[i, j] - shift[g, j]
                s1[g, j] += v
                s2[g, j] += v * v


def column(
    x: cython.const[Number][:, ::1],
    order: cython.const[cython.int][::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    rows: cython.longlong[:, ::1],
    shift: cython.double[:, ::1],
    s1: cython.double[:, ::1],
    s2: cython.double[:, ::1],
) -> float:
    """Block sums of one column, group by group: order[starts[g] : starts[g + 1]] are the rows of group g; NaN: a hole.

    Each sum stays in a register, so none waits for the one before it to be stored. Returns the largest |x|; where that
    is too large, the sums are of no use.
    """
    g: cython.Py_ssize_t
    k: cython.Py_ssize_t
    first: cython.Py_ssize_t
    n: cython.longlong
    a: cython.double
    d: cython.double
    v: cython.double
    size: cython.double
    sum1: cython.double
    sum2: cython.double
    largest: cython.double = 0.0
    with cython.nogil:
        for g in range(starts.shape[0] - 1):
            first = starts[g]
            while first < starts[g + 1] and x[order[first], 0] != x[order[first], 0]:
                first += 1
            if first == starts[g + 1]:
                continue
            a = cython.cast(cython.double, x[order[first], 0])
            n = 0
            sum1 = sum2 = 0.0
            for k in range(first, starts[g + 1]):
                v = cython.cast(cython.double, x[order[k], 0])
                size = -v if v < 0.0 else v
                largest = size if size > largest else largest
                d = v - a if v == v else 0.0
                n += v == v
                sum1 += d
                sum2 += d * d
            rows[g, 0] = n
            shift[g, 0] = a
            s1[g, 0] = sum1
            s2[g, 0] = sum2
    return largest


def holes(
    x: cython.const[Number][:, ::1],
    group: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    most: cython.double,
    rows: cython.longlong[:, ::1],
    total: cython.double[:, ::1],
    shift: cython.double[:, ::1],
    s1: cython.double[:, ::1],
    s2: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    """Block sums where NaN is a hole and rows may carry weights (an empty `weight` means 1).

    |x| is clipped at `most`. Returns i * m + j of the first infinity met, or -1.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    m: cython.Py_ssize_t = x.shape[1]
    bad: cython.Py_ssize_t = -1
    weighted: cython.bint = weight.shape[0] > 0
    v: cython.double
    w: cython.double = 1.0
    with cython.nogil:
        for i in range(begin, end):
            g = group[i]
            if weighted:
                w = weight[i]
            for j in range(m):
                v = x[i, j]
                if v != v:
                    continue
                if v - v != 0.0:
                    bad = i * m + j
                    break
                if v > most:
                    v = most
                elif v < -most:
                    v = -most
                if rows[g, j] == 0:
                    shift[g, j] = v
                rows[g, j] += 1
                total[g, j] += w
                v = v - shift[g, j]
                s1[g, j] += w * v
                s2[g, j] += w * (v * v)
            if bad >= 0:
                break
    return bad


def exact(
    x: cython.const[Number][:, ::1],
    group: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    most: cython.double,
    cells: cython.const[cython.Py_ssize_t][::1],
    sums: cython.const[cython.Py_ssize_t][::1],
    orders: cython.const[cython.uchar][::1],
    counts: cython.longlong[::1],
    weights: cython.double[:, ::1],
    high: cython.double[::1],
    low: cython.double[::1],
) -> cython.Py_ssize_t:
    """A few rows straight into a tally, every sum in double-double: what is subtracted later leaves no trace.

    Returns i * m + j of the first infinity met, or -1.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    at: cython.Py_ssize_t
    m: cython.Py_ssize_t = x.shape[1]
    bad: cython.Py_ssize_t = -1
    a: cython.double
    w: cython.double = 1.0
    p: tuple[cython.double, cython.double]
    q: tuple[cython.double, cython.double]
    with cython.nogil:
        for i in range(x.shape[0]):
            if weight.shape[0] > 0:
                w = weight[i]
            for j in range(m):
                a = x[i, j]
                if a != a:
                    continue
                if a - a != 0.0:
                    bad = i * m + j
                    break
                a = most if a > most else (-most if a < -most else a)
                at = cells[j] + group[i]
                counts[at] += 1
                if weights.shape[1] > 0:
                    q = pair_sum(weights[0, at], weights[1, at], w, 0.0)
                    weights[0, at] = q[0]
                    weights[1, at] = q[1]
                at = sums[j] + orders[j] * group[i]
                p = two_product(w, a)
                q = pair_sum(high[at], low[at], p[0], p[1])
                high[at] = q[0]
                low[at] = q[1]
                if orders[j] == 2:
                    p = pair_product(p[0], p[1], a, 0.0)
                    q = pair_sum(high[at + 1], low[at + 1], p[0], p[1])
                    high[at + 1] = q[0]
                    low[at + 1] = q[1]
            if bad >= 0:
                break
    return bad


def settle(
    rows: cython.const[cython.longlong][:, ::1],
    total: cython.const[cython.double][:, ::1],
    shift: cython.const[cython.double][:, ::1],
    s1: cython.const[cython.double][:, ::1],
    s2: cython.const[cython.double][:, ::1],
    cells: cython.const[cython.Py_ssize_t][::1],
    sums: cython.const[cython.Py_ssize_t][::1],
    orders: cython.const[cython.uchar][::1],
    counts: cython.longlong[::1],
    weights: cython.double[:, ::1],
    high: cython.double[::1],
    low: cython.double[::1],
) -> None:
    """Add block sums to a tally: column j's cell of group g is cells[j] + g, its sums stand at sums[j] + orders[j] * g.

    `weights` has no column where the tally is not weighted.
    """
    g: cython.Py_ssize_t
    j: cython.Py_ssize_t
    at: cython.Py_ssize_t
    weighted: cython.bint = weights.shape[1] > 0
    p: tuple[cython.double, cython.double]
    q: tuple[cython.double, cython.double]
    r: tuple[cython.double, cython.double]
    a: cython.double
    w: cython.double
    with cython.nogil:
        for j in range(rows.shape[1]):
            for g in range(rows.shape[0]):
                if rows[g, j] == 0:
                    continue
                counts[cells[j] + g] += rows[g, j]
                w = total[g, j]
                a = shift[g, j]
                if weighted:
                    q = pair_sum(weights[0, cells[j] + g], weights[1, cells[j] + g], w, 0.0)
                    weights[0, cells[j] + g] = q[0]
                    weights[1, cells[j] + g] = q[1]
                at = sums[j] + orders[j] * g
                p = two_product(w, a)
                q = pair_sum(p[0], p[1], s1[g, j], 0.0)
                q = pair_sum(high[at], low[at], q[0], q[1])
                high[at] = q[0]
                low[at] = q[1]
                if orders[j] == 2:
                    # a^2 w + 2 a s1 + s2, smallest last: each product exact to 106 bits
                    r = pair_product(p[0], p[1], a, 0.0)
                    q = two_product(2.0 * a, s1[g, j])
                    r = pair_sum(r[0], r[1], q[0], q[1])
                    r = pair_sum(r[0], r[1], s2[g, j], 0.0)
                    r = pair_sum(high[at + 1], low[at + 1], r[0], r[1])
                    high[at + 1] = r[0]
                    low[at + 1] = r[1]


def add(
    high: cython.double[::1],
    low: cython.double[::1],
    other_high: cython.const[cython.double][::1],
    other_low: cython.const[cython.double][::1],
    factor: cython.double,
) -> None:
    """(high, low) += factor * (other_high, other_low), cell by cell; the factor is +1 or -1."""
    i: cython.Py_ssize_t
    s: tuple[cython.double, cython.double]
    with cython.nogil:
        for i in range(high.shape[0]):
            s = pair_sum(high[i], low[i], factor * other_high[i], factor * other_low[i])
            high[i] = s[0]
            low[i] = s[1]


def scale(high: cython.double[::1], low: cython.double[::1], factor: cython.double) -> None:
    """(high, low) *= factor."""
    i: cython.Py_ssize_t
    s: tuple[cython.double, cython.double]
    with cython.nogil:
        for i in range(high.shape[0]):
            s = pair_product(high[i], low[i], factor, 0.0)
            high[i] = s[0]
            low[i] = s[1]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def mean_and_squares(
    w: cython.double, wl: cython.double, h1: cython.double, l1: cython.double, h2: cython.double, l2: cython.double
) -> tuple[cython.double, cython.double]:
    """S1 / W and S2 - S1^2 / W; what is below 2^-80 of S2 is rounding, and below 2^-900 W underflow, so it is 0."""
    m: cython.double
    p: tuple[cython.double, cython.double]
    q: tuple[cython.double, cython.double]
    if w <= 0.0:
        return (0.0, 0.0)
    m = h1 / w
    # one Newton step gives the quotient's low part: p = S1 / W to 106 bits
    q = pair_product(m, 0.0, w, wl)
    q = pair_sum(h1, l1, -q[0], -q[1])
    p = two_sum(m, q[0] / w)
    q = pair_product(p[0], p[1], h1, l1)
    q = pair_sum(h2, l2, -q[0], -q[1])
    return (p[0], q[0] if q[0] > 8.271806125530277e-25 * h2 and q[0] > 1.1830521861667747e-271 * w else 0.0)


def powers(
    x: cython.const[cython.double][::1],
    weight: cython.const[cython.double][::1],
    most: cython.double,
    high: cython.double[:, ::1],
    low: cython.double[:, ::1],
) -> None:
    """What one row adds to its cell: w x, and w x^2 where there are two columns, each as an exact pair; NaN adds 0.

    |x| is clipped at `most`, as it was when it was counted.
    """
    i: cython.Py_ssize_t
    orders: cython.Py_ssize_t = high.shape[1]
    a: cython.double
    p: tuple[cython.double, cython.double]
    with cython.nogil:
        for i in range(x.shape[0]):
            if x[i] != x[i]:
                high[i, 0] = low[i, 0] = 0.0
                if orders == 2:
                    high[i, 1] = low[i, 1] = 0.0
                continue
            a = most if x[i] > most else (-most if x[i] < -most else x[i])
            p = two_product(weight[i], a)
            high[i, 0] = p[0]
            low[i, 0] = p[1]
            if orders == 2:
                p = pair_product(p[0], p[1], a, 0.0)
                high[i, 1] = p[0]
                low[i, 1] = p[1]
