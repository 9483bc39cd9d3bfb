"""One tile of a clique: multiplied, and sent where it goes.

A clique that is a single tile is stored between the passes; a larger one is multiplied again on the way back, tile by
tile in the cache, which costs less than memory.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.pair import Pair
from cython.cimports.bayesfold.kernels.inference.program import (
    ABOVE,
    ADD,
    CLIQUE,
    COLLECT,
    DISTRIBUTE,
    FROM,
    HEADER,
    INNER,
    INPUTS,
    KIND,
    LARGEST,
    LEVELS_AT,
    MAXIMISE,
    MAXIMUM,
    MESSAGE,
    MESSAGE_RECORD,
    OUTER,
    RECORD,
    SET,
    STORED_AT,
    TABLE,
    TILE,
    TILES,
    TIMES,
    TRACE,
)
from cython.cimports.bayesfold.kernels.inference.walk import walk


@cython.cclass
class Tile(Pair):
    """Multiplies tiles; a clique of two groups of factors goes by the matrix product instead."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tile(
        self,
        c: cython.Py_ssize_t,
        phase: cython.Py_ssize_t,
        records: cython.Py_ssize_t,
        scale: cython.double,
    ) -> cython.void:
        """Multiply one tile (or take the stored one) and send it where it goes."""
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        sums: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        outer: cython.Py_ssize_t = self.program[at + OUTER]
        entries: cython.Py_ssize_t = self.program[at + TILE]
        inputs: cython.Py_ssize_t = self.program[at + INPUTS]
        levels: cython.Py_ssize_t = self.program[at + LEVELS_AT]
        first: cython.Py_ssize_t = self.program[levels + outer]
        same: cython.bint = self.program[levels + 2 * outer + 2] >= 0
        stored: cython.bint = self.program[at + STORED_AT] >= 0
        place: cython.Py_ssize_t = TILES * self.program[LARGEST] + self.program[at + STORED_AT] if stored else 0
        message: cython.Py_ssize_t = self.program[at + MESSAGE_RECORD]
        inner: cython.Py_ssize_t = self.program[message + INNER]
        if phase == TRACE and inner == 0 and self.shift[inputs] != self.wanted:
            return
        if self.program[levels + 2 * outer + 9] > 0:
            self.pair(c, phase, records, scale)
            return
        if phase < self.program[levels + 2 * outer + 6]:
            self.line(c, phase, records, scale)
            return
        if phase != DISTRIBUTE or not stored:
            if same:
                first += self.program[levels + 2 * outer + 3]
            self.multiply(FROM if same else SET, outer, first, inputs, place, entries, scale)
        if phase == COLLECT:
            j = MAXIMUM if self.program[at + MAXIMISE] else ADD
            self.spill(j, message, outer, place, entries, self.messages, self.shift[inputs])
        elif phase == DISTRIBUTE:
            if inner > 0:
                r = message + RECORD + outer
                walk(
                    TIMES, self.tables, place, 0, self.program, r, inner, self.returns, self.shift[inputs], 1.0,
                    self.index,
                )  # fmt: skip
            elif outer == 0 and self.program[at + ABOVE] >= 0:
                scale = self.returns[self.shift[inputs]]
                for j in range(place, place + entries):
                    self.tables[j] *= scale
            r = inputs + 1
            if same and self.program[levels + 2 * outer + 4] > 0:
                r += self.program[levels + 2 * outer + 4]
                sums = 2 * self.program[LARGEST]
                for j in range(entries):
                    self.tables[sums + j] += self.tables[place + j]
            self.give(outer, r, records, place, entries)
        else:
            self.note(message + RECORD + outer, inner, entries, outer)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def line(
        self,
        c: cython.Py_ssize_t,
        phase: cython.Py_ssize_t,
        records: cython.Py_ssize_t,
        scale: cython.double,
    ) -> cython.void:
        """The same for a tile along which everything runs in even steps: short ones are done before a call is made."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        o: cython.Py_ssize_t
        s: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        outer: cython.Py_ssize_t = self.program[at + OUTER]
        n: cython.Py_ssize_t = self.program[at + TILE]
        inputs: cython.Py_ssize_t = self.program[at + INPUTS]
        step: cython.Py_ssize_t = RECORD + outer + 1
        message: cython.Py_ssize_t = self.program[at + MESSAGE_RECORD]
        x: cython.double
        for i in range(n):
            self.tables[i] = scale
        for j in range(self.program[self.program[at + LEVELS_AT] + outer], inputs):
            o = self.shift[j]
            s = self.program[self.at[j] + step]
            if self.program[self.at[j] + KIND] == TABLE:
                for i in range(n):
                    self.tables[i] *= self.values[o + i * s]
            elif self.program[self.at[j] + KIND] == MESSAGE:
                for i in range(n):
                    self.tables[i] *= self.messages[o + i * s]
            else:
                for i in range(n):
                    self.tables[i] *= self.likelihood[o + i * s]
        if self.program[message + INNER] > 0:
            o = self.shift[inputs]
            s = self.program[message + step]
            if phase == COLLECT:
                for i in range(n):
                    self.messages[o + i * s] += self.tables[i]
                return
            for i in range(n):
                self.tables[i] *= self.returns[o + i * s]
        x = 0.0
        for i in range(n):
            x += self.tables[i]
        if phase == COLLECT:
            self.messages[self.shift[inputs]] += x
            return
        for j in range(inputs + 1, records):
            o = self.shift[j]
            s = self.program[self.at[j] + step]
            if self.program[self.at[j] + INNER] == 0:
                if self.program[self.at[j] + KIND] == MESSAGE:
                    self.returns[o] += x
                else:
                    self.out[o] += x
            elif self.program[self.at[j] + KIND] == MESSAGE:
                for i in range(n):
                    self.returns[o + i * s] += self.tables[i]
            else:
                for i in range(n):
                    self.out[o + i * s] += self.tables[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note(
        self,
        sizes: cython.Py_ssize_t,
        rank: cython.Py_ssize_t,
        entries: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
    ) -> cython.void:
        """Remember the largest entry so far of the tile whose message entry is the wanted one."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        rest: cython.Py_ssize_t
        at: cython.Py_ssize_t
        for i in range(entries):
            if self.tables[i] <= self.best:
                continue
            at = self.shift[self.inputs]
            rest = i
            j = rank - 1
            while j >= 0:
                at += (rest % self.program[sizes + j]) * self.program[sizes + rank + j]
                rest = rest // self.program[sizes + j]
                j -= 1
            if at == self.wanted:
                self.best = self.tables[i]
                self.best_at = i
                for j in range(outer):
                    self.best_turn[j] = self.turn[j]
