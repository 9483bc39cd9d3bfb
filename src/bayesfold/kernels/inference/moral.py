"""Which variables a query needs, and the graph of what is left of them.

An observed variable leaves the graph, so what is eliminated is the moral graph of the rest, held as bitsets over the
variables that are left.
"""

import cython
from cython.cimports.bayesfold.kernels.bits import bit


@cython.cclass
class Moral:
    """A network's families, one query's evidence, and what an order of elimination is found with.

    Variable v's family is members[starts[v]:starts[v + 1]], itself last. code[v] is its observed state or -1; soft[v]
    says that a likelihood is given for it, asked[v] that it is a target. Variables left are numbered anew: live[i] is
    the i-th of them, place[v] its number or -1. bags[i] are the neighbours that i has when it is eliminated. zeros[v]
    says that the table of v has one; cut[v] that its family would matter, were it not for the evidence, and `doubt`
    that evidence among those cut off may be impossible.
    """

    def __init__(self, card, starts, members, logs, evidence, integers, numbers, flags, bits):
        self.n = len(card)
        self.card, self.starts, self.members, self.logs = card, starts, members, logs
        self.code, self.soft, self.asked = evidence
        self.live, self.place, self.sequence, self.trial, self.near, self.far, self.root, self.stack = integers
        self.cost = numbers
        self.kept, self.touched, self.cut, self.zeros = flags
        self.links, self.graph, self.bags, self.trial_bags = bits

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, v: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The representative of v's set."""
        while self.root[v] != v:
            self.root[v] = self.root[self.root[v]]
            v = self.root[v]
        return v

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def relevant(self, everything: cython.bint, targets: cython.Py_ssize_t) -> cython.void:
        """kept[v]: the family of v matters. Barren nodes go, then (given targets) whatever evidence cuts off."""
        v: cython.Py_ssize_t
        u: cython.Py_ssize_t
        t: cython.Py_ssize_t
        first: cython.Py_ssize_t
        size: cython.Py_ssize_t = 0
        self.doubt = False
        if everything:
            for v in range(self.n):
                self.kept[v] = 1
            return
        for v in range(self.n):
            self.kept[v] = self.asked[v] or self.code[v] >= 0 or self.soft[v]
            self.root[v] = v
            if self.kept[v]:
                self.stack[size] = v
                size += 1
        while size > 0:
            size -= 1
            v = self.stack[size]
            for t in range(self.starts[v], self.starts[v + 1] - 1):
                u = self.members[t]
                if not self.kept[u]:
                    self.kept[u] = 1
                    self.stack[size] = u
                    size += 1
        if targets == 0:
            return
        for v in range(self.n):
            if not self.kept[v]:
                continue
            first = -1
            for t in range(self.starts[v], self.starts[v + 1]):
                u = self.members[t]
                if self.code[u] >= 0:
                    continue
                if first < 0:
                    first = self.find(u)
                else:
                    self.root[self.find(u)] = first
        for v in range(self.n):
            self.touched[v] = 0
        for v in range(self.n):
            if self.asked[v]:
                self.touched[self.find(v)] = 1
        for v in range(self.n):
            self.cut[v] = 0
            if not self.kept[v]:
                continue
            for t in range(self.starts[v], self.starts[v + 1]):
                u = self.members[t]
                if self.code[u] < 0:  # a family with nothing free stays: it may be what makes evidence impossible
                    self.kept[v] = self.touched[self.find(u)]
                    self.cut[v] = not self.kept[v]
                    self.doubt |= self.cut[v] and (self.zeros[v] or self.soft[v])
                    break
        for v in range(self.n):
            self.touched[v] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def moralise(self, together: cython.bint) -> cython.void:
        """Number what is left and link all that share a kept family (and, `together`, the targets)."""
        v: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        s: cython.Py_ssize_t
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        self.left = 0
        for v in range(self.n):
            self.place[v] = -1
        for v in range(self.n):
            if not self.kept[v]:
                continue
            for s in range(self.starts[v], self.starts[v + 1]):
                a = self.members[s]
                if self.code[a] < 0 and self.place[a] < 0:
                    self.place[a] = self.left
                    self.live[self.left] = a
                    self.left += 1
        self.words = (self.left + 63) // 64
        for k in range(self.left * self.words):
            self.links[k] = 0
        for v in range(self.n):
            if not self.kept[v]:
                continue
            k = 0
            for s in range(self.starts[v], self.starts[v + 1]):
                a = self.place[self.members[s]]
                if a >= 0:
                    self.near[k] = a
                    k += 1
            for s in range(k):
                a = self.near[s]
                for t in range(s):
                    b = self.near[t]
                    self.links[a * self.words + (b >> 6)] |= bit(b)
                    self.links[b * self.words + (a >> 6)] |= bit(a)
        if together:
            for a in range(self.left):
                if not self.asked[self.live[a]]:
                    continue
                for b in range(a):
                    if self.asked[self.live[b]]:
                        self.links[a * self.words + (b >> 6)] |= bit(b)
                        self.links[b * self.words + (a >> 6)] |= bit(a)
