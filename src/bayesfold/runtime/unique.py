"""Distinct values in order.

>>> distinct(np.array([3.0, 1.0, 3.0]))
array([1., 3.])
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(values: Any) -> NDArray[Any]:
    """The sorted distinct values, none of them NaN; `np.unique` would first load numpy.ma, as long as all of ours."""
    ordered = np.sort(np.asarray(values), axis=None)
    first = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
