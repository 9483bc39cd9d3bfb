"""Which states remain, given evidence: a state goes if some table has only zeros for it, whatever the others are.

What goes is impossible; what is left need not be possible. (Arc consistency, over sparse sets: a state that goes
changes places with the last one left, so taking it back is to count one more.)
"""

import cython

LOOKS = cython.declare(cython.Py_ssize_t, 500_000)  # at entries of tables, for one query


@cython.cclass
class Remaining:
    """States of the variables whose families `graph` has cut off; the tables and the evidence are those of `run`.

    children[begins[v]:begins[v + 1]] are those of v. state[v]: what v is taken to be, or -1. From states[v] on stand
    all states of v in `some`, the left[v] that remain first, and in `stands` where each state is among them. struck:
    whose states went, one after another. queue: tables to look at. suspect[v]: the table of v may be why a search
    failed.
    """

    def __init__(self, graph, run, begins, children, integers, flags):
        self.graph, self.run, self.begins, self.children = graph, run, begins, children
        self.state, self.turn, self.queue, self.left, self.some, self.stands, self.struck = integers
        self.seen, self.queued, self.suspect = flags

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def start(self) -> cython.bint:
        """Strike out what the evidence rules out; False if some variable has no state left."""
        s: cython.Py_ssize_t
        v: cython.Py_ssize_t
        self.gone = 0
        self.waiting = 0
        self.looks = LOOKS
        for v in range(self.graph.n):
            self.state[v] = self.graph.code[v]
            self.left[v] = self.graph.card[v]
            self.queued[v] = 0
            self.suspect[v] = 0
            for s in range(self.graph.card[v]):
                self.some[self.run.states[v] + s] = s
                self.stands[self.run.states[v] + s] = s
        for v in range(self.graph.n):
            if self.state[v] >= 0:
                self.look(v)
            elif self.graph.cut[v] and self.graph.soft[v]:
                for s in range(self.graph.card[v]):
                    if not self.run.likelihood[self.run.states[v] + s] > 0.0:
                        self.strike(v, s)
        return self.consistent()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look(self, c: cython.Py_ssize_t) -> cython.void:
        """Have the table of c looked at, unless it has no zeros.

        While c may be anything its parents may be too, as a rule: only a table under suspicion is looked at then.
        """
        if self.graph.cut[c] and self.graph.zeros[c] and not self.queued[c]:
            if self.suspect[c] or self.graph.code[c] >= 0 or self.left[c] < self.graph.card[c]:
                self.queued[c] = 1
                self.queue[self.waiting] = c
                self.waiting += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def changed(self, v: cython.Py_ssize_t) -> cython.void:
        """Have every table that v is in looked at."""
        t: cython.Py_ssize_t
        self.look(v)
        for t in range(self.begins[v], self.begins[v + 1]):
            self.look(self.children[t])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def strike(self, v: cython.Py_ssize_t, s: cython.Py_ssize_t) -> cython.void:
        """Strike out a state."""
        first: cython.Py_ssize_t = self.run.states[v]
        last: cython.Py_ssize_t
        self.left[v] -= 1
        last = self.some[first + self.left[v]]
        self.some[first + self.stands[first + s]] = last
        self.stands[first + last] = self.stands[first + s]
        self.some[first + self.left[v]] = s
        self.stands[first + s] = self.left[v]
        self.struck[self.gone] = v
        self.gone += 1
        self.changed(v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restore(self, gone: cython.Py_ssize_t) -> cython.void:
        """Take back all that were struck out after the first so many."""
        while self.gone > gone:
            self.gone -= 1
            self.left[self.struck[self.gone]] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def consistent(self) -> cython.bint:
        """Look at tables until no more states go; False if some variable has none left."""
        c: cython.Py_ssize_t
        t: cython.Py_ssize_t
        good: cython.bint = True
        while self.waiting > 0:
            self.waiting -= 1
            c = self.queue[self.waiting]
            if good and not self.narrow(c):
                good = False
                for t in range(self.graph.starts[c], self.graph.starts[c + 1]):
                    self.suspect[self.graph.members[t]] = 1
            self.queued[c] = 0  # only now: what a table strikes out has no entry in it that another state could miss
        return good

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def narrow(self, c: cython.Py_ssize_t) -> cython.bint:
        """Strike out the states that have only zeros in the table of c; False if some variable has none left."""
        i: cython.Py_ssize_t
        s: cython.Py_ssize_t
        t: cython.Py_ssize_t
        v: cython.Py_ssize_t
        free: cython.bint = False
        for t in range(self.graph.starts[c], self.graph.starts[c + 1]):
            v = self.graph.members[t]
            for s in range(self.run.states[v], self.run.states[v + 1]):
                self.seen[s] = 0
        for t in range(self.graph.starts[c], self.graph.starts[c + 1]):
            v = self.graph.members[t]
            if self.state[v] >= 0:
                continue
            free = True
            for i in range(self.left[v] - 1, -1, -1):
                s = self.some[self.run.states[v] + i]
                if not self.seen[self.run.states[v] + s]:
                    self.state[v] = s
                    if not self.supported(c):
                        self.strike(v, s)
            self.state[v] = -1
            if self.left[v] == 0:
                return False
        return free or self.supported(c)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def supported(self, c: cython.Py_ssize_t) -> cython.bint:
        """Whether the table of c has an entry above zero for the states taken, whatever is left of the others.

        The states of the first such entry are `seen`. Never, after too many looks: the search then ends soon, in vain.
        """
        i: cython.Py_ssize_t
        s: cython.Py_ssize_t
        t: cython.Py_ssize_t
        v: cython.Py_ssize_t
        u: cython.Py_ssize_t
        first: cython.Py_ssize_t
        stride: cython.Py_ssize_t
        begin: cython.Py_ssize_t = self.graph.starts[c]
        last: cython.Py_ssize_t = -1  # the member that runs fastest
        at: cython.Py_ssize_t = self.run.begins[c]
        for t in range(begin, self.graph.starts[c + 1]):
            v = self.graph.members[t]
            if self.state[v] >= 0:
                s = self.state[v]
            else:
                last = t
                s = self.some[self.run.states[v]]
            self.turn[t - begin] = 0
            at += s * self.run.strides[t]
        if last < 0:
            return self.run.values[at] > 0.0
        v = self.graph.members[last]
        first = self.run.states[v]
        stride = self.run.strides[last]
        at -= self.some[first] * stride
        while self.looks > 0:
            self.looks -= self.left[v]
            for i in range(self.left[v]):
                if self.run.values[at + self.some[first + i] * stride] > 0.0:
                    self.turn[last - begin] = i
                    self.see(c)
                    return True
            t = last - 1
            while t >= begin:
                u = self.graph.members[t]
                if self.state[u] < 0:
                    s = self.some[self.run.states[u] + self.turn[t - begin]]
                    self.turn[t - begin] += 1
                    if self.turn[t - begin] < self.left[u]:
                        break
                    self.turn[t - begin] = 0
                    at += (self.some[self.run.states[u]] - s) * self.run.strides[t]
                t -= 1
            if t < begin:
                return False
            at += (self.some[self.run.states[u] + self.turn[t - begin]] - s) * self.run.strides[t]
        return False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def see(self, c: cython.Py_ssize_t) -> cython.void:
        """Note the states where the table of c was found above zero."""
        t: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for t in range(self.graph.starts[c], self.graph.starts[c + 1]):
            v = self.graph.members[t]
            if self.state[v] < 0:
                self.seen[self.run.states[v] + self.some[self.run.states[v] + self.turn[t - self.graph.starts[c]]]] = 1
