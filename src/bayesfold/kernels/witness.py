"""Whether evidence that says nothing about the targets can happen at all: one way in which it does is enough.

A query leaves out what its evidence cuts off from the targets. Summing that out would tell whether it is impossible.
Looking for a witness, states of its variables under which no table is zero, costs a look at a few entries of each.
"""

import cython


@cython.cclass
class Witness:
    """Looks at the families that `graph` has cut off, parents first; the tables and the evidence are those of `run`.

    order: parents before children. children[begins[v]:begins[v + 1]] are those of v. state[v]: what v is taken to be.
    """

    def __init__(self, graph, run, order, begins, children, state):
        self.graph, self.run, self.order, self.begins, self.children, self.state = (
            graph, run, order, begins, children, state,
        )  # fmt: skip

    def doubts(self):
        """Whether no witness was found for what the last plan left out: it may be impossible then, or not."""
        return self.graph.doubt and not self.found()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def found(self) -> cython.bint:
        """Whether taking the likeliest state of one variable after another, as far as its children allow, ends well."""
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
                if not self.weight(v, at, 0) > 0.0:
                    return False
                continue
            most = 0.0
            for s in range(self.graph.card[v]):
                p = self.weight(v, at, s)
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
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def weight(self, v: cython.Py_ssize_t, at: cython.Py_ssize_t, s: cython.Py_ssize_t) -> cython.double:
        """The table's entry s states on from a place, times the likelihood of that state."""
        p: cython.double = self.run.values[at + s * self.run.strides[self.graph.starts[v + 1] - 1]]
        if self.graph.soft[v]:
            p *= self.run.likelihood[self.run.states[v] + s + (self.graph.code[v] if self.graph.code[v] > 0 else 0)]
        return p

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, v: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the states that are known stand in the table of v; -1 if that of a parent is not."""
        t: cython.Py_ssize_t
        at: cython.Py_ssize_t = self.run.begins[v]
        for t in range(self.graph.starts[v], self.graph.starts[v + 1]):
            if self.state[self.graph.members[t]] >= 0:
                at += self.state[self.graph.members[t]] * self.run.strides[t]
            elif t < self.graph.starts[v + 1] - 1:
                return -1
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
                if at >= 0 and not self.run.values[at] > 0.0:
                    return False
        return True
