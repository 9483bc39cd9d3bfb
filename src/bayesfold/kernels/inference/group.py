"""Sixteen rows as one question: what all of them show is cut out of the network, a slice of its tables for each row.

What some of the sixteen show is a likelihood of zeros and ones, so one plan serves them all.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.layout import Layout
from cython.cimports.bayesfold.kernels.inference.program import (
    CLIQUE,
    CLIQUES,
    CONSTANTS,
    CONSTANTS_AT,
    ENTRIES,
    HEADER,
    INPUTS,
    INPUTS_AT,
    KIND,
    LEVELS_AT,
    MESSAGES,
    MOST,
    RANK,
    RECORD,
    TABLE,
    TILE,
    WHICH,
)
from cython.cimports.bayesfold.kernels.inference.widths import width


@cython.cclass
class Group:
    """One network's tables, and the buffers of sixteen lanes.

    `lanes` holds likelihoods, marginals, messages, returns, and slices of tables, sixteen numbers an entry; `base` the
    product of the tables that are the same for all lanes, one clique after another. shift[j] is where the j-th record
    of a clique has got to, step[j * n:(j + 1) * n] ends with how far the next state of each axis is.
    """

    def __init__(self, starts, members, strides, begins, states, values, integers, sums):
        self.n, self.width = len(begins), width()
        self.starts, self.members, self.strides, self.begins = starts, members, strides, begins
        self.states, self.values, self.sums = states, values, sums
        self.turn, self.offset, self.slice, self.shown = integers

    def hold(self, lanes, base, shift, step):
        """Buffers large enough for the next plans."""
        self.lanes, self.base, self.shift, self.step = lanes, base, shift, step

    def needs(self):
        """Entries of lanes, of products of tables, and records of a clique."""
        return self.end, self.program[ENTRIES], self.program[MOST]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def observe(
        self,
        tree: Layout,
        codes: cython.const[cython.Py_ssize_t][:, ::1],
        rows: cython.const[cython.Py_ssize_t][::1],
        i: cython.Py_ssize_t,
        count: cython.Py_ssize_t,
        target: cython.Py_ssize_t,
        weighted: cython.const[cython.uchar][::1],
    ) -> cython.bint:
        """Tell the plan what all rows of a group show, and what some of them; whether that has changed."""
        v: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        seen: cython.Py_ssize_t
        code: cython.Py_ssize_t
        changed: cython.bint = False
        for v in range(self.n):
            self.shown[v] = 0
        for lane in range(count):
            for v in range(self.n):
                self.shown[v] += codes[rows[i + lane], v] >= 0
        for v in range(self.n):
            seen = self.shown[v] if v != target else 0
            code = 0 if seen == count and not weighted[v] else -1
            seen = code < 0 and (seen > 0 or weighted[v])
            if tree.graph.code[v] != code or tree.graph.soft[v] != seen:
                changed = True
                tree.graph.code[v] = code
                tree.graph.soft[v] = seen
        return changed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reserve(self, tree: Layout) -> cython.void:
        """Places in `lanes` for one plan: slice[v] is where the table of v has a slice for each lane, or -1."""
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        c: cython.Py_ssize_t
        r: cython.Py_ssize_t
        v: cython.Py_ssize_t
        t: cython.Py_ssize_t
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t
        rank: cython.Py_ssize_t
        sizes: cython.Py_ssize_t
        self.marginals = 16 * self.states[self.n]
        self.messages = 2 * self.marginals
        self.returns = self.messages + 16 * self.program[MESSAGES]
        self.slices = self.returns + 16 * self.program[MESSAGES]
        self.end = self.slices
        for c in range(self.program[CLIQUES]):
            at = HEADER + c * CLIQUE
            rank = self.program[at + RANK]
            sizes = self.program[at + LEVELS_AT] + rank + 1
            r = self.program[at + INPUTS_AT]
            for _ in range(self.program[at + INPUTS]):
                v = self.program[r + WHICH]
                if self.program[r + KIND] == TABLE:
                    self.slice[v] = -1
                    for t in range(self.starts[v], self.starts[v + 1]):
                        if tree.graph.code[self.members[t]] >= 0:
                            self.slice[v] = self.end
                    if self.slice[v] >= 0:
                        size = 16
                        for a in range(rank):
                            if self.program[r + RECORD + a] != 0:
                                size *= self.program[sizes + a]
                        self.end += size
                r += RECORD + rank

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def multiply_tables(self) -> cython.void:
        """The product, in each clique, of the tables that have no slices."""
        c: cython.Py_ssize_t
        j: cython.Py_ssize_t
        e: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t
        at: cython.Py_ssize_t
        u: cython.Py_ssize_t
        n: cython.Py_ssize_t
        x: cython.double
        for c in range(self.program[CLIQUES]):
            at = HEADER + c * CLIQUE
            end = e + self.program[at + TILE]
            self.open_tables(at)
            n = self.program[self.program[at + LEVELS_AT] + 2 * self.program[at + RANK]]
            while e < end:
                for u in range(n):
                    x = 1.0
                    for j in range(self.records):
                        x *= self.values[self.shift[j] + u * self.step[(j + 1) * self.n - 1]]
                    self.base[e] = x
                    e += 1
                self.advance(at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def open_tables(self, at: cython.Py_ssize_t) -> cython.void:
        """Stand at the beginning of a clique with the tables that have no slices."""
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        r: cython.Py_ssize_t = self.program[at + INPUTS_AT]
        rank: cython.Py_ssize_t = self.program[at + RANK]
        self.records = 0
        for _ in range(self.program[at + INPUTS]):
            if self.program[r + KIND] == TABLE and self.slice[self.program[r + WHICH]] < 0:
                self.follow(r, rank, self.begins[self.program[r + WHICH]], 1)
            r += RECORD + rank
        for a in range(rank):
            self.turn[a] = 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def follow(
        self, r: cython.Py_ssize_t, rank: cython.Py_ssize_t, place: cython.Py_ssize_t, width: cython.Py_ssize_t
    ) -> cython.void:
        """One more record to walk along, the last axis last in its row of steps."""
        a: cython.Py_ssize_t
        self.shift[self.records] = place
        self.records += 1
        for a in range(rank):
            self.step[self.records * self.n - rank + a] = width * self.program[r + RECORD + a]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def advance(self, at: cython.Py_ssize_t) -> cython.void:
        """The next states of the axes before the last."""
        j: cython.Py_ssize_t
        rank: cython.Py_ssize_t = self.program[at + RANK]
        sizes: cython.Py_ssize_t = self.program[at + LEVELS_AT] + rank + 1
        a: cython.Py_ssize_t = rank - 2
        while a >= 0:
            self.turn[a] += 1
            if self.turn[a] < self.program[sizes + a]:
                for j in range(self.records):
                    self.shift[j] += self.step[(j + 1) * self.n - rank + a]
                return
            self.turn[a] = 0
            for j in range(self.records):
                self.shift[j] -= (self.program[sizes + a] - 1) * self.step[(j + 1) * self.n - rank + a]
            a -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(
        self,
        tree: Layout,
        codes: cython.const[cython.Py_ssize_t][:, ::1],
        rows: cython.const[cython.Py_ssize_t][::1],
        i: cython.Py_ssize_t,
        count: cython.Py_ssize_t,
        target: cython.Py_ssize_t,
        weights: cython.const[cython.double][:, ::1],
    ) -> cython.void:
        """What the rows of a group show: likelihoods, and slices; lanes without a row repeat the last one."""
        _: cython.Py_ssize_t
        c: cython.Py_ssize_t
        k: cython.Py_ssize_t
        r: cython.Py_ssize_t
        v: cython.Py_ssize_t
        at: cython.Py_ssize_t
        row: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        state: cython.Py_ssize_t
        for lane in range(16):
            self.sums[16 + lane] = 1.0
            row = rows[i + (lane if lane < count else count - 1)]
            self.offset[16 + lane] = row
            for v in range(self.n):
                if tree.graph.soft[v]:
                    state = codes[row, v] if v != target else -1
                    for k in range(self.states[v], self.states[v + 1]):
                        self.lanes[16 * k + lane] = state < 0 or k == self.states[v] + state
                        if weights.shape[0] > 0:
                            self.lanes[16 * k + lane] *= weights[row, k]
        for k in range(self.program[CONSTANTS_AT], self.program[CONSTANTS_AT] + self.program[CONSTANTS]):
            v = self.program[k]
            if v < self.n:
                for lane in range(16):
                    if not self.values[self.place(tree, codes, v, self.offset[16 + lane])] > 0.0:
                        self.sums[16 + lane] = 0.0
        for c in range(self.program[CLIQUES]):
            at = HEADER + c * CLIQUE
            r = self.program[at + INPUTS_AT]
            for _ in range(self.program[at + INPUTS]):
                v = self.program[r + WHICH]
                if self.program[r + KIND] == TABLE and self.slice[v] >= 0:
                    for lane in range(16):
                        self.offset[lane] = self.place(tree, codes, v, self.offset[16 + lane])
                    self.cut(at, r)
                r += RECORD + self.program[at + RANK]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def place(
        self, tree: Layout, codes: cython.const[cython.Py_ssize_t][:, ::1], v: cython.Py_ssize_t, row: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Where the slice of a table begins, given what a row shows and all others show too."""
        t: cython.Py_ssize_t
        at: cython.Py_ssize_t = self.begins[v]
        for t in range(self.starts[v], self.starts[v + 1]):
            if tree.graph.code[self.members[t]] >= 0:
                at += codes[row, self.members[t]] * self.strides[t]
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cut(self, at: cython.Py_ssize_t, r: cython.Py_ssize_t) -> cython.void:
        """Copy the lanes' slices of a table, whose axes are then the clique's in the clique's order."""
        a: cython.Py_ssize_t
        o: cython.Py_ssize_t = 0
        lane: cython.Py_ssize_t
        rank: cython.Py_ssize_t = self.program[at + RANK]
        sizes: cython.Py_ssize_t = self.program[at + LEVELS_AT] + rank + 1
        to: cython.Py_ssize_t = self.slice[self.program[r + WHICH]]
        for a in range(rank):
            self.turn[a] = 0
        while True:
            for lane in range(16):
                self.lanes[to + lane] = self.values[self.offset[lane] + o]
            to += 16
            a = rank - 1
            while a >= 0:
                if self.program[r + RECORD + a] != 0:
                    self.turn[a] += 1
                    o += self.program[r + RECORD + a]
                    if self.turn[a] < self.program[sizes + a]:
                        break
                    o -= self.program[sizes + a] * self.program[r + RECORD + a]
                    self.turn[a] = 0
                a -= 1
            if a < 0:
                return
