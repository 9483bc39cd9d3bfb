"""Rows sixteen at a time: the rows are the innermost axis of everything, and every loop runs over them side by side.

A clique is swept once a pass: the product of its factors is made entry by entry and goes where it goes at once, so that
no table is written, and entries that the tables rule out are passed over. Rows next to each other should show the same
of what matters most: then their plan is small. A group whose numbers become too small for doubles is not answered.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.group import Group
from cython.cimports.bayesfold.kernels.inference.layout import Layout
from cython.cimports.bayesfold.kernels.inference.losses import forget, happened
from cython.cimports.bayesfold.kernels.inference.program import (
    ABOVE,
    CLIQUE,
    CLIQUES,
    DONE,
    ENTRIES,
    HEADER,
    IMPOSSIBLE,
    INNER,
    INPUTS,
    INPUTS_AT,
    KIND,
    LARGER_BUFFERS,
    LARGER_PROGRAM,
    LEVELS_AT,
    LIKELIHOOD,
    MESSAGE,
    MESSAGE_AT,
    MESSAGE_ENTRIES,
    MESSAGE_RECORD,
    MESSAGES,
    MOST,
    OFFSET,
    RANK,
    RECORD,
    RETURNS,
    RETURNS_AT,
    SEPARATED,
    SEPARATED_AT,
    TILE,
    TOO_LARGE,
    WHICH,
)
from cython.cimports.bayesfold.kernels.inference.sixteen import run, share


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

        most: entries that a plan may have. stop: how many were done, why no more, and the length of the program. Of the
        next sixteen rows one may be impossible, or so improbable that its numbers became too small.
        """
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        c: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        count: cython.Py_ssize_t
        size: cython.Py_ssize_t
        fresh: cython.bint = True
        lost: cython.bint = False
        why: cython.Py_ssize_t = DONE
        with cython.nogil:
            i = begin
            while i < end:
                count = end - i if end - i < 16 else 16
                fresh = self.observe(tree, codes, rows, i, count, target, weighted) or fresh
                if fresh:
                    size = tree.prepare(target < 0, target >= 0, False, False, target < 0, 0)
                    if size <= 0:
                        why, stop[2] = LARGER_PROGRAM if size < 0 else TOO_LARGE, -size
                        break
                    self.program = tree.program
                    if self.program[ENTRIES] > most:
                        why, stop[2] = TOO_LARGE, size
                        break
                    for c in range(tree.cliques):
                        tree.inputs(c)
                    tree.finish()
                    self.reserve(tree)
                    if (
                        self.end > self.lanes.shape[0]
                        or self.program[ENTRIES] > self.base.shape[0]
                        or self.program[MOST] > self.shift.shape[0]
                    ):
                        why = LARGER_BUFFERS
                        break
                    forget()
                    self.multiply_tables()
                    lost, fresh = happened(), False
                forget()
                self.enter(tree, codes, rows, i, count, target, weights)
                self.collect()
                for lane in range(count):
                    if not self.sums[16 + lane] > 0.0:
                        why = IMPOSSIBLE
                if target < 0 and why == DONE:
                    self.distribute()
                if why != DONE or lost or happened():
                    why = IMPOSSIBLE
                    break
                if target < 0:
                    for lane in range(count):
                        for v in range(self.states[self.n]):
                            out[rows[i + lane], v] = self.lanes[self.marginals + 16 * v + lane]
                    for lane in range(count):
                        for v in range(self.n):
                            if codes[rows[i + lane], v] >= 0:
                                for c in range(self.states[v], self.states[v + 1]):
                                    out[rows[i + lane], c] = c == self.states[v] + codes[rows[i + lane], v]
                else:
                    c = self.messages + 16 * (self.program[MESSAGES] - out.shape[1])
                    for lane in range(count):
                        for v in range(out.shape[1]):
                            out[rows[i + lane], v] = self.lanes[c + 16 * v + lane]
                i += count
        stop[0], stop[1] = i, why

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def open(self, at: cython.Py_ssize_t, back: cython.bint) -> cython.void:
        """Stand at the beginning of a clique: factors, then sums, of both first those that stay along its last axis."""
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        r: cython.Py_ssize_t
        moves: cython.Py_ssize_t
        rank: cython.Py_ssize_t = self.program[at + RANK]
        last: cython.Py_ssize_t = RECORD + rank - 1
        message: cython.Py_ssize_t = self.program[at + MESSAGE_RECORD]
        self.records = 0
        for moves in range(2):
            self.still = self.records
            r = self.program[at + INPUTS_AT]
            for _ in range(self.program[at + INPUTS]):
                if (self.program[r + last] != 0) == moves:
                    self.open_factor(at, r)
                r += RECORD + rank
            if back and (self.program[message + last] != 0) == moves:
                self.follow(message, rank, self.returns + 16 * self.program[message + OFFSET], 16)
        self.factors = self.records
        for moves in range(2):
            self.fixed = self.records
            if not back and (self.program[message + last] != 0) == moves:
                self.follow(message, rank, self.messages + 16 * self.program[message + OFFSET], 16)
            r = self.program[at + RETURNS_AT]
            for _ in range(self.program[at + RETURNS] if back else 0):
                if (self.program[r + last] != 0) == moves:
                    a = self.returns if self.program[r + KIND] == MESSAGE else self.marginals
                    self.follow(r, rank, a + 16 * self.program[r + OFFSET], 16)
                r += RECORD + rank
        for a in range(rank):
            self.turn[a] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def open_factor(self, at: cython.Py_ssize_t, r: cython.Py_ssize_t) -> cython.void:
        """One more factor: a likelihood, a message, or the slices of a table; other tables are in `base`."""
        a: cython.Py_ssize_t
        v: cython.Py_ssize_t = self.program[r + WHICH]
        size: cython.Py_ssize_t = 16
        rank: cython.Py_ssize_t = self.program[at + RANK]
        sizes: cython.Py_ssize_t = self.program[at + LEVELS_AT] + rank + 1
        if self.program[r + KIND] == LIKELIHOOD:
            self.follow(r, rank, 16 * self.program[r + OFFSET], 16)
        elif self.program[r + KIND] == MESSAGE:
            self.follow(r, rank, self.messages + 16 * self.program[r + OFFSET], 16)
        elif self.slice[v] >= 0:
            self.follow(r, rank, self.slice[v], 16)
            a = rank - 1
            while a >= 0:
                if self.program[r + RECORD + a] != 0:
                    self.step[self.records * self.n - rank + a] = size
                    size *= self.program[sizes + a]
                a -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sweep(self, c: cython.Py_ssize_t, e: cython.Py_ssize_t, back: cython.bint) -> cython.void:
        """One pass over a clique whose product of tables begins at e: its message, or what it returns."""
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        n: cython.Py_ssize_t = self.program[self.program[at + LEVELS_AT] + 2 * self.program[at + RANK]]
        end: cython.Py_ssize_t = e + self.program[at + TILE]
        self.open(at, back)
        while e < end:
            run(
                self.width, self.lanes, self.base, e, n, self.shift, self.step, self.n,
                self.still, self.factors, self.fixed, self.records,
            )  # fmt: skip
            e += n
            self.advance(at)

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
        for c in range(self.program[CLIQUES]):
            at = HEADER + c * CLIQUE
            self.sweep(c, e, False)
            e += self.program[at + TILE]
            i = self.messages + 16 * self.program[at + MESSAGE_AT]
            share(self.width, self.lanes, i, self.program[at + MESSAGE_ENTRIES], self.sums)
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
        e: cython.Py_ssize_t = self.program[ENTRIES]
        for i in range(self.returns, self.slices):
            self.lanes[i] = 0.0
        for i in range(self.marginals, self.messages):
            self.lanes[i] = 0.0
        c = self.program[CLIQUES] - 1
        while c >= 0:
            at = HEADER + c * CLIQUE
            begin = self.returns + 16 * self.program[at + MESSAGE_AT]
            end = begin + 16 * self.program[at + MESSAGE_ENTRIES]
            e -= self.program[at + TILE]
            if self.program[at + ABOVE] >= 0:
                share(self.width, self.lanes, begin, self.program[at + MESSAGE_ENTRIES], self.sums)
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
            begin = self.marginals + 16 * self.states[i]
            share(self.width, self.lanes, begin, self.states[i + 1] - self.states[i], self.sums)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def off_separator(self, at: cython.Py_ssize_t) -> cython.void:
        """Marginals that are read off what the parent returned, a smaller table than any clique."""
        _: cython.Py_ssize_t
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        r: cython.Py_ssize_t = self.program[at + SEPARATED_AT]
        o: cython.Py_ssize_t
        a: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        inner: cython.Py_ssize_t
        rest: cython.Py_ssize_t
        begin: cython.Py_ssize_t = self.returns + 16 * self.program[at + MESSAGE_AT]
        for _ in range(self.program[at + SEPARATED]):
            inner = self.program[r + INNER]
            for i in range(self.program[at + MESSAGE_ENTRIES]):
                rest = i
                o = self.program[r + OFFSET]
                a = inner - 1
                while a >= 0:
                    k = self.program[r + RECORD + a]
                    o += (rest % k) * self.program[r + RECORD + inner + a]
                    rest = rest // k
                    a -= 1
                for lane in range(16):
                    self.lanes[self.marginals + 16 * o + lane] += self.lanes[begin + 16 * i + lane]
            r += RECORD + 2 * inner
