"""Distinct values in order.

>>> distinct(np.array([3.0, 1.0, 3.0]))
array([1., 3.])
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(values: Any) -> NDArray[Any]:
    """What `np.unique` gives for values that are not NaN; that would first load numpy.ma, as long as all of ours."""
    found = np.sort(np.asarray(values), axis=None)
    return found[np.append(True, found[1:] != found[:-1])] if len(found) else found
