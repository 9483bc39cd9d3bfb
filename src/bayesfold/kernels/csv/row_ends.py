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
def stride(b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The line breaks in 1,024 bytes from p on, looked at without a branch; -1 where there is a quote."""
    k: cython.Py_ssize_t
    w: cython.ulonglong
    x: cython.ulonglong
    odd: cython.ulonglong = 0
    ends: cython.ulonglong = 0  # a count in each byte, of 128 at most
    lows: cython.ulonglong = ~HIGHS
    for k in range(128):
        w = eight(b, p + 8 * k)
        x = w ^ (ONES * QUOTE)
        odd |= (x - ONES) & ~x
        x = w ^ (ONES * LF)
        ends += ~(((x & lows) + lows) | x | lows) >> 7  # the high bit of each byte that is a line break, exactly
    if odd & HIGHS:
        return -1
    ends = (ends & EVENS) + ((ends >> 8) & EVENS)
    return cython.cast(cython.Py_ssize_t, (ends * PAIRS) >> 48)


def breaks(b: cython.const[cython.uchar][::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The line breaks in b[begin:end]; -1 where there is a quote."""
    p: cython.Py_ssize_t = begin
    found: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = 0
    with cython.nogil:
        while p + 1024 <= end and found >= 0:
            found = stride(b, p)
            rows += found
            p += 1024
        while p < end and found >= 0:
            if b[p] == QUOTE:
                found = -1
            rows += b[p] == LF
            p += 1
    return rows if found >= 0 else -1


def cut(
    b: cython.const[cython.uchar][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    sep: cython.uchar,
    most: cython.Py_ssize_t,
    state: cython.Py_ssize_t[::1],
) -> cython.Py_ssize_t:
    """Where the last row of b[begin:end] ends, or the `most`-th; `begin` where none does.

    A quote counts where a field begins. state = (0 where one begins at `begin`, 1 inside one, 2 in quotes, 3 behind a
    quote that stands in quotes; rows that ended; whether a quote counted), brought up to what was looked at.
    """
    p: cython.Py_ssize_t = begin
    last: cython.Py_ssize_t = begin
    near: cython.Py_ssize_t = -1
    rows: cython.Py_ssize_t = 0
    mode: cython.Py_ssize_t = state[0]
    quotes: cython.bint = False
    w: cython.ulonglong
    x: cython.ulonglong
    found: cython.Py_ssize_t
    again: cython.Py_ssize_t = begin
    lows: cython.ulonglong = ~HIGHS
    with cython.nogil:
        while p < end and rows < most:
            if p >= again and mode < 2 and p + 1024 <= end and rows + 1024 < most:
                found = stride(b, p)
                again = p + 1024
                if found >= 0:
                    p = again
                    rows += found
                    near = p - 8 if found > 0 else near
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
                x = w ^ (ONES * LF)
                x = ~(((x & lows) + lows) | x | lows)  # the high bit of each byte that is a line break, exactly
                if x == 0:
                    p += 8
                    continue
                x = ((x >> 7) * ONES) >> 56
                if rows + cython.cast(cython.Py_ssize_t, x) < most:
                    rows += cython.cast(cython.Py_ssize_t, x)
                    near = p
                    p += 8
                    continue
            if b[p] == QUOTE and (begins(b, p - 1, sep) if p > begin else mode == 0):
                mode = 2
                quotes = True
            elif b[p] == LF:
                rows += 1
                last = p + 1
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
    return last
