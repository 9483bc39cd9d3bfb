"""A query's plan: the tables of a bucket tree, what fills them and where sums go, as a flat program of integers.

Eliminating a variable multiplies all tables that hold it (its clique) and sums it out: the sum is a message to the
clique where the next of its variables goes. The tree may be rooted anywhere, so a query for targets takes any order
and is rooted where they are. `program.pxd`
names its entries.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.elimination import elements
from cython.cimports.bayesfold.kernels.inference.program import (
    ABOVE,
    AXES,
    CLIQUE,
    CLIQUES,
    CONSTANTS,
    CONSTANTS_AT,
    ENTRIES,
    HEADER,
    LARGEST,
    LEVELS,
    MAXIMISE,
    MESSAGE_AT,
    MESSAGE_ENTRIES,
    MESSAGES,
    MOST,
    RANK,
    RECORD,
    SEPARATOR,
    STORED,
    STORED_AT,
    TILE,
    TILES,
)

SMALL = cython.declare(cython.Py_ssize_t, 128)  # entries up to which a chain of buckets is cheaper as one
PANELS = cython.declare(cython.Py_ssize_t, 3072)  # entries of a tile as which a matrix product may need room
TOO_MANY = cython.declare(cython.double, 1e15)


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
        self.family, self.following, self.kinds, self.ids, self.levels = integers[19:24]
        self.thin, self.least = numbers
        self.sparse = any(share < 1.0 for share in density)

    def grow(self, program):
        """Write into a longer program from now on."""
        self.program = program

    def make(self, everything, targets, asked_last, maximise, marginals, tile):
        """Prepare, for a caller that is not compiled."""
        return self.prepare(everything, targets, asked_last, maximise, marginals, tile)

    def needs(self):
        """What the program needs: entries altogether, entries held at a time, message entries, records of a clique."""
        return (
            self.program[ENTRIES],
            self.program[STORED] + TILES * self.program[LARGEST],
            self.program[MESSAGES],
            self.program[MOST],
        )

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
        self.entries = self.graph.order(asked_last)
        if self.entries > TOO_MANY:
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
        i = HEADER + self.cliques * (CLIQUE + LEVELS) + 4 * lists + 2 * self.n + records * (RECORD + 2 * widest)
        if i > self.program.shape[0]:
            return -i
        for i in range(HEADER):
            self.program[i] = 0
        self.program[CLIQUES] = self.cliques
        self.end = HEADER + self.cliques * CLIQUE
        self.program[CONSTANTS_AT] = self.end
        for v in range(self.n):
            if self.graph.kept[v] and self.family[v] < 0:
                self.program[self.end] = v
                self.end += 1
            if self.graph.soft[v] and self.graph.code[v] >= 0:
                self.program[self.end] = self.n + v
                self.end += 1
        self.program[CONSTANTS] = self.end - self.program[CONSTANTS_AT]
        for i in range(self.graph.left):
            self.least[i] = TOO_MANY
        for c in range(self.cliques):
            self.thin[c] = 1.0
            self.measure(c, 0 if asked_last else targets)
            v = self.graph.live[self.last[self.order[c]]]
            self.program[HEADER + c * CLIQUE + MAXIMISE] = maximise and (not asked_last or self.graph.asked[v])
        return 1

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
        self.program[at + AXES] = axes
        self.program[at + RANK] = k
        self.program[at + TILE] = entries
        self.program[at + MESSAGE_AT] = self.program[MESSAGES]
        self.program[at + MESSAGE_ENTRIES] = message
        self.program[at + ABOVE] = self.rank[above] if above >= 0 else -1
        self.program[at + STORED_AT] = -1
        self.program[at + SEPARATOR] = separator
        self.program[ENTRIES] += entries
        self.program[MESSAGES] += message
        a = k + 1
        f = self.head[c]
        while f >= 0:
            a += 1
            f = self.following[f]
        f = self.child[c]
        while f >= 0:
            a += 2
            f = self.sibling[f]
        if a > self.program[MOST]:
            self.program[MOST] = a
        if entries <= self.tile:
            most = entries
        elif most < self.tile or most < PANELS:
            most = self.tile if self.tile > PANELS else PANELS
        if most > self.program[LARGEST]:
            self.program[LARGEST] = most
        if self.marginals:
            if entries <= self.tile:
                self.program[at + STORED_AT] = self.program[STORED]
                self.program[STORED] += entries
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
