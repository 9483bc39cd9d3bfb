"""A tile that is a matrix product: its factors fall into two groups, and it is never written out.

With X the product of the one group and Y of the other, over axes i that X alone has, j that Y alone has, and k that
both have and the message has not:

    collecting     M[i, j] += sum over k of X[k, i] Y[k, j]
    going back     X[k, i] sum over j of Y[k, j] R[i, j]   and   Y[k, j] sum over i of X[k, i] R[i, j]

are what the returns and marginals of either group are sums of, R being what the parent returned. So an entry of the
clique costs one multiplication and one addition a pass, in the cache and side by side, whatever its factors are.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.contraction import contract
from cython.cimports.bayesfold.kernels.inference.factors import Factors
from cython.cimports.bayesfold.kernels.inference.program import (
    ADD,
    CLIQUE,
    COLLECT,
    HEADER,
    INNER,
    INPUTS,
    LEVELS_AT,
    MESSAGE_RECORD,
    OUTER,
    SET,
)


@cython.cclass
class Pair(Factors):
    """Multiplies two groups of factors."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pair(
        self,
        c: cython.Py_ssize_t,
        phase: cython.Py_ssize_t,
        records: cython.Py_ssize_t,
        scale: cython.double,
    ) -> cython.void:
        """One tile on the way up or back; X, Y, M or R, R turned, and sums for either group follow each other."""
        p: cython.Py_ssize_t
        q: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        outer: cython.Py_ssize_t = self.program[at + OUTER]
        inputs: cython.Py_ssize_t = self.program[at + INPUTS]
        message: cython.Py_ssize_t = self.program[at + MESSAGE_RECORD]
        levels: cython.Py_ssize_t = self.program[at + LEVELS_AT] + 2 * outer
        first: cython.Py_ssize_t = self.program[self.program[at + LEVELS_AT] + outer]
        middle: cython.Py_ssize_t = first + self.program[levels + 3]
        back: cython.Py_ssize_t = inputs + 1 + self.program[levels + 4]
        k: cython.Py_ssize_t = self.program[levels + 9]
        i: cython.Py_ssize_t = self.program[levels + 10]
        j: cython.Py_ssize_t = self.program[levels + 11]
        y: cython.Py_ssize_t = k * i
        m: cython.Py_ssize_t = y + k * j
        turned: cython.Py_ssize_t = m + i * j
        sums: cython.Py_ssize_t = turned + i * j
        self.multiply(SET, outer, first, middle, 0, k * i, scale)
        self.multiply(SET, outer, middle, inputs, y, k * j, 1.0)
        if phase == COLLECT:
            contract(self.width, self.tables, 0, 1, i, y, m, i, k, j)
            self.spill(ADD, message, outer, m, i * j, self.messages, self.shift[inputs])
            return
        if self.program[message + INNER] > 0:
            self.run(SET, message, outer, m, self.returns, self.shift[inputs], 1.0)
        else:  # it is a number, which the outer axes, if there are any, have multiplied in
            scale = self.returns[self.shift[inputs]] if outer == 0 else 1.0
            for p in range(m, m + i * j):
                self.tables[p] = scale
        if back > inputs + 1:
            for p in range(i):
                for q in range(j):
                    self.tables[turned + q * i + p] = self.tables[m + p * j + q]
            contract(self.width, self.tables, y, j, 1, turned, sums, k, j, i)
            for p in range(k * i):
                self.tables[sums + p] *= self.tables[p]
            self.give(outer, inputs + 1, back, sums, k * i)
        if records > back:
            contract(self.width, self.tables, 0, i, 1, m, sums, k, i, j)
            for p in range(k * j):
                self.tables[sums + p] *= self.tables[y + p]
            self.give(outer, back, records, sums, k * j)
