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
from bayesfold.kernels.scoring import softmax
from bayesfold.learning.newton import Problem, weighed
from bayesfold.runtime.threads import one_at_a_time

NO_WEIGHT = np.empty(0)

STEPS = 50
SHORTEST = 2.0**-40
FLAT = 0.1
"""Where the first step must be shortened below this share, posteriors are so sure that second derivatives vanish."""

NEAR, NEAREST = 1e-9, 1e-13
"""Newton's steps end where one has gained so small a share of the loss, or the next would gain so little."""

ASKED = 2_048
"""Rows left out of the weights to compare two ridges."""

SQUARES = 1 << 19
"""... and fewer where there are many classes: each row asked costs a system of classes x classes."""


SURENESS = 30.0
"""The pull that keeps an exponent from rising above 1 where rows are few."""


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
    return solve(problem, near, asked, gone)


@one_at_a_time  # threads of BLAS wait for each other longer than such products take
def solve(problem: Problem, near: Pooled | None, asked: int | None, gone: Floats | None) -> Pooled:
    """As `pool`, of a problem that is set up."""
    w = problem.start.copy() if near is None else np.concatenate([near.weights, near.bias])
    here = problem.at(w)
    for k in range(STEPS):
        step = problem.step(w, here)
        size = max(1.0, abs(here.value))
        if here.gradient @ step <= NEAREST * size:  # half of it is what a parabola has left to gain
            break
        half, gain = 1.0, 0.0
        while half > SHORTEST:
            nearer = problem.inside(w - half * step)
            there = problem.at(nearer)
            if there.value <= here.value:
                gain, w, here = here.value - there.value, nearer, there
                break
            half /= 2
        if k == 0 and near is None and half < FLAT:  # at 0 nothing is sure, and the solution is the same from anywhere
            w = problem.inside(np.zeros_like(w))
            here = problem.at(w)
        elif gain <= NEAR * size:
            break
    parts, y, weight = problem.parts, problem.y, problem.weight
    rows = np.arange(len(y)) if asked is None else np.arange(0, len(y), max(1, -(-len(y) // max(asked, 1))))[:asked]
    held_out = problem.left_out(w, here, rows, weight if gone is None else gone)
    loss = log_loss(held_out, y[rows], weight[rows]) if len(rows) else np.nan
    return Pooled(w[:parts], w[parts:], held_out, loss, float(problem.ridge[:parts].max(initial=0.0)))


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

    If `hurried`, weaker ridges are tried only until one is no better. Of one ridge no row is left out.
    """
    best: Pooled | None = None
    near: Pooled | None = None
    asked = min(ASKED, max(256, SQUARES // T.shape[2] ** 2)) if len(ridges) > 1 else 0
    problem: Problem | None = None
    for ridge in sorted(ridges, reverse=True):
        if problem is None:
            problem = Problem(T, y, weight, start, ridge, bias_ridge, nonnegative)
        else:
            problem = problem.with_ridge(ridge, bias_ridge)
        near = solve(problem, near, asked, gone)
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
