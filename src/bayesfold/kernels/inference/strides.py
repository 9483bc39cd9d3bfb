"""How a factor runs beside a clique's axes, as a record of the program.

record   kind, id, offset, level, inner axes, outer strides..., inner sizes..., inner strides...
"""

import cython
from cython.cimports.bayesfold.kernels.inference.bucket_tree import BucketTree
from cython.cimports.bayesfold.kernels.inference.program import (
    AXES,
    CLIQUE,
    DECIDED,
    HEADER,
    INNER,
    KIND,
    LIKELIHOOD,
    MESSAGE,
    MESSAGE_AT,
    OFFSET,
    RANK,
    RECORD,
    SEPARATOR,
    TABLE,
    WHICH,
)


@cython.cclass
class Strides(BucketTree):
    """Writes records."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_strides(self, kind: cython.Py_ssize_t, which: cython.Py_ssize_t, on: cython.bint) -> cython.void:
        """stride[u] of each variable of a factor (0 again when not `on`)."""
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        at: cython.Py_ssize_t
        width: cython.Py_ssize_t = 1
        if kind == TABLE and which < self.n:
            for t in range(self.graph.starts[which], self.graph.starts[which + 1]):
                u = self.graph.place[self.graph.members[t]]
                if u >= 0:
                    self.stride[u] = self.strides[t] if on else 0
        elif kind == MESSAGE:
            at = HEADER + which * CLIQUE
            t = self.program[at + AXES] + self.program[at + RANK] + self.program[at + SEPARATOR] - 1
            while t >= self.program[at + AXES] + self.program[at + RANK]:
                u = self.program[t]
                self.stride[u] = width if on else 0
                width *= self.graph.card[self.graph.live[u]]
                t -= 1
        else:
            self.stride[self.graph.place[which % self.n]] = 1 if on else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record(
        self,
        kind: cython.Py_ssize_t,
        which: cython.Py_ssize_t,
        axes: cython.Py_ssize_t,
        rank: cython.Py_ssize_t,
        outer: cython.Py_ssize_t,
        gap: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.void:
        """Write how a factor runs beside the axes, but for inner ones from the gap to its end.

        Neighbouring inner axes that one stride can serve become one.
        """
        a: cython.Py_ssize_t
        u: cython.Py_ssize_t
        size: cython.Py_ssize_t
        step: cython.Py_ssize_t
        inner: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = self.end
        self.set_strides(kind, which, True)
        self.program[at + KIND] = kind if which < self.n or kind == MESSAGE else LIKELIHOOD
        self.program[at + WHICH] = which if kind == MESSAGE else which % self.n
        if kind == MESSAGE:
            self.program[at + OFFSET] = self.program[HEADER + which * CLIQUE + MESSAGE_AT]
        else:
            self.program[at + OFFSET] = self.states[which % self.n]
        self.program[at + DECIDED] = 0
        for a in range(outer):
            u = self.program[axes + a]
            self.program[at + RECORD + a] = self.stride[u]
            if self.stride[u] != 0:
                self.program[at + DECIDED] = a
        at += RECORD + outer
        for a in range(outer, rank):
            u = self.program[axes + a]
            size = self.graph.card[self.graph.live[u]]
            step = self.stride[u]
            if size == 1 or gap <= a < end:
                continue
            if inner > 0 and self.run_step[inner - 1] == step * size:
                self.run_size[inner - 1] *= size
                self.run_step[inner - 1] = step
            else:
                self.run_size[inner] = size
                self.run_step[inner] = step
                inner += 1
        if inner == 0 or (inner == 1 and self.run_step[0] == 0):
            inner = 0
        else:
            self.program[at - outer - RECORD + DECIDED] = outer
        for a in range(inner):
            self.program[at + a] = self.run_size[a]
            self.program[at + inner + a] = self.run_step[a]
        self.program[at - outer - RECORD + INNER] = inner
        self.end = at + 2 * inner
        self.set_strides(kind, which, False)
