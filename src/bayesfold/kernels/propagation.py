"""Run a bucket tree's program: messages to the root, and back to every clique.

Collecting, each clique's product is summed onto its separator, the message, scaled to sum to one with the log kept.
Going back, the parent's sum onto the separator over the message is one more factor. A clique that is a single tile is
stored between the passes; a larger one is multiplied again, tile by tile in the cache, which costs less than memory.
"""

import cython
from cython.cimports.libc.math import log

HEADER = cython.declare(cython.Py_ssize_t, 9)
CLIQUE = cython.declare(cython.Py_ssize_t, 18)
RECORD = cython.declare(cython.Py_ssize_t, 5)
TABLE = cython.declare(cython.Py_ssize_t, 0)
MESSAGE = cython.declare(cython.Py_ssize_t, 2)
COLLECT = cython.declare(cython.Py_ssize_t, 0)
DISTRIBUTE = cython.declare(cython.Py_ssize_t, 1)
TRACE = cython.declare(cython.Py_ssize_t, 2)
IMPOSSIBLE = cython.declare(cython.double, float("-inf"))

SET = cython.declare(cython.Py_ssize_t, 0)  # tile = scale * factor
TIMES = cython.declare(cython.Py_ssize_t, 1)  # tile *= factor
ADD = cython.declare(cython.Py_ssize_t, 2)  # factor += tile
MAXIMUM = cython.declare(cython.Py_ssize_t, 3)  # factor = max(factor, tile)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk(
    verb: cython.Py_ssize_t,
    tile: cython.double[::1],
    p: cython.Py_ssize_t,
    program: cython.Py_ssize_t[::1],
    sizes: cython.Py_ssize_t,
    rank: cython.Py_ssize_t,
    factor: cython.double[::1],
    o: cython.Py_ssize_t,
    scale: cython.double,
    index: cython.Py_ssize_t[::1],
) -> cython.void:
    """One verb over the tile from p on, beside a factor from o on with the strides of its record."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    b: cython.Py_ssize_t
    _: cython.Py_ssize_t
    turns: cython.Py_ssize_t = 1
    x: cython.double
    y: cython.double
    steps: cython.Py_ssize_t = sizes + rank
    n: cython.Py_ssize_t = program[sizes + rank - 1]
    s: cython.Py_ssize_t = program[steps + rank - 1]
    m: cython.Py_ssize_t = 1
    d: cython.Py_ssize_t = 0
    if rank > 1:
        m = program[sizes + rank - 2]
        d = program[steps + rank - 2]
    for j in range(rank - 2):
        turns *= program[sizes + j]
        index[j] = 0
    while True:
        b = o
        if verb == SET:
            for _ in range(m):
                if s == 0:
                    x = factor[b] * scale
                    for i in range(p, p + n):
                        tile[i] = x
                elif s == 1:
                    for i in range(n):
                        tile[p + i] = factor[b + i] * scale
                else:
                    for i in range(n):
                        tile[p + i] = factor[b + i * s] * scale
                p += n
                b += d
        elif verb == TIMES:
            for _ in range(m):
                if s == 0:
                    x = factor[b]
                    for i in range(p, p + n):
                        tile[i] *= x
                elif s == 1:
                    for i in range(n):
                        tile[p + i] *= factor[b + i]
                else:
                    for i in range(n):
                        tile[p + i] *= factor[b + i * s]
                p += n
                b += d
        elif verb == ADD:
            for _ in range(m):
                if s == 0:
                    x = 0.0
                    y = 0.0
                    for i in range(p, p + n - 1, 2):  # two sums: additions do not wait for each other
                        x += tile[i]
                        y += tile[i + 1]
                    if n & 1:
                        x += tile[p + n - 1]
                    factor[b] += x + y
                elif s == 1:
                    for i in range(n):
                        factor[b + i] += tile[p + i]
                else:
                    for i in range(n):
                        factor[b + i * s] += tile[p + i]
                p += n
                b += d
        else:
            for _ in range(m):
                for i in range(n):
                    if tile[p + i] > factor[b + i * s]:
                        factor[b + i * s] = tile[p + i]
                p += n
                b += d
        turns -= 1
        if turns == 0:
            break
        j = rank - 3
        while True:
            index[j] += 1
            o += program[steps + j]
            if index[j] < program[sizes + j]:
                break
            o -= program[steps + j] * program[sizes + j]
            index[j] = 0
            j -= 1


@cython.cclass
class Propagation:
    """One network's tables, one query's evidence and the buffers of its messages.

    `tables` holds the tile at work and then the stored cliques; messages and returns stand at the same offsets.
    """

    def __init__(self, starts, members, strides, begins, states, values, code, likelihood, scratch, partial):
        self.n = len(begins)
        self.starts, self.members, self.strides, self.begins = starts, members, strides, begins
        self.states, self.values = states, values
        self.code, self.likelihood = code, likelihood
        self.index, self.turn, self.best_turn = scratch
        self.partial = partial

    def hold(self, tables, messages, returns, at, shift):
        """Buffers large enough for the next programs."""
        self.tables, self.messages, self.returns, self.at, self.shift = tables, messages, returns, at, shift

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
    def constants(self, program: cython.Py_ssize_t[::1]) -> cython.double:
        """The log of all factors with nothing free; minus infinity when one is zero."""
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        z: cython.double
        total: cython.double = 0.0
        for i in range(program[8], program[8] + program[7]):
            v = program[i]
            if v < self.n:
                z = self.values[self.base(v)]
            else:
                z = self.likelihood[self.states[v - self.n] + self.code[v - self.n]]
            if z <= 0.0:
                return IMPOSSIBLE
            total += log(z)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def collect(self, program: cython.Py_ssize_t[::1]) -> cython.double:
        """Messages from the leaves to the roots; log P(evidence), minus infinity when it is impossible."""
        c: cython.Py_ssize_t
        z: cython.double
        total: cython.double = self.constants(program)
        if total == IMPOSSIBLE:
            return total
        for c in range(program[1]):
            z = self.gather(program, c)
            if not z > 0.0:
                return IMPOSSIBLE
            total += log(z)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(self, program: cython.Py_ssize_t[::1], c: cython.Py_ssize_t) -> cython.double:
        """One clique's message, scaled to sum to one (or to a maximum of one); returns what it was divided by."""
        v: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        begin: cython.Py_ssize_t = program[at + 9]
        end: cython.Py_ssize_t = begin + program[at + 10]
        z: cython.double = 0.0
        x: cython.double
        for v in range(begin, end):
            self.messages[v] = 0.0
        self.sweep(program, c, COLLECT, self.messages)
        if program[at + 13]:
            for v in range(begin, end):
                z = self.messages[v] if self.messages[v] > z else z
        else:
            for v in range(begin, end):
                z += self.messages[v]
        if z > 0.0:
            x = 1.0 / z
            for v in range(begin, end):
                self.messages[v] *= x
        return z

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def distribute(self, program: cython.Py_ssize_t[::1], out: cython.double[::1]) -> cython.void:
        """Back from the roots; marginals of all variables, observed ones included, into `out`."""
        _: cython.Py_ssize_t
        rank: cython.Py_ssize_t
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        z: cython.double
        for v in range(program[4]):
            self.returns[v] = 0.0
        for v in range(self.states[self.n]):
            out[v] = 0.0
        c = program[1] - 1
        while c >= 0:
            i = HEADER + c * CLIQUE
            begin = program[i + 9]
            end = begin + program[i + 10]
            if program[i + 11] >= 0:
                j = program[i + 14]
                for _ in range(program[i + 15]):
                    rank = program[j + 4]
                    if rank == 0:  # a variable of one state
                        out[program[j + 2]] = 1.0
                    else:
                        walk(
                            ADD, self.returns, begin, program, j + RECORD, rank, out, program[j + 2], 1.0, self.index
                        )  # fmt: skip
                    j += RECORD + 2 * program[j + 4]
                z = 0.0
                for v in range(begin, end):
                    z += self.returns[v]
                z = 1.0 / z
                for v in range(begin, end):
                    if self.messages[v] > 0.0:
                        self.returns[v] = self.returns[v] * z / self.messages[v]
                    else:
                        self.returns[v] = 0.0
            else:
                self.returns[begin] = 1.0
            self.sweep(program, c, DISTRIBUTE, out)
            c -= 1
        for v in range(self.n):
            begin = self.states[v]
            if self.code[v] >= 0:
                out[begin + self.code[v]] = 1.0
                continue
            z = 0.0
            for i in range(begin, self.states[v + 1]):
                z += out[i]
            z = 1.0 / z
            for i in range(begin, self.states[v + 1]):
                out[i] *= z

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sweep(
        self,
        program: cython.Py_ssize_t[::1],
        c: cython.Py_ssize_t,
        phase: cython.Py_ssize_t,
        out: cython.double[::1],
    ) -> cython.void:
        """Every tile of a clique that is not all zero: walk the outer axes, multiplying what they decide on the way."""
        _: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        outer: cython.Py_ssize_t = program[at + 2]
        inputs: cython.Py_ssize_t = program[at + 5]
        levels: cython.Py_ssize_t = program[at + 16]
        records: cython.Py_ssize_t = inputs + 1
        message: cython.Py_ssize_t = program[at + 8]
        early: cython.bint = phase == DISTRIBUTE and program[message + 4] == 0
        x: cython.double
        r = program[at + 4]
        for j in range(inputs):
            self.at[j] = r
            self.shift[j] = self.base(program[r + 1]) if program[r] == TABLE else program[r + 2]
            r += RECORD + outer + 2 * program[r + 4]
        self.at[inputs] = message
        self.shift[inputs] = program[message + 2]
        if phase == DISTRIBUTE:
            r = program[at + 6]
            for _ in range(program[at + 7]):
                self.at[records] = r
                self.shift[records] = program[r + 2]
                r += RECORD + outer + 2 * program[r + 4]
                records += 1
        if outer == 0:
            self.tile(program, c, phase, 0, inputs, records, 1.0, out)
            return
        i = 0
        for j in range(outer):
            self.turn[j] = 0
        while True:
            x = self.partial[i - 1] if i > 0 else 1.0
            for j in range(program[levels + i], program[levels + i + 1]):
                x *= self.value(program[self.at[j]], self.shift[j])
            if early and program[message + 3] == i:
                x *= self.returns[self.shift[inputs]]
            if x != 0.0:
                self.partial[i] = x
                if i < outer - 1:
                    i += 1
                    continue
                self.tile(program, c, phase, program[levels + outer], inputs, records, x, out)
            while True:  # the next state of this axis, or of the nearest one outside it that has a next
                self.turn[i] += 1
                r = program[levels + outer + 1 + i]
                for j in range(records):
                    self.shift[j] += program[self.at[j] + RECORD + i]
                if self.turn[i] < r:
                    break
                for j in range(records):
                    self.shift[j] -= r * program[self.at[j] + RECORD + i]
                self.turn[i] = 0
                i -= 1
                if i < 0:
                    return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tile(
        self,
        program: cython.Py_ssize_t[::1],
        c: cython.Py_ssize_t,
        phase: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
        inputs: cython.Py_ssize_t,
        records: cython.Py_ssize_t,
        scale: cython.double,
        out: cython.double[::1],
    ) -> cython.void:
        """Multiply one tile (or take the stored one) and send it where it goes."""
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        outer: cython.Py_ssize_t = program[at + 2]
        entries: cython.Py_ssize_t = program[at + 3]
        stored: cython.bint = program[at + 12] >= 0
        place: cython.Py_ssize_t = program[5] + program[at + 12] if stored else 0
        message: cython.Py_ssize_t = program[at + 8]
        inner: cython.Py_ssize_t = program[message + 4]
        if phase == TRACE and inner == 0 and self.shift[inputs] != self.wanted:
            return
        if outer > 0 and first < inputs and self.is_zero(program, first, outer):
            return
        if phase != DISTRIBUTE or not stored:
            self.multiply(program, outer, first, inputs, place, entries, scale)
        if phase == COLLECT:
            if program[at + 13]:
                self.spill(MAXIMUM, program, message, outer, place, entries, self.messages, self.shift[inputs])
            else:
                self.spill(ADD, program, message, outer, place, entries, self.messages, self.shift[inputs])
        elif phase == DISTRIBUTE:
            if inner > 0:
                r = message + RECORD + outer
                walk(TIMES, self.tables, place, program, r, inner, self.returns, self.shift[inputs], 1.0, self.index)
            elif outer == 0 and program[at + 11] >= 0:
                scale = self.returns[self.shift[inputs]]
                for j in range(place, place + entries):
                    self.tables[j] *= scale
            for j in range(inputs + 1, records):
                r = self.at[j]
                if program[r] == MESSAGE:
                    self.spill(ADD, program, r, outer, place, entries, self.returns, self.shift[j])
                else:
                    self.spill(ADD, program, r, outer, place, entries, out, self.shift[j])
        else:
            self.note(program, message + RECORD + outer, inner, entries, outer)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_zero(self, program: cython.Py_ssize_t[::1], j: cython.Py_ssize_t, outer: cython.Py_ssize_t) -> cython.bint:
        """Whether the tile's first input, which is its thinnest, is zero all along; looked at only if it is one run."""
        i: cython.Py_ssize_t
        r: cython.Py_ssize_t = self.at[j]
        at: cython.Py_ssize_t = self.shift[j]
        step: cython.Py_ssize_t
        if program[r + 4] != 1:
            return False
        step = program[r + RECORD + outer + 1]
        if program[r] == MESSAGE:
            for i in range(program[r + RECORD + outer]):
                if self.messages[at + i * step] != 0.0:
                    return False
        elif program[r] == TABLE:
            for i in range(program[r + RECORD + outer]):
                if self.values[at + i * step] != 0.0:
                    return False
        else:
            return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def multiply(
        self,
        program: cython.Py_ssize_t[::1],
        outer: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
        inputs: cython.Py_ssize_t,
        place: cython.Py_ssize_t,
        entries: cython.Py_ssize_t,
        scale: cython.double,
    ) -> cython.void:
        """The product of the inputs that run along the tile, times the scale."""
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        verb: cython.Py_ssize_t = SET
        for j in range(first, inputs):
            r = self.at[j]
            if program[r + 4] == 0:  # an axis of one state
                scale *= self.value(program[r], self.shift[j])
        for j in range(first, inputs):
            r = self.at[j]
            if program[r + 4] == 0:
                continue
            if program[r] == TABLE:
                self.run(verb, program, r, outer, place, self.values, self.shift[j], scale)
            elif program[r] == MESSAGE:
                self.run(verb, program, r, outer, place, self.messages, self.shift[j], scale)
            else:
                self.run(verb, program, r, outer, place, self.likelihood, self.shift[j], scale)
            verb = TIMES
        if verb == SET:
            for j in range(place, place + entries):
                self.tables[j] = scale

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def run(
        self,
        verb: cython.Py_ssize_t,
        program: cython.Py_ssize_t[::1],
        record: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
        place: cython.Py_ssize_t,
        factor: cython.double[::1],
        shift: cython.Py_ssize_t,
        scale: cython.double,
    ) -> cython.void:
        """One factor onto the tile."""
        walk(
            verb, self.tables, place, program, record + RECORD + outer, program[record + 4], factor, shift, scale,
            self.index,
        )  # fmt: skip

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def spill(
        self,
        verb: cython.Py_ssize_t,
        program: cython.Py_ssize_t[::1],
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
        if program[record + 4] > 0:
            self.run(verb, program, record, outer, place, target, shift, 1.0)
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
    def note(
        self,
        program: cython.Py_ssize_t[::1],
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
                at += (rest % program[sizes + j]) * program[sizes + rank + j]
                rest = rest // program[sizes + j]
                j -= 1
            if at == self.wanted:
                self.best = self.tables[i]
                self.best_at = i
                for j in range(outer):
                    self.best_turn[j] = self.turn[j]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def trace(self, program: cython.Py_ssize_t[::1], answer: cython.Py_ssize_t[::1]) -> cython.void:
        """From the roots down, the states that reach the maximum, given those already chosen."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        width: cython.Py_ssize_t
        axes: cython.Py_ssize_t
        rank: cython.Py_ssize_t
        outer: cython.Py_ssize_t
        c = program[1] - 1
        while c >= 0:
            i = HEADER + c * CLIQUE
            axes = program[i]
            rank = program[i + 1]
            outer = program[i + 2]
            if program[i + 13]:
                self.wanted = program[i + 9]
                width = 1
                j = program[i + 17] - 1
                while j >= 0:
                    v = program[axes + rank + j]
                    self.wanted += answer[v] * width
                    width *= self.states[v + 1] - self.states[v]
                    j -= 1
                self.best = 0.0
                self.inputs = program[i + 5]
                self.sweep(program, c, TRACE, self.messages)
                j = rank - 1
                while j >= outer:
                    v = program[axes + j]
                    width = self.states[v + 1] - self.states[v]
                    answer[v] = self.best_at % width
                    self.best_at = self.best_at // width
                    j -= 1
                for j in range(outer):
                    answer[program[axes + j]] = self.best_turn[j]
            c -= 1
