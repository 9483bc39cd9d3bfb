"""The weigher's problem: its value and derivatives at some weights, Newton's step, and each row left out of the answer.

>>> T = np.log([[[0.9, 0.1]], [[0.2, 0.8]]])
>>> problem = Problem(T, np.array([0, 1]), None, start=1.0, ridge=1.0, bias_ridge=np.inf, nonnegative=False)
>>> round(problem.at(problem.start).value, 3)                                      # -log .9 - log .8
0.329
"""

from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.scoring import weigher
from bayesfold.runtime.threads import spread

LEAST_RIDGE = 1e-12
"""... of the weight of all rows, so that no direction is flat."""

ENTRIES = 1 << 21
"""Numbers worked on at once."""

TOGETHER = 1 << 17
"""Entries of the rows whose derivatives are summed in one go: so many stay in the cache."""

A_HESSIAN = 4
"""... and at least so many for each entry of the second derivatives: adding these up must not be most of the work."""

FEW_WEIGHTS = 32
"""Weights of which a loop finds the step before a library that is made for large matrices has begun."""

LIKELY = 64
"""Classes of a row that move when it is left out: the most likely ones and its own. The others have hardly a say."""

FARTHEST = 1e100
"""How much more a part may say of one class than of another: products of two that say more would be infinite."""


def weighed(T: Floats, weights: Floats) -> Floats:
    """sum_q w_q T[:, q, :]."""
    return np.asarray(np.matmul(weights, T))


def within_reach(T: Floats) -> Floats:
    """T, where a part says too much less a constant for each row and part, which changes no posterior.

    >>> within_reach(np.array([[[1e300, 3e300]], [[0.0, 1.0]]])).tolist()
    [[[-1e+100, 0.0]], [[-1.0, 0.0]]]
    """
    if not T.size or (T.max() <= FARTHEST and T.min() >= -FARTHEST):
        return T
    with np.errstate(over="ignore"):
        return np.asarray(np.maximum(T - T.max(axis=2, keepdims=True), -FARTHEST))


@dataclass(frozen=True)
class Here:
    """A problem at some weights: what is minimised, its derivatives, the posteriors."""

    value: float
    gradient: Floats
    H: Floats
    P: Floats


class Problem:
    """One concave problem: its value, derivatives, and the closed-form leave-one-out at its solution."""

    def __init__(
        self,
        T: Floats,
        y: NDArray[np.intp],
        weight: Floats | None,
        start: Floats | float,
        ridge: Floats | float,
        bias_ridge: float,
        nonnegative: bool,
    ) -> None:
        self.T, self.y = np.ascontiguousarray(within_reach(T)), np.ascontiguousarray(y, np.intp)
        self.rows, self.parts, self.classes = T.shape
        self.weight = np.ones(self.rows) if weight is None else np.ascontiguousarray(weight)
        none = np.zeros(self.classes)
        self.start = np.concatenate([np.broadcast_to(start, (self.parts,)), none])
        self.free = np.concatenate([np.full(self.parts, not nonnegative), none == 0])
        self.above = ~np.tri(len(self.start), dtype=bool)  # the kernel fills what is below the diagonal
        self.asked: tuple[NDArray[np.intp], Floats] | None = None
        self._pull_to_start(ridge, bias_ridge)

    def _pull_to_start(self, ridge: Floats | float, bias_ridge: float) -> None:
        """Take over the ridges, and what of the problem depends on them."""
        pull = np.empty(len(self.start))
        pull[: self.parts], pull[self.parts :] = ridge, bias_ridge
        least = LEAST_RIDGE * self.weight.sum()  # beside huge weights less would be lost to rounding
        self.ridge = np.maximum(pull, least)
        self.fixed = np.isinf(self.ridge)
        self.bounded = not self.free.all() or bool(self.fixed.any())
        self.pull = np.where(self.fixed, 0.0, self.ridge)
        self.bend = np.diag(self.pull + 1e-9)

    def with_ridge(self, ridge: float, bias_ridge: float) -> "Problem":
        """The same rows under other ridges."""
        other = copy(self)
        other._pull_to_start(ridge, bias_ridge)
        return other

    def inside(self, w: Floats) -> Floats:
        """The nearest weights that are allowed."""
        if not self.bounded:
            return w
        return np.where(self.fixed, self.start, np.where(self.free, w, np.maximum(w, 0.0)))

    def at(self, w: Floats) -> Here:
        """The problem at these weights, summed block by block."""
        P, away = np.empty((self.rows, self.classes)), w - self.start
        gradient, H = self.pull * away, self.bend.copy()
        value, entries = 0.5 * float(gradient @ away), max(1, self.parts * self.classes)
        step = max(64, TOGETHER // entries, A_HESSIAN * len(w) ** 2 // entries)
        if self.rows <= step:
            value += self._add(w, 0, self.rows, P, gradient, H)
            return Here(value, gradient, np.where(self.above, H.T, H), P)

        def block(begin: int, end: int) -> tuple[float, Floats, Floats]:
            slope, bend = np.zeros_like(gradient), np.zeros_like(H)
            return self._add(w, begin, end, P, slope, bend), slope, bend

        for more, slope, bend in spread(block, self.rows, step):
            value, gradient, H = value + more, gradient + slope, H + bend
        return Here(value, gradient, np.where(self.above, H.T, H), P)

    def _add(self, w: Floats, begin: int, end: int, P: Floats, gradient: Floats, H: Floats) -> float:
        """The loss of some rows; their posteriors are filled in, their derivatives added."""
        rows = (self.T, self.y, self.weight, w, begin, end)
        Z = np.empty(((end - begin) * self.classes, self.parts))
        scratch = np.empty(self.parts), np.empty(self.classes, np.intp)
        value, held = weigher.newton(*rows, *scratch, Z, P, gradient, H)
        H[: self.parts, : self.parts] += Z[:held].T @ Z[:held]
        return float(value)

    def moving(self, w: Floats, here: Here) -> NDArray[np.intp]:
        """The weights that may move."""
        if not self.bounded:
            return np.arange(len(w))
        return np.flatnonzero(~self.fixed & (self.free | (w > 0) | (here.gradient < 0)))

    def step(self, w: Floats, here: Here) -> Floats:
        """Newton's step, to be subtracted, of the weights that may move."""
        on, step = self.moving(w, here), np.zeros(len(w))
        few = len(on) <= FEW_WEIGHTS
        if few and weigher.step(here.H, here.gradient, on, np.empty((len(on), len(on))), step):
            return step
        which = np.ix_(on, on) if len(on) < len(w) else ...
        step[on] = np.linalg.solve(here.H[which], here.gradient[on])
        return step

    def left_out(self, w: Floats, here: Here, rows: NDArray[np.intp], gone: Floats) -> Floats:
        """The logits of some rows, each after one Newton step of the problem without it, or what is gone of it.

        With J the row's parts and the identity, S = J' H^-1 J, A = diag(p) - p p', g = p - e_y, the logits move by
        S (I - A S)^-1 g.
        """
        q, likely = self.parts, min(self.classes, LIKELY)
        on = self.moving(w, here)
        on = on[self.free[on] | (w[on] > 0)]  # a weight at its bound does not move
        inverse = np.zeros((q + self.classes, q + self.classes))
        which = np.ix_(on, on) if len(on) < len(w) else ...
        inverse[which] = np.linalg.inv(here.H[which])
        logits = np.empty((len(rows), self.classes))
        step = max(1, ENTRIES // ((q + self.classes) * likely))
        for begin in range(0, len(rows), step):
            some, to = rows[begin : begin + step], logits[begin : begin + step]
            T = self._by_class(some)
            flat = T.reshape(to.size, q)
            np.add((flat @ w[:q]).reshape(to.shape), w[q:], out=to)
            if likely < self.classes:
                to += self._moved_by_likely(T, some, inverse, gone[some], here.P[some])
            else:
                M = (flat @ inverse[:q]).reshape(*to.shape, len(w))
                rest, scratch = np.ascontiguousarray(inverse[q:, q:]), np.empty((2, self.classes, self.classes + 1))
                weigher.leave_out(T, M, rest, self.y[some], gone[some], here.P[some], scratch, to)
        return logits

    def _by_class(self, rows: NDArray[np.intp]) -> Floats:
        """[row, class, part] of some rows; those asked for last are kept, for the next ridge asks for the same."""
        if self.asked is None or not np.array_equal(self.asked[0], rows):
            self.asked = rows, np.ascontiguousarray(np.moveaxis(self.T[rows], 2, 1))
        return self.asked[1]

    def _moved_by_likely(self, T: Floats, rows: NDArray[np.intp], inverse: Floats, gone: Floats, p: Floats) -> Floats:
        """The same of many classes: A and g are taken to be 0 but for the likeliest classes and the row's own."""
        q, own = self.parts, self.y[rows]
        first = p.copy()
        first[np.arange(len(rows)), own] = np.inf
        at = np.argpartition(-first, LIKELY - 1, axis=1)[:, :LIKELY]
        near, p = np.take_along_axis(T, at[:, :, None], 1), np.take_along_axis(p, at, 1)
        # S = J' H^-1 J is needed among the likely classes, and of all classes only its product with one vector
        M = inverse[:q, :q] @ near.transpose(0, 2, 1) + inverse[:q, q:][:, at].transpose(1, 0, 2)  # [row, part, likely]
        among = near @ M + inverse[q:, :q][at] @ near.transpose(0, 2, 1) + inverse[q + at[:, :, None], q + at[:, None]]
        among *= gone[:, None, None]
        eye = np.eye(LIKELY)
        A = p[:, :, None] * eye - p[:, :, None] * p[:, None, :]
        g = (p - (at == own[:, None]))[:, :, None]
        v = gone[:, None, None] * np.linalg.solve(eye * (1 + 1e-9) - A @ among, g)
        spread = np.zeros((len(rows), self.classes))
        np.put_along_axis(spread, at, v[:, :, 0], 1)
        by_part = (near.transpose(0, 2, 1) @ v)[:, :, 0]
        moved: Floats = (T @ (M @ v))[:, :, 0] + by_part @ inverse[:q, q:] + spread @ inverse[q:, q:]
        return moved
