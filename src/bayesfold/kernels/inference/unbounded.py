"""Run a bucket tree's program with numbers that cannot become too small: x = m 2^(512 k), m from 2^-256 below 2^256.

The loops of `propagation` and `lanes` multiply plain doubles, which end at 1e-308, and notice when they have lost
something by that. Their question is then asked here: entry by entry, up to some forty times as slow, and exact
whatever the probability of the evidence, or the ratio of two states, may be. A plan is one for `lanes`, where every
axis is walked state by state.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.layout import Layout
from cython.cimports.bayesfold.kernels.inference.program import (
    ABOVE,
    AXES,
    CLIQUE,
    CLIQUES,
    COLLECT,
    DISTRIBUTE,
    HEADER,
    INNER,
    INPUTS,
    INPUTS_AT,
    KIND,
    LEVELS_AT,
    MAXIMISE,
    MESSAGE,
    MESSAGE_AT,
    MESSAGE_ENTRIES,
    MESSAGE_RECORD,
    MESSAGES,
    OFFSET,
    RANK,
    RECORD,
    RETURNS,
    RETURNS_AT,
    SEPARATED,
    SEPARATED_AT,
    SEPARATOR,
    TABLE,
    TRACE,
    WHICH,
)
from cython.cimports.bayesfold.kernels.inference.propagation import Propagation
from cython.cimports.libc.math import log

SMALL = cython.declare(cython.double, 2.0**-256)
LARGE = cython.declare(cython.double, 2.0**256)
UP = cython.declare(cython.double, 2.0**512)
DOWN = cython.declare(cython.double, 2.0**-512)
LOG_UP = cython.declare(cython.double, 354.891356446692)  # 512 log 2
NEVER = cython.declare(cython.double, float("-inf"))


@cython.cclass
class Unbounded:
    """The buffers of one query; `m` and `k` are the number at work."""

    def __init__(self, floats, integers):
        self.message, self.back, self.out = floats
        self.message_k, self.back_k, self.out_k, self.at, self.shift, self.turn, self.best_turn = integers

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def to_range(self) -> cython.void:
        """The same number with m where it should be."""
        while 0.0 < self.m < SMALL:
            self.m *= UP
            self.k -= 1
        while self.m >= LARGE:
            self.m *= DOWN
            self.k += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def times(self, m: cython.double, k: cython.Py_ssize_t) -> cython.void:
        """Multiply by a number, which may itself be any double."""
        while 0.0 < m < SMALL:
            m *= UP
            k -= 1
        while m >= LARGE:
            m *= DOWN
            k += 1
        self.m *= m
        self.k += k
        self.to_range()

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, to: cython.double[::1], to_k: cython.Py_ssize_t[::1], i: cython.Py_ssize_t) -> cython.void:
        """Add the number at work to an entry; what is below 2^-512 of the other changes nothing."""
        if self.m == 0.0:
            return
        if to[i] == 0.0 or self.k > to_k[i] + 1:
            to[i] = self.m
            to_k[i] = self.k
        elif self.k == to_k[i]:
            to[i] += self.m
        elif self.k == to_k[i] - 1:
            to[i] += self.m * DOWN
        elif self.k == to_k[i] + 1:
            to[i] = to[i] * DOWN + self.m
            to_k[i] = self.k
        if to[i] >= LARGE:
            to[i] *= DOWN
            to_k[i] += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def larger(self, to: cython.double[::1], to_k: cython.Py_ssize_t[::1], i: cython.Py_ssize_t) -> cython.void:
        """The number at work in place of an entry that is smaller."""
        if self.m > 0.0 and (to[i] == 0.0 or self.k > to_k[i] or (self.k == to_k[i] and self.m > to[i])):
            to[i] = self.m
            to_k[i] = self.k

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sweep(
        self, run: Propagation, c: cython.Py_ssize_t, phase: cython.Py_ssize_t, wanted: cython.Py_ssize_t
    ) -> cython.void:
        """All entries of a clique: onto its message, onto what it returns, or the largest that has the wanted place."""
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        rank: cython.Py_ssize_t = self.program[at + RANK]
        inputs: cython.Py_ssize_t = self.program[at + INPUTS]
        sizes: cython.Py_ssize_t = self.program[at + LEVELS_AT] + rank + 1
        records: cython.Py_ssize_t = inputs + 1
        kind: cython.Py_ssize_t
        r = self.program[at + INPUTS_AT]
        for j in range(inputs):
            self.at[j] = r
            self.shift[j] = (
                run.base(self.program[r + WHICH]) if self.program[r + KIND] == TABLE else self.program[r + OFFSET]
            )
            r += RECORD + rank
        self.at[inputs] = self.program[at + MESSAGE_RECORD]
        self.shift[inputs] = self.program[self.program[at + MESSAGE_RECORD] + OFFSET]
        if phase == DISTRIBUTE:
            r = self.program[at + RETURNS_AT]
            for _ in range(self.program[at + RETURNS]):
                self.at[records] = r
                self.shift[records] = self.program[r + OFFSET]
                records += 1
                r += RECORD + rank
        for a in range(rank):
            self.turn[a] = 0
        while True:
            self.m = 1.0
            self.k = 0
            for j in range(inputs):
                kind = self.program[self.at[j] + KIND]
                if kind == TABLE:
                    self.times(run.values[self.shift[j]], 0)
                elif kind == MESSAGE:
                    self.times(self.message[self.shift[j]], self.message_k[self.shift[j]])
                else:
                    self.times(run.likelihood[self.shift[j]], 0)
                if self.m == 0.0:
                    break
            if self.m > 0.0:
                r = self.shift[inputs]
                if phase == DISTRIBUTE:
                    self.times(self.back[r], self.back_k[r])
                    for j in range(inputs + 1, records):
                        if self.program[self.at[j] + KIND] == MESSAGE:
                            self.add(self.back, self.back_k, self.shift[j])
                        else:
                            self.add(self.out, self.out_k, self.shift[j])
                elif phase == COLLECT:
                    if self.program[at + MAXIMISE]:
                        self.larger(self.message, self.message_k, r)
                    else:
                        self.add(self.message, self.message_k, r)
                elif r == wanted and (
                    self.best == 0.0 or self.k > self.best_k or (self.k == self.best_k and self.m > self.best)
                ):
                    self.best = self.m
                    self.best_k = self.k
                    for a in range(rank):
                        self.best_turn[a] = self.turn[a]
            a = rank - 1
            while a >= 0:
                self.turn[a] += 1
                for j in range(records):
                    self.shift[j] += self.program[self.at[j] + RECORD + a]
                if self.turn[a] < self.program[sizes + a]:
                    break
                for j in range(records):
                    self.shift[j] -= self.turn[a] * self.program[self.at[j] + RECORD + a]
                self.turn[a] = 0
                a -= 1
            if a < 0:
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def collect(self, run: Propagation) -> cython.double:
        """Messages to the roots, none of them scaled; log P(evidence), or of the maximum."""
        c: cython.Py_ssize_t
        v: cython.Py_ssize_t
        at: cython.Py_ssize_t
        total: cython.double = run.constants(self.program)
        if total == NEVER:
            return total
        for v in range(self.program[MESSAGES]):
            self.message[v] = 0.0
            self.message_k[v] = 0
        for c in range(self.program[CLIQUES]):
            at = HEADER + c * CLIQUE
            self.sweep(run, c, COLLECT, -1)
            if self.program[at + ABOVE] < 0:  # a root: what it has heard is a sum over its message
                self.out[0] = 0.0
                self.out_k[0] = 0
                for v in range(
                    self.program[at + MESSAGE_AT], self.program[at + MESSAGE_AT] + self.program[at + MESSAGE_ENTRIES]
                ):
                    self.m = self.message[v]
                    self.k = self.message_k[v]
                    if self.program[at + MAXIMISE]:
                        self.larger(self.out, self.out_k, 0)
                    else:
                        self.add(self.out, self.out_k, 0)
                if self.out[0] == 0.0:
                    return NEVER
                total += log(self.out[0]) + LOG_UP * self.out_k[0]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def distribute(self, run: Propagation) -> cython.void:
        """Back from the roots: sums that every variable's marginal is in proportion to, in `out`."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        for i in range(self.program[MESSAGES]):
            self.back[i] = 0.0
            self.back_k[i] = 0
        for i in range(run.states[run.n]):
            self.out[i] = 0.0
            self.out_k[i] = 0
        c = self.program[CLIQUES] - 1
        while c >= 0:
            at = HEADER + c * CLIQUE
            begin = self.program[at + MESSAGE_AT]
            end = begin + self.program[at + MESSAGE_ENTRIES]
            if self.program[at + ABOVE] < 0:
                for i in range(begin, end):
                    self.back[i] = 1.0
            else:
                self.off_separator(at)
                for i in range(begin, end):
                    if self.message[i] > 0.0:
                        self.m = self.back[i] / self.message[i]
                        self.k = self.back_k[i] - self.message_k[i]
                        self.to_range()
                        self.back[i] = self.m
                        self.back_k[i] = self.k
            self.sweep(run, c, DISTRIBUTE, -1)
            c -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def off_separator(self, at: cython.Py_ssize_t) -> cython.void:
        """Marginals that are read off what the parent returned, a smaller table than any clique."""
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        i: cython.Py_ssize_t
        o: cython.Py_ssize_t
        rest: cython.Py_ssize_t
        inner: cython.Py_ssize_t
        r: cython.Py_ssize_t = self.program[at + SEPARATED_AT]
        for _ in range(self.program[at + SEPARATED]):
            inner = self.program[r + INNER]
            for i in range(self.program[at + MESSAGE_ENTRIES]):
                rest = i
                o = self.program[r + OFFSET]
                a = inner - 1
                while a >= 0:
                    o += (rest % self.program[r + RECORD + a]) * self.program[r + RECORD + inner + a]
                    rest = rest // self.program[r + RECORD + a]
                    a -= 1
                self.m = self.back[self.program[at + MESSAGE_AT] + i]
                self.k = self.back_k[self.program[at + MESSAGE_AT] + i]
                self.add(self.out, self.out_k, o)
            r += RECORD + 2 * inner

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def share(
        self,
        values: cython.double[::1],
        scales: cython.Py_ssize_t[::1],
        begin: cython.Py_ssize_t,
        out: cython.double[::1],
        at: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
    ) -> cython.void:
        """Some entries over their sum, as plain doubles; a share that is too small for one is zero."""
        i: cython.Py_ssize_t
        d: cython.Py_ssize_t
        top: cython.Py_ssize_t = 0
        any_above_zero: cython.bint = False
        z: cython.double = 0.0
        for i in range(begin, begin + size):
            if values[i] > 0.0 and (scales[i] > top or not any_above_zero):
                top = scales[i]
                any_above_zero = True
        for i in range(size):
            d = top - scales[begin + i]
            out[at + i] = values[begin + i] if d == 0 else values[begin + i] * DOWN if d == 1 else 0.0
            z += out[at + i]
        for i in range(size):
            out[at + i] /= z

    # ------------------------------------------------------------------------------------------- from Python, one query

    def up(self, tree: Layout, run: Propagation, out: cython.double[::1]) -> float:
        """Collect; the last root's message, over its sum, goes to `out`. Returns log P(evidence)."""
        z: cython.double
        begin: cython.Py_ssize_t
        self.program = tree.program
        with cython.nogil:
            z = self.collect(run)
            if z > NEVER and out.shape[0] > 0:
                begin = self.program[MESSAGES] - out.shape[0]
                self.share(self.message, self.message_k, begin, out, 0, out.shape[0])
        return z

    def every(self, tree: Layout, run: Propagation, out: cython.double[::1]) -> float:
        """Collect and distribute: every marginal into `out`. Returns log P(evidence)."""
        v: cython.Py_ssize_t
        s: cython.Py_ssize_t
        z: cython.double
        self.program = tree.program
        with cython.nogil:
            z = self.collect(run)
            if z > NEVER:
                self.distribute(run)
                for v in range(run.n):
                    s = run.states[v]
                    if run.code[v] < 0:
                        self.share(self.out, self.out_k, s, out, s, run.states[v + 1] - s)
                        continue
                    for s in range(run.states[v], run.states[v + 1]):
                        out[s] = s == run.states[v] + run.code[v]
        return z

    def most(self, tree: Layout, run: Propagation, states: cython.Py_ssize_t[::1]) -> float:
        """Collect by maximum and write the states that reach it. Returns the log of the maximum."""
        c: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        at: cython.Py_ssize_t
        axes: cython.Py_ssize_t
        rank: cython.Py_ssize_t
        step: cython.Py_ssize_t
        wanted: cython.Py_ssize_t
        z: cython.double
        self.program = tree.program
        with cython.nogil:
            z = self.collect(run)
            c = self.program[CLIQUES] - 1 if z > NEVER else -1
            while c >= 0:
                at = HEADER + c * CLIQUE
                axes = self.program[at + AXES]
                rank = self.program[at + RANK]
                if self.program[at + MAXIMISE]:
                    wanted = self.program[at + MESSAGE_AT]
                    step = 1
                    j = self.program[at + SEPARATOR] - 1
                    while j >= 0:
                        v = self.program[axes + rank + j]
                        wanted += states[v] * step
                        step *= run.states[v + 1] - run.states[v]
                        j -= 1
                    self.best = 0.0
                    self.sweep(run, c, TRACE, wanted)
                    for j in range(rank):
                        states[self.program[axes + j]] = self.best_turn[j]
                c -= 1
        return z
