"""Text as lowered bytes, equal to what Python's str.lower() and re make of it, and where words or characters begin.

For words, 0 stands for whatever is no word character, so that eight bytes at a time show where a word ends. For
characters, white space is squeezed as scikit-learn does it. What is written to has 24 bytes to spare.
"""

import cython
from cython.cimports.bayesfold.kernels.runs import load
from cython.cimports.bayesfold.kernels.text.letters import Letters
from cython.cimports.libc.string import memcpy

WORD = cython.declare(cython.int, 1)  # bits of a character's kind
SPACE = cython.declare(cython.int, 2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def plain_words(
    p: cython.pointer(cython.const[cython.uchar]), size: cython.Py_ssize_t, lower: cython.uchar, out: cython.p_uchar
) -> cython.void:
    """ASCII text as lowered bytes, 0 where there is no word character; `lower` is 32, or 0 to keep capitals."""
    i: cython.Py_ssize_t
    c: cython.uchar
    u: cython.uchar
    v: cython.uchar
    d: cython.uchar
    keep: cython.uchar
    for i in range(size):
        c = p[i]
        u = (c - 65) & 255
        v = ((c | 32) - 97) & 255
        d = (c - 48) & 255
        keep = (0 - ((v < 26) | (d < 10) | (c == 95))) & 255
        out[i] = (c | (lower if u < 26 else 0)) & keep


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def plain_eight(w: cython.ulonglong, lower: cython.uchar) -> cython.ulonglong:
    """The same of eight bytes at once, as far as they are ASCII: what is added carries into higher bytes alone."""
    ones: cython.ulonglong = 0x0101010101010101
    highs: cython.ulonglong = 0x8080808080808080
    a: cython.ulonglong = w | (ones * 32)
    letter: cython.ulonglong = (a + ones * 31) & ~(a + ones * 5)  # a..z: the top bit says so
    digit: cython.ulonglong = (w + ones * 80) & ~(w + ones * 70)
    line: cython.ulonglong = ~((w ^ (ones * 95)) + ones * 127)
    keep: cython.ulonglong = ((letter | digit | line) & highs) >> 7
    if lower:
        w |= (((w + ones * 63) & ~(w + ones * 37)) & highs) >> 2
    return w & ((keep << 8) - keep)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def code_point(p: cython.pointer(cython.const[cython.uchar]), size: cython.Py_ssize_t) -> cython.int:
    """The character whose first byte, not ASCII, is at p; -1 where the bytes, `size` of them, are not UTF-8."""
    b: cython.int = p[0]
    c: cython.int
    d: cython.int
    f: cython.int
    if b < 0xE0:
        if b < 0xC2 or size < 2:
            return -1
        c = p[1]
        return -1 if c & 0xC0 != 0x80 else ((b & 0x1F) << 6) | (c & 0x3F)
    if b < 0xF0:
        if size < 3:
            return -1
        c, d = p[1], p[2]
        if c & 0xC0 != 0x80 or d & 0xC0 != 0x80 or (b == 0xE0 and c < 0xA0) or (b == 0xED and c > 0x9F):
            return -1
        return ((b & 0x0F) << 12) | ((c & 0x3F) << 6) | (d & 0x3F)
    if b > 0xF4 or size < 4:
        return -1
    c, d, f = p[1], p[2], p[3]
    if c & 0xC0 != 0x80 or d & 0xC0 != 0x80 or f & 0xC0 != 0x80:
        return -1
    if (b == 0xF0 and c < 0x90) or (b == 0xF4 and c > 0x8F):
        return -1
    return ((b & 0x07) << 18) | ((c & 0x3F) << 12) | ((d & 0x3F) << 6) | (f & 0x3F)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def encode(cp: cython.int, out: cython.p_uchar) -> cython.Py_ssize_t:
    """Write a character; returns how many bytes it takes."""
    if cp < 0x80:
        out[0] = cp
        return 1
    if cp < 0x800:
        out[0] = 0xC0 | (cp >> 6)
        out[1] = 0x80 | (cp & 0x3F)
        return 2
    if cp < 0x10000:
        out[0], out[1], out[2] = 0xE0 | (cp >> 12), 0x80 | ((cp >> 6) & 0x3F), 0x80 | (cp & 0x3F)
        return 3
    out[0] = 0xF0 | (cp >> 18)
    out[1] = 0x80 | ((cp >> 12) & 0x3F)
    out[2] = 0x80 | ((cp >> 6) & 0x3F)
    out[3] = 0x80 | (cp & 0x3F)
    return 4


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def folded(cp: cython.int, letters: Letters) -> cython.int:
    """What is known of a character."""
    return letters.fold[(cython.cast(cython.Py_ssize_t, letters.stage[cp >> 8]) << 8) | (cp & 255)]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def any_words(
    p: cython.pointer(cython.const[cython.uchar]),
    size: cython.Py_ssize_t,
    ready: cython.bint,
    lower: cython.uchar,
    letters: Letters,
    out: cython.p_uchar,
) -> cython.Py_ssize_t:
    """Any text as lowered bytes, 0 where there is no word character; its length, or -1 if it is for str.lower().

    `ready`: it has been there, so a capital sigma and a dotted I cannot occur.
    """
    ones: cython.ulonglong = 0x0101010101010101
    highs: cython.ulonglong = 0x8080808080808080
    i: cython.Py_ssize_t = 0
    o: cython.Py_ssize_t = 0
    w: cython.ulonglong
    z: cython.ulonglong
    fold: cython.int
    cp: cython.int
    n: cython.int
    b: cython.uchar
    c: cython.uchar
    d: cython.uchar
    while i < size:
        b = p[i]
        if b < 128:
            if i + 8 > size:
                plain_words(p + i, 1, lower, out + o)
                o += 1
                i += 1
                continue
            w = load(p + i)
            z = plain_eight(w, lower)
            memcpy(out + o, cython.address(z), 8)  # what is behind the first other character is written over
            z = w & highs
            n = 8 if z == 0 else cython.cast(cython.int, ((((z & (0 - z)) >> 7) - 1) & ones) * ones >> 56)
            o += n
            i += n
            continue
        if b >= 0xE1 and b < 0xF0 and b != 0xED and i + 2 < size:  # most of the world's letters, without a call
            c = p[i + 1]
            d = p[i + 2]
            cp = ((b & 0x0F) << 12) | ((c & 0x3F) << 6) | (d & 0x3F)
            if c & 0xC0 != 0x80 or d & 0xC0 != 0x80:
                return -1
            n = 3
        elif b >= 0xC2 and b < 0xE0 and i + 1 < size:  # and most of Europe's
            c = p[i + 1]
            cp = ((b & 0x1F) << 6) | (c & 0x3F)
            if c & 0xC0 != 0x80 or (not ready and (cp == 0x3A3 or cp == 0x130)):
                return -1
            n = 2
        else:
            cp = code_point(p + i, size - i)
            if cp < 0:
                return -1
            n = 3 if b < 0xF0 else 4
        fold = folded(cp, letters)
        if fold & WORD == 0:
            out[o] = 0
            o += 1
        elif fold == WORD:
            out[o] = b
            out[o + 1] = p[i + 1]
            if n > 2:
                out[o + 2] = p[i + 2]
                if n > 3:
                    out[o + 3] = p[i + 3]
            o += n
        else:
            o += encode(cp + (fold >> 2), out + o)
        i += n
    return o


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def characters(
    p: cython.pointer(cython.const[cython.uchar]),
    size: cython.Py_ssize_t,
    ready: cython.bint,
    bounded: cython.bint,
    letters: Letters,
    out: cython.p_uchar,
) -> cython.Py_ssize_t:
    """Lowered text with white space squeezed: two or more to one blank; its length, or -1 if it is for str.lower().

    `bounded`: every run of white space is one blank, and there is one at either end.
    """
    i: cython.Py_ssize_t = 0
    o: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0  # of the run of white space
    run: cython.Py_ssize_t = 0
    fold: cython.int
    cp: cython.int
    b: cython.uchar
    if bounded:
        out[0] = 32
        o = run = 1
    while i < size:
        b = p[i]
        if b < 128:
            cp = b
            i += 1
        else:
            cp = code_point(p + i, size - i)
            if cp < 0 or (not ready and (cp == 0x3A3 or cp == 0x130)):
                return -1
            i += 2 if b < 0xE0 else 3 if b < 0xF0 else 4
        fold = folded(cp, letters)
        if fold & SPACE:
            run += 1
            if run == 1:
                begin = o
                o += encode(32 if bounded else cp, out + o)
            elif not bounded and run == 2:
                out[begin] = 32
                o = begin + 1
        else:
            run = 0
            o += encode(cp + (fold >> 2), out + o)
    if bounded and run == 0:
        out[o] = 32
        o += 1
    return o


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def compact(b: cython.p_uchar, size: cython.Py_ssize_t, starts: cython.pointer(cython.Py_ssize_t)) -> cython.Py_ssize_t:
    """Words of two or more characters moved together, one blank between; returns how many.

    starts[i] is where word i begins; behind the last one, where the next would.
    """
    p: cython.Py_ssize_t = 0
    o: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t
    i: cython.Py_ssize_t
    words: cython.Py_ssize_t = 0
    c: cython.uchar
    starts[0] = 0
    while p < size:
        if b[p] == 0:
            p += 1
            continue
        n = 1
        while b[p + n] != 0:
            n += 1
        c = b[p]
        if n >= 2 and not (c >= 0xC0 and n == (2 if c < 0xE0 else 3 if c < 0xF0 else 4)):
            for i in range(n):
                b[o + i] = b[p + i]
            o += n
            b[o] = 32  # at most on the 0 behind the word
            o += 1
            words += 1
            starts[words] = o
        p += n + 1
    return words


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begins(
    b: cython.pointer(cython.const[cython.uchar]), size: cython.Py_ssize_t, starts: cython.pointer(cython.Py_ssize_t)
) -> cython.Py_ssize_t:
    """Where each character begins, and behind them the end; returns how many."""
    p: cython.Py_ssize_t
    n: cython.Py_ssize_t = 0
    for p in range(size):
        if b[p] & 0xC0 != 0x80:
            starts[n] = p
            n += 1
    starts[n] = size
    return n
