"""A query's plan as a flat program of integers: the tables of a bucket tree, what fills them and where sums go.

Eliminating a variable multiplies all tables that hold it (its clique) and sums it out: the sum is a message to the
clique where the next of its variables goes. The tree may be rooted anywhere, so a query for targets takes any order
and is rooted where they are. Header, cliques (children before parents), then lists:

    header   length, cliques, entries, stored entries, message entries, largest tile, most records, constants, at
    clique   axes at, rank, outer axes, tile, inputs at, inputs, returns at, returns, message record at, message offset,
             message entries, parent, stored at (or -1), maximise, separator marginals at, separator marginals,
             levels at (then the outer axes' sizes), separator axes
    record   kind, id, offset, level, inner axes, outer strides..., inner sizes..., inner strides...

A clique's inner axes together are a tile: it is multiplied as one dense run, while the outer axes are walked one state
at a time, so that a zero among the factors decided by then skips everything below it.
"""

import cython
from cython.cimports.bayesfold.kernels.elimination import elements

HEADER = cython.declare(cython.Py_ssize_t, 9)
CLIQUE = cython.declare(cython.Py_ssize_t, 18)
RECORD = cython.declare(cython.Py_ssize_t, 5)
SMALL = cython.declare(cython.Py_ssize_t, 128)  # entries up to which a chain of buckets is cheaper as one
SPARSE = cython.declare(cython.double, 0.1)  # expected share of entries that are not zero
SPARSE_TILE = cython.declare(cython.Py_ssize_t, 12)
TOO_MANY = cython.declare(cython.double, 1e15)

TABLE = cython.declare(cython.Py_ssize_t, 0)
LIKELIHOOD = cython.declare(cython.Py_ssize_t, 1)
MESSAGE = cython.declare(cython.Py_ssize_t, 2)
MARGINAL = cython.declare(cython.Py_ssize_t, 3)


@cython.cclass
class BucketTree:
    """Plans queries into `program`."""

    def __init__(self, graph, strides, states, density, program, integers, numbers):
        self.graph = graph
        self.n = len(states) - 1
        self.strides, self.states, self.density, self.program = strides, states, density, program
        self.position, self.parent, self.size, self.clique, self.factors, self.children = integers[:6]
        self.first, self.last, self.above, self.rank, self.head, self.child, self.sibling = integers[6:13]
        self.step, self.stride, self.where, self.order, self.run_size, self.run_step = integers[13:19]
        self.family, self.following, self.kinds, self.ids, self.levels = integers[19:]
        self.thin, self.least = numbers

    def grow(self, program):
        """Write into a longer program from now on."""
        self.program = program

    def make(self, everything, targets, asked_last, maximise, marginals, tile):
        """Prepare, for a caller that is not compiled."""
        return self.prepare(everything, targets, asked_last, maximise, marginals, tile)

    def needs(self):
        """What the program needs: entries altogether, entries held at a time, message entries, records of a clique."""
        return self.program[2], self.program[3] + self.program[5], self.program[4], self.program[6]

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
    def prepare(
        self,
        everything: cython.bint,
        targets: cython.Py_ssize_t,
        asked_last: cython.bint,
        maximise: cython.bint,
        marginals: cython.bint,
        tile: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """The tree and its sizes; each clique's inputs are laid out when what flows into it is known.

        Returns 1; minus the length that the program may need, if there is no room; 0 if it would be far too large.
        """
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        widest: cython.Py_ssize_t = 1
        lists: cython.Py_ssize_t = 0
        records: cython.Py_ssize_t = 0
        self.tile = tile
        self.marginals = marginals
        self.graph.relevant(everything, targets)
        self.graph.moralise(targets > 1 and not asked_last)
        if self.graph.order(asked_last) > TOO_MANY:
            return 0
        self.join(asked_last)
        self.arrange(asked_last, targets)
        for c in range(self.cliques):
            i = self.size[self.first[c]] + 1
            lists += i
            if i > widest:
                widest = i
        for v in range(self.n):
            records += self.graph.kept[v] + self.graph.soft[v]
        records += 4 * self.cliques + 2 * self.graph.left
        i = HEADER + self.cliques * CLIQUE + 4 * lists + 2 * self.n + records * (RECORD + 2 * widest)
        if i > self.program.shape[0]:
            return -i
        for i in range(HEADER):
            self.program[i] = 0
        self.program[1] = self.cliques
        self.end = HEADER + self.cliques * CLIQUE
        self.program[8] = self.end
        for v in range(self.n):
            if self.graph.kept[v] and self.family[v] < 0:
                self.program[self.end] = v
                self.end += 1
            if self.graph.soft[v] and self.graph.code[v] >= 0:
                self.program[self.end] = self.n + v
                self.end += 1
        self.program[7] = self.end - self.program[8]
        for i in range(self.graph.left):
            self.least[i] = TOO_MANY
        for c in range(self.cliques):
            self.thin[c] = 1.0
            self.measure(c, 0 if asked_last else targets)
            v = self.graph.live[self.last[self.order[c]]]
            self.program[HEADER + c * CLIQUE + 13] = maximise and (not asked_last or self.graph.asked[v])
        return 1

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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def join(self, asked_last: cython.bint) -> cython.void:
        """Buckets to cliques: a bucket moves into its child's clique where that saves a table, or both are small."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        v: cython.Py_ssize_t
        q: cython.Py_ssize_t
        entries: cython.double
        for i in range(self.graph.left):
            self.position[self.graph.sequence[i]] = i
            self.factors[i] = 0
            self.children[i] = 0
            self.clique[i] = -1
        for v in range(self.n):
            self.family[v] = self.family[self.n + v] = -1
            if self.graph.kept[v]:
                for t in range(self.graph.starts[v], self.graph.starts[v + 1]):
                    q = self.graph.place[self.graph.members[t]]
                    if q >= 0 and (self.family[v] < 0 or self.position[q] < self.position[self.family[v]]):
                        self.family[v] = q
                if self.family[v] >= 0:
                    self.factors[self.family[v]] += 1
            if self.graph.soft[v] and self.graph.place[v] >= 0:
                self.family[self.n + v] = self.graph.place[v]
                self.factors[self.graph.place[v]] += 1
        for v in range(self.graph.left):
            k = elements(self.graph.bags, v, self.graph.words, self.graph.near)
            self.size[v] = k
            q = -1
            for t in range(k):
                if q < 0 or self.position[self.graph.near[t]] < self.position[q]:
                    q = self.graph.near[t]
            self.parent[v] = q
            if q >= 0:
                self.children[q] += 1
        self.cliques = 0
        for i in range(self.graph.left):
            v = self.graph.sequence[i]
            if self.clique[v] < 0:
                self.clique[v] = self.cliques
                self.first[self.cliques] = v
                self.cliques += 1
                k = elements(self.graph.bags, v, self.graph.words, self.graph.near)
                entries = self.graph.card[self.graph.live[v]]
                for t in range(k):
                    entries *= self.graph.card[self.graph.live[self.graph.near[t]]]
                self.thin[self.clique[v]] = entries
            self.last[self.clique[v]] = v
            q = self.parent[v]
            if q >= 0 and self.clique[q] < 0 and self.size[q] == self.size[v] - 1:
                if asked_last and self.graph.asked[self.graph.live[q]] != self.graph.asked[self.graph.live[v]]:
                    continue
                if self.thin[self.clique[v]] <= SMALL or (self.factors[q] == 0 and self.children[q] == 1):
                    self.clique[q] = self.clique[v]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arrange(self, asked_last: cython.bint, targets: cython.Py_ssize_t) -> cython.void:
        """Root the tree at the targets and number cliques anew, children first; hand each its factors and children."""
        c: cython.Py_ssize_t
        d: cython.Py_ssize_t
        v: cython.Py_ssize_t
        root: cython.Py_ssize_t = -1
        size: cython.Py_ssize_t = 0
        count: cython.Py_ssize_t = self.cliques
        for c in range(self.cliques):
            v = self.parent[self.last[c]]
            self.above[c] = self.clique[v] if v >= 0 else -1
            self.head[c] = self.child[c] = -1
        if targets > 0 and not asked_last:
            v = -1
            for c in range(self.graph.left):
                if self.graph.asked[self.graph.live[c]] and (v < 0 or self.position[c] < self.position[v]):
                    v = c
            c = root = self.clique[v]
            d = -1
            while c >= 0:
                v = self.above[c]
                self.above[c] = d
                d = c
                c = v
        for c in range(self.cliques):
            d = self.above[c]
            if d >= 0:
                self.sibling[c] = self.child[d]
                self.child[d] = c
            elif c != root:
                self.graph.stack[size] = c
                size += 1
        if root >= 0:
            self.graph.stack[size] = root
            size += 1
        while size > 0:
            size -= 1
            c = self.graph.stack[size]
            count -= 1
            self.order[count] = c
            self.rank[c] = count
            d = self.child[c]
            while d >= 0:
                self.graph.stack[size] = d
                size += 1
                d = self.sibling[d]
        for c in range(self.cliques):
            self.child[c] = -1
        for c in range(self.cliques):
            d = self.above[self.order[c]]
            if d >= 0:
                self.sibling[c] = self.child[self.rank[d]]
                self.child[self.rank[d]] = c
        for v in range(2 * self.n):
            if self.family[v] >= 0:
                c = self.rank[self.clique[self.family[v]]]
                self.following[v] = self.head[c]
                self.head[c] = v

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def measure(self, c: cython.Py_ssize_t, targets: cython.Py_ssize_t) -> cython.void:
        """The clique's axes, separator outermost, and its sizes; where marginals are read off."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        k: cython.Py_ssize_t
        u: cython.Py_ssize_t
        f: cython.Py_ssize_t
        axes: cython.Py_ssize_t = self.end
        entries: cython.Py_ssize_t = 1
        message: cython.Py_ssize_t = 1
        most: cython.Py_ssize_t = 1
        separator: cython.Py_ssize_t = 0
        old: cython.Py_ssize_t = self.order[c]
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        above: cython.Py_ssize_t = self.above[old]
        k = elements(self.graph.bags, self.first[old], self.graph.words, self.graph.near)
        self.graph.near[k] = self.first[old]
        k += 1
        # step[u] = 1: u is in the separator, which is what the parent's clique has too; at the root, the targets.
        if above >= 0:
            b = elements(self.graph.bags, self.first[above], self.graph.words, self.graph.far)
            for a in range(b):
                self.step[self.graph.far[a]] = 1
            self.step[self.first[above]] = 1
        elif targets > 0:
            for a in range(k):
                self.step[self.graph.near[a]] = self.graph.asked[self.graph.live[self.graph.near[a]]]
        for a in range(k):  # by reverse elimination inside: a message is a sum of runs
            u = self.graph.near[a]
            b = axes + a - 1
            while b >= axes and self.comes_before(u, self.program[b]):
                self.program[b + 1] = self.program[b]
                b -= 1
            self.program[b + 1] = u
            f = self.graph.card[self.graph.live[u]]
            entries *= f
            if f > most:
                most = f
        for a in range(k):
            u = self.program[axes + a]
            if self.step[u]:
                self.program[axes + k + separator] = u
                separator += 1
                message *= self.graph.card[self.graph.live[u]]
            self.step[u] = 0
        if above >= 0:
            b = elements(self.graph.bags, self.first[above], self.graph.words, self.graph.far)
            for a in range(b):
                self.step[self.graph.far[a]] = 0
            self.step[self.first[above]] = 0
        self.end = axes + k + separator
        self.program[at] = axes
        self.program[at + 1] = k
        self.program[at + 3] = entries
        self.program[at + 9] = self.program[4]
        self.program[at + 10] = message
        self.program[at + 11] = self.rank[above] if above >= 0 else -1
        self.program[at + 12] = -1
        self.program[at + 17] = separator
        self.program[2] += entries
        self.program[4] += message
        a = k + 1
        f = self.head[c]
        while f >= 0:
            a += 1
            f = self.following[f]
        f = self.child[c]
        while f >= 0:
            a += 2
            f = self.sibling[f]
        if a > self.program[6]:
            self.program[6] = a
        if entries <= self.tile:
            most = entries
        elif most < self.tile:
            most = self.tile
        if most > self.program[5]:
            self.program[5] = most
        if self.marginals:
            if entries <= self.tile:
                self.program[at + 12] = self.program[3]
                self.program[3] += entries
            for a in range(k):
                u = self.program[axes + a]
                if entries < self.least[u]:
                    self.least[u] = entries
                    self.where[u] = c
            for a in range(separator):
                u = self.program[axes + k + a]
                if message < self.least[u]:
                    self.least[u] = message
                    self.where[u] = self.cliques + c

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def comes_before(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether u's axis stands outside v's."""
        if self.step[u] != self.step[v]:
            return self.step[u] > self.step[v]
        return self.position[u] > self.position[v]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def shape(self, c: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Split the axes of a clique with so many inputs into outer ones and the tile."""
        along: cython.bint
        a: cython.Py_ssize_t
        i: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at]
        outer: cython.Py_ssize_t = self.program[at + 1]
        tile: cython.Py_ssize_t = self.tile
        size: cython.Py_ssize_t = 1
        share: cython.double = 1.0
        if self.program[at + 3] <= tile:
            self.program[at + 2] = 0
            return
        for i in range(count):
            share *= self.share_of(i)
            a = i  # the thinnest first: where it is zero all along a tile, the tile is left out
            while a > 0 and self.share_of(a) < self.share_of(a - 1):
                self.kinds[a], self.kinds[a - 1] = self.kinds[a - 1], self.kinds[a]
                self.ids[a], self.ids[a - 1] = self.ids[a - 1], self.ids[a]
                a -= 1
        if share < SPARSE:  # the tile runs along the thinnest input, or is all beside it
            self.thin_first(axes, outer, count)
            self.set_strides(self.kinds[0], self.ids[0], True)
            along = self.stride[self.program[axes + outer - 1]] != 0
            while outer > 0 and (self.stride[self.program[axes + outer - 1]] != 0) == along:
                i = self.graph.card[self.graph.live[self.program[axes + outer - 1]]]
                if size > 1 and (size * i > tile or size * i > SPARSE_TILE):
                    break
                outer -= 1
                size *= i
            self.set_strides(self.kinds[0], self.ids[0], False)
        else:
            while outer > 0:
                i = self.graph.card[self.graph.live[self.program[axes + outer - 1]]]
                if size > 1 and size * i > tile:
                    break
                outer -= 1
                size *= i
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
        a: cython.Py_ssize_t
        level: cython.Py_ssize_t
        outer: cython.Py_ssize_t
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
        self.end += 2 * outer + 1
        for a in range(outer):
            self.program[level + outer + 1 + a] = self.graph.card[self.graph.live[self.program[axes + a]]]
        self.program[at + 4] = self.end
        self.program[at + 5] = count
        f = 0
        for a in range(outer + 1):
            self.program[level + a] = f
            for i in range(count):
                if self.levels[i] == a:
                    self.record(self.kinds[i], self.ids[i], axes, rank, outer)
                    f += 1
        self.program[at + 8] = self.end
        self.record(MESSAGE, c, axes, rank, outer)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def outputs(self, c: cython.Py_ssize_t) -> cython.void:
        """Records of what is summed on the way back: each child's separator, and marginals with no smaller table."""
        a: cython.Py_ssize_t
        u: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at]
        rank: cython.Py_ssize_t = self.program[at + 1]
        outer: cython.Py_ssize_t = self.program[at + 2]
        self.program[at + 6] = self.end
        self.program[at + 7] = 0
        u = self.child[c]
        while u >= 0:
            self.record(MESSAGE, u, axes, rank, outer)
            self.program[at + 7] += 1
            u = self.sibling[u]
        for a in range(rank):
            u = self.program[axes + a]
            if self.where[u] == c:
                self.record(MARGINAL, self.graph.live[u], axes, rank, outer)
                self.program[at + 7] += 1
        self.program[at + 14] = self.end
        self.program[at + 15] = 0
        for a in range(self.program[at + 17]):
            u = self.program[axes + rank + a]
            if self.where[u] == self.cliques + c:
                self.record(MARGINAL, self.graph.live[u], axes + rank, self.program[at + 17], 0)
                self.program[at + 15] += 1
