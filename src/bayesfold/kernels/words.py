"""Text to numbered terms: UTF-8 documents into CSR rows over a growing vocabulary, equal to CountVectorizer's.

A document is first read as lowered bytes in a scratch buffer. For words, 0 stands for whatever is no word character, so
eight bytes at a time show where a word ends. For characters, white space is squeezed as scikit-learn does it. Terms
(words, word n-grams, character n-grams) are runs of that buffer; up to 7 bytes a term is its own key, a longer one is
hashed and compared. A vocabulary is a table of (key, number) and the terms' bytes one behind the other.

All loads of eight bytes are from buffers of our own, which have eight bytes to spare.
"""

import cython
from cython.cimports.libc.string import memcpy

CHUNK = cython.declare(cython.Py_ssize_t, 256)  # terms found before they are looked up, so that look-ups overlap

WORD = cython.declare(cython.int, 1)  # bits of a character's kind
SPACE = cython.declare(cython.int, 2)

# why a call stopped: what must be enlarged, or that a document must go through str.lower() first
DONE = cython.declare(cython.Py_ssize_t, 0)
TABLE = cython.declare(cython.Py_ssize_t, 1)
ARENA = cython.declare(cython.Py_ssize_t, 2)
ENTRIES = cython.declare(cython.Py_ssize_t, 3)
SCRATCH = cython.declare(cython.Py_ssize_t, 4)
ODD = cython.declare(cython.Py_ssize_t, 5)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def load(b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t) -> cython.ulonglong:
    """Eight bytes from p on, the first lowest (on the little-endian machines that Arrow's buffers are for)."""
    w: cython.ulonglong = 0
    memcpy(cython.address(w), cython.address(b[p]), 8)
    return w


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def key_of(b: cython.const[cython.uchar][::1], p: cython.Py_ssize_t, n: cython.Py_ssize_t) -> cython.ulonglong:
    """The key of the n bytes from p on: the bytes and their number, or above 7 bytes a hash with the top bit set."""
    multiplier: cython.ulonglong = 0x9E3779B97F4A7C15
    long_term: cython.ulonglong = 0x8000000000000000
    w: cython.ulonglong
    h: cython.ulonglong
    if n < 8:
        w = load(b, p)
        return (w & ((cython.cast(cython.ulonglong, 1) << (8 * n)) - 1)) | (cython.cast(cython.ulonglong, n) << 56)
    h = 0
    while n > 0:
        w = load(b, p)
        if n < 8:
            w &= (cython.cast(cython.ulonglong, 1) << (8 * n)) - 1
        h = (h ^ w) * multiplier
        h ^= h >> 32
        p += 8
        n -= 8
    return h | long_term


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def equal(
    a: cython.const[cython.uchar][::1],
    p: cython.Py_ssize_t,
    b: cython.const[cython.uchar][::1],
    q: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
) -> cython.bint:
    """Whether n bytes are the same."""
    while n >= 8:
        if load(a, p) != load(b, q):
            return False
        p += 8
        q += 8
        n -= 8
    if n == 0:
        return True
    return ((load(a, p) ^ load(b, q)) << (64 - 8 * n)) == 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def slot_of(key: cython.ulonglong, table: cython.ulonglong[:, ::1]) -> cython.ulonglong:
    """Where the search for a key begins."""
    multiplier: cython.ulonglong = 0x9E3779B97F4A7C15
    return ((key * multiplier) >> 32) & cython.cast(cython.ulonglong, table.shape[0] - 1)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def number_of(
    b: cython.const[cython.uchar][::1],
    p: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    key: cython.ulonglong,
    q: cython.ulonglong,
    grow: cython.bint,
    table: cython.ulonglong[:, ::1],
    ends: cython.longlong[::1],
    arena: cython.uchar[::1],
    top: cython.longlong[::1],
) -> cython.longlong:
    """The number of a term, -1 if it is new and may not be added. There is room for it; the search begins at q."""
    mask: cython.ulonglong = cython.cast(cython.ulonglong, table.shape[0] - 1)
    j: cython.longlong
    i: cython.Py_ssize_t
    start: cython.Py_ssize_t
    while True:
        if table[q, 0] == key:
            j = cython.cast(cython.longlong, table[q, 1])
            if n < 8:
                return j
            start = ends[j]
            if ends[j + 1] - start == n and equal(b, p, arena, start, n):
                return j
        elif table[q, 0] == 0:
            if not grow:
                return -1
            j = top[0]
            table[q, 0] = key
            table[q, 1] = cython.cast(cython.ulonglong, j)
            start = ends[j]
            for i in range(n):
                arena[start + i] = b[p + i]
            ends[j + 1] = start + n
            top[0] = j + 1
            return j
        q = (q + 1) & mask


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put(
    b: cython.const[cython.uchar][::1],
    keys: cython.ulonglong[::1],
    at: cython.Py_ssize_t[::1],
    sizes: cython.Py_ssize_t[::1],
    slots: cython.ulonglong[::1],
    found: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    grow: cython.bint,
    known: cython.longlong,
    buckets: cython.ulonglong,
    table: cython.ulonglong[:, ::1],
    ends: cython.longlong[::1],
    arena: cython.uchar[::1],
    top: cython.longlong[::1],
    last: cython.int[::1],
    indices: cython.int[::1],
    values: cython.int[::1],
    tokens: cython.int[:, ::1],
    state: cython.Py_ssize_t[::1],
) -> cython.Py_ssize_t:
    """Count the terms of a chunk into the row that began at entry `first`; says what is too small, if anything is."""
    multiplier: cython.ulonglong = 0x9E3779B97F4A7C15
    i: cython.Py_ssize_t
    size: cython.Py_ssize_t = 16
    nnz: cython.Py_ssize_t = state[1]
    j: cython.longlong
    h: cython.ulonglong
    touched: cython.ulonglong = 0
    unknown: cython.int = 0
    if nnz + found > indices.shape[0]:
        return ENTRIES
    if grow:
        if 2 * (top[0] + found) > table.shape[0] or top[0] + found >= last.shape[0]:
            return TABLE
        for i in range(found):
            size += sizes[i]
        if ends[top[0]] + size > arena.shape[0]:
            return ARENA
    if buckets == 0:
        for i in range(found):  # all slots are fetched before the first is looked at, so that the waits overlap
            slots[i] = slot_of(keys[i], table)
            touched ^= table[slots[i], 0]
        state[3] = cython.cast(cython.Py_ssize_t, touched)
    for i in range(found):
        if buckets > 0:
            h = (keys[i] ^ (keys[i] >> 29)) * multiplier
            j = cython.cast(cython.longlong, ((h ^ (h >> 32)) * multiplier) >> 33) & cython.cast(
                cython.longlong, buckets - 1
            )
        else:
            j = number_of(b, at[i], sizes[i], keys[i], slots[i], grow, table, ends, arena, top)
            if j < 0 or (not grow and j >= known):
                unknown += 1
                continue
        if last[j] >= first:
            values[last[j]] += 1
        else:
            last[j] = cython.cast(cython.int, nnz)
            indices[nnz] = cython.cast(cython.int, j)
            values[nnz] = 1
            nnz += 1
    tokens[row, 0] += cython.cast(cython.int, found)
    tokens[row, 1] += unknown
    state[1] = nnz
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def plain_words(
    data: cython.const[cython.uchar][::1],
    p: cython.Py_ssize_t,
    e: cython.Py_ssize_t,
    lower: cython.uchar,
    out: cython.uchar[::1],
) -> cython.void:
    """ASCII text as lowered bytes, 0 where there is no word character; `lower` is 32, or 0 to keep capitals."""
    i: cython.Py_ssize_t
    c: cython.uchar
    u: cython.uchar
    v: cython.uchar
    d: cython.uchar
    keep: cython.uchar
    for i in range(e - p):
        c = data[p + i]
        u = (c - 65) & 255
        v = ((c | 32) - 97) & 255
        d = (c - 48) & 255
        keep = (0 - ((v < 26) | (d < 10) | (c == 95))) & 255
        out[i] = (c | (lower if u < 26 else 0)) & keep


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def code_point(data: cython.const[cython.uchar][::1], p: cython.Py_ssize_t, e: cython.Py_ssize_t) -> cython.int:
    """The character whose first byte, not ASCII, is at p; -1 where the bytes up to e are not UTF-8."""
    b: cython.int = data[p]
    c: cython.int
    d: cython.int
    f: cython.int
    if b < 0xE0:
        if b < 0xC2 or p + 1 >= e:
            return -1
        c = data[p + 1]
        return -1 if c & 0xC0 != 0x80 else ((b & 0x1F) << 6) | (c & 0x3F)
    if b < 0xF0:
        if p + 2 >= e:
            return -1
        c = data[p + 1]
        d = data[p + 2]
        if c & 0xC0 != 0x80 or d & 0xC0 != 0x80 or (b == 0xE0 and c < 0xA0) or (b == 0xED and c > 0x9F):
            return -1
        return ((b & 0x0F) << 12) | ((c & 0x3F) << 6) | (d & 0x3F)
    if b > 0xF4 or p + 3 >= e:
        return -1
    c = data[p + 1]
    d = data[p + 2]
    f = data[p + 3]
    if c & 0xC0 != 0x80 or d & 0xC0 != 0x80 or f & 0xC0 != 0x80:
        return -1
    if (b == 0xF0 and c < 0x90) or (b == 0xF4 and c > 0x8F):
        return -1
    return ((b & 0x07) << 18) | ((c & 0x3F) << 12) | ((d & 0x3F) << 6) | (f & 0x3F)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def encode(cp: cython.int, out: cython.uchar[::1], o: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Write a character; returns where the next one goes."""
    if cp < 0x80:
        out[o] = cp
        return o + 1
    if cp < 0x800:
        out[o] = 0xC0 | (cp >> 6)
        out[o + 1] = 0x80 | (cp & 0x3F)
        return o + 2
    if cp < 0x10000:
        out[o] = 0xE0 | (cp >> 12)
        out[o + 1] = 0x80 | ((cp >> 6) & 0x3F)
        out[o + 2] = 0x80 | (cp & 0x3F)
        return o + 3
    out[o] = 0xF0 | (cp >> 18)
    out[o + 1] = 0x80 | ((cp >> 12) & 0x3F)
    out[o + 2] = 0x80 | ((cp >> 6) & 0x3F)
    out[o + 3] = 0x80 | (cp & 0x3F)
    return o + 4


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def any_words(
    data: cython.const[cython.uchar][::1],
    p: cython.Py_ssize_t,
    e: cython.Py_ssize_t,
    ready: cython.bint,
    stage: cython.const[cython.ushort][::1],
    kind: cython.const[cython.uchar][::1],
    shift: cython.const[cython.int][::1],
    out: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Any text as lowered bytes, 0 where there is no word character; its length, or -1 if it is for str.lower().

    `ready`: it has been there, so a capital sigma and a dotted I cannot occur.
    """
    o: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    cp: cython.int
    n: cython.int
    b: cython.uchar
    c: cython.uchar
    d: cython.uchar
    base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, stage[0]) << 8
    while p < e:
        b = data[p]
        if b < 128:
            out[o] = (b + shift[base + b]) & (0 - (kind[base + b] & WORD)) & 255  # without a branch: blanks are often
            o += 1
            p += 1
            continue
        n = 2 if b < 0xE0 else 3 if b < 0xF0 else 4
        if n == 3 and b != 0xE0 and b != 0xED and p + 2 < e:  # most of the world's letters, without a call
            c = data[p + 1]
            d = data[p + 2]
            cp = ((b & 0x0F) << 12) | ((c & 0x3F) << 6) | (d & 0x3F)
            if c & 0xC0 != 0x80 or d & 0xC0 != 0x80:
                return -1
        elif n == 2 and b >= 0xC2 and p + 1 < e:  # and most of Europe's
            c = data[p + 1]
            cp = ((b & 0x1F) << 6) | (c & 0x3F)
            if c & 0xC0 != 0x80 or (not ready and (cp == 0x3A3 or cp == 0x130)):
                return -1
        else:
            cp = code_point(data, p, e)
            if cp < 0:
                return -1
        k = (cython.cast(cython.Py_ssize_t, stage[cp >> 8]) << 8) | (cp & 255)
        if kind[k] & WORD == 0:
            out[o] = 0
            o += 1
        elif shift[k] != 0:
            o = encode(cp + shift[k], out, o)
        else:
            out[o] = b
            out[o + 1] = data[p + 1]
            if n > 2:
                out[o + 2] = data[p + 2]
                if n > 3:
                    out[o + 3] = data[p + 3]
            o += n
        p += n
    return o


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def characters(
    data: cython.const[cython.uchar][::1],
    p: cython.Py_ssize_t,
    e: cython.Py_ssize_t,
    ready: cython.bint,
    bounded: cython.bint,
    stage: cython.const[cython.ushort][::1],
    kind: cython.const[cython.uchar][::1],
    shift: cython.const[cython.int][::1],
    out: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Lowered text with white space squeezed: two or more to one blank; its length, or -1 if it is for str.lower().

    `bounded`: every run of white space is one blank, and there is one at either end.
    """
    o: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0  # of the run of white space
    run: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    cp: cython.int
    b: cython.uchar
    if bounded:
        out[0] = 32
        o = 1
        run = 1
    while p < e:
        b = data[p]
        if b < 128:
            cp = b
            p += 1
        else:
            cp = code_point(data, p, e)
            if cp < 0 or (not ready and (cp == 0x3A3 or cp == 0x130)):
                return -1
            p += 2 if b < 0xE0 else 3 if b < 0xF0 else 4
        k = (cython.cast(cython.Py_ssize_t, stage[cp >> 8]) << 8) | (cp & 255)
        if kind[k] & SPACE:
            run += 1
            if run == 1:
                begin = o
                o = encode(32 if bounded else cp, out, o)
            elif not bounded and run == 2:
                out[begin] = 32
                o = begin + 1
        else:
            run = 0
            o = encode(cp + shift[k], out, o)
    if bounded and run == 0:
        out[o] = 32
        o += 1
    return o


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def next_words(
    b: cython.const[cython.uchar][::1],
    p: cython.Py_ssize_t,
    e: cython.Py_ssize_t,
    keys: cython.ulonglong[::1],
    at: cython.Py_ssize_t[::1],
    sizes: cython.Py_ssize_t[::1],
    state: cython.Py_ssize_t[::1],
) -> cython.Py_ssize_t:
    """Find up to CHUNK words of two or more characters; returns where to go on. state[2]: how many were found."""
    multiplier: cython.ulonglong = 0x9E3779B97F4A7C15
    ones: cython.ulonglong = 0x0101010101010101
    highs: cython.ulonglong = 0x8080808080808080
    long_term: cython.ulonglong = 0x8000000000000000
    found: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t
    a: cython.Py_ssize_t
    w: cython.ulonglong
    z: cython.ulonglong
    h: cython.ulonglong
    c: cython.uchar
    while p < e and found < CHUNK:
        if b[p] == 0:
            p += 1
            continue
        a = p
        w = load(b, p)
        z = (w - ones) & ~w & highs  # the lowest bit set is that of the first zero byte
        if z != 0:
            z = ((z & (0 - z)) >> 7) - 1  # the bytes below it
            n = ((z & ones) * ones) >> 56
            h = (w & z) | (cython.cast(cython.ulonglong, n) << 56)
            p = a + n + 1
            c = b[a]
            if n < 2 or (c >= 0xC0 and n == (2 if c < 0xE0 else 3 if c < 0xF0 else 4)):
                continue  # one character
        else:
            n = 0
            h = 0
            while z == 0:
                h = (h ^ w) * multiplier
                h ^= h >> 32
                n += 8
                w = load(b, a + n)
                z = (w - ones) & ~w & highs
            z = ((z & (0 - z)) >> 7) - 1
            if z != 0:
                h = (h ^ (w & z)) * multiplier
                h ^= h >> 32
                n += ((z & ones) * ones) >> 56
            h |= long_term
            p = a + n + 1
        keys[found] = h
        at[found] = a
        sizes[found] = n
        found += 1
    state[2] = found
    return p


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def compact(b: cython.uchar[::1], e: cython.Py_ssize_t, starts: cython.Py_ssize_t[::1]) -> cython.Py_ssize_t:
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
    while p < e:
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
def letters(
    b: cython.const[cython.uchar][::1], begin: cython.Py_ssize_t, e: cython.Py_ssize_t, starts: cython.Py_ssize_t[::1]
) -> cython.Py_ssize_t:
    """Where each character begins, and behind them the end; returns how many."""
    p: cython.Py_ssize_t
    n: cython.Py_ssize_t = 0
    for p in range(begin, e):
        if b[p] & 0xC0 != 0x80:
            starts[n] = p
            n += 1
    starts[n] = e
    return n


def index(
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.longlong][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    ready: cython.bint,
    analyser: cython.const[cython.longlong][::1],
    stage: cython.const[cython.ushort][::1],
    kind: cython.const[cython.uchar][::1],
    shift: cython.const[cython.int][::1],
    scratch: cython.uchar[::1],
    starts: cython.Py_ssize_t[::1],
    keys: cython.ulonglong[::1],
    at: cython.Py_ssize_t[::1],
    sizes: cython.Py_ssize_t[::1],
    slots: cython.ulonglong[::1],
    grow: cython.bint,
    known: cython.longlong,
    table: cython.ulonglong[:, ::1],
    ends: cython.longlong[::1],
    arena: cython.uchar[::1],
    top: cython.longlong[::1],
    last: cython.int[::1],
    indptr: cython.longlong[::1],
    indices: cython.int[::1],
    values: cython.int[::1],
    tokens: cython.int[:, ::1],
    state: cython.Py_ssize_t[::1],
) -> cython.Py_ssize_t:
    """Documents begin..end as CSR rows from `row` on; returns the first document not done.

    analyser: 0 words, 1 characters, 2 characters within word bounds; fewest and most in an n-gram; 32 to lower; buckets
    of a hashed vocabulary, or 0. Terms numbered `known` and above are unknown unless the vocabulary may `grow`.
    tokens[row]: terms and unknown terms. state: why it stopped, entries so far, and scratch.
    An empty `stage` means that a document with anything but ASCII stops the call, as does one for str.lower().
    """
    d: cython.Py_ssize_t = begin
    p: cython.Py_ssize_t
    e: cython.Py_ssize_t
    q: cython.Py_ssize_t
    n: cython.Py_ssize_t
    m: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    w: cython.Py_ssize_t
    first: cython.Py_ssize_t
    found: cython.Py_ssize_t
    size: cython.Py_ssize_t
    why: cython.Py_ssize_t = DONE
    high: cython.uchar
    what: cython.longlong = analyser[0]
    least: cython.Py_ssize_t = analyser[1]
    most: cython.Py_ssize_t = analyser[2]
    lower: cython.uchar = cython.cast(cython.uchar, analyser[3])
    buckets: cython.ulonglong = cython.cast(cython.ulonglong, analyser[4])
    read: cython.const[cython.uchar][::1] = scratch
    with cython.nogil:
        while d < end:
            p = offsets[d]
            e = offsets[d + 1]
            size = e - p
            if 2 * size + 24 > scratch.shape[0] or 2 * size + 8 > starts.shape[0]:
                why = SCRATCH
                break
            high = 0
            for i in range(p, e):
                high |= data[i]
            if what == 0 and high < 128:
                plain_words(data, p, e, lower, scratch)
                n = size
            elif stage.shape[0] == 0:
                why = ODD
                break
            elif what == 0:
                n = any_words(data, p, e, ready, stage, kind, shift, scratch)
            else:
                n = characters(data, p, e, ready, what == 2, stage, kind, shift, scratch)
            if n < 0:
                why = ODD
                break
            for i in range(n, n + 16):
                scratch[i] = 0
            first = state[1]
            tokens[row, 0] = 0
            tokens[row, 1] = 0
            found = 0
            if what == 0 and most == 1:
                p = 0
                while p < n and why == DONE:
                    p = next_words(read, p, n, keys, at, sizes, state)
                    why = put(
                        read,
                        keys,
                        at,
                        sizes,
                        slots,
                        state[2],
                        row,
                        first,
                        grow,
                        known,
                        buckets,
                        table,
                        ends,
                        arena,
                        top,
                        last,
                        indices,
                        values,
                        tokens,
                        state,
                    )
            else:
                if what == 0:
                    m = compact(scratch, n, starts)
                else:
                    m = letters(read, 0, n, starts)
                i = 0
                while why == DONE and i < m:
                    w = m  # the end of the stretch that n-grams stay within
                    if what == 2:  # from a blank to the next one, which begins the next word
                        w = i + 1
                        while w < m and scratch[starts[w]] != 32:
                            w += 1
                        if w == m:
                            break  # the last blank
                        w += 1
                    k = least
                    while why == DONE and k <= most:
                        if w - i < k and what != 2:
                            break
                        q = i
                        while why == DONE and (q == i or q + k <= w):
                            p = starts[q]
                            size = starts[min(q + k, w)] - p - (1 if what == 0 else 0)
                            keys[found] = key_of(read, p, size)
                            at[found] = p
                            sizes[found] = size
                            found += 1
                            if found == CHUNK:
                                why = put(
                                    read,
                                    keys,
                                    at,
                                    sizes,
                                    slots,
                                    found,
                                    row,
                                    first,
                                    grow,
                                    known,
                                    buckets,
                                    table,
                                    ends,
                                    arena,
                                    top,
                                    last,
                                    indices,
                                    values,
                                    tokens,
                                    state,
                                )
                                found = 0
                            q += 1
                        if w - i <= k:
                            break  # a word shorter than k counts once
                        k += 1
                    i = w - 1 if what == 2 else w
                if why == DONE and found > 0:
                    why = put(
                        read,
                        keys,
                        at,
                        sizes,
                        slots,
                        found,
                        row,
                        first,
                        grow,
                        known,
                        buckets,
                        table,
                        ends,
                        arena,
                        top,
                        last,
                        indices,
                        values,
                        tokens,
                        state,
                    )
            if why != DONE:  # the document starts over once there is room
                for i in range(first, state[1]):
                    last[indices[i]] = -1
                state[1] = first
                break
            d += 1
            row += 1
            indptr[row] = state[1]
    state[0] = why
    return d


def adopt(
    theirs: cython.const[cython.uchar][::1],
    their_ends: cython.const[cython.longlong][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    grow: cython.bint,
    table: cython.ulonglong[:, ::1],
    ends: cython.longlong[::1],
    arena: cython.uchar[::1],
    top: cython.longlong[::1],
    numbers: cython.int[::1],
) -> None:
    """The numbers of another vocabulary's terms in this one, -1 where they are not; or add them: there is room."""
    j: cython.Py_ssize_t
    n: cython.Py_ssize_t
    p: cython.Py_ssize_t
    key: cython.ulonglong
    with cython.nogil:
        for j in range(begin, end):
            p = their_ends[j]
            n = their_ends[j + 1] - p
            key = key_of(theirs, p, n)
            numbers[j - begin] = cython.cast(
                cython.int, number_of(theirs, p, n, key, slot_of(key, table), grow, table, ends, arena, top)
            )


def rehash(old: cython.const[cython.ulonglong][:, ::1], table: cython.ulonglong[:, ::1]) -> None:
    """Move every entry to a larger table."""
    multiplier: cython.ulonglong = 0x9E3779B97F4A7C15
    i: cython.Py_ssize_t
    q: cython.ulonglong
    mask: cython.ulonglong = cython.cast(cython.ulonglong, table.shape[0] - 1)
    with cython.nogil:
        for i in range(old.shape[0]):
            if old[i, 0] != 0:
                q = ((old[i, 0] * multiplier) >> 32) & mask
                while table[q, 0] != 0:
                    q = (q + 1) & mask
                table[q, 0] = old[i, 0]
                table[q, 1] = old[i, 1]
