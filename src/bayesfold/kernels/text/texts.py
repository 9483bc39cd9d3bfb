"""Scores of documents that are each left out of the statistic: exact, one visit to each of a document's terms."""

import cython
from cython.cimports.libc.math import log

Number = cython.fused_type(cython.double, cython.int)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_term(free: cython.uchar, documents: cython.double, low: cython.double, high: cython.double) -> cython.bint:
    """Whether a term counts: nobody has left it out, and neither too few nor too many documents show it."""
    return free != 0 and low <= documents and documents <= high


def shares(
    starts: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    x: cython.const[Number][::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    n: cython.const[cython.double][:, ::1],
    logs: cython.const[cython.double][:, ::1],
    rarity: cython.const[cython.double][::1],
    rare: cython.bint,
    documents: cython.double,
    free: cython.const[cython.uchar][::1],
    df: cython.const[cython.double][::1],
    low: cython.double,
    high: cython.double,
    alpha: cython.double,
    complement: cython.bint,
    zero: cython.double,
    whole: cython.const[cython.double][::1],
    plain: cython.const[cython.double][::1],
    every: cython.const[cython.double][::1],
    many: cython.double,
    scratch: cython.double[:, ::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.double[:, ::1],
    norms: cython.double[:, ::1],
) -> None:
    """out[i, g] = sum_j x_ij rarity_j log theta_gj, theta the share of term j in group g's m_j + alpha without row i,
    m_j = n_j rarity_j, and rarity_j = log((1 + documents) / (1 + df_j)) + 1 if `rare`, also without row i.

    n[j, g] are sums of group g (of all others if `complement`) and logs their log(m + alpha), `zero` where that is 0.
    Row i's own group is touched (all others if `complement`). A term is kept if it is free and low <= df <= high,
    df without row i. whole[g], plain[g] and every[g] are the sums over kept terms of m + alpha, of n and of logs, and
    `many` their number. norms[i, g] = sum_j log theta_gj over all kept terms (the rarity of those not in row i held).
    """
    i: cython.Py_ssize_t
    e: cython.Py_ssize_t
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    groups: cython.Py_ssize_t = n.shape[1]
    was: cython.bint
    stays: cython.bint
    v: cython.double
    d: cython.double
    after: cython.double
    logged: cython.double
    number: cython.double
    now: cython.double
    less: cython.double = 0.0  # what leaving the row out takes from every term's rarity
    t: cython.double
    with cython.nogil:
        for i in range(begin, end):
            number = many
            if rare:
                less = log((1.0 + documents) / (1.0 + documents - weight[i]))
            for g in range(groups):
                scratch[0, g] = whole[g] - less * plain[g]
                scratch[1, g] = 0.0  # of x rarity log(n + alpha)
                scratch[2, g] = 0.0  # of x rarity of terms whose share is not 0 ...
                scratch[3, g] = every[g]
                scratch[4, g] = 0.0  # ... and of those whose share is
            for e in range(starts[i], starts[i + 1]):
                j = columns[e]
                d = df[j]
                was = is_term(free[j], d, low, high)
                d -= weight[i]
                stays = is_term(free[j], d, low, high)
                if not was and not stays:
                    continue
                number += cython.cast(cython.double, stays) - cython.cast(cython.double, was)
                now = log((1.0 + documents - weight[i]) / (1.0 + max(d, 0.0))) + 1.0 if rare else rarity[j]
                v = x[e] * now
                for g in range(groups):
                    after = n[j, g]
                    logged = logs[j, g]
                    if was:
                        scratch[0, g] -= after * (rarity[j] - less) + alpha
                        scratch[3, g] -= logged
                    if not stays:
                        continue
                    if (g == own[i]) != complement:
                        after -= weight[i] * x[e]
                        if after < 1e-12 * n[j, g]:
                            after = 0.0
                    after = after * now + alpha
                    if rare or (g == own[i]) != complement:
                        logged = log(after) if after > 0.0 else zero
                    scratch[0, g] += after
                    scratch[3, g] += logged
                    if after > 0.0:
                        scratch[1, g] += v * logged
                        scratch[2, g] += v
                    else:
                        scratch[4, g] += v
            for g in range(groups):
                if scratch[0, g] > 1e-12 * whole[g]:
                    t = log(scratch[0, g])
                    out[i, g] = scratch[1, g] - scratch[2, g] * t + scratch[4, g] * zero
                    norms[i, g] = scratch[3, g] - number * t
                else:  # nothing is known of the group: every term has the same share
                    t = log(number) if number > 1.0 else 0.0
                    out[i, g] = -(scratch[2, g] + scratch[4, g]) * t
                    norms[i, g] = -number * t


def presence(
    starts: cython.const[cython.longlong][::1],
    columns: cython.const[cython.int][::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    shown: cython.const[cython.double][:, ::1],
    rows: cython.const[cython.double][::1],
    present: cython.const[cython.double][:, ::1],
    absent: cython.const[cython.double][:, ::1],
    free: cython.const[cython.uchar][::1],
    df: cython.const[cython.double][::1],
    low: cython.double,
    high: cython.double,
    alpha: cython.double,
    zero: cython.double,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.double[:, ::1],
) -> None:
    """out[i, g] += sum over row i's terms of log P(there) - log P(not there), with row i out of its own group.

    out holds what a document without a term scores. present and absent are the logs with the row in.
    """
    i: cython.Py_ssize_t
    e: cython.Py_ssize_t
    j: cython.Py_ssize_t
    g: cython.Py_ssize_t
    groups: cython.Py_ssize_t = rows.shape[0]
    was: cython.bint
    stays: cython.bint
    d: cython.double
    left: cython.double
    here: cython.double
    gone: cython.double
    with cython.nogil:
        for i in range(begin, end):
            for e in range(starts[i], starts[i + 1]):
                j = columns[e]
                d = df[j]
                was = is_term(free[j], d, low, high)
                d -= weight[i]
                stays = is_term(free[j], d, low, high)
                if not was and not stays:
                    continue
                for g in range(groups):
                    if g == own[i]:
                        left = max(rows[g] - weight[i], 0.0)
                        here = max(shown[j, g] - weight[i], 0.0) + alpha
                        gone = max(left - shown[j, g], 0.0) + alpha
                        left += 2.0 * alpha
                        if left > 0.0:
                            here = max(log(here / left), zero) if here > 0.0 else zero
                            gone = max(log(gone / left), zero) if gone > 0.0 else zero
                        else:
                            here = gone = -0.6931471805599453
                    else:
                        here = present[j, g]
                        gone = absent[j, g]
                    if stays:
                        out[i, g] += here
                    if was:
                        out[i, g] -= gone
