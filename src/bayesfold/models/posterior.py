"""From log joints to posteriors.

>>> np.exp(log_posterior(np.log([[0.0053, 0.0206]]))).round(3)         # the weather example: no, 0.795
array([[0.205, 0.795]])
"""

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.kernels.scoring import scores
from bayesfold.runtime.threads import BLOCK, spread

LEAST = -1e300
"""The log of an impossibility: two of them are still a number."""


def log_posterior(log_joint: Floats, logs: bool = True, out: Floats | None = None) -> Floats:
    """log P(class | row) from log P(class, row), each row normalised by itself; `logs=False` gives P."""
    answer = np.array(log_joint, np.float64, order="C") if out is None else out
    if len(answer) == 1:  # of a stream
        normalise(answer, 0, 1, logs)
    else:
        spread(lambda begin, end: normalise(answer, begin, end, logs), len(answer), BLOCK // 4)
    return answer


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
