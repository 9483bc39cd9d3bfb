"""Whether evidence that says nothing about the targets can happen at all: one way in which it does is enough.

A query leaves out what its evidence cuts off from the targets. Summing that out would tell whether it is impossible.
Looking for a witness, states of its variables under which no table is zero, costs a look at a few entries of each.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.remaining import Remaining

TRIES = cython.declare(cython.Py_ssize_t, 24)  # at finding one in either way, before the sum decides
SHARE = cython.declare(cython.Py_ssize_t, 64)  # a quick one more while it costs less than this part of all tables


@cython.cclass
class Witness(Remaining):
    """Looks at the families that were cut off, parents first: that is their `order`."""

    def __init__(self, graph, run, order, begins, children, integers, flags):
        super().__init__(graph, run, begins, children, integers, flags)
        self.order = order
        self.guesses = min(TRIES, 1 + self.run.values.shape[0] // (SHARE * max(1, self.run.states[self.graph.n])))

    def doubts(self):
        """Whether no witness was found for what the last plan left out: it may be impossible then, or not."""
        i: cython.Py_ssize_t
        gone: cython.Py_ssize_t
        if not self.graph.doubt:
            return False
        for i in range(self.guesses):
            self.chance = i
            if self.quick():
                return False
        if not self.start():
            return True
        gone = self.gone
        for i in range(TRIES):
            self.chance = i
            if self.careful() and self.holds():
                return False
            self.restore(gone)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def quick(self) -> cython.bint:
        """Whether taking one variable after another in its likeliest state that its children allow ends well.

        The first time; then likely states are taken at random, in the same way for every query.
        """
        i: cython.Py_ssize_t
        s: cython.Py_ssize_t
        v: cython.Py_ssize_t
        at: cython.Py_ssize_t
        best: cython.Py_ssize_t
        p: cython.double
        most: cython.double
        for v in range(self.graph.n):
            self.state[v] = self.graph.code[v]
        for i in range(self.graph.n):
            v = self.order[i]
            if not self.graph.cut[v]:
                continue
            best = self.state[v]
            at = self.place(v)
            if best >= 0:
                if not self.weight(v, at, best) > 0.0:
                    return False
                continue
            most = 0.0
            for s in range(self.graph.card[v]):
                p = self.likely(v, at, s)
                if p > most:
                    self.state[v] = s
                    if self.suits(v):
                        most = p
                        best = s
            if best < 0:
                return False
            self.state[v] = best
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def careful(self) -> cython.bint:
        """Whether the same ends well when each state taken strikes out those of other variables that it rules out.

        Here too the first time; and after a failure the tables around it are looked at sooner.
        """
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        s: cython.Py_ssize_t
        v: cython.Py_ssize_t
        at: cython.Py_ssize_t
        best: cython.Py_ssize_t
        gone: cython.Py_ssize_t
        p: cython.double
        most: cython.double
        for v in range(self.graph.n):
            self.state[v] = self.graph.code[v]
        for i in range(self.graph.n):
            v = self.order[i]
            if not self.graph.cut[v] or self.state[v] >= 0:
                continue
            at = self.place(v)
            while True:
                best = -1
                most = 0.0
                for k in range(self.left[v]):
                    s = self.some[self.run.states[v] + k]
                    p = self.likely(v, at, s)
                    if p > most:
                        most = p
                        best = s
                if best < 0:
                    return False
                gone = self.gone
                self.state[v] = best
                self.changed(v)
                if self.consistent():
                    break
                self.restore(gone)
                self.state[v] = -1
                self.strike(v, best)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def holds(self) -> cython.bint:
        """Whether no table is zero for the states that were taken: a witness."""
        v: cython.Py_ssize_t
        for v in range(self.graph.n):
            if self.graph.cut[v] and not self.weight(v, self.place(v), self.state[v]) > 0.0:
                return False
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def likely(self, v: cython.Py_ssize_t, at: cython.Py_ssize_t, s: cython.Py_ssize_t) -> cython.double:
        """The same as `weight`, or that times a number drawn at random."""
        p: cython.double = self.weight(v, at, s)
        if self.chance > 0 and p > 0.0:
            self.chance = (self.chance * 1103515245 + 12345) & 0x7FFFFFFF
            p *= self.chance
        return p

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def weight(self, v: cython.Py_ssize_t, at: cython.Py_ssize_t, s: cython.Py_ssize_t) -> cython.double:
        """The entry of state s for parents that stand at a place, times the likelihood of that state."""
        p: cython.double = self.run.values[at + s * self.run.strides[self.graph.starts[v + 1] - 1]]
        if self.graph.soft[v]:
            p *= self.run.likelihood[self.run.states[v] + s]
        return p

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, v: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the entries for the states of the parents stand in the table of v; -1 if one is not known."""
        t: cython.Py_ssize_t
        at: cython.Py_ssize_t = self.run.begins[v]
        for t in range(self.graph.starts[v], self.graph.starts[v + 1] - 1):
            if self.state[self.graph.members[t]] < 0:
                return -1
            at += self.state[self.graph.members[t]] * self.run.strides[t]
        return at

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def suits(self, v: cython.Py_ssize_t) -> cython.bint:
        """Whether no child that was observed rules out the state of v, as far as its other parents are known."""
        t: cython.Py_ssize_t
        c: cython.Py_ssize_t
        at: cython.Py_ssize_t
        for t in range(self.begins[v], self.begins[v + 1]):
            c = self.children[t]
            if self.graph.code[c] >= 0 and self.graph.zeros[c]:
                at = self.place(c)
                if at >= 0 and not self.weight(c, at, self.graph.code[c]) > 0.0:
                    return False
        return True
