"""Counting every pair of columns by class: a bit a row, and how many bits two columns' levels share.

Rows stand class after class, each class from a word of its own. A column of up to 16 slots is a bitmap a slot; one slot
of each column, the one left out, is what the others lack to the whole. All pairs of a block of words are counted before
the next block, so that the bitmaps stay in the cache.
"""

import cython
from cython.cimports.bayesfold.kernels.popcount import best_way, counted

Code = cython.fused_type(cython.uchar, cython.ushort, cython.int, cython.longlong)

HALVES = cython.declare(cython.ulonglong, 0x5555555555555555)
QUARTERS = cython.declare(cython.ulonglong, 0x3333333333333333)
NIBBLES = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
BYTES = cython.declare(cython.ulonglong, 0x00FF00FF00FF00FF)
ONES = cython.declare(cython.ulonglong, 0x0001000100010001)
EVERY = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
LOWEST = cython.declare(cython.ulonglong, 0x0101010101010101)
TOGETHER = cython.declare(cython.ulonglong, 0x0102040810204080)


def best() -> int:
    """The fastest way to count bits that this processor knows: 0 by additions, 1 a word at a time, 2 eight words."""
    return best_way() if cython.compiled else 0


def by_group(group: cython.const[cython.int][::1], place: cython.Py_ssize_t[::1], order: cython.int[::1]) -> None:
    """order[place[g]], ... = the rows of group g, from first to last; place[g] moves on to where they end."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(group.shape[0]):
            order[place[group[i]]] = cython.cast(cython.int, i)
            place[group[i]] += 1


def planes(
    codes: cython.const[Code][::1],
    shift: cython.int,
    order: cython.const[cython.int][::1],
    starts: cython.const[cython.Py_ssize_t][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    from_slot: cython.Py_ssize_t,
    slot: cython.uchar[::1],
    eight: cython.const[cython.ulonglong][::1],
    out: cython.ulonglong[:, ::1],
) -> None:
    """out[s, w - begin] = the rows of word w whose slot is from_slot + s, for begin <= w < end.

    Word w holds the rows order[starts[w]], ..., order[starts[w + 1] - 1], at most 64. A row's slot is its code + shift;
    slot 0 has no bitmap. `slot` is scratch for the 512 of eight words, `eight` the same memory, eight at a time: their
    lowest bits, times `TOGETHER`, stand side by side in the highest byte.
    """
    b: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    w: cython.Py_ssize_t
    at: cython.Py_ssize_t
    t: cython.Py_ssize_t
    q: cython.int
    s: cython.Py_ssize_t
    first: cython.Py_ssize_t
    rows: cython.Py_ssize_t
    x: cython.ulonglong
    p0: cython.ulonglong
    p1: cython.ulonglong
    p2: cython.ulonglong
    p3: cython.ulonglong
    with cython.nogil:
        for b in range(begin, end, 8):
            stop = min(b + 8, end)
            for w in range(b, stop):
                first = starts[w]
                at = 64 * (w - b)
                rows = cython.cast(cython.Py_ssize_t, starts[w + 1] - first)
                for t in range(rows):
                    slot[at + t] = cython.cast(cython.uchar, codes[order[first + t]] + shift)
                for t in range(rows, 64):
                    slot[at + t] = 0
            for w in range(b, stop):
                p0 = p1 = p2 = p3 = 0
                for q in range(8):
                    x = eight[8 * (w - b) + q]
                    p0 |= (((x & LOWEST) * TOGETHER) >> 56) << (8 * q)
                    p1 |= ((((x >> 1) & LOWEST) * TOGETHER) >> 56) << (8 * q)
                    p2 |= ((((x >> 2) & LOWEST) * TOGETHER) >> 56) << (8 * q)
                    p3 |= ((((x >> 3) & LOWEST) * TOGETHER) >> 56) << (8 * q)
                for s in range(from_slot, from_slot + out.shape[0]):
                    x = p0 if s & 1 else p0 ^ EVERY
                    x &= p1 if s & 2 else p1 ^ EVERY
                    x &= p2 if s & 4 else p2 ^ EVERY
                    x &= p3 if s & 8 else p3 ^ EVERY
                    out[s - from_slot, w - begin] = x


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
    way: cython.int,
) -> cython.longlong:
    """How many bits two rows of `bits` share in some words; by additions, in bytes, 30 words at a time."""
    w: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    x: cython.ulonglong
    sum: cython.ulonglong
    total: cython.longlong = 0
    if cython.compiled and way > 0:
        return counted(cython.address(bits[a, begin]), cython.address(bits[b, begin]), end - begin, way)
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
    columns: cython.const[cython.Py_ssize_t][:, ::1],
    pairs: cython.const[cython.Py_ssize_t][:, ::1],
    way: cython.int,
    scratch: cython.longlong[::1],
    counts: cython.longlong[::1],
) -> None:
    """Add the rows of a block by the slots of two columns and by group, for each pair, and of each column alone.

    bits[k] are the rows of one slot of one column, in its group g in the words ends[g - 1] to ends[g], where `rows[g]`
    rows are; `margin` is filled with bits[k]'s rows by group. A column is (the bitmap, slot and slots; first): its
    bitmaps are its slots from that slot to its last; its rows without any of these have the slot before. A pair is (the
    bitmap, slot and slots of a; the same of b; first). Cell (s_a, s_b, g) of a pair stands at
    first + (s_a slots_b + s_b) groups + g, cell (s, g) of a column at first + s groups + g. `way` is how bits are
    counted.
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
                margin[k, g] = shared(bits, k, k, ends[g - 1], ends[g], way)
        for p in range(columns.shape[0]):
            for g in range(1, groups):
                at = columns[p, 3] + (columns[p, 1] - 1) * groups + g
                left = rows[g]
                for i in range(columns[p, 2] - columns[p, 1]):
                    n = margin[columns[p, 0] + i, g]
                    counts[at + (i + 1) * groups] += n
                    left -= n
                counts[at] += left
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
                        n = shared(bits, pairs[p, 0] + i, pairs[p, 3] + j, ends[g - 1], ends[g], way)
                        counts[at + (j + 1) * groups] += n
                        left -= n
                        scratch[j] -= n
                    counts[at] += left
                at -= a * pairs[p, 5] * groups
                for j in range(b):
                    counts[at + (j + 1) * groups] += scratch[j]
                    corner -= scratch[j]
                counts[at] += corner
