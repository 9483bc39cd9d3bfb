"""Rows sixteen at a time: the rows are the innermost axis of everything, and every loop runs over them side by side.

A clique is swept once a pass: the product of its factors is made entry by entry and goes where it goes at once, so that
no table is written, and entries that the tables rule out are passed over. Rows next to each other should show the same
of what matters most: then their plan is small.
"""

import cython
from cython.cimports.bayesfold.kernels.group import Group
from cython.cimports.bayesfold.kernels.layout import Layout

HEADER = cython.declare(cython.Py_ssize_t, 9)
CLIQUE = cython.declare(cython.Py_ssize_t, 18)
RECORD = cython.declare(cython.Py_ssize_t, 5)
LIKELIHOOD = cython.declare(cython.Py_ssize_t, 1)
MESSAGE = cython.declare(cython.Py_ssize_t, 2)
DONE = cython.declare(cython.Py_ssize_t, 0)
IMPOSSIBLE = cython.declare(cython.Py_ssize_t, 1)
LARGER_PROGRAM = cython.declare(cython.Py_ssize_t, 2)
LARGER_BUFFERS = cython.declare(cython.Py_ssize_t, 3)
TOO_LARGE = cython.declare(cython.Py_ssize_t, 4)


@cython.cclass
class Lanes(Group):
    """Answers rows, sixteen by sixteen."""

    def answer(
        self,
        tree: Layout,
        codes: cython.const[cython.Py_ssize_t][:, ::1],
        rows: cython.const[cython.Py_ssize_t][::1],
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        target: cython.Py_ssize_t,
        weights: cython.const[cython.double][:, ::1],
        weighted: cython.const[cython.uchar][::1],
        most: cython.Py_ssize_t,
        out: cython.double[:, ::1],
        stop: cython.Py_ssize_t[::1],
    ) -> None:
        """Marginals of the target, or (target -1) of every variable, of rows[begin:end], until a group needs more.

        most: entries that a plan may have. stop: how many were done, why no more, and the length of the program.
        """
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        c: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        count: cython.Py_ssize_t
        size: cython.Py_ssize_t
        fresh: cython.bint = True
        why: cython.Py_ssize_t = DONE
        with cython.nogil:
            i = begin
            while i < end:
                count = end - i if end - i < 16 else 16
                fresh = self.observe(tree, codes, rows, i, count, target, weighted) or fresh
                if fresh:
                    size = tree.prepare(target < 0, target >= 0, False, False, target < 0, 0)
                    if size <= 0:
                        why = LARGER_PROGRAM if size < 0 else TOO_LARGE
                        stop[2] = -size
                        break
                    self.program = tree.program
                    if self.program[2] > most:
                        why = TOO_LARGE
                        stop[2] = size
                        break
                    for c in range(tree.cliques):
                        tree.inputs(c)
                    tree.finish()
                    self.reserve(tree)
                    if (
                        self.end > self.lanes.shape[0]
                        or self.program[2] > self.base.shape[0]
                        or self.program[6] > self.shift.shape[0]
                    ):
                        why = LARGER_BUFFERS
                        break
                    self.multiply_tables()
                    fresh = False
                self.enter(tree, codes, rows, i, count, target, weights)
                self.collect()
                for lane in range(count):
                    if not self.sums[16 + lane] > 0.0:
                        why = IMPOSSIBLE
                        stop[2] = rows[i + lane]
                        break
                if why != DONE:
                    break
                if target < 0:
                    self.distribute()
                    for lane in range(count):
                        for v in range(self.states[self.n]):
                            out[rows[i + lane], v] = self.lanes[self.marginals + 16 * v + lane]
                    for lane in range(count):
                        for v in range(self.n):
                            if codes[rows[i + lane], v] >= 0:
                                for c in range(self.states[v], self.states[v + 1]):
                                    out[rows[i + lane], c] = c == self.states[v] + codes[rows[i + lane], v]
                else:
                    c = self.messages + 16 * (self.program[4] - out.shape[1])
                    for lane in range(count):
                        for v in range(out.shape[1]):
                            out[rows[i + lane], v] = self.lanes[c + 16 * v + lane]
                i += count
        stop[0] = i
        stop[1] = why

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def open(self, at: cython.Py_ssize_t, back: cython.bint) -> cython.void:
        """Stand at the beginning of a clique: what is multiplied, the message, and what is summed on the way back."""
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        v: cython.Py_ssize_t
        size: cython.Py_ssize_t
        r: cython.Py_ssize_t = self.program[at + 4]
        rank: cython.Py_ssize_t = self.program[at + 1]
        sizes: cython.Py_ssize_t = self.program[at + 16] + rank + 1
        self.records = 0
        for _ in range(self.program[at + 5]):
            v = self.program[r + 1]
            if self.program[r] == LIKELIHOOD:
                self.follow(r, rank, 16 * self.program[r + 2], 16)
            elif self.program[r] == MESSAGE:
                self.follow(r, rank, self.messages + 16 * self.program[r + 2], 16)
            elif self.slice[v] >= 0:
                self.follow(r, rank, self.slice[v], 16)
                size = 16
                a = rank - 1
                while a >= 0:
                    if self.program[r + RECORD + a] != 0:
                        self.step[self.records * self.n - rank + a] = size
                        size *= self.program[sizes + a]
                    a -= 1
            r += RECORD + rank
        self.factors = self.records
        r = self.program[at + 8]
        self.follow(r, rank, (self.returns if back else self.messages) + 16 * self.program[r + 2], 16)
        if back:
            r = self.program[at + 6]
            for _ in range(self.program[at + 7]):
                a = self.returns if self.program[r] == MESSAGE else self.marginals
                self.follow(r, rank, a + 16 * self.program[r + 2], 16)
                r += RECORD + rank
        for a in range(rank):
            self.turn[a] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sweep(self, c: cython.Py_ssize_t, e: cython.Py_ssize_t, back: cython.bint) -> cython.void:
        """One pass over a clique whose product of tables begins at e: its message, or what it returns."""
        j: cython.Py_ssize_t
        o: cython.Py_ssize_t
        p: cython.Py_ssize_t
        q: cython.Py_ssize_t
        u: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        x: cython.double
        width: cython.Py_ssize_t = self.width
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        n: cython.Py_ssize_t = self.program[self.program[at + 16] + 2 * self.program[at + 1]]
        end: cython.Py_ssize_t = e + self.program[at + 3]
        product = cython.declare(cython.double[16])
        self.open(at, back)
        while e < end:
            for u in range(n):
                x = self.base[e]
                e += 1
                if x == 0.0:
                    continue
                if self.factors == 0:
                    for lane in range(width):
                        product[lane] = x
                elif self.factors == 1:
                    p = self.shift[0] + u * self.step[self.n - 1]
                    for lane in range(width):
                        product[lane] = x * self.lanes[p + lane]
                else:
                    p = self.shift[0] + u * self.step[self.n - 1]
                    q = self.shift[1] + u * self.step[2 * self.n - 1]
                    for lane in range(width):
                        product[lane] = x * self.lanes[p + lane] * self.lanes[q + lane]
                for j in range(2, self.factors):
                    p = self.shift[j] + u * self.step[(j + 1) * self.n - 1]
                    for lane in range(width):
                        product[lane] *= self.lanes[p + lane]
                o = self.factors
                p = self.shift[o] + u * self.step[(o + 1) * self.n - 1]
                if back:
                    for lane in range(width):
                        product[lane] *= self.lanes[p + lane]
                    for j in range(o + 1, self.records):
                        p = self.shift[j] + u * self.step[(j + 1) * self.n - 1]
                        for lane in range(width):
                            self.lanes[p + lane] += product[lane]
                else:
                    for lane in range(width):
                        self.lanes[p + lane] += product[lane]
            self.advance(at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scale(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Divide each lane of some entries by its sum, which is left in `sums`; a lane of zeros stays."""
        i: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        width: cython.Py_ssize_t = self.width
        product = cython.declare(cython.double[16])
        for lane in range(width):
            product[lane] = 0.0
        i = begin
        while i < end:
            for lane in range(width):
                product[lane] += self.lanes[i + lane]
            i += 16
        for lane in range(width):
            self.sums[lane] = product[lane]
            product[lane] = 1.0 / product[lane] if product[lane] > 0.0 else 0.0
        i = begin
        while i < end:
            for lane in range(width):
                self.lanes[i + lane] *= product[lane]
            i += 16

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def collect(self) -> cython.void:
        """Messages to the roots, each lane summing to one; sums[16 + lane] is zero where evidence is impossible."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        e: cython.Py_ssize_t = 0
        for i in range(self.messages, self.returns):
            self.lanes[i] = 0.0
        for c in range(self.program[1]):
            at = HEADER + c * CLIQUE
            self.sweep(c, e, False)
            e += self.program[at + 3]
            i = self.messages + 16 * self.program[at + 9]
            self.scale(i, i + 16 * self.program[at + 10])
            for lane in range(16):
                if not self.sums[lane] > 0.0:
                    self.sums[16 + lane] = 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def distribute(self) -> cython.void:
        """Back from the roots, and every marginal, each lane summing to one."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t
        end: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        away: cython.Py_ssize_t = self.returns - self.messages
        x: cython.double
        e: cython.Py_ssize_t = self.program[2]
        for i in range(self.returns, self.slices):
            self.lanes[i] = 0.0
        for i in range(self.marginals, self.messages):
            self.lanes[i] = 0.0
        c = self.program[1] - 1
        while c >= 0:
            at = HEADER + c * CLIQUE
            begin = self.returns + 16 * self.program[at + 9]
            end = begin + 16 * self.program[at + 10]
            e -= self.program[at + 3]
            if self.program[at + 11] >= 0:
                self.scale(begin, end)
                self.off_separator(at)
                for i in range(begin, end):
                    x = self.lanes[i - away]  # where it is zero, so is what was returned
                    self.lanes[i] = self.lanes[i] / (x if x > 0.0 else 1.0)
            else:
                for i in range(begin, end):
                    self.lanes[i] = 1.0
            self.sweep(c, e, True)
            c -= 1
        for i in range(self.n):
            self.scale(self.marginals + 16 * self.states[i], self.marginals + 16 * self.states[i + 1])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def off_separator(self, at: cython.Py_ssize_t) -> cython.void:
        """Marginals that are read off what the parent returned, a smaller table than any clique."""
        _: cython.Py_ssize_t
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        r: cython.Py_ssize_t = self.program[at + 14]
        o: cython.Py_ssize_t
        a: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        inner: cython.Py_ssize_t
        rest: cython.Py_ssize_t
        begin: cython.Py_ssize_t = self.returns + 16 * self.program[at + 9]
        for _ in range(self.program[at + 15]):
            inner = self.program[r + 4]
            for i in range(self.program[at + 10]):
                rest = i
                o = self.program[r + 2]
                a = inner - 1
                while a >= 0:
                    k = self.program[r + RECORD + a]
                    o += (rest % k) * self.program[r + RECORD + inner + a]
                    rest = rest // k
                    a -= 1
                for lane in range(16):
                    self.lanes[self.marginals + 16 * o + lane] += self.lanes[begin + 16 * i + lane]
            r += RECORD + 2 * inner
