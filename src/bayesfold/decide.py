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
    if out is None:
        out = np.array(log_joint, np.float64, order="C")
    spread(lambda begin, end: scores.normalise(begin, end, logs, out), len(out), BLOCK // 4)
    return out
