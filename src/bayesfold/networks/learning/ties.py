"""When two networks score the same: what rounding leaves between them must not choose, and neither must the order of
columns and rows. Searches look at columns in the order of their names, and draw samples of rows in one of theirs.

>>> count_steps(np.array([0.5, 0.5 + 1e-12])).tolist()
[500000.0, 500000.0]
>>> order_rows(Frame.of({"a": ["y", "x", "y"], "b": [0, 1, 0]}), {"a": ("x", "y"), "b": (0, 1)}, np.array([2, 1, 0.5]))
array([1, 2, 0])
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Frame
from bayesfold.networks.evidence import encode
from bayesfold.networks.factor_states import States

LEAST = 1e-6
"""A move must gain so much: less is rounding, or a tie."""


def count_steps(scores: Floats) -> Floats:
    """Scores as whole numbers of the least that counts: sums of rows in another order differ by less."""
    return np.asarray(np.rint(scores / LEAST))


def order_rows(frame: Frame, axes: Mapping[str, States], weight: Floats | None) -> NDArray[np.intp]:
    """An order of the rows that does not depend on the one they stand in; a column without states is one of numbers."""
    codes = encode(frame, {v: states for v, states in axes.items() if states})
    numbers = [frame.numbers(v) for v, states in axes.items() if not states]
    return np.lexsort((*([] if weight is None else [weight]), *numbers, *codes.T[::-1]))
