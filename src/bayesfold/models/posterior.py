"""From log joints to posteriors.

>>> np.exp(log_posterior(np.log([[0.0053, 0.0206]]))).round(3)         # the weather example: no, 0.795
array([[0.205, 0.795]])
"""

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.scoring import scores
from bayesfold.runtime.threads import BLOCK, spread

LEAST = -1e300
"""The log of an impossibility: two of them are still a number."""

NEAR = 1e-6
"""Log joints that differ by less may be the same posterior, but for rounding."""


def log_posterior(log_joint: Floats, logs: bool = True, out: Floats | None = None) -> Floats:
    """log P(class | row) from log P(class, row), each row normalised by itself; `logs=False` gives P."""
    answer = np.array(log_joint, np.float64, order="C") if out is None else out
    if len(answer) == 1:  # of a stream
        normalise(answer, 0, 1, logs)
    else:
        spread(lambda begin, end: normalise(answer, begin, end, logs), len(answer), BLOCK // 4)
    return answer


def most_probable(log_joint: Floats) -> NDArray[np.intp]:
    """The place of the largest log posterior in each row, by which everybody decides, from log P(class, row).

    Two log joints that differ in the last bit can be the same posterior, and then the first class is taken. Of two
    classes only rows that nearly tie are normalised.

    >>> most_probable(np.array([[-0.1, -0.09999999999999999], [-0.1, -0.09]])).tolist()
    [0, 1]
    """
    if log_joint.shape[1] != 2:
        return np.asarray(log_posterior(log_joint).argmax(axis=1))
    best: NDArray[np.intp] = log_joint.argmax(axis=1)
    near = np.abs(log_joint[:, 0] - np.maximum(log_joint[:, 1], LEAST)) < NEAR
    if near.any():
        best[near] = log_posterior(log_joint[near]).argmax(axis=1)
    return best


def normalise(log_joint: Floats, begin: int, end: int, logs: bool) -> None:
    """Turn rows `begin` to `end` from log joints into log posteriors, or into posteriors, in place."""
    scores.normalise(begin, end, logs, log_joint)


def shift_prior(log_proba: Floats, old: Floats, new: Floats, logs: bool = True) -> Floats:
    """log P(class | row), or P, where classes are as frequent as `new` says and no longer as `old` does (both logs).

    P'(c | x) ~ P(c | x) new(c) / old(c): what the rows of a class look like is taken to be the same.

    >>> np.exp(shift_prior(np.log([[0.9, 0.1]]), np.log([0.5, 0.5]), np.log([0.1, 0.9]))).round(3)
    array([[0.5, 0.5]])
    """
    return log_posterior(np.maximum(log_proba, LEAST) + np.maximum(new - old, LEAST), logs)
