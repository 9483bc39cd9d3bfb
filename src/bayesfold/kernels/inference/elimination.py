"""In which order to eliminate the variables that a query needs.

Orders are greedy: no rule wins everywhere, so a plan that is large is tried by four of them, or by an order known to be
good for the whole network, and by two of the rules again with noise.
"""

import cython
from cython.cimports.bayesfold.kernels.bits import bit
from cython.cimports.bayesfold.kernels.inference.moral import Moral
from cython.cimports.libc.math import exp

FILL = cython.declare(cython.Py_ssize_t, 0)  # fewest new links
WEIGHT = cython.declare(cython.Py_ssize_t, 1)  # smallest table
WEIGHTED_FILL = cython.declare(cython.Py_ssize_t, 2)  # fewest new pairs of states
FILL_TIMES_SIZE = cython.declare(cython.Py_ssize_t, 3)
KNOWN = cython.declare(cython.Py_ssize_t, 4)  # the place in an order that is given

PAIRS = cython.declare(cython.ulonglong, 0x5555555555555555)
NIBBLES = cython.declare(cython.ulonglong, 0x3333333333333333)
BYTES = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
EVERY_BYTE = cython.declare(cython.ulonglong, 0x0101010101010101)
EVERY_BIT = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
LARGE = cython.declare(cython.double, 3e4)  # entries from which planning longer pays
TRIES = cython.declare(cython.double, 1e-4)  # more tries an entry, over variables and words left
MOST_TRIES = cython.declare(cython.double, 8.0)  # more tries at most, for each that may be in vain
GAIN = cython.declare(cython.double, 0.99)
NOISE = cython.declare(cython.double, 1.0)  # a price may seem dearer by this share
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
class Elimination(Moral):
    """The best order found: `sequence`, and bags[i], the neighbours that i has when it is eliminated.

    dear: how many times an entry costs what it costs in a query by itself. patience: so many tries in a row may gain
    next to nothing. known[v]: the place of a variable in an order that is good for the whole network; empty if there
    is none.
    """

    def strive(self, dear, patience, known):
        """Plan as carefully as it pays from now on."""
        self.dear, self.patience, self.known = dear, patience, known

    def search(self, places):
        """Find an order of all that is not observed; where each variable stands in it, those observed last."""
        i: cython.Py_ssize_t
        self.relevant(True, 0)
        self.moralise(False)
        self.order(False)
        for i in range(self.n):
            places[i] = self.n
        for i in range(self.left):
            places[self.live[self.sequence[i]]] = i

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
        if rule == KNOWN:
            return self.known[self.live[v]]
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
        self.filled = False
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
            self.filled |= grew
            if grew and rule != WEIGHT and rule != KNOWN:  # only new links change the fill of those two steps away
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
        tries: cython.Py_ssize_t
        vain: cython.Py_ssize_t = 0
        knows: cython.bint = self.known.shape[0] > 0
        quick: cython.bint = knows and self.words > 1 and 2 * self.left > self.n  # it is an order of nearly the same
        total: cython.double
        best: cython.double
        self.noise = 0.0
        self.chance = 1
        best = self.greedy(KNOWN if quick else FILL, asked_last, NEVER)
        self.take()
        if best * self.dear < LARGE or not self.filled:  # without a new link every clique is one of the network's own
            return best
        total = best * self.dear * TRIES / (self.left * self.words)
        tries = cython.cast(cython.Py_ssize_t, min(total, MOST_TRIES * self.patience))
        for rule in range(FILL, KNOWN + 1):
            if (tries > 0 and rule == FILL) if quick else (rule == KNOWN if knows else FILL < rule < KNOWN):
                total = self.greedy(rule, asked_last, best)
                if total < best:
                    best = total
                    self.take()
        self.noise = NOISE
        while tries > 0 and vain < self.patience:
            total = self.greedy(FILL if tries & 1 else WEIGHTED_FILL, asked_last, best)
            tries -= 1
            vain += 1
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
