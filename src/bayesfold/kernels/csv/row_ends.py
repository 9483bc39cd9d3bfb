"""Where the rows of a text table end, eight bytes at a time; from a buffer with eight bytes to spare."""

import cython
from cython.cimports.bayesfold.kernels.runs import eight

LF = cython.declare(cython.uchar, 10)
CR = cython.declare(cython.uchar, 13)
QUOTE = cython.declare(cython.uchar, 34)
ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
HIGHS = cython.declare(cython.ulonglong, 0x8080808080808080)
EVENS = cython.declare(cython.ulonglong, 0x00FF00FF00FF00FF)
PAIRS = cython.declare(cython.ulonglong, 0x0001000100010001)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def begins(b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t, sep: cython.uchar) -> cython.bint:
    """Whether a field begins behind the byte at p."""
    return b[p] == sep or b[p] == LF or b[p] == CR


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def marked(w: cython.ulonglong, c: cython.uchar) -> cython.ulonglong:
    """The high bit of each of eight bytes that is c, exactly."""
    lows: cython.ulonglong = ~HIGHS
    x: cython.ulonglong = w ^ (ONES * c)
    return ~(((x & lows) + lows) | x | lows)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def stride(b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t, fresh: cython.bint) -> cython.Py_ssize_t:
    """The line breaks in 1,024 bytes from p on, looked at without a branch; -1 where there is a quote or a blank line.

    `fresh`: whether no byte of a row has come before p.
    """
    k: cython.Py_ssize_t
    w: cython.ulonglong
    x: cython.ulonglong
    odd: cython.ulonglong = 0
    blank: cython.ulonglong = 0
    ends: cython.ulonglong = 0  # a count in each byte, of 128 at most
    begun: cython.ulonglong = 0x80 if fresh else 0  # the high bit of each byte with which a row begins
    for k in range(128):
        w = eight(b, p + 8 * k)
        x = w ^ (ONES * QUOTE)
        odd |= (x - ONES) & ~x
        x = marked(w, LF)
        ends += x >> 7
        begun |= x << 8
        blank |= begun & (x | marked(w, CR))
        begun = x >> 56
    if (odd & HIGHS) | blank:
        return -1
    ends = (ends & EVENS) + ((ends >> 8) & EVENS)
    return cython.cast(cython.Py_ssize_t, (ends * PAIRS) >> 48)


def breaks(b: cython.const[cython.uchar][::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The rows that end in b[begin:end]; -1 where there is a quote or, it may be, a blank line."""
    p: cython.Py_ssize_t = begin
    ends: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = 0
    fresh: cython.bint = True  # so it may be
    with cython.nogil:
        while p + 1024 <= end and ends >= 0:
            ends = stride(b, p, fresh)
            rows += ends
            p += 1024
            fresh = b[p - 1] == LF
        while p < end and ends >= 0:
            if b[p] == QUOTE or (fresh and (b[p] == LF or b[p] == CR)):
                ends = -1
            fresh = b[p] == LF
            rows += fresh
            p += 1
    return rows if ends >= 0 else -1


def cut(
    b: cython.const[cython.uchar][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    sep: cython.uchar,
    most: cython.Py_ssize_t,
    state: cython.Py_ssize_t[::1],
) -> cython.Py_ssize_t:
    """Where the last row of b[begin:end] ends, or the `most`-th, with blank lines behind it; `begin` where none does.

    A quote counts where a field begins; a blank line is no row. state = (0 where a field begins at `begin`, 1 inside
    one, 2 in quotes, 3 behind a quote that stands in quotes; rows that ended; whether a quote counted; 0 where a row
    begins at `begin`, 1 behind a carriage return with which it would begin, 2 inside one), brought up to what was
    looked at.
    """
    p: cython.Py_ssize_t = begin
    last: cython.Py_ssize_t = begin
    near: cython.Py_ssize_t = -1
    rows: cython.Py_ssize_t = 0
    mode: cython.Py_ssize_t = state[0]
    inside: cython.Py_ssize_t = state[3]
    quotes: cython.bint = False
    w: cython.ulonglong
    x: cython.ulonglong
    begun: cython.ulonglong
    ends: cython.Py_ssize_t
    again: cython.Py_ssize_t = begin
    with cython.nogil:
        while p < end and rows < most:
            if p >= again and mode < 2 and p + 1024 <= end and rows + 1024 < most:
                ends = stride(b, p, inside < 2)
                again = p + 1024
                if ends >= 0:
                    p = again
                    rows += ends
                    near = p - 8 if ends > 0 else near
                    inside = 0 if b[p - 1] == LF else 2
                    continue
            if mode == 2:
                if b[p] == QUOTE:
                    mode = 3
                p += 1
                continue
            if mode == 3:
                mode = 2 if b[p] == QUOTE else 1
                p += mode - 1
                continue
            w = eight(b, p)
            x = w ^ (ONES * QUOTE)
            if p + 8 <= end and ((x - ONES) & ~x & HIGHS) == 0:
                x = marked(w, LF)
                begun = (x << 8) | (0x80 if inside < 2 else 0)
                if begun == 0 and x == 0:
                    p += 8
                    continue
                if begun & (x | marked(w, CR)) == 0:  # no blank line
                    begun = ((x >> 7) * ONES) >> 56
                    if rows + cython.cast(cython.Py_ssize_t, begun) < most:
                        rows += cython.cast(cython.Py_ssize_t, begun)
                        near = p if x else near
                        inside = 0 if x >> 63 else 2
                        p += 8
                        continue
            if b[p] == QUOTE and (begins(b, p - 1, sep) if p > begin else mode == 0):
                mode = 2
                quotes = True
                inside = 2
            elif b[p] == LF:
                rows += inside == 2
                inside = 0
                last = p + 1
            elif b[p] == CR and inside < 2:
                inside = 1
            else:
                inside = 2
            p += 1
        if near >= last:
            last = near + 8
            while b[last - 1] != LF:
                last -= 1
        if mode < 2 and p > begin:
            mode = 0 if begins(b, p - 1, sep) else 1
    state[0] = mode
    state[1] += rows
    state[2] |= quotes
    state[3] = inside
    return last
