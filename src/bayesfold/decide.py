"""From log joints to answers.

>>> np.exp(log_posterior(np.log([[0.0053, 0.0206]]))).round(3)         # the weather example: no, 0.795
array([[0.205, 0.795]])
"""

import numpy as np

from bayesfold.frame import Floats
from bayesfold.kernels import scores
from bayesfold.threads import BLOCK, spread


def log_posterior(log_joint: Floats, logs: bool = True, out: Floats | None = None) -> Floats:
    """log P(class | row) from log P(class, row), each row normalised by itself; `logs=False` gives P."""
    answer = np.array(log_joint, np.float64, order="C") if out is None else out
    spread(lambda begin, end: normalise(answer, begin, end, logs), len(answer), BLOCK // 4)
    return answer


def normalise(log_joint: Floats, begin: int, end: int, logs: bool) -> None:
    """Some rows of log joints to log posteriors, or to posteriors, in place."""
    scores.normalise(begin, end, logs, log_joint)
