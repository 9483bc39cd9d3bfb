"""Which variables a query needs, and in which order to eliminate them.

An observed variable leaves the graph, so what is eliminated is the moral graph of the rest, held as bitsets over the
variables that are left. Orders are greedy: no rule wins everywhere, so a plan that is large is tried by four of them.
"""

import cython
from cython.cimports.libc.math import exp

FILL = cython.declare(cython.Py_ssize_t, 0)  # fewest new links
WEIGHT = cython.declare(cython.Py_ssize_t, 1)  # smallest table
WEIGHTED_FILL = cython.declare(cython.Py_ssize_t, 2)  # fewest new pairs of states
FILL_TIMES_SIZE = cython.declare(cython.Py_ssize_t, 3)

PAIRS = cython.declare(cython.ulonglong, 0x5555555555555555)
NIBBLES = cython.declare(cython.ulonglong, 0x3333333333333333)
BYTES = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
EVERY_BYTE = cython.declare(cython.ulonglong, 0x0101010101010101)
EVERY_BIT = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
ONE = cython.declare(cython.ulonglong, 1)
LARGE = cython.declare(cython.double, 3e4)  # entries from which planning longer pays
TRIES = cython.declare(cython.double, 3e-4)  # more tries for each entry and variable left: a twentieth of the time
MOST_TRIES = cython.declare(cython.double, 32.0)
IN_VAIN = cython.declare(cython.Py_ssize_t, 3)  # tries in a row that may gain next to nothing
GAIN = cython.declare(cython.double, 0.99)
NOISE = cython.declare(cython.double, 0.5)  # a price may seem dearer by this share
NEVER = cython.declare(cython.double, 1e300)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ones(x: cython.ulonglong) -> cython.Py_ssize_t:
    """How many bits are set."""
    x = x - ((x >> 1) & PAIRS)
    x = (x & NIBBLES) + ((x >> 2) & NIBBLES)
    x = (x + (x >> 4)) & BYTES
    return cython.cast(cython.Py_ssize_t, (x * EVERY_BYTE) >> 56)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bit(i: cython.Py_ssize_t) -> cython.ulonglong:
    """The element i within its word."""
    return ONE << cython.cast(cython.int, i & 63)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def elements(
    sets: cython.ulonglong[::1], which: cython.Py_ssize_t, words: cython.Py_ssize_t, out: cython.Py_ssize_t[::1]
) -> cython.Py_ssize_t:
    """Write the elements of one of the bitsets, in rising order; returns how many."""
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t = 0
    x: cython.ulonglong
    for j in range(words):
        x = sets[which * words + j]
        while x != 0:
            out[k] = j * 64 + ones((x & (~x + 1)) - 1)
            k += 1
            x = x & (x - 1)
    return k


@cython.cclass
class Elimination:
    """A network's families, one query's evidence, and the order found for it.

    Variable v's family is members[starts[v]:starts[v + 1]], itself last. code[v] is its observed state or -1; soft[v]
    says that a likelihood is given for it, asked[v] that it is a target. Variables left are numbered anew: live[i] is
    the i-th of them, place[v] its number or -1. bags[i] are the neighbours that i has when it is eliminated.
    """

    def __init__(self, card, starts, members, logs, evidence, integers, numbers, flags, bits):
        self.n = len(card)
        self.card, self.starts, self.members, self.logs = card, starts, members, logs
        self.code, self.soft, self.asked = evidence
        self.live, self.place, self.sequence, self.trial, self.near, self.far, self.root, self.stack = integers
        self.cost = numbers
        self.kept, self.touched = flags
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
            if not self.kept[v]:
                continue
            for t in range(self.starts[v], self.starts[v + 1]):
                u = self.members[t]
                if self.code[u] < 0:  # a family with nothing free stays: it may be what makes evidence impossible
                    self.kept[v] = self.touched[self.find(u)]
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def price(self, v: cython.Py_ssize_t, rule: cython.Py_ssize_t) -> cython.double:
        """What eliminating v costs by a rule, ties broken by the table's size."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        a: cython.Py_ssize_t
        missing: cython.Py_ssize_t
        x: cython.ulonglong
        k: cython.Py_ssize_t = elements(self.graph, v, self.words, self.far)
        size: cython.double = self.logs[self.live[v]]
        fill: cython.double = 0.0
        for i in range(k):
            size += self.logs[self.live[self.far[i]]]
        if rule == WEIGHT:
            return size
        if k > 1:
            for i in range(k):
                a = self.far[i]
                missing = 0
                for j in range(a >> 6, (self.far[k - 1] >> 6) + 1):  # of each pair the earlier one asks
                    x = self.graph[v * self.words + j] & ~self.graph[a * self.words + j]
                    if a >> 6 == j:
                        x = x & (EVERY_BIT ^ (bit(a) | (bit(a) - 1)))
                    if rule == WEIGHTED_FILL:
                        while x != 0:
                            missing += self.card[self.live[j * 64 + ones((x & (~x + 1)) - 1)]]
                            x = x & (x - 1)
                    elif x != 0:
                        missing += ones(x)
                fill += missing * (self.card[self.live[a]] if rule == WEIGHTED_FILL else 1)
        if rule == FILL_TIMES_SIZE:
            return (fill + 1e-9) * exp(size if size < 600.0 else 600.0)
        return fill * 1e6 + size

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def seeming(self, v: cython.Py_ssize_t, rule: cython.Py_ssize_t) -> cython.double:
        """The price of v, or with noise a somewhat larger one: the same sequence of them for every query."""
        price: cython.double = self.price(v, rule)
        if self.noise > 0.0:
            self.chance = (self.chance * 1103515245 + 12345) & 0x7FFFFFFF
            price *= 1.0 + self.noise * (self.chance / 2147483648.0)
        return price

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def greedy(self, rule: cython.Py_ssize_t, asked_last: cython.bint, bound: cython.double) -> cython.double:
        """Eliminate by one rule into `trial`; returns the entries of all tables, or NEVER once they pass the bound."""
        v: cython.Py_ssize_t
        u: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        step: cython.Py_ssize_t
        changed: cython.Py_ssize_t
        grew: cython.bint
        waiting: cython.Py_ssize_t = 0
        least: cython.double
        size: cython.double
        total: cython.double = 0.0
        x: cython.ulonglong
        w: cython.Py_ssize_t = self.words
        for i in range(self.left * w):
            self.graph[i] = self.links[i]
        for v in range(self.left):
            self.cost[v] = self.seeming(v, rule)
            self.stack[v] = v
            if asked_last and not self.asked[self.live[v]]:
                waiting += 1
        for step in range(self.left):
            v = -1
            least = NEVER
            for i in range(self.left - step):  # in the stack are those left, in rising order
                u = self.stack[i]
                if self.cost[u] < least and (waiting == 0 or not self.asked[self.live[u]]):
                    least = self.cost[u]
                    v = u
                    t = i
            for i in range(t, self.left - step - 1):
                self.stack[i] = self.stack[i + 1]
            waiting -= waiting > 0
            k = elements(self.graph, v, w, self.near)
            size = self.logs[self.live[v]]
            for i in range(k):
                size += self.logs[self.live[self.near[i]]]
            total += exp(size)
            if total > bound:
                return NEVER
            self.trial[step] = v
            for j in range(w):
                self.trial_bags[v * w + j] = self.graph[v * w + j]
            grew = False
            for i in range(k):
                u = self.near[i]
                for j in range(self.near[0] >> 6, (self.near[k - 1] >> 6) + 1):
                    x = self.graph[v * w + j] & ~self.graph[u * w + j]
                    if u >> 6 == j:
                        x = x & (EVERY_BIT ^ bit(u))
                    if x != 0:
                        grew = True
                        self.graph[u * w + j] |= x
                self.graph[u * w + (v >> 6)] &= EVERY_BIT ^ bit(v)
                self.touched[u] = 1
            changed = k
            if grew and rule != WEIGHT:  # only new links change the fill of those two steps away
                for i in range(k):
                    t = elements(self.graph, self.near[i], w, self.far)
                    for j in range(t):
                        u = self.far[j]
                        if not self.touched[u]:
                            self.touched[u] = 1
                            self.near[changed] = u
                            changed += 1
            for i in range(changed):
                u = self.near[i]
                self.touched[u] = 0
                self.cost[u] = self.seeming(u, rule)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def order(self, asked_last: cython.bint) -> cython.double:
        """The best order found, in `sequence` and `bags`; returns the entries of all its tables."""
        rule: cython.Py_ssize_t
        tries: cython.Py_ssize_t = 0
        vain: cython.Py_ssize_t = 0
        best_rule: cython.Py_ssize_t = FILL
        total: cython.double
        best: cython.double = NEVER
        self.noise = 0.0
        self.chance = 1
        for rule in range(FILL, FILL_TIMES_SIZE + 1):
            if rule > FILL and best < LARGE:
                break
            total = self.greedy(rule, asked_last, best)
            if rule == FILL or total < best:
                best = total
                best_rule = rule
                self.take()
        if best >= LARGE:
            total = best * TRIES / self.left
            tries = cython.cast(cython.Py_ssize_t, total if total < MOST_TRIES else MOST_TRIES)
        self.noise = NOISE
        while tries > 0 and vain < IN_VAIN:
            tries -= 1
            vain += 1
            total = self.greedy(best_rule, asked_last, best)
            if total < best:
                if total < GAIN * best:
                    vain = 0
                best = total
                self.take()
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self) -> cython.void:
        """Keep the order just tried."""
        i: cython.Py_ssize_t
        for i in range(self.left):
            self.sequence[i] = self.trial[i]
        for i in range(self.left * self.words):
            self.bags[i] = self.trial_bags[i]
