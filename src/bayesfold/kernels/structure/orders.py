"""Sums over all networks that agree with an order of the nodes: exactly over all orders, or along a walk from order to
order.

Where each node takes its parents from those before it, the sum over networks is a product over nodes (Friedman and
Koller 2003); the sum over all orders is one over sets of nodes (Koivisto and Sood 2004). All numbers are logs.
"""

import cython
from cython.cimports.bayesfold.kernels.bits import bit
from cython.cimports.bayesfold.kernels.structure.families import Families
from cython.cimports.libc.math import exp, log, log1p

NEVER = cython.declare(cython.double, -1e300)
FAR = cython.declare(cython.double, 38.0)  # what lies further below does not change a sum


def score_sets(
    families: Families,
    v: cython.Py_ssize_t,
    candidates: cython.const[cython.Py_ssize_t][::1],
    sets: cython.const[cython.ulonglong][::1],
    state: cython.uchar[:, :, ::1],
    gain: cython.double[:, ::1],
    scores: cython.double[::1],
) -> None:
    """scores[k] = the score of v with the candidates in the bitset sets[k] as its parents; state: scratch, all 0."""
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    with cython.nogil:
        for k in range(sets.shape[0]):
            for t in range(candidates.shape[0]):
                state[0, v, candidates[t]] = (sets[k] & bit(t)) != 0
            scores[k] = families.node(v, state[0], state[1], 0, gain)


def sum_below(values: cython.double[::1]) -> None:
    """values[S] = the sum over all subsets of S."""
    step: cython.Py_ssize_t = 1
    S: cython.Py_ssize_t
    size: cython.Py_ssize_t = values.shape[0]
    with cython.nogil:
        while step < size:
            for S in range(size):
                if S & step:
                    values[S] = added(values[S], values[S ^ step])
            step *= 2


def sum_above(values: cython.double[::1]) -> None:
    """values[S] = the sum over all sets that include S."""
    step: cython.Py_ssize_t = 1
    S: cython.Py_ssize_t
    size: cython.Py_ssize_t = values.shape[0]
    with cython.nogil:
        while step < size:
            for S in range(size):
                if not S & step:
                    values[S] = added(values[S], values[S | step])
            step *= 2


def sum_orders(
    alpha: cython.const[cython.double][:, ::1], before: cython.double[::1], after: cython.double[::1]
) -> None:
    """before[S]: the sum over all orders of S, of products of alpha[v, those before v]; after[S]: of the others behind.

    before of all nodes, which is after of none, is the sum over all orders.
    """
    S: cython.Py_ssize_t
    v: cython.Py_ssize_t
    n: cython.Py_ssize_t = alpha.shape[0]
    size: cython.Py_ssize_t = before.shape[0]
    with cython.nogil:
        before[0] = after[size - 1] = 0.0
        for S in range(1, size):
            before[S] = NEVER
            for v in range(n):
                if (S >> v) & 1:
                    before[S] = added(before[S], before[S ^ (1 << v)] + alpha[v, S ^ (1 << v)])
        for S in range(size - 2, -1, -1):
            after[S] = NEVER
            for v in range(n):
                if not (S >> v) & 1:
                    after[S] = added(after[S], after[S | (1 << v)] + alpha[v, S])


def arcs_into(
    v: cython.Py_ssize_t,
    sets: cython.const[cython.ulonglong][::1],
    scores: cython.const[cython.double][::1],
    before: cython.const[cython.double][::1],
    after: cython.const[cython.double][::1],
    around: cython.double[::1],
    arcs: cython.double[:, ::1],
) -> None:
    """arcs[u, v] = P(u -> v); scores[k]: of v with the parents sets[k]; around: scratch for all sets."""
    S: cython.Py_ssize_t
    k: cython.Py_ssize_t
    u: cython.Py_ssize_t
    n: cython.Py_ssize_t = arcs.shape[0]
    size: cython.Py_ssize_t = before.shape[0]
    p: cython.double
    with cython.nogil:
        for S in range(size):
            around[S] = NEVER if (S >> v) & 1 else before[S] + after[S | (1 << v)]
    sum_above(around)
    with cython.nogil:
        for k in range(sets.shape[0]):
            p = exp(scores[k] + around[sets[k]] - before[size - 1])
            for u in range(n):
                if sets[k] & bit(u):
                    arcs[u, v] += p


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def added(a: cython.double, b: cython.double) -> cython.double:
    """log(exp(a) + exp(b))."""
    if a < b:
        return b if b - a > FAR else b + log1p(exp(a - b))
    return a if a - b > FAR else a + log1p(exp(b - a))


@cython.cclass
class Walk:
    """A walk from order to order of the nodes, each order visited as often as its networks are probable.

    order: the node at each place; candidates[v]: nodes that may be v's parents; sets, scores: parent sets of v from
    begins[v] on, as bitsets of its candidates, the best first; place, sums, kept: scratch for each node.
    """

    order: cython.Py_ssize_t[::1]
    candidates: cython.const[cython.Py_ssize_t][:, ::1]
    begins: cython.const[cython.Py_ssize_t][::1]
    sets: cython.const[cython.ulonglong][::1]
    scores: cython.const[cython.double][::1]
    place: cython.Py_ssize_t[::1]
    sums: cython.double[::1]
    kept: cython.double[::1]
    nodes: cython.Py_ssize_t
    accepted = cython.declare(cython.Py_ssize_t, visibility="readonly")

    def __init__(self, order, candidates, begins, sets, scores, place, sums, kept):
        i: cython.Py_ssize_t
        self.order, self.candidates, self.begins = order, candidates, begins
        self.sets, self.scores = sets, scores
        self.place, self.sums, self.kept = place, sums, kept
        self.nodes = self.order.shape[0]
        self.accepted = 0
        for i in range(self.nodes):
            self.place[self.order[i]] = i
        for i in range(self.nodes):
            self.sums[i] = self.sum(i)

    def go(self, chances: cython.const[cython.double][:, ::1]):
        """Propose as many swaps of two nodes as there are chances: neighbours, or any two."""
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        t: cython.Py_ssize_t
        change: cython.double
        with cython.nogil:
            for k in range(chances.shape[0]):
                i = cython.cast(cython.Py_ssize_t, chances[k, 0] * (self.nodes - 1))
                j = i + 1
                if chances[k, 1] >= 0.5:
                    j = cython.cast(cython.Py_ssize_t, (2.0 * chances[k, 1] - 1.0) * self.nodes)
                if i == j:
                    continue
                if j < i:
                    i, j = j, i
                self.swap(i, j)
                change = 0.0
                for t in range(i, j + 1):
                    self.kept[t] = self.sums[self.order[t]]
                    self.sums[self.order[t]] = self.sum(self.order[t])
                    change += self.sums[self.order[t]]
                for t in range(i, j + 1):
                    change -= self.kept[t]
                if change >= 0.0 or chances[k, 2] < exp(change):
                    self.accepted += 1
                else:
                    for t in range(i, j + 1):
                        self.sums[self.order[t]] = self.kept[t]
                    self.swap(i, j)

    def look(self, arcs: cython.double[:, ::1]):
        """Add P(u -> v | this order) to arcs[u, v]."""
        v: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        free: cython.ulonglong
        p: cython.double
        with cython.nogil:
            for v in range(self.nodes):
                free = self.before(v)
                for k in range(self.begins[v], self.begins[v + 1]):
                    if self.scores[k] < self.sums[v] - FAR:
                        break
                    if self.sets[k] & free == self.sets[k]:
                        p = exp(self.scores[k] - self.sums[v])
                        for t in range(self.candidates.shape[1]):
                            if self.sets[k] & bit(t):
                                arcs[self.candidates[v, t], v] += p

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def swap(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.void:
        """Two nodes change places."""
        v: cython.Py_ssize_t = self.order[i]
        self.order[i] = self.order[j]
        self.order[j] = v
        self.place[self.order[i]] = i
        self.place[v] = j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def before(self, v: cython.Py_ssize_t) -> cython.ulonglong:
        """The candidates that stand before v, as a bitset."""
        t: cython.Py_ssize_t
        free: cython.ulonglong = 0
        for t in range(self.candidates.shape[1]):
            if self.candidates[v, t] >= 0 and self.place[self.candidates[v, t]] < self.place[v]:
                free |= bit(t)
        return free

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sum(self, v: cython.Py_ssize_t) -> cython.double:
        """The sum over the parent sets that stand before v."""
        k: cython.Py_ssize_t
        free: cython.ulonglong = self.before(v)
        top: cython.double = NEVER
        total: cython.double = 0.0
        for k in range(self.begins[v], self.begins[v + 1]):
            if self.sets[k] & free == self.sets[k]:
                if total == 0.0:
                    top = self.scores[k]
                elif self.scores[k] < top - FAR:
                    break
                total += exp(self.scores[k] - top)
        return top + log(total) if total > 0.0 else NEVER
