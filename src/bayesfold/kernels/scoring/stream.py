"""Rows one at a time, straight into a tally and scored straight from it: no tables, no arrays made on the way."""

import cython
from cython.cimports.bayesfold.kernels.counting.moments import mean_and_squares, pair_product, pair_sum, two_product
from cython.cimports.bayesfold.kernels.scoring.densities import log_poisson, log_ratio, poisson_rate, variance_of
from cython.cimports.libc.math import log


@cython.cclass
class Stream:
    """A tally's flat arrays and where each column stands in them.

    Discrete column j has slots[j] slots of `groups` cells from first[j] on; real column j has its cells from cells[j]
    and its sums from sums[j] on, orders[j] a cell. `normal` and `poisson` name the real columns that are scored here,
    each with its prior and power.
    """

    counts: cython.longlong[::1]
    weights: cython.double[:, ::1]
    high: cython.double[::1]
    low: cython.double[::1]
    groups: cython.Py_ssize_t
    prior_alpha: cython.double
    first: cython.Py_ssize_t[::1]
    slots: cython.Py_ssize_t[::1]
    alpha: cython.double[::1]
    power: cython.double[::1]
    cells: cython.Py_ssize_t[::1]
    sums: cython.Py_ssize_t[::1]
    orders: cython.Py_ssize_t[::1]
    normal: cython.Py_ssize_t[::1]
    priors: cython.double[:, ::1]
    poisson: cython.Py_ssize_t[::1]
    rates: cython.double[:, ::1]
    scratch: cython.double[:, ::1]

    def __init__(self, arrays, groups, prior_alpha, discrete, real, normal, poisson, scratch):
        self.counts, self.weights, self.high, self.low = arrays
        self.groups = groups
        self.prior_alpha = prior_alpha
        self.first, self.slots, self.alpha, self.power = discrete
        self.cells, self.sums, self.orders = real
        self.normal, self.priors = normal
        self.poisson, self.rates = poisson
        self.scratch = scratch

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def mass(self, cell: cython.Py_ssize_t) -> cython.double:
        """The weight in a cell."""
        return self.weights[0, cell] if self.weights.shape[1] > 0 else self.counts[cell]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def count_cell(self, cell: cython.Py_ssize_t, weight: cython.double) -> cython.void:
        """One more row in a cell."""
        s: tuple[cython.double, cython.double]
        self.counts[cell] += 1
        if self.weights.shape[1] > 0:
            s = pair_sum(self.weights[0, cell], self.weights[1, cell], weight, 0.0)
            self.weights[0, cell] = s[0]
            self.weights[1, cell] = s[1]

    def learn(
        self,
        codes: cython.int[:, ::1],
        values: cython.double[:, ::1],
        group: cython.Py_ssize_t,
        weight: cython.double,
        most: cython.double,
    ) -> bool:
        """Count one row of known levels and finite numbers; False, and nothing changed, when a level is unseen."""
        j: cython.Py_ssize_t
        at: cython.Py_ssize_t
        a: cython.double
        p: tuple[cython.double, cython.double]
        s: tuple[cython.double, cython.double]
        for j in range(self.slots.shape[0]):
            if codes[0, j] >= self.slots[j]:
                return False
        self.count_cell(group, weight)
        for j in range(self.slots.shape[0]):
            self.count_cell(self.first[j] + codes[0, j] * self.groups + group, weight)
        for j in range(self.cells.shape[0]):
            a = values[0, j]
            if a != a:
                continue
            a = most if a > most else (-most if a < -most else a)
            self.count_cell(self.cells[j] + group, weight)
            at = self.sums[j] + self.orders[j] * group
            p = two_product(weight, a)
            s = pair_sum(self.high[at], self.low[at], p[0], p[1])
            self.high[at] = s[0]
            self.low[at] = s[1]
            if self.orders[j] == 2:
                p = pair_product(p[0], p[1], a, 0.0)
                s = pair_sum(self.high[at + 1], self.low[at + 1], p[0], p[1])
                self.high[at + 1] = s[0]
                self.low[at + 1] = s[1]
        return True

    def log_joint(self, codes: cython.int[:, ::1], values: cython.double[:, ::1], out: cython.double[:, ::1]) -> None:
        """out[0, k] += log P(class k) + log P(column | class k) of every column that is scored here.

        A negative prior_alpha says that the class has been added already.
        """
        g: cython.Py_ssize_t
        j: cython.Py_ssize_t
        n: cython.Py_ssize_t
        total: cython.double = 0.0
        if self.prior_alpha >= 0.0:
            for g in range(1, self.groups):
                total += self.mass(g)
            for g in range(1, self.groups):
                out[0, g - 1] += log_ratio(self.mass(g), total, self.groups - 1, self.prior_alpha)
        for j in range(self.slots.shape[0]):
            if 0 < codes[0, j] < self.slots[j]:
                self.add_discrete(j, codes[0, j], out)
        for n in range(self.normal.shape[0]):
            if values[0, self.normal[n]] == values[0, self.normal[n]]:
                self.add_normal(n, values[0, self.normal[n]], out)
        for n in range(self.poisson.shape[0]):
            if values[0, self.poisson[n]] == values[0, self.poisson[n]]:
                self.add_poisson(n, values[0, self.poisson[n]], out)

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_discrete(self, j: cython.Py_ssize_t, slot: cython.Py_ssize_t, out: cython.double[:, ::1]) -> cython.void:
        g: cython.Py_ssize_t
        r: cython.Py_ssize_t
        total: cython.double
        for g in range(1, self.groups):
            total = 0.0
            for r in range(1, self.slots[j]):
                total += self.mass(self.first[j] + r * self.groups + g)
            out[0, g - 1] += self.power[j] * log_ratio(
                self.mass(self.first[j] + slot * self.groups + g), total, self.slots[j] - 1, self.alpha[j]
            )

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_normal(self, n: cython.Py_ssize_t, x: cython.double, out: cython.double[:, ::1]) -> cython.void:
        """priors[n] = pseudo rows, ddof, added, power, 1 where x is a logarithm."""
        g: cython.Py_ssize_t
        at: cython.Py_ssize_t
        j: cython.Py_ssize_t = self.normal[n]
        w: cython.double
        wl: cython.double = 0.0
        v: cython.double = 0.0
        whole: cython.double
        mean: cython.double
        all_w: tuple[cython.double, cython.double] = (0.0, 0.0)
        p: tuple[cython.double, cython.double]
        s: tuple[cython.double, cython.double] = (0.0, 0.0)
        t: tuple[cython.double, cython.double] = (0.0, 0.0)
        for g in range(self.groups):
            at = self.sums[j] + 2 * g
            w = self.mass(self.cells[j] + g)
            if self.weights.shape[1] > 0:
                wl = self.weights[1, self.cells[j] + g]
            all_w = pair_sum(all_w[0], all_w[1], w, wl)
            s = pair_sum(s[0], s[1], self.high[at], self.low[at])
            t = pair_sum(t[0], t[1], self.high[at + 1], self.low[at + 1])
            p = mean_and_squares(w, wl, self.high[at], self.low[at], self.high[at + 1], self.low[at + 1])
            v += p[1]
            self.scratch[0, g] = p[0]
            self.scratch[1, g] = p[1]
        p = mean_and_squares(all_w[0], all_w[1], s[0], s[1], t[0], t[1])
        mean = p[0]
        w = all_w[0]
        whole = p[1] / w if w > 0.0 else 0.0
        v = v / w if w > 0.0 else 0.0
        v = whole / 1024 if v < whole / 1024 else v
        for g in range(1, self.groups):
            w = self.mass(self.cells[j] + g)
            whole = variance_of(w, self.scratch[1, g], v, self.priors[n, 0], self.priors[n, 1], self.priors[n, 2])
            w = x - (self.scratch[0, g] if w > 0.0 else mean)
            w = 0.5 * (w * w / whole)
            w = w if w < 1e290 else 1e290
            out[0, g - 1] += self.priors[n, 3] * (-0.5 * log(6.283185307179586 * whole) - w - self.priors[n, 4] * x)

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_poisson(self, n: cython.Py_ssize_t, x: cython.double, out: cython.double[:, ::1]) -> cython.void:
        """rates[n] = pseudo rows, power."""
        g: cython.Py_ssize_t
        j: cython.Py_ssize_t = self.poisson[n]
        r: cython.double = self.rates[n, 0]
        w: cython.double = 0.0
        mean: cython.double = 0.0
        rate: cython.double
        for g in range(self.groups):
            w += self.mass(self.cells[j] + g)
            mean += self.high[self.sums[j] + g]
        mean = mean / w if w > 0.0 else 0.0
        for g in range(1, self.groups):
            w = self.mass(self.cells[j] + g)
            rate = poisson_rate(self.high[self.sums[j] + g], w, r, mean)
            out[0, g - 1] += self.rates[n, 1] * log_poisson(rate, x)
