"""Text to numbered terms: UTF-8 documents into CSR rows over a growing vocabulary, equal to CountVectorizer's.

A document is first read as lowered bytes in a scratch buffer (`letters`). Terms (words, word n-grams, n-grams of
characters) are runs of that buffer; they are found a chunk at a time and then looked up (`lexicon.pxd`) together.
"""

import cython
from cython.cimports.bayesfold.kernels.runs import fetch, load
from cython.cimports.bayesfold.kernels.text.letters import Letters, any_words, begins, characters, compact, plain_words
from cython.cimports.bayesfold.kernels.text.lexicon import (
    Lexicon,
    bucket_of,
    key_of,
    lexicon,
    mixed,
    number_in,
    number_of,
    place_in,
    slot_of,
    stamped,
)
from cython.cimports.libc.string import memset

CHUNK = cython.declare(cython.Py_ssize_t, 256)  # terms found before they are looked up, so that look-ups overlap

# why a call stopped: what must be enlarged, or that a document must go through str.lower() first
DONE = cython.declare(cython.Py_ssize_t, 0)
TABLE = cython.declare(cython.Py_ssize_t, 1)
ARENA = cython.declare(cython.Py_ssize_t, 2)
ENTRIES = cython.declare(cython.Py_ssize_t, 3)
SCRATCH = cython.declare(cython.Py_ssize_t, 4)
ODD = cython.declare(cython.Py_ssize_t, 5)


@cython.cclass
class Reader:
    """Reads documents into rows, as far as there is room; whoever gave the arrays gives larger ones and goes on.

    analyser: 0 words, 1 characters, 2 characters within word bounds; fewest and most in an n-gram; 32 to lower; buckets
    of a hashed vocabulary, or 0. Terms numbered `known` and above are unknown unless the vocabulary may `grow`.
    """

    what: cython.longlong
    least: cython.Py_ssize_t
    most: cython.Py_ssize_t
    lower: cython.uchar
    buckets: cython.ulonglong
    grow: cython.bint
    known: cython.longlong

    table: cython.ulonglong[:, ::1]
    ends: cython.longlong[::1]
    arena: cython.uchar[::1]
    top: cython.longlong[::1]
    last: cython.int[::1]  # of each term the last entry that counts it

    stage: cython.const[cython.ushort][::1]
    fold: cython.const[cython.int][::1]
    scratch: cython.uchar[::1]
    starts: cython.Py_ssize_t[::1]

    rows: cython.longlong[::1]
    columns: cython.int[::1]
    values: cython.int[::1]
    tokens: cython.int[:, ::1]

    keys: cython.ulonglong[::1]  # of a chunk's terms: keys, where they begin (then their numbers), lengths, slots
    at: cython.Py_ssize_t[::1]
    sizes: cython.Py_ssize_t[::1]
    slots: cython.ulonglong[::1]

    why = cython.declare(cython.Py_ssize_t, visibility="readonly")
    entries = cython.declare(cython.Py_ssize_t, visibility="readonly")

    def __init__(self, analyser, grow, known, chunk):
        self.what, self.least, self.most, self.lower, self.buckets = analyser
        self.grow, self.known = grow, known
        self.keys, self.at, self.sizes, self.slots = chunk
        self.entries = 0

    def look_up_in(self, table, ends, arena, top, last):
        """The vocabulary, and as many places for each term's last entry."""
        self.table, self.ends, self.arena, self.top, self.last = table, ends, arena, top, last

    def read_by(self, stage, fold, scratch, starts):
        """Every character's kind and lower case (or nothing, if all is ASCII), and room for one document."""
        self.stage, self.fold, self.scratch, self.starts = stage, fold, scratch, starts

    def write_to(self, rows, columns, values, tokens):
        """CSR rows; of each row the number of terms and of unknown ones."""
        self.rows, self.columns, self.values, self.tokens = rows, columns, values, tokens

    def read(
        self,
        data: cython.const[cython.uchar][::1],
        offsets: cython.const[cython.longlong][::1],
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        row: cython.Py_ssize_t,
        ready: cython.bint,
    ) -> cython.Py_ssize_t:
        """Documents begin..end as rows from `row` on; returns the first document not done, and `why` says why.

        `ready`: they have been through str.lower(). A document for it stops the call, and one with anything but ASCII
        if there is no `stage`.
        """
        d: cython.Py_ssize_t = begin
        n: cython.Py_ssize_t
        i: cython.Py_ssize_t
        first: cython.Py_ssize_t
        self.why = DONE
        with cython.nogil:
            while d < end:
                n = self.lowered(cython.address(data[0]) + offsets[d], offsets[d + 1] - offsets[d], ready)
                if n < 0:
                    break
                first = self.entries
                self.tokens[row, 0] = 0
                self.tokens[row, 1] = 0
                if self.what == 0 and self.most == 1:
                    self.single_words(n, row, first)
                else:
                    self.runs(n, row, first)
                if self.why != DONE:  # the document starts over once there is room
                    for i in range(first, self.entries):
                        self.last[self.columns[i]] = -1
                    self.entries = first
                    break
                d += 1
                row += 1
                self.rows[row] = self.entries
        return d

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lowered(
        self, p: cython.pointer(cython.const[cython.uchar]), size: cython.Py_ssize_t, ready: cython.bint
    ) -> cython.Py_ssize_t:
        """One document in the scratch buffer, with zeros behind it; its length there, or -1 if it cannot be."""
        n: cython.Py_ssize_t = size
        i: cython.Py_ssize_t
        high: cython.uchar = 0
        letters: Letters = Letters(stage=cython.address(self.stage[0]), fold=cython.address(self.fold[0]))
        out: cython.p_uchar = cython.address(self.scratch[0])
        if 2 * size + 24 > self.scratch.shape[0] or 2 * size + 8 > self.starts.shape[0]:
            self.why = SCRATCH
            return -1
        for i in range(size):
            high |= p[i]
        if self.what == 0 and high < 128:
            plain_words(p, size, self.lower, out)
        elif self.stage.shape[0] == 0:
            n = -1
        elif self.what == 0:
            n = any_words(p, size, ready, self.lower, letters, out)
        else:
            n = characters(p, size, ready, self.what == 2, letters, out)
        if n < 0:
            self.why = ODD
        else:
            memset(out + n, 0, 16)
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def single_words(self, size: cython.Py_ssize_t, row: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.void:
        """Count the words of two or more characters."""
        ones: cython.ulonglong = 0x0101010101010101
        highs: cython.ulonglong = 0x8080808080808080
        long_term: cython.ulonglong = 0x8000000000000000
        b: cython.p_uchar = cython.address(self.scratch[0])
        keys: cython.p_ulonglong = cython.address(self.keys[0])
        at: cython.pointer(cython.Py_ssize_t) = cython.address(self.at[0])
        sizes: cython.pointer(cython.Py_ssize_t) = cython.address(self.sizes[0])
        exact: cython.bint = self.buckets == 0
        terms: cython.Py_ssize_t = 0
        p: cython.Py_ssize_t = 0
        a: cython.Py_ssize_t
        n: cython.Py_ssize_t
        w: cython.ulonglong
        z: cython.ulonglong
        h: cython.ulonglong
        c: cython.uchar
        while p < size:
            if b[p] == 0:
                p += 1
                continue
            a = p
            w = load(b + p)
            z = (w - ones) & ~w & highs  # the lowest bit set is that of the first zero byte
            if z != 0:
                z = ((z & (0 - z)) >> 7) - 1  # the bytes below it
                n = ((z & ones) * ones) >> 56
                h = (w & z) | (cython.cast(cython.ulonglong, n) << 56)
                p = a + n + 1
                c = b[a]
                if n < 2 or (c >= 0xC0 and n == (2 if c < 0xE0 else 3 if c < 0xF0 else 4)):
                    continue  # one character
            else:  # as key_of has it, without knowing the length
                n = 0
                h = 0
                while z == 0:
                    h = mixed(h ^ w)
                    h ^= h >> 32
                    n += 8
                    w = load(b + a + n)
                    z = (w - ones) & ~w & highs
                z = ((z & (0 - z)) >> 7) - 1
                if z != 0:
                    h = mixed(h ^ (w & z))
                    h ^= h >> 32
                    n += ((z & ones) * ones) >> 56
                h = stamped(h, n) if exact else h | long_term
                p = a + n + 1
            keys[terms] = h
            at[terms] = a
            sizes[terms] = n
            terms += 1
            if terms == CHUNK:
                self.put(terms, row, first)
                if self.why != DONE:
                    return
                terms = 0
        self.put(terms, row, first)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def runs(self, size: cython.Py_ssize_t, row: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.void:
        """Count the n-grams of words or characters."""
        b: cython.p_uchar = cython.address(self.scratch[0])
        starts: cython.pointer(cython.Py_ssize_t) = cython.address(self.starts[0])
        m: cython.Py_ssize_t
        i: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        w: cython.Py_ssize_t
        terms: cython.Py_ssize_t = 0
        blank: cython.Py_ssize_t = 1 if self.what == 0 else 0  # behind a word
        exact: cython.bint = self.buckets == 0
        within: cython.bint = self.what == 2
        m = compact(b, size, starts) if self.what == 0 else begins(b, size, starts)
        while i < m:
            w = m  # the end of the stretch that n-grams stay within
            if within:  # from a blank to the next one, which begins the next word
                w = i + 1
                while w < m and b[starts[w]] != 32:
                    w += 1
                if w == m:
                    break  # the last blank
                w += 1
            k = self.least
            while k <= self.most:
                if w - i < k and not within:
                    break
                q = i
                while q == i or q + k <= w:
                    self.at[terms] = starts[q]
                    self.sizes[terms] = starts[min(q + k, w)] - starts[q] - blank
                    self.keys[terms] = key_of(b + starts[q], self.sizes[terms])
                    if exact:
                        self.keys[terms] = stamped(self.keys[terms], self.sizes[terms])
                    terms += 1
                    if terms == CHUNK:
                        self.put(terms, row, first)
                        if self.why != DONE:
                            return
                        terms = 0
                    q += 1
                if w - i <= k:
                    break  # a word shorter than k counts once
                k += 1
            i = w - 1 if within else w
        self.put(terms, row, first)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, terms: cython.Py_ssize_t, row: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.void:
        """Count the terms of a chunk into the row that began at entry `first`; or say what is too small."""
        size: cython.Py_ssize_t = 16
        i: cython.Py_ssize_t
        if self.entries + terms > self.columns.shape[0]:
            self.why = ENTRIES
        elif self.grow:
            for i in range(terms):
                size += self.sizes[i]
            if 2 * (self.top[0] + terms) > self.table.shape[0] or self.top[0] + terms >= self.last.shape[0]:
                self.why = TABLE
            elif self.ends[self.top[0]] + size > self.arena.shape[0]:
                self.why = ARENA
        if self.why != DONE:
            return
        if self.buckets > 0:
            self.hash(terms)
        else:
            self.look_up(terms)
        self.tokens[row, 0] += cython.cast(cython.int, terms)
        self.tokens[row, 1] += self.count(terms, first)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hash(self, terms: cython.Py_ssize_t) -> cython.void:
        """The places of a chunk's terms among the buckets."""
        i: cython.Py_ssize_t
        last: cython.p_int = cython.address(self.last[0])
        for i in range(terms):
            self.at[i] = bucket_of(self.keys[i], self.buckets)
            fetch(last + self.at[i])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up(self, terms: cython.Py_ssize_t) -> cython.void:
        """The numbers of a chunk's terms, -1 of those that have none.

        What each search will look at is fetched for all of them before the first is made, so that the waits overlap.
        """
        v: Lexicon = lexicon(self.table, self.ends, self.arena, self.top)
        i: cython.Py_ssize_t
        j: cython.longlong
        known: cython.longlong = self.known
        grow: cython.bint = self.grow
        b: cython.p_uchar = cython.address(self.scratch[0])
        at: cython.pointer(cython.Py_ssize_t) = cython.address(self.at[0])
        sizes: cython.pointer(cython.Py_ssize_t) = cython.address(self.sizes[0])
        keys: cython.p_ulonglong = cython.address(self.keys[0])
        slots: cython.p_ulonglong = cython.address(self.slots[0])
        last: cython.p_int = cython.address(self.last[0])
        for i in range(terms):
            slots[i] = slot_of(keys[i], v.mask)
            fetch(v.table + 2 * slots[i])
        for i in range(terms):
            if v.table[2 * slots[i]] == keys[i]:
                fetch(last + number_in(v.table[2 * slots[i] + 1]))
                fetch(v.arena + place_in(v.table[2 * slots[i] + 1]))
        for i in range(terms):
            j = number_of(cython.address(v), b + at[i], sizes[i], keys[i], slots[i], grow)
            at[i] = j if grow or j < known else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count(self, terms: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.int:
        """A chunk's terms into the row that began at entry `first`; returns how many have no number."""
        at: cython.pointer(cython.Py_ssize_t) = cython.address(self.at[0])
        last: cython.p_int = cython.address(self.last[0])
        columns: cython.p_int = cython.address(self.columns[0])
        values: cython.p_int = cython.address(self.values[0])
        entries: cython.Py_ssize_t = self.entries
        unknown: cython.int = 0
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        for i in range(terms):
            j = at[i]
            if j < 0:
                unknown += 1
            elif last[j] >= first:
                values[last[j]] += 1
            else:
                last[j] = cython.cast(cython.int, entries)
                columns[entries] = cython.cast(cython.int, j)
                values[entries] = 1
                entries += 1
        self.entries = entries
        return unknown
