"""Counts of (column value, group) pairs, straight from arrays of codes.

Slot 0 of an axis is "missing", level l stands at slot l + 1; `shift` is what turns a stored code into its slot.
"""

import cython

Code = cython.fused_type(cython.uchar, cython.ushort, cython.int, cython.longlong)
Index = cython.fused_type(cython.schar, cython.short, cython.int)
Label = cython.fused_type(cython.uchar, cython.int, cython.longlong)
Bits = cython.fused_type(cython.longlong, cython.int)


def pairs(
    codes: cython.const[Code][:, ::1],
    shift: cython.int,
    slots: cython.const[cython.Py_ssize_t][::1],
    cells: cython.const[cython.Py_ssize_t][::1],
    group: cython.const[cython.int][::1],
    groups: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    counts: cython.longlong[:, ::1],
) -> cython.Py_ssize_t:
    """counts[:, cells[j] + slot * groups + group] += 1; returns i * m + j of the first code off its axis, or -1.

    `counts` has one row or four. With four the rows of the table take turns, and their sum is what counts: a cell that
    is counted twice in a row need not wait until it is stored.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    g: cython.Py_ssize_t
    m: cython.Py_ssize_t = codes.shape[1]
    bad: cython.Py_ssize_t = -1
    turns: cython.Py_ssize_t = counts.shape[0] - 1
    only: cython.Py_ssize_t = slots[0] if m == 1 else 0
    first: cython.Py_ssize_t = cells[0] if m == 1 else 0
    with cython.nogil:
        for i in range(begin, end if m == 1 else begin):
            c = cython.cast(cython.Py_ssize_t, codes[i, 0]) + shift
            if c < 0 or c >= only:
                bad = i
                break
            counts[i & turns, first + c * groups + group[i]] += 1
        for i in range(begin, end if m > 1 else begin):
            g = group[i]
            for j in range(m):
                c = cython.cast(cython.Py_ssize_t, codes[i, j]) + shift
                if c < 0 or c >= slots[j]:
                    bad = i * m + j
                    break
                counts[i & turns, cells[j] + c * groups + g] += 1
            if bad >= 0:
                break
    return bad


def lay_out(
    codes: cython.const[Code][:, ::1],
    shift: cython.int,
    slots: cython.const[cython.Py_ssize_t][::1],
    rows: cython.const[cython.Py_ssize_t][::1],
    out: cython.int[:, ::1],
) -> None:
    """out[rows[j], i] = the slot of column j in row i, 0 where that is off its axis; a column with rows[j] < 0 is not
    asked for."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    m: cython.Py_ssize_t = codes.shape[1]
    with cython.nogil:
        for j in range(m):
            if rows[j] < 0:
                continue
            for i in range(codes.shape[0]):
                c = cython.cast(cython.Py_ssize_t, codes[i, j]) + shift
                out[rows[j], i] = c if 0 <= c < slots[j] else 0


def weighted_pairs(
    codes: cython.const[Code][:, ::1],
    shift: cython.int,
    slots: cython.const[cython.Py_ssize_t][::1],
    cells: cython.const[cython.Py_ssize_t][::1],
    group: cython.const[cython.int][::1],
    groups: cython.Py_ssize_t,
    weight: cython.const[cython.double][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    counts: cython.longlong[::1],
    sums: cython.double[::1],
) -> cython.Py_ssize_t:
    """As `pairs`, with the rows' weights summed beside the row counts."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    at: cython.Py_ssize_t
    m: cython.Py_ssize_t = codes.shape[1]
    bad: cython.Py_ssize_t = -1
    with cython.nogil:
        for i in range(begin, end):
            for j in range(m):
                c = cython.cast(cython.Py_ssize_t, codes[i, j]) + shift
                if c < 0 or c >= slots[j]:
                    bad = i * m + j
                    break
                at = cells[j] + c * groups + group[i]
                counts[at] += 1
                sums[at] += weight[i]
            if bad >= 0:
                break
    return bad


def shown(
    index: cython.const[Index][::1],
    valid: cython.const[cython.uchar][::1],
    offset: cython.Py_ssize_t,
    seen: cython.uchar[::1],
) -> None:
    """seen[index[i]] = 1 for rows that are not missing (index -1, or no bit in `valid`, Arrow's bitmap; empty: all).

    The last entry of `seen` is no level's. Rows are read until every level was seen.
    """
    i: cython.Py_ssize_t
    b: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t = 0
    level: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = index.shape[0]
    levels: cython.Py_ssize_t = seen.shape[0] - 1
    holes: cython.bint = valid.shape[0] > 0
    with cython.nogil:
        while end < rows:
            begin = end
            end = min(begin + 1024, rows)
            for i in range(begin, end):
                if holes:
                    b = i + offset
                    if not (valid[b >> 3] >> (b & 7)) & 1:
                        continue
                if index[i] >= 0:
                    seen[index[i]] = 1
            while level < levels and seen[level]:
                level += 1
            if level == levels:
                break


def place(
    index: cython.const[Index][::1],
    valid: cython.const[cython.uchar][::1],
    offset: cython.Py_ssize_t,
    slots: cython.const[Code][::1],
    out: Code[::1],
) -> None:
    """out[i] = slots[index[i] + 1]; slots[0] stands for a missing row (index -1, or its bit not set).

    Slots that follow one another are added to, which needs no lookup.
    """
    i: cython.Py_ssize_t
    b: cython.Py_ssize_t
    there: cython.Py_ssize_t
    levels: cython.Py_ssize_t = slots.shape[0] - 1
    holes: cython.bint = valid.shape[0] > 0
    follow: cython.bint = not holes and levels > 0
    none: Code = slots[0]
    first: Code = slots[1] if levels > 0 else none
    with cython.nogil:
        for i in range(levels):
            follow &= slots[i + 1] == first + i
        if follow:
            for i in range(index.shape[0]):
                out[i] = first + index[i] if index[i] >= 0 else none
        elif holes:
            for i in range(index.shape[0]):
                b = i + offset
                there = (valid[b >> 3] >> (b & 7)) & 1
                out[i] = slots[(cython.cast(cython.Py_ssize_t, index[i]) + 1) * there]
        else:
            for i in range(index.shape[0]):
                out[i] = slots[cython.cast(cython.Py_ssize_t, index[i]) + 1]


def punch(
    bits: cython.const[Bits][::1],
    valid: cython.const[cython.uchar][::1],
    offset: cython.Py_ssize_t,
    hole: Bits,
    out: Bits[::1],
) -> None:
    """out[i] = bits[i], or `hole` where Arrow's bitmap has no bit at `offset` + i; bits are those of numbers, and of
    the one NaN that everybody writes, since rows are also told apart by their bits."""
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    m: cython.int
    rows: cython.Py_ssize_t = bits.shape[0]
    with cython.nogil:
        while i < rows:
            m = valid[(i + offset) >> 3] >> ((i + offset) & 7)
            if (i + offset) & 7 == 0 and i + 8 <= rows:
                for j in range(8):
                    out[i + j] = bits[i + j] if (m >> j) & 1 else hole
                i += 8
            else:
                out[i] = bits[i] if m & 1 else hole
                i += 1


def sort(
    group: cython.const[cython.int][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    starts: cython.Py_ssize_t[::1],
    order: cython.int[::1],
) -> None:
    """order[starts[g] : starts[g + 1]] = the rows of group g, in their order; `starts` is 0 and has one entry more."""
    i: cython.Py_ssize_t
    g: cython.Py_ssize_t
    with cython.nogil:
        for i in range(begin, end):
            starts[group[i] + 2] += 1
        for g in range(2, starts.shape[0]):
            starts[g] += starts[g - 1]
        for i in range(begin, end):  # now starts[g + 1] is where the next row of group g goes
            g = group[i] + 1
            order[starts[g]] = i
            starts[g] += 1


def histogram(group: cython.const[cython.int][::1], counts: cython.longlong[::1]) -> None:
    """counts[group[i]] += 1."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(group.shape[0]):
            counts[group[i]] += 1


def bounds(x: cython.const[Label][::1]) -> tuple[int, int]:
    """Smallest and largest value of a non-empty array."""
    i: cython.Py_ssize_t
    low: cython.longlong = x[0]
    high: cython.longlong = x[0]
    v: cython.longlong
    with cython.nogil:
        for i in range(x.shape[0]):
            v = x[i]
            if v < low:
                low = v
            if v > high:
                high = v
    return low, high


def translate(
    x: cython.const[Label][::1], low: cython.longlong, slots: cython.const[cython.int][::1], out: cython.int[::1]
) -> None:
    """out[i] = slots[x[i] - low]: integers of a small range to their codes."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(x.shape[0]):
            out[i] = slots[x[i] - low]


def present(x: cython.const[Label][::1], low: cython.longlong, seen: cython.uchar[::1]) -> None:
    """seen[x[i] - low] = 1."""
    i: cython.Py_ssize_t
    with cython.nogil:
        for i in range(x.shape[0]):
            seen[x[i] - low] = 1
