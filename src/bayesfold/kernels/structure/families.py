"""What families, nodes with their parents, are worth: sums over the cells of sets of columns, each set counted once.

A local score is a difference of two such sums, upper(parents and node) - lower(parents), less a price for each
parameter: of N log N for BIC and AIC, of log Gamma(N + a) - log Gamma(a) for BDeu and K2, and of N log(N - 1 + a) for
the probability of each row by the others. So what one family had counted serves others over the same columns, whichever
of them is the child.

Around a node v all parents that it may take are looked at together: rows are ordered once by the cell (parents, v) that
they are in, and each candidate u is then counted against that order. Cells with many rows are bitmaps, and so are u's
levels: their rows are the bits that both share. The rows of the small cells are counted one at a time. The largest
cell is what the others lack to u's own counts.
"""

import cython
from cython.cimports.bayesfold.kernels.bits import bit
from cython.cimports.bayesfold.kernels.popcount import best_way, counted
from cython.cimports.libc.math import log

PLAIN = cython.declare(cython.Py_ssize_t, 0)  # N log N
EQUIVALENT = cython.declare(cython.Py_ssize_t, 1)  # log Gamma, a prior worth `size` rows for each set
EVEN = cython.declare(cython.Py_ssize_t, 2)  # log Gamma, `size` for each cell
LEFT_OUT = cython.declare(cython.Py_ssize_t, 3)  # N log (N - 1 + a)

SPARSE = cython.declare(cython.Py_ssize_t, 64)  # possible parent states from which only those that occur get a number
CALL = cython.declare(cython.double, 12.0)  # rows that are counted while a pair of bitmaps is begun
NEVER = cython.declare(cython.double, -1e300)


@cython.cclass
class Families:
    """Scores families of one table of codes, without holes.

    data: codes[column, row], each row's weight (none: 1 each), states of each column; bitmaps: the number of the bitmap
    of each column's second state (-1: no bitmaps), the bitmaps; margins: where each column's counts begin, the counts;
    score: kind, size, price of a parameter, c log c for each count; hashes: of each column and of nothing, and what
    tells lower sums of nodes apart; memo: keys, values and how many cells occur, a power of two; scratch: as named.
    """

    def __init__(self, data, bitmaps, margins, score, hashes, memo, scratch):
        self.codes, self.weight, self.cards = data
        self.bitmap, self.bits = bitmaps
        self.margin, self.margins = margins
        self.kind, self.size, self.price, self.powers = score
        self.hashes, self.below = hashes
        self.keys, self.values, self.many = memo
        self.label, self.order, self.stamp, self.fresh, self.cell = scratch[:5]
        self.begin, self.members, self.base, self.table, self.sums = scratch[5:]
        self.columns, self.rows = self.codes.shape[0], self.codes.shape[1]
        self.words = (self.rows + 63) // 64
        self.weighted = self.weight.shape[0] > 0
        self.most_cells, self.most_bitmaps = self.table.shape[0], self.base.shape[0]
        self.known = self.counted = 0
        self.way = best_way() if cython.compiled else 1
        self.share = 0.125 if self.way == 2 else 0.5  # rows that are counted while bitmaps are compared for a word
        if self.way == 0 or self.weighted:
            self.share = 1e300

    def fill(self, v, parents, allowed, most, gain):
        """The score of v with its parents[v, u]; gain[v, u] is what toggling u would add to it, for those allowed."""
        return self.node(v, parents, allowed, most, gain)

    def remember_in(self, keys, values, many):
        """Keep sums in other arrays from now on."""
        self.keys, self.values, self.many = keys, values, many
        self.known = 0

    # --------------------------------------------------------------------------------------------------------- scores

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def node(
        self,
        v: cython.Py_ssize_t,
        parents: cython.const[cython.uchar][:, ::1],
        allowed: cython.const[cython.uchar][:, ::1],
        most: cython.Py_ssize_t,
        gain: cython.double[:, ::1],
    ) -> cython.double:
        u: cython.Py_ssize_t
        t: cython.Py_ssize_t
        members: cython.Py_ssize_t = 0
        r: cython.double = self.cards[v]
        q: cython.double = 1.0
        cu: cython.double
        upper: cython.ulonglong
        lower: cython.ulonglong
        key: cython.ulonglong = self.hashes[self.columns]
        at: cython.Py_ssize_t
        under_at: cython.Py_ssize_t
        score: cython.double
        fit: cython.double
        above: cython.double
        under: cython.double
        for u in range(self.columns):
            if parents[v, u]:
                self.members[members] = u
                members += 1
                q *= self.cards[u]
                key ^= self.hashes[u]
        above = self.size / (q * r) if self.kind == EQUIVALENT else self.size
        under = self.size / q if self.kind == EQUIVALENT else self.size * r
        fit = -self.alone(key ^ self.below[v], members, under)
        self.members[members] = v
        fit += self.alone(key ^ self.hashes[v], members + 1, above)
        score = fit - self.price * (r - 1.0) * q
        self.prepared = False
        for u in range(self.columns):
            if not parents[v, u]:
                continue
            cu = self.cards[u]
            t = 0
            while self.members[t] != u:  # the others and v, then this one at the end
                t += 1
            while t < members:
                self.members[t] = self.members[t + 1]
                t += 1
            self.members[members] = u
            if self.kind == EQUIVALENT:
                above = self.size * cu / (q * r)
                under = self.size * cu / q
            gain[v, u] = (
                self.alone(key ^ self.hashes[u] ^ self.hashes[v], members, above)
                - self.alone(key ^ self.hashes[u] ^ self.below[v], members - 1, under)
                - self.price * (r - 1.0) * q / cu
                - score
            )
            for t in range(members, 0, -1):  # back, in front, which the others do not mind
                self.members[t] = self.members[t - 1]
            self.members[0] = u
        for u in range(self.columns):
            if parents[v, u]:
                continue
            cu = self.cards[u]
            gain[v, u] = NEVER
            if u == v or not allowed[v, u] or members >= most:
                continue
            if self.kind == PLAIN and -fit <= self.price * (r - 1.0) * q * (cu - 1.0):
                continue  # it would not pay if it told v for certain
            upper = key ^ self.hashes[u] ^ self.hashes[v]
            lower = key ^ self.hashes[u] ^ self.below[v]
            at = self.find(upper)
            under_at = self.find(lower)
            if self.keys[at] == upper and self.keys[under_at] == lower:
                gain[v, u] = self.values[at] - self.values[under_at]
            else:
                if self.kind == EQUIVALENT:
                    above = self.size / (q * r * cu)
                    under = self.size / (q * cu)
                gain[v, u] = self.difference(v, u, members, upper, lower, above, under)
            gain[v, u] -= self.price * (r - 1.0) * q * cu + score
        return score

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ceiling(self, v: cython.Py_ssize_t, members: cython.ulonglong) -> cython.double:
        """No parents that include these members, a bitset, score more: not if each cell that occurs were certain.

        With N log N nothing is lost then but the price; otherwise each cell that occurs loses its first row's surprise.
        """
        u: cython.Py_ssize_t
        r: cython.double = self.cards[v]
        q: cython.double = 1.0
        key: cython.ulonglong = self.hashes[self.columns] ^ self.hashes[v]
        for u in range(self.columns):
            if members & bit(u):
                q *= self.cards[u]
                key ^= self.hashes[u]
        if self.kind == PLAIN:
            return -self.price * (r - 1.0) * q
        u = self.find(key)
        if self.keys[u] != key:
            return 0.0
        if self.kind == LEFT_OUT:
            return -self.many[u] * (r - 1.0) * min(self.size, 1.0 / r)
        return -self.many[u] * log(r)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def worth(self, count: cython.double, a: cython.double, begin: cython.double) -> cython.double:
        """What a cell with so many rows adds to a sum; `begin` is beginning(a)."""
        x: cython.double
        product: cython.double
        if self.kind == PLAIN:
            return count * log(count) if self.weighted else self.powers[cython.cast(cython.Py_ssize_t, count)]
        if self.kind == LEFT_OUT:
            return count * log(count - 1.0 + a)
        if not self.weighted and count < 8.0:
            product = x = a
            while count > 1.0:
                x += 1.0
                count -= 1.0
                product *= x
            return log(product)
        return log_gamma(count + a) - begin

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def beginning(self, a: cython.double) -> cython.double:
        """What an empty cell would be worth."""
        return log_gamma(a) if self.kind == EQUIVALENT or self.kind == EVEN else 0.0

    # ----------------------------------------------------------------------------------------------------------- memo

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, key: cython.ulonglong) -> cython.Py_ssize_t:
        """Where a sum stands, or would."""
        last: cython.Py_ssize_t = self.keys.shape[0] - 1
        at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, key >> 20) & last
        while self.keys[at] != key and self.keys[at] != 0:
            at = (at + 1) & last
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(self, key: cython.ulonglong, value: cython.double, many: cython.double) -> cython.void:
        """Remember a sum over so many cells; where there is no more room, all others are forgotten."""
        at: cython.Py_ssize_t
        if 4 * self.known > 3 * self.keys.shape[0]:
            for at in range(self.keys.shape[0]):
                self.keys[at] = 0
            self.known = 0
        at = self.find(key)
        self.known += self.keys[at] == 0
        self.keys[at] = key
        self.values[at] = value
        self.many[at] = many

    # ------------------------------------------------------------------------------------------------------- counting

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def alone(self, key: cython.ulonglong, members: cython.Py_ssize_t, a: cython.double) -> cython.double:
        """The sum over the cells of one set of columns, the first so many members."""
        at: cython.Py_ssize_t = self.find(key)
        i: cython.Py_ssize_t
        kinds: cython.Py_ssize_t
        begin: cython.double
        total: cython.double = 0.0
        many: cython.double = 0.0
        if self.keys[at] == key:
            return self.values[at]
        kinds = self.tell_apart(members)
        for i in range(kinds):
            self.sums[i] = 0.0
        if self.weighted:
            for i in range(self.rows):
                self.sums[self.label[i]] += self.weight[i]
        else:
            for i in range(self.rows):
                self.sums[self.label[i]] += 1.0
        begin = self.beginning(a)
        for i in range(kinds):
            if self.sums[i] > 0.0:
                total += self.worth(self.sums[i], a, begin)
                many += 1.0
        self.counted += 1
        self.keep(key, total, many)
        self.prepared = False  # the labels are others now
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tell_apart(self, members: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """label[i] = the number of what row i shows of the first so many members; how many numbers there are."""
        i: cython.Py_ssize_t
        t: cython.Py_ssize_t
        c: cython.int
        kinds: cython.Py_ssize_t = 1
        column: cython.Py_ssize_t
        for i in range(self.rows):
            self.label[i] = 0
        for t in range(members):
            column = self.members[t]
            c = cython.cast(cython.int, self.cards[column])
            if kinds * c > SPARSE:
                kinds = self.compact(kinds, column)
            else:
                for i in range(self.rows):
                    self.label[i] = self.label[i] * c + self.codes[column, i]
                kinds *= c
        return kinds

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def compact(self, kinds: cython.Py_ssize_t, column: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Labels that are told apart by one column more, numbered as they occur, group by group."""
        i: cython.Py_ssize_t
        row: cython.Py_ssize_t
        x: cython.Py_ssize_t
        g: cython.int = -1
        at: cython.Py_ssize_t = 0
        new: cython.int = 0
        for i in range(kinds + 1):
            self.begin[i] = 0
        for i in range(self.rows):
            self.begin[self.label[i] + 1] += 1
        for i in range(kinds):
            self.begin[i + 1] += self.begin[i]
        for i in range(self.rows):
            self.order[self.begin[self.label[i]]] = cython.cast(cython.int, i)
            self.begin[self.label[i]] += 1  # where it ends, once all rows are placed
        for x in range(self.cards[column]):
            self.stamp[x] = -1
        for i in range(self.rows):
            while i >= at:
                g += 1
                at = self.begin[g]
            row = self.order[i]
            x = self.codes[column, row]
            if self.stamp[x] != g:
                self.stamp[x] = g
                self.fresh[x] = new
                new += 1
            self.label[row] = self.fresh[x]
        return new

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prepare(self, v: cython.Py_ssize_t, members: cython.Py_ssize_t) -> cython.void:
        """Rows by the cell of parents and v: the largest first, then those that have bitmaps, then the small ones."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        r: cython.int = cython.cast(cython.int, self.cards[v])
        cells: cython.Py_ssize_t
        row: cython.Py_ssize_t
        least: cython.double = self.share * self.words + CALL
        self.large = self.shown = 0
        self.states = r
        self.groups = self.tell_apart(members)
        cells = self.groups * r
        self.prepared = True
        if cells > self.most_cells:
            return
        for k in range(cells):
            self.begin[k] = 0
        for i in range(self.rows):
            self.label[i] = self.label[i] * r + self.codes[v, i]
            self.begin[self.label[i]] += 1
        for k in range(cells):  # cells that are large enough, in falling order: there is room for some
            if self.begin[k] <= least and self.shown > 0:
                continue
            t = self.shown
            if t < self.most_bitmaps:
                self.shown += 1
            elif self.begin[k] <= self.begin[self.cell[t - 1]]:
                continue
            else:
                t -= 1
            while t > 0 and self.begin[self.cell[t - 1]] < self.begin[k]:
                self.cell[t] = self.cell[t - 1]
                t -= 1
            self.cell[t] = cython.cast(cython.int, k)
        while self.shown > 1 and self.begin[self.cell[self.shown - 1]] <= least:
            self.shown -= 1  # the first came in whatever its size
        self.large = self.shown
        t = self.shown
        for k in range(cells):
            self.sums[k] = self.begin[k]
        for i in range(self.shown):
            self.begin[self.cell[i]] = 0
        for k in range(cells):
            if self.begin[k] > 0:
                self.cell[t] = cython.cast(cython.int, k)
                t += 1
        self.shown = t
        row = 0
        for i in range(self.shown):
            self.begin[self.cell[i]] = row
            row += cython.cast(cython.Py_ssize_t, self.sums[self.cell[i]])
        for i in range(self.rows):
            self.order[self.begin[self.label[i]]] = cython.cast(cython.int, i)
            self.begin[self.label[i]] += 1
        for t in range(1, self.large):
            for i in range(self.words):
                self.base[t, i] = 0
            k = self.begin[self.cell[t]]
            for i in range(k - cython.cast(cython.Py_ssize_t, self.sums[self.cell[t]]), k):
                row = self.order[i]
                self.base[t, row >> 6] |= bit(row)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def join(self, u: cython.Py_ssize_t) -> cython.void:
        """table[cell, state of u] = rows."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        s: cython.Py_ssize_t
        row: cython.Py_ssize_t
        at: cython.Py_ssize_t
        c: cython.Py_ssize_t = self.cards[u]
        left: cython.double
        both: cython.double
        cells: cython.Py_ssize_t = self.groups * self.states
        least: cython.double = self.share * self.words * (c - 1) + CALL
        for i in range(cells * c):
            self.table[i] = 0.0
        if self.weighted:
            for i in range(self.rows):
                self.table[self.label[i] * c + self.codes[u, i]] += self.weight[i]
            return
        t = 1
        if self.bitmap[u] >= 0:
            while t < self.large and self.sums[self.cell[t]] > least:
                k = self.cell[t]
                left = self.sums[k]
                for s in range(1, c):
                    both = shared(self.base, t, self.bits, self.bitmap[u] + s - 1, self.words, self.way)
                    self.table[k * c + s] = both
                    left -= both
                self.table[k * c] = left
                t += 1
        if t < self.shown:
            for i in range(self.begin[self.cell[t - 1]], self.rows):
                row = self.order[i]
                self.table[self.label[row] * c + self.codes[u, row]] += 1.0
        at = self.cell[0] * c
        for s in range(c):
            self.table[at + s] = self.margins[self.margin[u] + s]
        for t in range(1, self.shown):
            k = self.cell[t] * c
            for s in range(c):
                self.table[at + s] -= self.table[k + s]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def difference(
        self,
        v: cython.Py_ssize_t,
        u: cython.Py_ssize_t,
        members: cython.Py_ssize_t,
        upper: cython.ulonglong,
        lower: cython.ulonglong,
        above: cython.double,
        under: cython.double,
    ) -> cython.double:
        """The sum of (parents, v, u) less that of (parents, u), both remembered."""
        g: cython.Py_ssize_t
        s: cython.Py_ssize_t
        a: cython.Py_ssize_t
        at: cython.Py_ssize_t
        c: cython.Py_ssize_t = self.cards[u]
        n: cython.double
        row: cython.double
        whole: cython.double = 0.0
        margin: cython.double = 0.0
        many: cython.double = 0.0
        fewer: cython.double = 0.0
        begin: cython.double
        start: cython.double
        if not self.prepared:
            self.prepare(v, members)
        if self.groups * self.states * c > self.most_cells:
            self.members[members] = u
            margin = self.alone(lower, members + 1, under)
            self.members[members] = v
            self.members[members + 1] = u
            return self.alone(upper, members + 2, above) - margin
        self.join(u)
        self.counted += 1
        begin = self.beginning(above)
        start = self.beginning(under)
        for g in range(self.groups):
            at = g * self.states * c
            for s in range(c):
                row = 0.0
                for a in range(self.states):
                    n = self.table[at + a * c + s]
                    if n > 0.0:
                        row += n
                        many += 1.0
                        whole += self.worth(n, above, begin)
                if row > 0.0:
                    fewer += 1.0
                    margin += self.worth(row, under, start)
        self.keep(upper, whole, many)
        self.keep(lower, margin, fewer)
        return whole - margin


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def shared(
    ones: cython.const[cython.ulonglong][:, ::1],
    a: cython.Py_ssize_t,
    others: cython.const[cython.ulonglong][:, ::1],
    b: cython.Py_ssize_t,
    words: cython.Py_ssize_t,
    way: cython.int,
) -> cython.double:
    """How many bits two bitmaps share; the loop is for plain Python."""
    w: cython.Py_ssize_t
    x: cython.ulonglong
    bits: cython.double = 0.0
    if cython.compiled:
        bits = counted(cython.address(ones[a, 0]), cython.address(others[b, 0]), words, way)
    else:
        for w in range(words):
            x = ones[a, w] & others[b, w]
            while x:
                x &= x - 1
                bits += 1.0
    return bits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def log_gamma(x: cython.double) -> cython.double:
    """log Gamma(x) for x > 0, by Stirling's series from 8 on."""
    product: cython.double = 1.0
    y: cython.double
    z: cython.double
    while x < 8.0:
        product *= x
        x += 1.0
    y = 1.0 / x
    z = y * y
    z = y * (1.0 / 12.0 - z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z / 1188.0))))
    z += (x - 0.5) * log(x) - x + 0.9189385332046728
    return z if product == 1.0 else z - log(product)


def spread(
    codes: cython.const[cython.ushort][:, ::1],
    bitmap: cython.const[cython.Py_ssize_t][::1],
    bits: cython.ulonglong[:, ::1],
    margin: cython.const[cython.Py_ssize_t][::1],
    counts: cython.double[::1],
) -> None:
    """counts[margin[j] + x] = rows of state x of column j; bits[bitmap[j] + x - 1] = which rows these are.

    The first state of a column has no bitmap, and where bitmap[j] is -1 none has.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    x: cython.Py_ssize_t
    with cython.nogil:
        for j in range(codes.shape[0]):
            if bitmap[j] < 0:
                for i in range(codes.shape[1]):
                    counts[margin[j] + codes[j, i]] += 1.0
                continue
            for i in range(codes.shape[1]):
                x = codes[j, i]
                counts[margin[j] + x] += 1.0
                if x > 0:
                    bits[bitmap[j] + x - 1, i >> 6] |= bit(i)
