"""The factors of a clique: where their slices begin, their product over a dense panel, and sums back onto them."""

import cython
from cython.cimports.bayesfold.kernels.inference.program import (
    ADD,
    FROM,
    INNER,
    KIND,
    LARGEST,
    MAXIMUM,
    MESSAGE,
    RECORD,
    SET,
    TABLE,
    TIMES,
)
from cython.cimports.bayesfold.kernels.inference.walk import walk
from cython.cimports.bayesfold.kernels.inference.widths import width


@cython.cclass
class Factors:
    """One network's tables, one query's evidence and the buffers of its messages.

    `tables` holds the tile at work, the part of it that stays the same, sums of it, and then the stored cliques;
    messages and returns stand at the same offsets.
    """

    def __init__(self, starts, members, strides, begins, states, values, code, likelihood, scratch, partial):
        self.n = len(begins)
        self.width = width()
        self.starts, self.members, self.strides, self.begins = starts, members, strides, begins
        self.states, self.values = states, values
        self.code, self.likelihood = code, likelihood
        self.index, self.turn, self.best_turn = scratch
        self.partial = partial

    def hold(self, tables, messages, returns, at, shift):
        """Buffers large enough for the next programs."""
        self.tables, self.messages, self.returns, self.at, self.shift = tables, messages, returns, at, shift

    def observe(self, evidence):
        """Enter {variable: state} in place of what was known; returns an entry that there is not, or None."""
        v: cython.Py_ssize_t
        state: cython.Py_ssize_t
        for v in range(self.n):
            self.code[v] = -1
        for v, state in evidence.items():
            if not (0 <= v < self.n and 0 <= state < self.states[v + 1] - self.states[v]):
                return v, state
            self.code[v] = state
        return None

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def base(self, family: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where a table's slice begins, given what is observed."""
        t: cython.Py_ssize_t
        at: cython.Py_ssize_t = self.begins[family]
        for t in range(self.starts[family], self.starts[family + 1]):
            if self.code[self.members[t]] > 0:
                at += self.code[self.members[t]] * self.strides[t]
        return at

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def value(self, kind: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.double:
        """One entry of a factor."""
        if kind == TABLE:
            return self.values[at]
        if kind == MESSAGE:
            return self.messages[at]
        return self.likelihood[at]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def multiply(
        self,
        verb: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
        inputs: cython.Py_ssize_t,
        place: cython.Py_ssize_t,
        entries: cython.Py_ssize_t,
        scale: cython.double,
    ) -> cython.void:
        """The product of some inputs that run along the tile, times the scale; FROM: times what stays the same too."""
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        for j in range(first, inputs):
            r = self.at[j]
            if self.program[r + INNER] == 0:  # an axis of one state
                scale *= self.value(self.program[r + KIND], self.shift[j])
        for j in range(first, inputs):
            r = self.at[j]
            if self.program[r + INNER] == 0:
                continue
            if self.program[r + KIND] == TABLE:
                self.run(verb, r, outer, place, self.values, self.shift[j], scale)
            elif self.program[r + KIND] == MESSAGE:
                self.run(verb, r, outer, place, self.messages, self.shift[j], scale)
            else:
                self.run(verb, r, outer, place, self.likelihood, self.shift[j], scale)
            verb = TIMES
        if verb == SET:
            for j in range(place, place + entries):
                self.tables[j] = scale
        elif verb == FROM:
            for j in range(entries):
                self.tables[place + j] = self.tables[self.program[LARGEST] + j] * scale

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def run(
        self,
        verb: cython.Py_ssize_t,
        record: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
        place: cython.Py_ssize_t,
        factor: cython.double[::1],
        shift: cython.Py_ssize_t,
        scale: cython.double,
    ) -> cython.void:
        """One factor onto the tile."""
        walk(
            verb, self.tables, place, self.program[LARGEST], self.program, record + RECORD + outer,
            self.program[record + INNER], factor, shift, scale, self.index,
        )  # fmt: skip

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def spill(
        self,
        verb: cython.Py_ssize_t,
        record: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
        place: cython.Py_ssize_t,
        entries: cython.Py_ssize_t,
        target: cython.double[::1],
        shift: cython.Py_ssize_t,
    ) -> cython.void:
        """The tile summed (or maximised) onto what a record describes."""
        i: cython.Py_ssize_t
        x: cython.double = 0.0
        y: cython.double = 0.0
        if self.program[record + INNER] > 0:
            self.run(verb, record, outer, place, target, shift, 1.0)
        elif verb == MAXIMUM:
            for i in range(place, place + entries):
                x = self.tables[i] if self.tables[i] > x else x
            if x > target[shift]:
                target[shift] = x
        else:
            for i in range(place, place + entries - 1, 2):
                x += self.tables[i]
                y += self.tables[i + 1]
            if entries & 1:
                x += self.tables[place + entries - 1]
            target[shift] += x + y

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def give(
        self,
        outer: cython.Py_ssize_t,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        place: cython.Py_ssize_t,
        entries: cython.Py_ssize_t,
    ) -> cython.void:
        """So many entries at a place, summed onto the returns to some children and onto marginals."""
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        for j in range(begin, end):
            r = self.at[j]
            if self.program[r + KIND] == MESSAGE:
                self.spill(ADD, r, outer, place, entries, self.returns, self.shift[j])
            else:
                self.spill(ADD, r, outer, place, entries, self.out, self.shift[j])
