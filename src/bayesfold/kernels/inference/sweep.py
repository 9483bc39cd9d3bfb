"""Sweep over one clique: all its tiles, those aside where the input that leads is zero."""

import cython
from cython.cimports.bayesfold.kernels.inference.program import (
    CLIQUE,
    DECIDED,
    DISTRIBUTE,
    HEADER,
    INNER,
    INPUTS,
    INPUTS_AT,
    KIND,
    LARGEST,
    LEVELS_AT,
    MESSAGE_RECORD,
    OFFSET,
    OUTER,
    RECORD,
    RETURNS,
    RETURNS_AT,
    SET,
    TABLE,
    TILE,
    WHICH,
)
from cython.cimports.bayesfold.kernels.inference.tile import Tile


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def zeros(
    values: cython.double[::1], at: cython.Py_ssize_t, step: cython.Py_ssize_t, most: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """How many zeros stand one after another, of at most so many."""
    i: cython.Py_ssize_t = 0
    if step == 1:
        while i + 8 <= most and (
            (values[at + i] + values[at + i + 1]) + (values[at + i + 2] + values[at + i + 3])
            + ((values[at + i + 4] + values[at + i + 5]) + (values[at + i + 6] + values[at + i + 7])) == 0.0
        ):  # fmt: skip
            i += 8
    while i < most and values[at + i * step] == 0.0:
        i += 1
    return i


@cython.cclass
class Sweep(Tile):
    """Walks the outer axes of a clique; turn[i] is the state of the i-th, partial[i] what is decided by then."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sweep(
        self,
        c: cython.Py_ssize_t,
        phase: cython.Py_ssize_t,
    ) -> cython.void:
        """One pass over a clique: its message, what it returns to its children, or the largest entry."""
        _: cython.Py_ssize_t
        d: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        r: cython.Py_ssize_t
        step: cython.Py_ssize_t
        thin: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        outer: cython.Py_ssize_t = self.program[at + OUTER]
        inputs: cython.Py_ssize_t = self.program[at + INPUTS]
        levels: cython.Py_ssize_t = self.program[at + LEVELS_AT]
        sizes: cython.Py_ssize_t = levels + outer + 1
        lead: cython.Py_ssize_t = self.program[sizes + outer]
        records: cython.Py_ssize_t = inputs + 1
        message: cython.Py_ssize_t = self.program[at + MESSAGE_RECORD]
        run: cython.Py_ssize_t = 1
        x: cython.double
        r = self.program[at + INPUTS_AT]
        for j in range(inputs):
            self.at[j] = r
            self.shift[j] = (
                self.base(self.program[r + WHICH]) if self.program[r + KIND] == TABLE else self.program[r + OFFSET]
            )
            r += RECORD + outer + 2 * self.program[r + INNER]
        self.at[inputs] = message
        self.shift[inputs] = self.program[message + OFFSET]
        if phase == DISTRIBUTE:
            r = self.program[at + RETURNS_AT]
            for _ in range(self.program[at + RETURNS]):
                self.at[records] = r
                self.shift[records] = self.program[r + OFFSET]
                r += RECORD + outer + 2 * self.program[r + INNER]
                records += 1
        if outer == 0:
            self.tile(c, phase, records, 1.0)
            return
        for j in range(outer):
            self.turn[j] = 0
        if lead == 0:
            self.nest(c, phase, records)
            return
        thin = self.program[sizes + outer + 4]
        r = self.at[thin] + RECORD
        step = self.program[r + lead - 1]
        j = lead - 1
        while j >= 0 and self.program[r + j] == run * step:
            run *= self.program[sizes + j]
            j -= 1
        k = d = 0  # the entry reached within the run, and how far ahead the search for the next is
        while True:
            if self.program[self.at[thin] + KIND] == TABLE:
                d += zeros(self.values, self.shift[thin] + d * step, step, run - k - d)
            else:
                d += zeros(self.messages, self.shift[thin] + d * step, step, run - k - d)
            if k + d == run:
                if not self.advance(sizes, lead, run - k, records):
                    return
                k = d = 0
                continue
            if d > 0:
                self.advance(sizes, lead, d, records)
                k += d
            x = 1.0
            for j in range(self.program[levels + lead]):
                x *= self.value(self.program[self.at[j] + KIND], self.shift[j])
            if phase == DISTRIBUTE and self.program[message + INNER] == 0 and self.program[message + DECIDED] < lead:
                x *= self.returns[self.shift[inputs]]
            if x != 0.0:
                if lead == outer:
                    self.tile(c, phase, records, x)
                else:
                    self.partial[lead - 1] = x
                    self.nest(c, phase, records)
            d = 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def advance(
        self,
        sizes: cython.Py_ssize_t,
        lead: cython.Py_ssize_t,
        by: cython.Py_ssize_t,
        records: cython.Py_ssize_t,
    ) -> cython.bint:
        """So many entries on along the lead's axes; whether there is one."""
        j: cython.Py_ssize_t
        n: cython.Py_ssize_t
        to: cython.Py_ssize_t
        change: cython.Py_ssize_t
        i: cython.Py_ssize_t = lead - 1
        while i >= 0:
            n = self.program[sizes + i]
            to = self.turn[i] + by
            by = 0
            if to >= n:
                by = 1 if to < 2 * n else to // n
                to -= by * n
            change = to - self.turn[i]
            self.turn[i] = to
            for j in range(records):
                self.shift[j] += change * self.program[self.at[j] + RECORD + i]
            if by == 0:
                return True
            i -= 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def nest(
        self,
        c: cython.Py_ssize_t,
        phase: cython.Py_ssize_t,
        records: cython.Py_ssize_t,
    ) -> cython.void:
        """Walk the outer axes below the lead's, multiplying what they decide on the way."""
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        outer: cython.Py_ssize_t = self.program[at + OUTER]
        inputs: cython.Py_ssize_t = self.program[at + INPUTS]
        levels: cython.Py_ssize_t = self.program[at + LEVELS_AT]
        sizes: cython.Py_ssize_t = levels + outer + 1
        lead: cython.Py_ssize_t = self.program[sizes + outer]
        same: cython.Py_ssize_t = self.program[sizes + outer + 1]
        message: cython.Py_ssize_t = self.program[at + MESSAGE_RECORD]
        early: cython.bint = phase == DISTRIBUTE and self.program[message + INNER] == 0
        i: cython.Py_ssize_t = lead
        x: cython.double
        if same == 0:
            self.keep(c, 1.0)
        while True:
            x = self.partial[i - 1] if i > 0 else 1.0
            for j in range(self.program[levels + i], self.program[levels + i + 1]):
                x *= self.value(self.program[self.at[j] + KIND], self.shift[j])
            if early and self.program[message + DECIDED] == i:
                x *= self.returns[self.shift[inputs]]
            if x != 0.0:
                self.partial[i] = x
                if i < outer - 1:
                    i += 1
                    if i == same:
                        self.keep(c, x)
                        self.partial[i - 1] = 1.0
                    continue
                self.tile(c, phase, records, x)
            while True:  # the next state of this axis, or of the nearest one outside it that has a next
                self.turn[i] += 1
                r = self.program[sizes + i]
                for j in range(records):
                    self.shift[j] += self.program[self.at[j] + RECORD + i]
                if self.turn[i] < r:
                    break
                for j in range(records):
                    self.shift[j] -= r * self.program[self.at[j] + RECORD + i]
                self.turn[i] = 0
                if i == same and phase == DISTRIBUTE:
                    r = inputs + 1 + self.program[sizes + outer + 3]
                    self.give(outer, inputs + 1, r, 2 * self.program[LARGEST], self.program[at + TILE])
                i -= 1
                if i < lead:
                    return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(self, c: cython.Py_ssize_t, scale: cython.double) -> cython.void:
        """The product of the inputs that stay the same for a while; nothing is summed of it yet."""
        j: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        outer: cython.Py_ssize_t = self.program[at + OUTER]
        entries: cython.Py_ssize_t = self.program[at + TILE]
        levels: cython.Py_ssize_t = self.program[at + LEVELS_AT]
        first: cython.Py_ssize_t = self.program[levels + outer]
        end: cython.Py_ssize_t = first + self.program[levels + 2 * outer + 3]
        self.multiply(SET, outer, first, end, self.program[LARGEST], entries, scale)
        for j in range(2 * self.program[LARGEST], 2 * self.program[LARGEST] + entries):
            self.tables[j] = 0.0
