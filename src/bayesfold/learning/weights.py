"""The only weigher: how much each part of a model should say, fitted on what the parts say of rows they have not seen.

T[row, part, class] is what a part (a column, a node, a super-parent, a whole model) says of a row that is left out of
its statistic. The weights maximise

    sum_i v_i log softmax_c( sum_q w_q T[i, q, c] + b_c ) - ridge/2 |w - start|^2 - bias_ridge/2 |b|^2,

a concave problem with one answer, found by a few Newton steps. What the fit would say of row i had it been fitted
without row i is one more Newton step in closed form, and that chooses the ridge. One part: temperature scaling; a
column a part: weighted naive Bayes; a model a part: stacking. The answer is a sum of the parts' log odds, so
explanations still add up.

>>> T = np.log([[[0.9, 0.1]], [[0.9, 0.1]], [[0.9, 0.1]], [[0.1, 0.9]]])          # 90 % sure, right 3 times of 4
>>> found = pool(T, np.array([0, 0, 1, 1]), start=1.0, ridge=0.1, bias_ridge=np.inf)
>>> found.weights.round(2)                                                         # so it should be less sure
array([0.51])
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.scoring import softmax, weigher
from bayesfold.runtime.threads import spread

NO_WEIGHT = np.empty(0)
LEAST_RIDGE = 1e-12
"""... of the weight of all rows, so that no direction is flat."""

STEPS = 50
ASKED = 2_048
"""Rows left out of the weights to compare two ridges."""

SQUARES = 1 << 19
"""... and fewer where there are many classes: each row asked costs a system of classes x classes."""

ENTRIES = 1 << 21
"""Numbers worked on at once."""

TOGETHER = 1 << 17
"""Entries of the rows whose derivatives are summed in one go: so many stay in the cache."""

SURENESS = 30.0
"""The pull that keeps an exponent from rising above 1 where rows are few."""


FARTHEST = 1e100
"""What a part says beyond this is no more: products of what two say would be infinite."""


@dataclass(frozen=True)
class Pooled:
    """A weight for each part, a bias for each class, and the rows' logits as if each had not been there."""

    weights: Floats
    bias: Floats
    held_out: Floats
    loss: float  # the held-out logits' mean log-loss
    ridge: float

    def logits(self, T: Floats) -> Floats:
        """What the weighed parts say of other rows."""
        return weighed(T, self.weights) + self.bias


def pool(
    T: Floats,
    y: NDArray[np.intp],
    weight: Floats | None = None,
    *,
    start: Floats | float = 1.0,
    ridge: Floats | float = 1.0,
    bias_ridge: float = 1.0,
    nonnegative: bool = False,
    near: Pooled | None = None,
    asked: int | None = None,
    gone: Floats | None = None,
) -> Pooled:
    """The best weights under one ridge; `near` is where to begin looking, bias_ridge=inf keeps the bias at 0.

    `gone` is how much of each row is left out of the weights that judge it, None: all of it. `held_out` are `asked`
    rows, evenly spread, or all.
    """
    problem = Problem(T, y, weight, start, ridge, bias_ridge, nonnegative)
    w = problem.start.copy() if near is None else np.concatenate([near.weights, near.bias])
    here = problem.at(w)
    for _ in range(STEPS):
        on = problem.moving(w, here)
        step = np.zeros_like(w)
        step[on] = np.linalg.solve(here.H[np.ix_(on, on)], here.gradient[on])
        gain = 0.0
        for half in 0.5 ** np.arange(40):
            nearer = problem.inside(w - half * step)
            there = problem.at(nearer)
            if there.value <= here.value:
                gain, w, here = here.value - there.value, nearer, there
                break
        if gain <= 1e-9 * max(1.0, abs(here.value)):
            break
    parts = T.shape[1]
    rows = np.arange(len(y)) if asked is None else np.arange(0, len(y), max(1, -(-len(y) // max(asked, 1))))[:asked]
    held_out = problem.left_out(w, here, rows, problem.weight if gone is None else gone)
    loss = log_loss(held_out, y[rows], None if weight is None else weight[rows]) if len(rows) else np.nan
    return Pooled(w[:parts], w[parts:], held_out, loss, float(np.max(ridge)) if np.size(ridge) else 0.0)


def best_pool(
    T: Floats,
    y: NDArray[np.intp],
    weight: Floats | None = None,
    *,
    start: Floats | float = 1.0,
    ridges: Sequence[float] = (30.0, 10.0, 3.0, 1.0, 0.3),
    bias_ridge: float = 1.0,
    nonnegative: bool = False,
    hurried: bool = False,
    gone: Floats | None = None,
) -> Pooled:
    """The pool whose ridge gives the least held-out log-loss, the strongest where that is equal.

    If `hurried`, weaker ridges are tried only until one is no better.
    """
    best: Pooled | None = None
    near: Pooled | None = None
    asked = min(ASKED, max(256, SQUARES // T.shape[2] ** 2))
    for ridge in sorted(ridges, reverse=True):
        near = pool(
            T,
            y,
            weight,
            start=start,
            ridge=ridge,
            bias_ridge=bias_ridge,
            nonnegative=nonnegative,
            near=near,
            asked=asked,
            gone=gone,
        )
        if best is None or near.loss < best.loss - 1e-9:
            best = near
        elif hurried:
            break
    assert best is not None, "no ridge to try"
    return best


def temperature(log_joint: Floats, y: NDArray[np.intp], weight: Floats | None = None) -> float:
    """The exponent under which held-out posteriors are as sure as they are right; at least 0."""
    return float(softmax.temperature(*plain(log_joint, y, weight), np.empty((2, 3))))


def earned_temperature(log_joint: Floats, y: NDArray[np.intp], weight: Floats | None = None) -> float:
    """The same, but surer than the model itself (above 1) only as far as many rows ask for it.

    Few rows without a hard one among them ask for any sureness, and the next hard row pays for it. Near its best
    exponent w the loss is a parabola of curvature h, so a pull of r to 1 leaves 1 + (w - 1) h / (h + r).

    >>> scores = np.array([[3.0, 0.0], [0.0, 3.0], [2.0, 0.0]])
    >>> [round(found(scores, np.array([0, 1, 0])), 3) for found in (temperature, earned_temperature)]
    [1.274, 1.014]
    """
    derivatives = np.empty((2, 3))
    found = float(softmax.temperature(*plain(log_joint, y, weight), derivatives))
    curvature = float(derivatives[0, 2])
    return found if found <= 1.0 else 1.0 + (found - 1.0) * curvature / (curvature + SURENESS)


def log_loss(logits: Floats, y: NDArray[np.intp], weight: Floats | None = None) -> float:
    """The mean of -log P(true class)."""
    return float(softmax.log_loss(*plain(logits, y, weight)) / (len(y) if weight is None else weight.sum()))


def plain(logits: Floats, y: NDArray[np.intp], weight: Floats | None) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Arrays as the kernels read them."""
    v = NO_WEIGHT if weight is None else np.ascontiguousarray(weight)
    return np.ascontiguousarray(logits), np.ascontiguousarray(y, np.intp), v


def log_normal(logits: Floats) -> Floats:
    """Log posteriors: each row less its log sum."""
    top = logits.max(axis=-1, keepdims=True)
    found: Floats = logits - top - np.log(np.exp(logits - top).sum(axis=-1, keepdims=True))
    return found


def weighed(T: Floats, weights: Floats) -> Floats:
    """sum_q w_q T[:, q, :]."""
    return np.asarray(np.matmul(weights, T))


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
        self.T, self.y = np.ascontiguousarray(T), np.ascontiguousarray(y, np.intp)
        self.rows, self.parts, self.classes = T.shape
        self.weight = np.ones(self.rows) if weight is None else np.ascontiguousarray(weight)
        none = np.zeros(self.classes)
        self.start = np.concatenate([np.broadcast_to(start, (self.parts,)), none])
        least = LEAST_RIDGE * self.weight.sum()  # beside huge weights less would be lost to rounding
        self.ridge = np.maximum(np.concatenate([np.broadcast_to(ridge, (self.parts,)), none + bias_ridge]), least)
        self.fixed = np.isinf(self.ridge)
        self.free = np.concatenate([np.full(self.parts, not nonnegative), none == 0])
        self.below = np.tri(len(self.start), k=-1, dtype=bool)  # the kernel fills what is above the diagonal

    def inside(self, w: Floats) -> Floats:
        """The nearest weights that are allowed."""
        return np.where(self.fixed, self.start, np.where(self.free, w, np.maximum(w, 0.0)))

    def at(self, w: Floats) -> Here:
        """The problem at these weights, summed block by block."""
        size, P = len(w), np.empty((self.rows, self.classes))

        def block(begin: int, end: int) -> tuple[float, Floats, Floats]:
            gradient, H = np.zeros(size), np.zeros((size, size))
            rows = (self.T, self.y, self.weight, w, begin, end)
            Z = np.empty(((end - begin) * self.classes, self.parts))
            value, held = weigher.newton(*rows, np.empty(self.parts), Z, P, gradient, H)
            H[: self.parts, : self.parts] += Z[:held].T @ Z[:held]
            return value, gradient, H

        ridge = np.where(self.fixed, 0.0, self.ridge)
        value = 0.5 * float((ridge * (w - self.start) ** 2).sum())
        gradient, H = ridge * (w - self.start), np.diag(ridge + 1e-9)
        for more, slope, bend in spread(block, self.rows, max(64, TOGETHER // max(1, self.parts * self.classes))):
            value, gradient, H = value + more, gradient + slope, H + bend
        return Here(value, gradient, np.where(self.below, H.T, H), P)

    def moving(self, w: Floats, here: Here) -> NDArray[np.intp]:
        """The weights that may move."""
        return np.flatnonzero(~self.fixed & (self.free | (w > 0) | (here.gradient < 0)))

    def left_out(self, w: Floats, here: Here, rows: NDArray[np.intp], gone: Floats) -> Floats:
        """The logits of some rows, each after one Newton step of the problem without it, or what is gone of it.

        With J the row's parts and the identity, S = J' H^-1 J, A = diag(p) - p p', g = p - e_y, the logits move by
        S (I - A S)^-1 g.
        """
        q = self.parts
        logits = weighed(self.T[rows], w[:q]) + w[q:]
        on = self.moving(w, here)
        on = on[self.free[on] | (w[on] > 0)]  # a weight at its bound does not move
        if not len(on):
            return logits
        inverse = np.zeros((q + self.classes, q + self.classes))
        inverse[np.ix_(on, on)] = np.linalg.inv(here.H[np.ix_(on, on)])
        eye = np.eye(self.classes)
        step = max(1, ENTRIES // ((q + self.classes) * self.classes))
        for begin in range(0, len(rows), step):
            some = rows[begin : begin + step]
            T = np.clip(
                np.ascontiguousarray(np.moveaxis(self.T[some], 2, 1)), -FARTHEST, FARTHEST
            )  # [row, class, part]
            cross = T @ inverse[:q, q:]
            S = (T @ inverse[:q, :q]) @ T.transpose(0, 2, 1) + cross + cross.transpose(0, 2, 1) + inverse[q:, q:]
            S *= gone[some][:, None, None]
            p = here.P[some]
            A = p[:, :, None] * eye - p[:, :, None] * p[:, None, :]
            g = (p - eye[self.y[some]])[:, :, None]
            logits[begin : begin + step] += (S @ np.linalg.solve(eye * (1 + 1e-9) - A @ S, g))[:, :, 0]
        return logits
