"""Rows of a text table, split into fields and read at once: words into codes, numbers to the nearest double.

Bytes are looked at eight at a time. A word is told apart by its bytes; codes go by first appearance. A number of up to
19 digits becomes the nearest double: small ones by one division of numbers that are exact, others by `decimals`. What
is not plainly a number goes on a list; a row that is not plainly a row stops the call. All loads of eight bytes are
from a buffer with eight bytes to spare.
"""

import cython
from cython.cimports.bayesfold.kernels.csv.decimals import nearest
from cython.cimports.bayesfold.kernels.runs import eight
from cython.cimports.libc.string import memcpy

LF = cython.declare(cython.uchar, 10)
CR = cython.declare(cython.uchar, 13)
BLANK = cython.declare(cython.uchar, 32)
TAB = cython.declare(cython.uchar, 9)
QUOTE = cython.declare(cython.uchar, 34)

ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
HIGHS = cython.declare(cython.ulonglong, 0x8080808080808080)
MIXER = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # 2^64 over the golden ratio

WORDS = cython.declare(cython.uchar, 1)  # what a column is read as; 0: not at all
WHOLE = cython.declare(cython.uchar, 2)
REAL = cython.declare(cython.uchar, 3)

FEWEST = cython.declare(cython.Py_ssize_t, 1024)  # entries of a table of words, at first


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def first_mark(m: cython.ulonglong) -> cython.Py_ssize_t:
    """The place of the lowest byte whose high bit is set."""
    return cython.cast(cython.Py_ssize_t, ((((m & (~m + 1)) - 1) & ONES) * ONES) >> 56) - 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def field_end(b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t, sep: cython.uchar) -> cython.Py_ssize_t:
    """Where an unquoted field that goes on at p ends: at a separator or a line break, one of which there is."""
    seps: cython.ulonglong = ONES * sep
    w: cython.ulonglong
    x: cython.ulonglong
    m: cython.ulonglong
    while True:
        w = eight(b, p)
        x = w ^ seps
        m = (((x - ONES) & ~x) | ((w - ONES * 14) & ~w)) & HIGHS  # the separator, or a byte below 14
        if m == 0:
            p += 8
            continue
        p += first_mark(m)
        if b[p] == sep or b[p] == LF or b[p] == CR:
            return p
        p += 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def hashed(b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t, n: cython.Py_ssize_t) -> cython.ulonglong:
    """A key of the n bytes from p on."""
    h: cython.ulonglong = cython.cast(cython.ulonglong, n) * MIXER
    j: cython.Py_ssize_t = 8
    if n < 8:
        h ^= eight(b, p) & ((cython.cast(cython.ulonglong, 1) << (8 * n)) - 1)
    else:
        while j < n:
            h = (h ^ eight(b, p + j - 8)) * MIXER
            h ^= h >> 32
            j += 8
        h ^= eight(b, p + n - 8)
    h *= MIXER
    return h ^ (h >> 29)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def same(
    b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t, q: cython.Py_ssize_t, n: cython.Py_ssize_t
) -> cython.bint:
    """Whether the n bytes from p on are those from q on."""
    j: cython.Py_ssize_t = 8
    if n < 8:
        return n == 0 or ((eight(b, p) ^ eight(b, q)) << (64 - 8 * n)) == 0
    while j < n:
        if eight(b, p + j - 8) != eight(b, q + j - 8):
            return False
        j += 8
    return eight(b, p + n - 8) == eight(b, q + n - 8)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def all_digits(w: cython.ulonglong) -> cython.bint:
    """Whether eight bytes are digits."""
    high: cython.ulonglong = ONES * 0xF0
    return ((w & high) | (((w + ONES * 6) & high) >> 4)) == ONES * 0x33


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def eight_digits(w: cython.ulonglong) -> cython.ulonglong:
    """The number that eight digits stand for: pairs, then fours, then all."""
    pairs: cython.ulonglong = 0x000000FF000000FF
    upper: cython.ulonglong = 0x000F424000000064  # 100 + (1000000 << 32)
    lower: cython.ulonglong = 0x0000271000000001  # 1 + (10000 << 32)
    w = w - ONES * 0x30
    w = (w * 10) + (w >> 8)
    return (((w & pairs) * upper) + (((w >> 16) & pairs) * lower)) >> 32


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def digits_end(
    b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t, w: cython.pointer(cython.ulonglong)
) -> cython.Py_ssize_t:
    """Where the digits from p on end; they are written behind those of the number w."""
    more: cython.ulonglong = eight(b, p)
    while all_digits(more):
        w[0] = w[0] * 100000000 + eight_digits(more)
        p += 8
        more = eight(b, p)
    while b[p] >= 48 and b[p] <= 57:
        w[0] = w[0] * 10 + (b[p] - 48)
        p += 1
    return p


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def enlarge(
    table: cython.int[:, ::1],
    keys: cython.const[cython.ulonglong][:, ::1],
    s: cython.Py_ssize_t,
    used: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
) -> cython.void:
    """Lay out a column's table of words anew, with so many entries."""
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for i in range(size):
        table[s, i] = -1
    for i in range(used):
        at = cython.cast(cython.Py_ssize_t, keys[s, i] >> 20) & (size - 1)
        while table[s, at] >= 0:
            at = (at + 1) & (size - 1)
        table[s, at] = cython.cast(cython.int, i)


def gather(
    b: cython.const[cython.uchar][::1],
    starts: cython.const[cython.longlong][::1],
    ends: cython.const[cython.int][::1],
    out: cython.uchar[::1],
) -> None:
    """The bytes of words one behind the other: word v stands at starts[v], and is out[ends[v]:ends[v + 1]]."""
    v: cython.Py_ssize_t
    n: cython.Py_ssize_t
    with cython.nogil:
        for v in range(starts.shape[0]):
            n = ends[v + 1] - ends[v]
            if n:
                memcpy(cython.address(out[ends[v]]), cython.address(b[starts[v]]), n)


def parse(
    b: cython.const[cython.uchar][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    sep: cython.uchar,
    kinds: cython.const[cython.uchar][::1],
    places: cython.const[cython.Py_ssize_t][::1],
    codes: cython.int[:, ::1],
    table: cython.int[:, ::1],
    keys: cython.ulonglong[:, ::1],
    starts: cython.longlong[:, ::1],
    sizes: cython.int[:, ::1],
    used: cython.Py_ssize_t[::1],
    room: cython.Py_ssize_t[::1],
    wholes: cython.longlong[:, ::1],
    filled: cython.uchar[:, ::1],
    reals: cython.double[:, ::1],
    powers: cython.const[cython.double][::1],
    fives: cython.const[cython.ulonglong][:, ::1],
    odd: cython.longlong[:, ::1],
    odd_count: cython.Py_ssize_t[::1],
) -> cython.Py_ssize_t:
    """The rows of b[begin:end], which ends with a line break; returns how many there are, or -1 where one is unusual.

    Column j is read as kinds[j] into row places[j] of `codes` (words), `wholes` and `filled` (1, or 0 where it is
    empty) or `reals` (NaN where it is empty). Word v of a column stands at starts[., v], sizes[., v] bytes long; one
    that begins with a quote is written as it stands, with its quotes. odd[i] = (row, column, from, to) are fields that
    are not plainly numbers; odd_count[0] is how many of them there are.
    """
    p: cython.Py_ssize_t = begin
    row: cython.Py_ssize_t = 0
    width: cython.Py_ssize_t = kinds.shape[0]
    most: cython.Py_ssize_t = codes.shape[1]
    odds: cython.Py_ssize_t = 0
    col: cython.Py_ssize_t
    s: cython.Py_ssize_t
    a: cython.Py_ssize_t
    n: cython.Py_ssize_t
    q: cython.Py_ssize_t
    at: cython.Py_ssize_t
    digits: cython.Py_ssize_t
    decimals: cython.Py_ssize_t
    power: cython.Py_ssize_t
    word: cython.int
    kind: cython.uchar
    c: cython.uchar
    w: cython.ulonglong
    h: cython.ulonglong
    plain: cython.bint
    empty: cython.bint
    negative: cython.bint
    down: cython.bint
    quoted: cython.bint
    v: cython.double
    hole: cython.double = float("nan")
    stop: cython.bint = False
    with cython.nogil:
        for s in range(table.shape[0]):
            used[s] = 0
            room[s] = FEWEST if FEWEST < table.shape[1] else table.shape[1]
            enlarge(table, keys, s, 0, room[s])
        while p < end:
            c = b[p]
            if c == LF:  # a line without anything is no row
                p += 1
                continue
            if c == CR:
                if b[p + 1] != LF:
                    stop = True
                    break
                p += 2
                continue
            if row >= most:
                stop = True
                break
            for col in range(width):
                kind = kinds[col]
                s = places[col]
                a = p
                quoted = b[p] == QUOTE
                if kind < WHOLE:
                    if quoted:
                        # up to the quote that is not doubled; behind it the field must end
                        p += 1
                        plain = True
                        while p < end and (b[p] != QUOTE or b[p + 1] == QUOTE):
                            if b[p] == QUOTE:
                                plain = False
                                p += 1
                            p += 1
                        if p >= end:
                            stop = True
                            break
                        if plain:
                            a += 1
                            n = p - a
                        else:
                            n = p + 1 - a
                        p += 1
                        if b[p] != sep and b[p] != LF and b[p] != CR:
                            stop = True
                            break
                    else:
                        p = field_end(b, p, sep)
                        n = p - a
                    if kind == WORDS:
                        h = hashed(b, a, n)
                        at = cython.cast(cython.Py_ssize_t, h >> 20) & (room[s] - 1)
                        while True:
                            word = table[s, at]
                            if word < 0:
                                break
                            if keys[s, word] == h and sizes[s, word] == n and same(b, starts[s, word], a, n):
                                break
                            at = (at + 1) & (room[s] - 1)
                        if word < 0:
                            word = cython.cast(cython.int, used[s])
                            keys[s, word] = h
                            starts[s, word] = a
                            sizes[s, word] = cython.cast(cython.int, n)
                            table[s, at] = word
                            used[s] += 1
                            if 2 * used[s] > room[s] and 4 * room[s] <= table.shape[1]:
                                room[s] *= 4
                                enlarge(table, keys, s, used[s], room[s])
                        codes[s, row] = word
                else:
                    p += quoted
                    plain = True
                    while b[p] == BLANK or (b[p] == TAB and sep != TAB):
                        p += 1
                        plain = False  # until there is a digit
                    negative = b[p] == 45
                    p += negative
                    w = 0
                    q = p
                    p = digits_end(b, p, cython.address(w))
                    c = b[p]
                    digits = p - q
                    empty = digits == 0
                    decimals = 0
                    power = 0
                    if not empty:
                        plain = True
                        if c == 46:
                            p += 1
                            at = p
                            p = digits_end(b, p, cython.address(w))
                            c = b[p]
                            decimals = p - at
                            digits += decimals
                            plain = decimals > 0 and kind == REAL
                        if (c == 101 or c == 69) and kind == REAL:
                            p += 1
                            down = b[p] == 45
                            p += down or b[p] == 43
                            at = p
                            while b[p] >= 48 and b[p] <= 57 and p < at + 5:
                                power = power * 10 + (b[p] - 48)
                                p += 1
                            plain = plain and p > at
                            power = -power if down else power
                        if digits > 19 or (kind == WHOLE and digits > 18):
                            while digits and (b[q] == 48 or b[q] == 46):  # zeros in front are no digits
                                digits -= b[q] == 48
                                q += 1
                            plain = plain and digits <= (18 if kind == WHOLE else 19)
                        while b[p] == BLANK or (b[p] == TAB and sep != TAB):
                            p += 1
                    else:
                        plain = not negative  # blanks alone are nothing
                    if quoted:
                        plain = plain and b[p] == QUOTE
                        p += 1
                    plain = plain and (b[p] == sep or b[p] == LF or b[p] == CR)
                    if plain and not empty:
                        if kind == WHOLE:
                            wholes[s, row] = (
                                -cython.cast(cython.longlong, w) if negative else cython.cast(cython.longlong, w)
                            )
                            filled[s, row] = 1
                        else:
                            power -= decimals
                            if w >> 53 == 0 and power >= -22 and power <= 22:
                                v = cython.cast(cython.double, cython.cast(cython.longlong, w))
                                v = v / powers[-power] if power < 0 else v * powers[power]
                            elif w == 0:
                                v = 0.0
                            else:
                                h = nearest(w, power, fives)
                                memcpy(cython.address(v), cython.address(h), 8)
                                plain = h != 0
                            reals[s, row] = -v if negative else v
                    elif plain:  # nothing between the separators
                        if kind == WHOLE:
                            wholes[s, row] = 0
                            filled[s, row] = 0
                        else:
                            reals[s, row] = hole
                    if not plain:
                        p = a
                        if quoted:
                            p += 1
                            while p < end and b[p] != QUOTE and b[p] != LF and b[p] != CR:
                                p += 1
                            p += 1
                            if b[p - 1] != QUOTE or (b[p] != sep and b[p] != LF and b[p] != CR):
                                stop = True
                                break
                        else:
                            p = field_end(b, p, sep)
                        if odds >= odd.shape[0]:
                            stop = True
                            break
                        odd[odds, 0] = row
                        odd[odds, 1] = col
                        odd[odds, 2] = a
                        odd[odds, 3] = p
                        odds += 1
                        if kind == WHOLE:
                            wholes[s, row] = 0
                            filled[s, row] = 0
                        else:
                            reals[s, row] = hole
                c = b[p]
                p += 1
                if col < width - 1:
                    if c != sep:
                        stop = True
                        break
                elif c == CR and b[p] == LF:
                    p += 1
                elif c != LF:
                    stop = True
            if stop:
                break
            row += 1
    odd_count[0] = odds
    return -1 if stop else row
