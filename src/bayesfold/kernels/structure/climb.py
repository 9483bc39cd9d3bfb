"""Climbing over networks: add, take out or turn the arc that gains most, again and again.

parents[v, u] says that u -> v is there, gain[v, u] what toggling it would change in the score of v; turning an arc is
two toggles. What lies below each node is a bitset, so whether an arc would close a circle is one look. Networks that
were seen are remembered by a sum (exclusive or) of numbers that stand for their arcs.
"""

import cython
from cython.cimports.bayesfold.kernels.bits import bit
from cython.cimports.bayesfold.kernels.structure.families import Families

ADD = cython.declare(cython.Py_ssize_t, 0)
DROP = cython.declare(cython.Py_ssize_t, 1)
TURN = cython.declare(cython.Py_ssize_t, 2)
LEAST = cython.declare(cython.double, 1e-6)  # a move must gain so much: less is rounding, or a tie
NEVER = cython.declare(cython.double, -1e299)


@cython.cclass
class Climber:
    """One network on the way, and the best that it met.

    rules: allowed[v, u] and required[v, u] arcs u -> v, and how many parents a node may have; state: parents, gain, the
    score of each node, whether its parents changed, how many it has, bitsets of what is below each node; ties: which
    of two moves that gain the same is taken; best: parents, gain and scores of the best network met; arcs: numbers for
    the arcs, and the table of networks seen, a power of two; waiting: scratch.
    """

    families: Families
    columns: cython.Py_ssize_t
    most: cython.Py_ssize_t
    allowed: cython.const[cython.uchar][:, ::1]
    required: cython.const[cython.uchar][:, ::1]
    parents: cython.uchar[:, ::1]
    gain: cython.double[:, ::1]
    local: cython.double[::1]
    changed: cython.uchar[::1]
    many: cython.Py_ssize_t[::1]
    under: cython.ulonglong[:, ::1]
    ties: cython.double[:, ::1]
    best: cython.uchar[:, ::1]
    best_gain: cython.double[:, ::1]
    best_local: cython.double[::1]
    arcs: cython.const[cython.ulonglong][:, ::1]
    seen: cython.ulonglong[::1]
    waiting: cython.Py_ssize_t[:, ::1]
    here: cython.ulonglong
    op: cython.Py_ssize_t
    tail: cython.Py_ssize_t
    head: cython.Py_ssize_t
    known: cython.Py_ssize_t
    score = cython.declare(cython.double, visibility="readonly")
    top = cython.declare(cython.double, visibility="readonly")

    def __init__(self, families, rules, state, ties, best, arcs, waiting):
        self.families = families
        self.allowed, self.required, self.most = rules
        self.parents, self.gain, self.local, self.changed, self.many, self.under = state
        self.ties, self.waiting = ties, waiting
        self.best, self.best_gain, self.best_local = best
        self.arcs, self.seen = arcs
        self.columns = self.parents.shape[0]
        self.top = NEVER
        self.score = 0.0
        self.here = self.arcs[0, 0]  # no arc has this number: so the network without arcs has one too

    def start(self, parents: cython.const[cython.uchar][:, ::1]):
        """Stand at a network; only nodes whose parents differ from before are scored again."""
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        with cython.nogil:
            for v in range(self.columns):
                for u in range(self.columns):
                    if self.parents[v, u] != parents[v, u]:
                        self.put(u, v, parents[v, u])
            self.settle()

    def climb(self):
        """Move while that gains, and keep the end if it is the best met; whether it is."""
        better: cython.bint
        with cython.nogil:
            better = self.rise()
        return better

    def wander(self, patience: cython.Py_ssize_t):
        """Always move on, never to a network seen before, until so many moves in a row met no better one."""
        at: cython.Py_ssize_t
        vain: cython.Py_ssize_t = 0
        better: cython.bint = False
        with cython.nogil:
            for at in range(self.seen.shape[0]):
                self.seen[at] = 0
            self.known = 0
            self.mark()
            while vain < patience and 2 * self.known < self.seen.shape[0] and self.choose(True) > NEVER:
                self.move()
                self.settle()
                self.mark()
                vain += 1
                if self.offer():
                    better = True
                    vain = 0
        return better

    def again(self, chances: cython.const[cython.double][:, :, ::1]):
        """Climb from the best network met, changed at random, until that met a better one: how often that was in vain.

        chances[k, t] are those of the k-th climb: to `drift` by each t, and to `shake`.
        """
        k: cython.Py_ssize_t = 0
        t: cython.Py_ssize_t
        better: cython.bint = False
        with cython.nogil:
            while k < chances.shape[0] and not better:
                self.go_back()
                for t in range(chances.shape[1]):
                    self.drift(chances[k, t])
                self.shake(chances[k, 0, 0])
                self.settle()
                better = self.rise()
                k += not better
        return k

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rise(self) -> cython.bint:
        """Move while that gains; whether the end is the best met."""
        while self.choose(False) > LEAST:
            self.move()
            self.settle()
        return self.offer()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def go_back(self) -> cython.void:
        """Stand at the best network met."""
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for v in range(self.columns):
            for u in range(self.columns):
                if self.parents[v, u] != self.best[v, u]:
                    self.put(u, v, self.best[v, u])
                self.gain[v, u] = self.best_gain[v, u]
            self.local[v] = self.best_local[v]
            self.changed[v] = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drift(self, chances: cython.const[cython.double][::1]) -> cython.void:
        """Turn covered arcs, whose ends have the same other parents, in random order: the network says the same after.

        What is one move away differs from network to network of a class (Chickering 1995).
        """
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        m: cython.Py_ssize_t = self.list_arcs(False)
        for t in range(m):
            k = t + cython.cast(cython.Py_ssize_t, chances[t] * (m - t))
            u = self.waiting[0, k]
            v = self.waiting[1, k]
            self.waiting[0, k] = self.waiting[0, t]
            self.waiting[1, k] = self.waiting[1, t]
            if self.is_covered(u, v):
                self.put(u, v, False)
                self.put(v, u, True)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def shake(self, chance: cython.double) -> cython.void:
        """Turn one arc, if that may be, and take from its two ends their other parents but for those required."""
        m: cython.Py_ssize_t = self.list_arcs(True)
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        w: cython.Py_ssize_t
        if m == 0:
            return
        m = cython.cast(cython.Py_ssize_t, chance * m)
        u = self.waiting[0, m]
        v = self.waiting[1, m]
        for w in range(self.columns):
            if self.parents[u, w] and not self.required[u, w]:
                self.put(w, u, False)
            if self.parents[v, w] and not self.required[v, w]:
                self.put(w, v, False)
        self.look_down()
        if self.allowed[u, v] and self.many[u] < self.most and not self.reaches(u, v):
            self.put(v, u, True)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_arcs(self, free: cython.bint) -> cython.Py_ssize_t:
        """waiting[0, k] -> waiting[1, k]: the arcs, or those that are not required; how many."""
        m: cython.Py_ssize_t = 0
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        for v in range(self.columns):
            if self.many[v] > 0:
                for u in range(self.columns):
                    if self.parents[v, u] and not (free and self.required[v, u]):
                        self.waiting[0, m] = u
                        self.waiting[1, m] = v
                        m += 1
        return m

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_covered(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether u -> v may turn without changing what the network says."""
        w: cython.Py_ssize_t
        if self.many[v] != self.many[u] + 1 or self.required[v, u] or not self.allowed[u, v]:
            return False
        for w in range(self.columns):
            if w != u and self.parents[v, w] != self.parents[u, w]:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t, there: cython.bint) -> cython.void:
        """The arc u -> v from now on, or no longer."""
        self.parents[v, u] = there
        self.many[v] += 1 if there else -1
        self.changed[v] = True
        self.here ^= self.arcs[v, u]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self) -> cython.void:
        """Scores around the nodes whose parents changed, and what is below each."""
        v: cython.Py_ssize_t
        self.score = 0.0
        for v in range(self.columns):
            if self.changed[v]:
                self.local[v] = self.families.node(v, self.parents, self.allowed, self.most, self.gain)
                self.changed[v] = False
            self.score += self.local[v]
        self.look_down()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_down(self) -> cython.void:
        """under[u]: the nodes that paths from u lead to."""
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        w: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = 0
        for u in range(self.columns):
            self.waiting[0, u] = 0
            for w in range(self.under.shape[1]):
                self.under[u, w] = 0
        for v in range(self.columns):
            if self.many[v] > 0:
                for u in range(self.columns):
                    self.waiting[0, u] += self.parents[v, u]
        for u in range(self.columns):
            if self.waiting[0, u] == 0:
                self.waiting[1, last] = u
                last += 1
        while first < last:  # all of its children have been here
            v = self.waiting[1, first]
            first += 1
            if self.many[v] == 0:
                continue
            for u in range(self.columns):
                if self.parents[v, u]:
                    for w in range(self.under.shape[1]):
                        self.under[u, w] |= self.under[v, w]
                    self.under[u, v >> 6] |= bit(v)
                    self.waiting[0, u] -= 1
                    if self.waiting[0, u] == 0:
                        self.waiting[1, last] = u
                        last += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def reaches(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether a path leads from u to v."""
        return self.under[u, v >> 6] & bit(v) != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def around(self, u: cython.Py_ssize_t, v: cython.Py_ssize_t) -> cython.bint:
        """Whether a path leads from u to v beside the arc u -> v."""
        w: cython.Py_ssize_t
        for w in range(self.columns):
            if self.parents[v, w] and w != u and self.reaches(u, w):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self, fresh: cython.bint) -> cython.double:
        """The move that gains most, ties as they are to be broken; `fresh`: to a network that was not seen."""
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        g: cython.double
        most: cython.double = NEVER
        gain: cython.double = NEVER
        for v in range(self.columns):
            for u in range(self.columns):
                g = self.gain[v, u]
                if self.parents[v, u]:
                    if self.required[v, u]:
                        continue
                    if g + self.ties[v, u] > most and not (fresh and self.was_seen(self.arcs[v, u])):
                        most = g + self.ties[v, u]
                        gain = g
                        self.op, self.tail, self.head = DROP, u, v
                    g += self.gain[u, v]
                    if (
                        g + self.ties[u, v] > most
                        and self.many[u] < self.most
                        and self.allowed[u, v]
                        and not self.around(u, v)
                        and not (fresh and self.was_seen(self.arcs[v, u] ^ self.arcs[u, v]))
                    ):
                        most = g + self.ties[u, v]
                        gain = g
                        self.op, self.tail, self.head = TURN, u, v
                elif (
                    g + self.ties[v, u] > most
                    and not self.parents[u, v]
                    and not self.reaches(v, u)
                    and not (fresh and self.was_seen(self.arcs[v, u]))
                ):
                    most = g + self.ties[v, u]
                    gain = g
                    self.op, self.tail, self.head = ADD, u, v
        return gain

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self) -> cython.void:
        """Make the move that was chosen."""
        self.put(self.tail, self.head, self.op == ADD)
        if self.op == TURN:
            self.put(self.head, self.tail, True)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def slot(self, network: cython.ulonglong) -> cython.Py_ssize_t:
        """Where a network stands among those seen, or would."""
        last: cython.Py_ssize_t = self.seen.shape[0] - 1
        at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, network >> 20) & last
        while self.seen[at] != network and self.seen[at] != 0:
            at = (at + 1) & last
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def was_seen(self, toggled: cython.ulonglong) -> cython.bint:
        """Whether toggling arcs leads to a network seen before."""
        return self.seen[self.slot(self.here ^ toggled)] != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark(self) -> cython.void:
        """Remember this network as seen."""
        self.seen[self.slot(self.here)] = self.here
        self.known += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def offer(self) -> cython.bint:
        """Keep this network if it is the best met; whether it is."""
        u: cython.Py_ssize_t
        v: cython.Py_ssize_t
        if self.score <= self.top + LEAST:
            return False
        self.top = self.score
        for v in range(self.columns):
            self.best_local[v] = self.local[v]
            for u in range(self.columns):
                self.best[v, u] = self.parents[v, u]
                self.best_gain[v, u] = self.gain[v, u]
        return True
