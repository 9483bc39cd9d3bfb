"""How a clique is walked: which of its axes are a dense tile, and which are walked outside it.

A clique's inner axes together are a tile: it is multiplied as one dense run, while the outer axes are walked one state
at a time. Where one input is nearly all zeros it leads: the first outer axes are its own, and only its other entries
are visited. Otherwise the tile is a matrix product, if that pays; and if not, the last outer axes are such that one
input alone runs along them: the product of the others is made before, once for all their states.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.program import (
    AXES,
    CLIQUE,
    HEADER,
    MAXIMISE,
    MESSAGE,
    OUTER,
    RANK,
    SEPARATOR,
    TILE,
)
from cython.cimports.bayesfold.kernels.inference.strides import Strides

SPARSE = cython.declare(cython.double, 0.12)  # share of an input's entries above zero below which it leads
PANELS = cython.declare(cython.Py_ssize_t, 4096)  # entries of the factors and the sum of a matrix product
PAYS = cython.declare(cython.Py_ssize_t, 1024)  # beside a tile: how much dearer an entry of a panel is, and ...
CALL = cython.declare(cython.Py_ssize_t, 32)  # ... how many of them a matrix product costs before it begins
BOTH = cython.declare(cython.Py_ssize_t, 0)  # axes of both groups and the message, of both, of the one, of the other
SUMMED = cython.declare(cython.Py_ssize_t, 1)
ROWS = cython.declare(cython.Py_ssize_t, 2)
COLUMNS = cython.declare(cython.Py_ssize_t, 3)
PLACED = cython.declare(cython.Py_ssize_t, 4)


@cython.cclass
class Shape(Strides):
    """Splits and orders the axes of a clique whose inputs are listed in `kinds` and `ids`.

    lead: how many outer axes are the leading input's. same: from which outer axis on one input alone runs, or -1.
    sums, rows, columns: the sizes of a matrix product, sums 0 if it is none.
    """

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def shape(self, c: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Split the axes of a clique with so many inputs into outer ones and the tile."""
        a: cython.Py_ssize_t
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at + AXES]
        outer: cython.Py_ssize_t = self.program[at + RANK]
        size: cython.Py_ssize_t = 1
        self.lead, self.same = 0, -1
        self.sums = self.rows = self.columns = 0
        self.rows_at = self.columns_at = outer
        if self.tile == 0:  # every axis is walked, that of most states last
            for i in range(axes, axes + outer - 1):
                a = self.program[i]
                if self.graph.card[self.graph.live[a]] > self.graph.card[self.graph.live[self.program[i + 1]]]:
                    self.program[i] = self.program[i + 1]
                    self.program[i + 1] = a
            self.program[at + OUTER] = outer
            return
        if self.program[at + TILE] <= self.tile:
            self.program[at + OUTER] = 0
            return
        for i in range(count):
            a = i  # the thinnest first: it is the one that may lead
            while a > 0 and self.share_of(a) < self.share_of(a - 1):
                self.kinds[a], self.kinds[a - 1] = self.kinds[a - 1], self.kinds[a]
                self.ids[a], self.ids[a - 1] = self.ids[a - 1], self.ids[a]
                a -= 1
        if self.share_of(0) < SPARSE:
            self.thin_first(axes, outer, count)
            self.set_strides(self.kinds[0], self.ids[0], True)
            while self.lead < outer and self.stride[self.program[axes + self.lead]] != 0:
                self.lead += 1
            self.set_strides(self.kinds[0], self.ids[0], False)
        elif self.pair(c, count):
            return
        while outer > self.lead:
            i = self.graph.card[self.graph.live[self.program[axes + outer - 1]]]
            if size > 1 and size * i > self.tile:
                break
            outer -= 1
            size *= i
        if self.lead == 0:
            self.one_last(axes, outer, count)
        self.program[at + OUTER] = outer
        self.program[at + TILE] = size

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def thin_first(self, axes: cython.Py_ssize_t, k: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Reorder the axes: those of the input with the fewest entries above zero outermost, then of the next."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        u: cython.Py_ssize_t
        best: cython.Py_ssize_t
        placed: cython.Py_ssize_t = 0
        for a in range(count):
            self.levels[a] = 0
        while placed < k:
            best = -1
            for a in range(count):
                if self.levels[a] == 0 and (best < 0 or self.share_of(a) < self.share_of(best)):
                    best = a
            if best < 0:
                return
            self.levels[best] = 1
            self.set_strides(self.kinds[best], self.ids[best], True)
            while True:  # in the input's own order, so that the tile runs along it
                b = -1
                for a in range(axes + placed, axes + k):
                    u = self.program[a]
                    if self.stride[u] != 0 and (b < 0 or self.stride[u] > self.stride[self.program[b]]):
                        b = a
                if b < 0:
                    break
                u = self.program[b]
                while b > axes + placed:
                    self.program[b] = self.program[b - 1]
                    b -= 1
                self.program[b] = u
                placed += 1
            self.set_strides(self.kinds[best], self.ids[best], False)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def owners(self, axes: cython.Py_ssize_t, rank: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """levels[a]: the only input that has the axis, -1 for none, count for several."""
        a: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for a in range(rank):
            self.levels[a] = -1
        for i in range(count):
            self.set_strides(self.kinds[i], self.ids[i], True)
            for a in range(rank):
                if self.stride[self.program[axes + a]] != 0:
                    self.levels[a] = i if self.levels[a] < 0 else count
            self.set_strides(self.kinds[i], self.ids[i], False)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pair(self, c: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.bint:
        """Reorder the axes for a matrix product of two groups of factors, if it pays: one factor, and all others."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        i: cython.Py_ssize_t
        best: cython.Py_ssize_t = -1
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at + AXES]
        rank: cython.Py_ssize_t = self.program[at + RANK]
        separator: cython.Py_ssize_t = self.program[at + SEPARATOR]
        least: cython.double = self.program[at + TILE]
        alone: cython.double
        rest: cython.double
        if count < 2 or self.program[at + MAXIMISE]:
            return False
        self.owners(axes, rank, count)
        for i in range(count):
            alone = rest = 1.0
            self.set_strides(self.kinds[i], self.ids[i], True)
            for a in range(rank):
                b = self.graph.card[self.graph.live[self.program[axes + a]]]
                if self.stride[self.program[axes + a]] != 0:
                    alone *= b
                if self.levels[a] != i:
                    rest *= b
            self.set_strides(self.kinds[i], self.ids[i], False)
            if alone + rest < least:
                least, best = alone + rest, i
        if best < 0:
            return False
        alone = rest = 1.0
        self.set_strides(self.kinds[best], self.ids[best], True)
        for a in range(rank):  # levels[a]: what the axis is
            b = self.graph.card[self.graph.live[self.program[axes + a]]]
            if self.levels[a] == best:
                self.levels[a] = COLUMNS
                alone *= b
            elif self.stride[self.program[axes + a]] == 0:
                self.levels[a] = ROWS
                rest *= b
            else:
                self.levels[a] = BOTH if a < separator else SUMMED
        self.set_strides(self.kinds[best], self.ids[best], False)
        if rest > alone:  # the longer runs are columns
            for a in range(rank):
                if self.levels[a] == ROWS or self.levels[a] == COLUMNS:
                    self.levels[a] = ROWS + COLUMNS - self.levels[a]
        return self.panels(at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def panels(self, at: cython.Py_ssize_t) -> cython.bint:
        """Take as many axes into the matrix product as fit the cache, the panels growing alike; put them last."""
        a: cython.Py_ssize_t
        s: cython.Py_ssize_t
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        size: cython.Py_ssize_t
        least: cython.Py_ssize_t
        best: cython.Py_ssize_t
        what: cython.Py_ssize_t
        placed: cython.Py_ssize_t = 0
        axes: cython.Py_ssize_t = self.program[at + AXES]
        rank: cython.Py_ssize_t = self.program[at + RANK]
        self.sums = self.rows = self.columns = 1
        while True:
            best = -1
            least = PANELS
            for a in range(rank):
                s = self.graph.card[self.graph.live[self.program[axes + a]]]
                k = self.sums * s if self.levels[a] == SUMMED else self.sums
                i = self.rows * s if self.levels[a] == ROWS else self.rows
                j = self.columns * s if self.levels[a] == COLUMNS else self.columns
                size = k * i + k * j + i * j
                if BOTH < self.levels[a] <= COLUMNS and size <= least:
                    least, best = size, a
            if best < 0:
                break
            s = self.graph.card[self.graph.live[self.program[axes + best]]]
            if self.levels[best] == SUMMED:
                self.sums *= s
            elif self.levels[best] == ROWS:
                self.rows *= s
            else:
                self.columns *= s
            self.levels[best] += PLACED
        k, i, j = self.sums, self.rows, self.columns
        if PAYS * k * i * j < self.tile * (k * i + k * j + i * j + CALL):
            self.sums = 0
            return False
        for what in range(BOTH, COLUMNS + 1):
            for a in range(rank):
                if (self.levels[a] == PLACED + what) or (what == BOTH and self.levels[a] < PLACED):
                    self.run_size[placed] = self.program[axes + a]
                    placed += 1
            if what == BOTH:
                self.program[at + OUTER] = placed
            elif what == SUMMED:
                self.rows_at = placed
            elif what == ROWS:
                self.columns_at = placed
        for a in range(rank):
            self.program[axes + a] = self.run_size[a]
        self.program[at + TILE] = k * i * j
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def one_last(self, axes: cython.Py_ssize_t, outer: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Reorder the outer axes: last those that one input alone has, the one for which they have most states."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        size: cython.Py_ssize_t
        best: cython.Py_ssize_t = -1
        most: cython.Py_ssize_t = 1
        self.owners(axes, outer, count)
        for i in range(count):
            size = 1
            for a in range(outer):
                if self.levels[a] == i or self.levels[a] < 0:
                    size *= self.graph.card[self.graph.live[self.program[axes + a]]]
            if size > most:
                most, best = size, i
        if best < 0:
            return
        self.same = 0
        for a in range(outer):
            i = self.levels[a]
            if i == best or i < 0:
                continue
            u = self.program[axes + a]
            b = a
            while b > self.same:
                self.program[axes + b] = self.program[axes + b - 1]
                self.levels[b] = self.levels[b - 1]
                b -= 1
            self.program[axes + b] = u
            self.levels[b] = i
            self.same += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def share_of(self, i: cython.Py_ssize_t) -> cython.double:
        """The expected share of entries above zero of a listed factor."""
        return self.thin[self.ids[i]] if self.kinds[i] == MESSAGE else self.density[self.ids[i]]
