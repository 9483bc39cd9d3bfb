"""Run a bucket tree's program: messages to the root, and back to every clique.

Collecting, each clique's product is summed onto its separator, the message, scaled to sum to one with the log kept.
Going back, the parent's sum onto the separator over the message is one more factor.
"""

import cython
from cython.cimports.bayesfold.kernels.inference.program import (
    ABOVE,
    ADD,
    AXES,
    CLIQUE,
    CLIQUES,
    COLLECT,
    CONSTANTS,
    CONSTANTS_AT,
    DISTRIBUTE,
    HEADER,
    INNER,
    INPUTS,
    MAXIMISE,
    MESSAGE_AT,
    MESSAGE_ENTRIES,
    MESSAGES,
    OFFSET,
    OUTER,
    RANK,
    RECORD,
    SEPARATED,
    SEPARATED_AT,
    SEPARATOR,
    TRACE,
)
from cython.cimports.bayesfold.kernels.inference.sweep import Sweep
from cython.cimports.bayesfold.kernels.inference.walk import walk
from cython.cimports.libc.math import log

IMPOSSIBLE = cython.declare(cython.double, float("-inf"))


@cython.cclass
class Propagation(Sweep):
    """Sweeps over all cliques, in order."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def constants(self, program: cython.Py_ssize_t[::1]) -> cython.double:
        """Begin a program: the log of all factors with nothing free, minus infinity when one is zero."""
        i: cython.Py_ssize_t
        v: cython.Py_ssize_t
        z: cython.double
        total: cython.double = 0.0
        self.program = program
        for i in range(program[CONSTANTS_AT], program[CONSTANTS_AT] + program[CONSTANTS]):
            v = program[i]
            if v < self.n:
                z = self.values[self.base(v)]
            else:
                z = self.likelihood[self.states[v - self.n] + self.code[v - self.n]]
            if z <= 0.0:
                return IMPOSSIBLE
            total += log(z)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def collect(self, program: cython.Py_ssize_t[::1]) -> cython.double:
        """Messages from the leaves to the roots; log P(evidence), minus infinity when it is impossible."""
        c: cython.Py_ssize_t
        z: cython.double
        total: cython.double = self.constants(program)
        if total == IMPOSSIBLE:
            return total
        for c in range(program[CLIQUES]):
            z = self.gather(program, c)
            if not z > 0.0:
                return IMPOSSIBLE
            total += log(z)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(self, program: cython.Py_ssize_t[::1], c: cython.Py_ssize_t) -> cython.double:
        """One clique's message, scaled to sum to one (or to a maximum of one); returns what it was divided by."""
        v: cython.Py_ssize_t
        at: cython.Py_ssize_t = HEADER + c * CLIQUE
        begin: cython.Py_ssize_t = program[at + MESSAGE_AT]
        end: cython.Py_ssize_t = begin + program[at + MESSAGE_ENTRIES]
        z: cython.double = 0.0
        x: cython.double
        y: cython.double
        w: cython.double
        for v in range(begin, end):
            self.messages[v] = 0.0
        self.sweep(c, COLLECT)
        if program[at + MAXIMISE]:
            for v in range(begin, end):
                z = self.messages[v] if self.messages[v] > z else z
        else:
            x = y = w = 0.0  # four sums: additions do not wait for each other
            for v in range(begin, end - 3, 4):
                z += self.messages[v]
                x += self.messages[v + 1]
                y += self.messages[v + 2]
                w += self.messages[v + 3]
            for v in range(end - (end - begin) % 4, end):
                z += self.messages[v]
            z = (z + x) + (y + w)
        if z > 0.0:
            x = 1.0 / z
            for v in range(begin, end):
                self.messages[v] *= x
        return z

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def distribute(self, program: cython.Py_ssize_t[::1], out: cython.double[::1]) -> cython.void:
        """Back from the roots; marginals of all variables, observed ones included, into `out`."""
        _: cython.Py_ssize_t
        rank: cython.Py_ssize_t
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        z: cython.double
        self.out = out
        for v in range(program[MESSAGES]):
            self.returns[v] = 0.0
        for v in range(self.states[self.n]):
            out[v] = 0.0
        c = program[CLIQUES] - 1
        while c >= 0:
            i = HEADER + c * CLIQUE
            begin = program[i + MESSAGE_AT]
            end = begin + program[i + MESSAGE_ENTRIES]
            if program[i + ABOVE] >= 0:
                j = program[i + SEPARATED_AT]
                for _ in range(program[i + SEPARATED]):
                    rank = program[j + INNER]
                    if rank == 0:  # a variable of one state
                        out[program[j + OFFSET]] = 1.0
                    else:
                        walk(
                            ADD, self.returns, begin, 0, program, j + RECORD, rank, out, program[j + OFFSET], 1.0,
                            self.index,
                        )  # fmt: skip
                    j += RECORD + 2 * program[j + INNER]
                z = 0.0
                for v in range(begin, end):
                    z += self.returns[v]
                z = 1.0 / z
                for v in range(begin, end):
                    if self.messages[v] > 0.0:
                        self.returns[v] = self.returns[v] * z / self.messages[v]
                    else:
                        self.returns[v] = 0.0
            else:
                self.returns[begin] = 1.0
            self.sweep(c, DISTRIBUTE)
            c -= 1
        for v in range(self.n):
            begin = self.states[v]
            if self.code[v] >= 0:
                out[begin + self.code[v]] = 1.0
                continue
            z = 0.0
            for i in range(begin, self.states[v + 1]):
                z += out[i]
            z = 1.0 / z
            for i in range(begin, self.states[v + 1]):
                out[i] *= z
        self.out = self.messages  # not to keep the caller's array alive

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def trace(self, program: cython.Py_ssize_t[::1], answer: cython.Py_ssize_t[::1]) -> cython.void:
        """From the roots down, the states that reach the maximum, given those already chosen."""
        c: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        v: cython.Py_ssize_t
        width: cython.Py_ssize_t
        axes: cython.Py_ssize_t
        rank: cython.Py_ssize_t
        outer: cython.Py_ssize_t
        c = program[CLIQUES] - 1
        while c >= 0:
            i = HEADER + c * CLIQUE
            axes = program[i + AXES]
            rank = program[i + RANK]
            outer = program[i + OUTER]
            if program[i + MAXIMISE]:
                self.wanted = program[i + MESSAGE_AT]
                width = 1
                j = program[i + SEPARATOR] - 1
                while j >= 0:
                    v = program[axes + rank + j]
                    self.wanted += answer[v] * width
                    width *= self.states[v + 1] - self.states[v]
                    j -= 1
                self.best = 0.0
                self.inputs = program[i + INPUTS]
                self.sweep(c, TRACE)
                j = rank - 1
                while j >= outer:
                    v = program[axes + j]
                    width = self.states[v + 1] - self.states[v]
                    answer[v] = self.best_at % width
                    self.best_at = self.best_at // width
                    j -= 1
                for j in range(outer):
                    answer[program[axes + j]] = self.best_turn[j]
            c -= 1
