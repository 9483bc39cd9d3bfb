"""Counting every pair of columns by class: a bit a row, and how many bits two columns' levels share.

Rows stand class after class, each class from a word of its own. A column of up to 16 slots is a bitmap a slot; one slot
of each column, the one left out, is what the others lack to the whole. All pairs of a block of words are counted before
the next block, so that the bitmaps stay in the cache.
"""

import cython

Code = cython.fused_type(cython.uchar, cython.ushort, cython.int, cython.longlong)

HALVES = cython.declare(cython.ulonglong, 0x5555555555555555)
QUARTERS = cython.declare(cython.ulonglong, 0x3333333333333333)
NIBBLES = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
BYTES = cython.declare(cython.ulonglong, 0x00FF00FF00FF00FF)
ONES = cython.declare(cython.ulonglong, 0x0001000100010001)
EVERY = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def planes(
    codes: cython.const[Code][:, :],
    column: cython.Py_ssize_t,
    shift: cython.Py_ssize_t,
    slots: cython.Py_ssize_t,
    order: cython.const[cython.int][::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    spread: cython.const[cython.ulonglong][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    from_slot: cython.Py_ssize_t,
    out: cython.ulonglong[:, ::1],
) -> None:
    """out[s, w - begin] = the rows of word w whose slot is from_slot + s, for begin <= w < end.

    Word w holds the rows order[starts[w]], ..., order[starts[w + 1] - 1], at most 64. A row's slot is its code + shift,
    or 0 where that is off the axis; spread[s] has bit b of s at 16 b.
    """
    w: cython.Py_ssize_t
    t: cython.Py_ssize_t
    q: cython.Py_ssize_t
    s: cython.Py_ssize_t
    first: cython.Py_ssize_t
    rows: cython.Py_ssize_t
    some: cython.Py_ssize_t
    v: cython.Py_ssize_t
    x: cython.ulonglong
    p0: cython.ulonglong
    p1: cython.ulonglong
    p2: cython.ulonglong
    p3: cython.ulonglong
    full: cython.ulonglong
    low: cython.ulonglong = 0xFFFF
    one: cython.ulonglong = 1
    with cython.nogil:
        for w in range(begin, end):
            first = starts[w]
            rows = cython.cast(cython.Py_ssize_t, starts[w + 1] - first)
            p0 = p1 = p2 = p3 = 0
            for q in range(4):
                some = min(rows - 16 * q, 16)
                x = 0
                for t in range(some):
                    v = cython.cast(cython.Py_ssize_t, codes[order[first + 16 * q + t], column]) + shift
                    if v < 0 or v >= slots:
                        v = 0
                    x |= spread[v] << t
                p0 |= (x & low) << (16 * q)
                p1 |= ((x >> 16) & low) << (16 * q)
                p2 |= ((x >> 32) & low) << (16 * q)
                p3 |= ((x >> 48) & low) << (16 * q)
            full = EVERY if rows == 64 else (one << rows) - one
            for s in range(from_slot, from_slot + out.shape[0]):
                x = p0 if s & 1 else p0 ^ EVERY
                x &= p1 if s & 2 else p1 ^ EVERY
                x &= p2 if s & 4 else p2 ^ EVERY
                x &= p3 if s & 8 else p3 ^ EVERY
                out[s - from_slot, w - begin] = x & full


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def shared(
    bits: cython.const[cython.ulonglong][:, ::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.longlong:
    """How many bits two rows of `bits` share in some words: counted in bytes, 30 words at a time."""
    w: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    x: cython.ulonglong
    sum: cython.ulonglong
    total: cython.longlong = 0
    while begin < end:
        stop = min(begin + 30, end)
        sum = 0
        for w in range(begin, stop):
            x = bits[a, w] & bits[b, w]
            x = x - ((x >> 1) & HALVES)
            x = (x & QUARTERS) + ((x >> 2) & QUARTERS)
            sum += (x + (x >> 4)) & NIBBLES
        sum = (sum & BYTES) + ((sum >> 8) & BYTES)
        total += cython.cast(cython.longlong, ((sum * ONES) & EVERY) >> 48)
        begin = stop
    return total


def count(
    bits: cython.const[cython.ulonglong][:, ::1],
    ends: cython.const[cython.Py_ssize_t][::1],
    rows: cython.const[cython.longlong][::1],
    margin: cython.longlong[:, ::1],
    pairs: cython.const[cython.Py_ssize_t][:, ::1],
    scratch: cython.longlong[::1],
    counts: cython.longlong[::1],
) -> None:
    """Add the rows of a block by the slots of two columns and by group, for each pair.

    bits[k] are the rows of one slot of one column, in its group g in the words ends[g - 1] to ends[g], where `rows[g]`
    rows are; `margin` is filled with bits[k]'s rows by group. A pair is (the bitmap, slot and slots of a; the same of
    b; first): the bitmaps of a are its slots from that slot to its last; its rows without any of these have the slot
    before. Cell (s_a, s_b, g) of a pair stands at first + (s_a slots_b + s_b) groups + g.
    """
    p: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    g: cython.Py_ssize_t
    at: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    n: cython.longlong
    left: cython.longlong
    corner: cython.longlong
    groups: cython.Py_ssize_t = ends.shape[0]
    with cython.nogil:
        for k in range(bits.shape[0]):
            for g in range(1, groups):
                margin[k, g] = shared(bits, k, k, ends[g - 1], ends[g])
        for p in range(pairs.shape[0]):
            a = pairs[p, 2] - pairs[p, 1]
            b = pairs[p, 5] - pairs[p, 4]
            for g in range(1, groups):
                if rows[g] == 0:
                    continue
                at = pairs[p, 6] + ((pairs[p, 1] - 1) * pairs[p, 5] + pairs[p, 4] - 1) * groups + g
                corner = rows[g]
                for j in range(b):
                    scratch[j] = margin[pairs[p, 3] + j, g]
                for i in range(a):
                    left = margin[pairs[p, 0] + i, g]
                    corner -= left
                    at += pairs[p, 5] * groups
                    for j in range(b):
                        n = shared(bits, pairs[p, 0] + i, pairs[p, 3] + j, ends[g - 1], ends[g])
                        counts[at + (j + 1) * groups] += n
                        left -= n
                        scratch[j] -= n
                    counts[at] += left
                at -= a * pairs[p, 5] * groups
                for j in range(b):
                    counts[at + (j + 1) * groups] += scratch[j]
                    corner -= scratch[j]
                counts[at] += corner
