"""A plan's cliques, laid out one by one: the records of what flows into each, of its message, and of the way back.

    levels   the first input of each level (outer axes, then the tile), the outer axes' sizes, axes of the lead, from
             which axis on inputs of the tile stay the same (or -1), inputs of the first group, returns of the first
             group, the lead, whether tiles are lines (1: collecting, 2: on the way back too), where rows and columns
             of a matrix product begin, its sizes: sums (0 if it is none), rows, columns

Inputs of the tile fall into two groups: those that stay the same along the last outer axes, or have no axis among the
columns of a matrix product, and the others.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.program import (
    AXES,
    CLIQUE,
    HEADER,
    INNER,
    INPUTS,
    INPUTS_AT,
    LENGTH,
    LEVELS,
    LEVELS_AT,
    MARGINAL,
    MAXIMISE,
    MESSAGE,
    MESSAGE_RECORD,
    OUTER,
    RANK,
    RECORD,
    RETURNS,
    RETURNS_AT,
    SEPARATED,
    SEPARATED_AT,
    SEPARATOR,
    TABLE,
)
from cython.cimports.bayesfold.kernels.inference.shape import Shape


@cython.cclass
class Layout(Shape):
    """Lays out the cliques of a tree just prepared, one by one as what flows into them is known."""

    def lay_out(self):
        """Finish the program without running it."""
        c: cython.Py_ssize_t
        with cython.nogil:
            for c in range(self.cliques):
                self.inputs(c)
            self.finish()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def in_first(
        self,
        kind: cython.Py_ssize_t,
        which: cython.Py_ssize_t,
        axes: cython.Py_ssize_t,
        rank: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether a factor belongs to the first group."""
        a: cython.Py_ssize_t
        begin: cython.Py_ssize_t = self.columns_at if self.sums > 0 else self.same
        end: cython.Py_ssize_t = rank if self.sums > 0 else outer
        belongs: cython.bint = begin >= 0
        if belongs:
            self.set_strides(kind, which, True)
            for a in range(begin, end):
                if self.stride[self.program[axes + a]] != 0:
                    belongs = False
            self.set_strides(kind, which, False)
        return belongs

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def inputs(self, c: cython.Py_ssize_t) -> cython.void:
        """Records of what is multiplied, those that an outer axis decides first; then of the message."""
        f: cython.Py_ssize_t
        i: cython.Py_ssize_t
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        level: cython.Py_ssize_t
        outer: cython.Py_ssize_t
        lead: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at + AXES]
        rank: cython.Py_ssize_t = self.program[at + RANK]
        f = self.head[c]
        while f >= 0:
            self.kinds[count] = TABLE
            self.ids[count] = f
            count += 1
            f = self.following[f]
        f = self.child[c]
        while f >= 0:
            self.kinds[count] = MESSAGE
            self.ids[count] = f
            count += 1
            f = self.sibling[f]
        self.shape(c, count)
        outer = self.program[at + OUTER]
        for i in range(count):
            self.levels[i] = outer
            if outer > 0:
                self.set_strides(self.kinds[i], self.ids[i], True)
                self.levels[i] = 0
                for a in range(rank):
                    f = self.program[axes + a]
                    if self.stride[f] != 0 and self.graph.card[self.graph.live[f]] > 1:
                        self.levels[i] = a if a < outer else outer
                self.set_strides(self.kinds[i], self.ids[i], False)
        level = self.end
        self.program[at + LEVELS_AT] = level
        self.end += 2 * outer + LEVELS
        for a in range(outer):
            self.program[level + outer + 1 + a] = self.graph.card[self.graph.live[self.program[axes + a]]]
        self.program[at + INPUTS_AT] = self.end
        self.program[at + INPUTS] = count
        f = 0
        for a in range(outer + 1):
            self.program[level + a] = f
            for i in range(count):
                if self.levels[i] == a and (a < outer or self.in_first(self.kinds[i], self.ids[i], axes, rank, outer)):
                    self.record(self.kinds[i], self.ids[i], axes, rank, outer, self.columns_at, rank)
                    f += 1
        lead = self.program[level + self.levels[0]]
        i = f - self.program[level + outer]
        if i == 0:
            self.same = -1
        for a in range(count):
            if self.levels[a] == outer and not self.in_first(self.kinds[a], self.ids[a], axes, rank, outer):
                self.record(self.kinds[a], self.ids[a], axes, rank, outer, self.rows_at, self.columns_at)
        level += 2 * outer + 1
        self.program[level] = self.lead
        self.program[level + 1] = self.same
        self.program[level + 2] = i
        self.program[level + 4] = lead
        self.program[level + 6] = self.rows_at
        self.program[level + 7] = self.columns_at
        self.program[level + 8] = self.sums
        self.program[level + 9] = self.rows
        self.program[level + 10] = self.columns
        self.program[at + MESSAGE_RECORD] = self.end
        self.record(MESSAGE, c, axes, rank, outer, outer if self.sums > 0 else rank, self.rows_at)
        f = self.program[at + MESSAGE_RECORD]
        self.program[level + 5] = self.lead > 0 and not self.program[at + MAXIMISE] and self.program[f + INNER] <= 1
        f = self.program[at + INPUTS_AT]
        for _ in range(count):
            if self.program[f + INNER] > 1:
                self.program[level + 5] = 0
            f += RECORD + outer + 2 * self.program[f + INNER]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def outputs(self, c: cython.Py_ssize_t) -> cython.void:
        """Records of what is summed on the way back: each child's separator, and marginals with no smaller table."""
        _: cython.Py_ssize_t
        a: cython.Py_ssize_t
        u: cython.Py_ssize_t
        gap: cython.Py_ssize_t
        end: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        axes: cython.Py_ssize_t = self.program[at + AXES]
        rank: cython.Py_ssize_t = self.program[at + RANK]
        outer: cython.Py_ssize_t = self.program[at + OUTER]
        levels: cython.Py_ssize_t = self.program[at + LEVELS_AT] + 2 * outer + 1
        stay: cython.bint = True
        self.same = self.program[levels + 1]
        self.rows_at = self.program[levels + 6]
        self.columns_at = self.program[levels + 7]
        self.sums = self.program[levels + 8]
        self.program[at + RETURNS_AT] = self.end
        self.program[at + RETURNS] = 0
        while True:  # those of the first group, then the others, which leave out its rows
            gap = self.columns_at if stay else self.rows_at
            end = rank if stay else self.columns_at
            u = self.child[c]
            while u >= 0:
                if self.in_first(MESSAGE, u, axes, rank, outer) == stay:
                    self.record(MESSAGE, u, axes, rank, outer, gap, end)
                    self.program[at + RETURNS] += 1
                u = self.sibling[u]
            for a in range(rank):
                u = self.program[axes + a]
                if self.where[u] == c and self.in_first(MARGINAL, self.graph.live[u], axes, rank, outer) == stay:
                    self.record(MARGINAL, self.graph.live[u], axes, rank, outer, gap, end)
                    self.program[at + RETURNS] += 1
            if not stay:
                break
            self.program[levels + 3] = self.program[at + RETURNS]
            stay = False
        if self.program[levels + 5] == 1:
            self.program[levels + 5] = 2
            u = self.program[at + RETURNS_AT]
            for _ in range(self.program[at + RETURNS]):
                if self.program[u + INNER] > 1:
                    self.program[levels + 5] = 1
                u += RECORD + outer + 2 * self.program[u + INNER]
        self.program[at + SEPARATED_AT] = self.end
        self.program[at + SEPARATED] = 0
        for a in range(self.program[at + SEPARATOR]):
            u = self.program[axes + rank + a]
            if self.where[u] == self.cliques + c:
                self.record(MARGINAL, self.graph.live[u], axes + rank, self.program[at + SEPARATOR], 0, 0, 0)
                self.program[at + SEPARATED] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def finish(self) -> cython.void:
        """Lay out the way back, and name variables by their numbers in the network."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        if self.marginals:
            for c in range(self.cliques):
                self.outputs(c)
        for c in range(self.cliques):
            i = HEADER + c * CLIQUE
            for v in range(
                self.program[i + AXES], self.program[i + AXES] + self.program[i + RANK] + self.program[i + SEPARATOR]
            ):
                self.program[v] = self.graph.live[self.program[v]]
        self.program[LENGTH] = self.end
