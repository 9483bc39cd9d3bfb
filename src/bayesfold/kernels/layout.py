"""How a clique is walked: which of its axes are a dense tile, and how every factor runs beside them.

    levels   the first input of each level (outer axes, then the tile), the outer axes' sizes, axes of the lead, from
             which axis on inputs of the tile stay the same (or -1), how many do, how many returns do, the lead,
             whether tiles are lines (1: collecting, 2: on the way back too)
    record   kind, id, offset, level, inner axes, outer strides..., inner sizes..., inner strides...

A clique's inner axes together are a tile: it is multiplied as one dense run, while the outer axes are walked one state
at a time. Where one input is mostly zeros it leads: the first outer axes are its own, and only its other entries are
visited. Otherwise the last outer axes are such that one input alone runs along them: the product of the others is made
before, once for all their states.
"""

import cython
from cython.cimports.bayesfold.kernels.bucket_tree import BucketTree

HEADER = cython.declare(cython.Py_ssize_t, 9)
CLIQUE = cython.declare(cython.Py_ssize_t, 18)
RECORD = cython.declare(cython.Py_ssize_t, 5)
LEVELS = cython.declare(cython.Py_ssize_t, 7)
SPARSE = cython.declare(cython.double, 0.4)  # share of an input's entries above zero below which it leads

TABLE = cython.declare(cython.Py_ssize_t, 0)
LIKELIHOOD = cython.declare(cython.Py_ssize_t, 1)
MESSAGE = cython.declare(cython.Py_ssize_t, 2)
MARGINAL = cython.declare(cython.Py_ssize_t, 3)


@cython.cclass
class Layout(BucketTree):
    """Lays out the cliques of a tree just prepared, one by one as what flows into them is known."""

    def lay_out(self):
        """Finish the program without running it."""
        c: cython.Py_ssize_t
        with cython.nogil:
            for c in range(self.cliques):
                self.inputs(c)
            self.finish()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def shape(self, c: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Split the axes of a clique with so many inputs into outer ones and the tile."""
        a: cython.Py_ssize_t
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at]
        outer: cython.Py_ssize_t = self.program[at + 1]
        size: cython.Py_ssize_t = 1
        self.lead = 0
        self.same = -1
        if self.program[at + 3] <= self.tile:
            self.program[at + 2] = 0
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
        while outer > self.lead:
            i = self.graph.card[self.graph.live[self.program[axes + outer - 1]]]
            if size > 1 and size * i > self.tile:
                break
            outer -= 1
            size *= i
        if self.lead == 0:
            self.one_last(axes, outer, count)
        self.program[at + 2] = outer
        self.program[at + 3] = size

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
    def one_last(self, axes: cython.Py_ssize_t, outer: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Reorder the outer axes: last those that one input alone has, the one for which they have most states."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        i: cython.Py_ssize_t
        u: cython.Py_ssize_t
        size: cython.Py_ssize_t
        best: cython.Py_ssize_t = -1
        most: cython.Py_ssize_t = 1
        # levels[a]: the only input that has the axis, -1 for none, count for several
        for a in range(outer):
            self.levels[a] = -1
        for i in range(count):
            self.set_strides(self.kinds[i], self.ids[i], True)
            for a in range(outer):
                if self.stride[self.program[axes + a]] != 0:
                    self.levels[a] = i if self.levels[a] < 0 else count
            self.set_strides(self.kinds[i], self.ids[i], False)
        for i in range(count):
            size = 1
            for a in range(outer):
                if self.levels[a] == i or self.levels[a] < 0:
                    size *= self.graph.card[self.graph.live[self.program[axes + a]]]
            if size > most:
                most = size
                best = i
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
    @cython.nogil
    @cython.exceptval(check=False)
    def stays(
        self, kind: cython.Py_ssize_t, which: cython.Py_ssize_t, axes: cython.Py_ssize_t, outer: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether a factor is the same for all states of the last outer axes."""
        a: cython.Py_ssize_t
        found: cython.bint = self.same >= 0
        if found:
            self.set_strides(kind, which, True)
            for a in range(self.same, outer):
                if self.stride[self.program[axes + a]] != 0:
                    found = False
            self.set_strides(kind, which, False)
        return found

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def share_of(self, i: cython.Py_ssize_t) -> cython.double:
        """The expected share of entries above zero of a listed factor."""
        return self.thin[self.ids[i]] if self.kinds[i] == MESSAGE else self.density[self.ids[i]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_strides(self, kind: cython.Py_ssize_t, which: cython.Py_ssize_t, on: cython.bint) -> cython.void:
        """stride[u] of each variable of a factor (0 again when not `on`)."""
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        at: cython.Py_ssize_t
        width: cython.Py_ssize_t = 1
        if kind == TABLE and which < self.n:
            for t in range(self.graph.starts[which], self.graph.starts[which + 1]):
                u = self.graph.place[self.graph.members[t]]
                if u >= 0:
                    self.stride[u] = self.strides[t] if on else 0
        elif kind == MESSAGE:
            at = HEADER + which * CLIQUE
            t = self.program[at] + self.program[at + 1] + self.program[at + 17] - 1
            while t >= self.program[at] + self.program[at + 1]:
                u = self.program[t]
                self.stride[u] = width if on else 0
                width *= self.graph.card[self.graph.live[u]]
                t -= 1
        else:
            self.stride[self.graph.place[which % self.n]] = 1 if on else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record(
        self,
        kind: cython.Py_ssize_t,
        which: cython.Py_ssize_t,
        axes: cython.Py_ssize_t,
        rank: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
    ) -> cython.void:
        """Write how a factor runs beside the axes; neighbouring inner axes that one stride can serve become one."""
        a: cython.Py_ssize_t
        u: cython.Py_ssize_t
        size: cython.Py_ssize_t
        step: cython.Py_ssize_t
        inner: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = self.end
        self.set_strides(kind, which, True)
        self.program[at] = kind if which < self.n or kind == MESSAGE else LIKELIHOOD
        self.program[at + 1] = which if kind == MESSAGE else which % self.n
        if kind == MESSAGE:
            self.program[at + 2] = self.program[HEADER + which * CLIQUE + 9]
        else:
            self.program[at + 2] = self.states[which % self.n]
        self.program[at + 3] = 0
        for a in range(outer):
            u = self.program[axes + a]
            self.program[at + RECORD + a] = self.stride[u]
            if self.stride[u] != 0:
                self.program[at + 3] = a
        at += RECORD + outer
        for a in range(outer, rank):
            u = self.program[axes + a]
            size = self.graph.card[self.graph.live[u]]
            step = self.stride[u]
            if size == 1:
                continue
            if inner > 0 and self.run_step[inner - 1] == step * size:
                self.run_size[inner - 1] *= size
                self.run_step[inner - 1] = step
            else:
                self.run_size[inner] = size
                self.run_step[inner] = step
                inner += 1
        if inner == 0 or (inner == 1 and self.run_step[0] == 0):
            inner = 0
        else:
            self.program[at - outer - RECORD + 3] = outer
        for a in range(inner):
            self.program[at + a] = self.run_size[a]
            self.program[at + inner + a] = self.run_step[a]
        self.program[at - outer - 1] = inner
        self.end = at + 2 * inner
        self.set_strides(kind, which, False)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def inputs(self, c: cython.Py_ssize_t) -> cython.void:
        """Records of what is multiplied, those that an outer axis decides first; then of the message."""
        f: cython.Py_ssize_t
        i: cython.Py_ssize_t
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        level: cython.Py_ssize_t
        outer: cython.Py_ssize_t
        lead: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at]
        rank: cython.Py_ssize_t = self.program[at + 1]
        f = self.head[c]
        while f >= 0:
            self.kinds[count] = TABLE
            self.ids[count] = f
            count += 1
            f = self.following[f]
        f = self.child[c]
        while f >= 0:
            self.kinds[count] = MESSAGE
            self.ids[count] = f
            count += 1
            f = self.sibling[f]
        self.shape(c, count)
        outer = self.program[at + 2]
        for i in range(count):
            self.levels[i] = outer
            if outer > 0:
                self.set_strides(self.kinds[i], self.ids[i], True)
                self.levels[i] = 0
                for a in range(rank):
                    f = self.program[axes + a]
                    if self.stride[f] != 0 and self.graph.card[self.graph.live[f]] > 1:
                        self.levels[i] = a if a < outer else outer
                self.set_strides(self.kinds[i], self.ids[i], False)
        level = self.end
        self.program[at + 16] = level
        self.end += 2 * outer + LEVELS
        for a in range(outer):
            self.program[level + outer + 1 + a] = self.graph.card[self.graph.live[self.program[axes + a]]]
        self.program[at + 4] = self.end
        self.program[at + 5] = count
        f = 0
        for a in range(outer + 1):
            self.program[level + a] = f
            for i in range(count):
                if self.levels[i] == a and (a < outer or self.stays(self.kinds[i], self.ids[i], axes, outer)):
                    self.record(self.kinds[i], self.ids[i], axes, rank, outer)
                    f += 1
        lead = self.program[level + self.levels[0]]
        i = f - self.program[level + outer]
        if i == 0:
            self.same = -1
        for a in range(count):
            if self.levels[a] == outer and not self.stays(self.kinds[a], self.ids[a], axes, outer):
                self.record(self.kinds[a], self.ids[a], axes, rank, outer)
        level += 2 * outer + 1
        self.program[level] = self.lead
        self.program[level + 1] = self.same
        self.program[level + 2] = i
        self.program[level + 4] = lead
        self.program[at + 8] = self.end
        self.record(MESSAGE, c, axes, rank, outer)
        f = self.program[at + 8]
        self.program[level + 5] = self.lead > 0 and not self.program[at + 13] and self.program[f + 4] <= 1
        f = self.program[at + 4]
        for _ in range(count):
            if self.program[f + 4] > 1:
                self.program[level + 5] = 0
            f += RECORD + outer + 2 * self.program[f + 4]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def outputs(self, c: cython.Py_ssize_t) -> cython.void:
        """Records of what is summed on the way back: each child's separator, and marginals with no smaller table."""
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        u: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at]
        rank: cython.Py_ssize_t = self.program[at + 1]
        outer: cython.Py_ssize_t = self.program[at + 2]
        levels: cython.Py_ssize_t = self.program[at + 16] + 2 * outer + 1
        stay: cython.bint = True
        self.same = self.program[levels + 1]
        self.program[at + 6] = self.end
        self.program[at + 7] = 0
        while True:  # first those that stay the same along the last outer axes
            u = self.child[c]
            while u >= 0:
                if self.stays(MESSAGE, u, axes, outer) == stay:
                    self.record(MESSAGE, u, axes, rank, outer)
                    self.program[at + 7] += 1
                u = self.sibling[u]
            for a in range(rank):
                u = self.program[axes + a]
                if self.where[u] == c and self.stays(MARGINAL, self.graph.live[u], axes, outer) == stay:
                    self.record(MARGINAL, self.graph.live[u], axes, rank, outer)
                    self.program[at + 7] += 1
            if not stay:
                break
            self.program[levels + 3] = self.program[at + 7]
            stay = False
        if self.program[levels + 5] == 1:
            self.program[levels + 5] = 2
            u = self.program[at + 6]
            for _ in range(self.program[at + 7]):
                if self.program[u + 4] > 1:
                    self.program[levels + 5] = 1
                u += RECORD + outer + 2 * self.program[u + 4]
        self.program[at + 14] = self.end
        self.program[at + 15] = 0
        for a in range(self.program[at + 17]):
            u = self.program[axes + rank + a]
            if self.where[u] == self.cliques + c:
                self.record(MARGINAL, self.graph.live[u], axes + rank, self.program[at + 17], 0)
                self.program[at + 15] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def finish(self) -> cython.void:
        """Lay out the way back, and name variables by their numbers in the network."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        if self.marginals:
            for c in range(self.cliques):
                self.outputs(c)
        for c in range(self.cliques):
            i = HEADER + c * CLIQUE
            for v in range(self.program[i], self.program[i] + self.program[i + 1] + self.program[i + 17]):
                self.program[v] = self.graph.live[self.program[v]]
        self.program[0] = self.end
