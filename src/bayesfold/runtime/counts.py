"""Whole numbers that a caller gives: how many rows, parents, samples.

>>> check_count("max_parents", 2.0)
2
>>> check_count("n", -1)
Traceback (most recent call last):
ValueError: n must be at least 0, not -1
"""

from typing import Any

import numpy as np


def check_count(option: str, value: Any, least: int = 0) -> int:
    """A whole number of at least so much."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer) or float(value) % 1:
        raise ValueError(f"{option} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{option} must be at least {least}, not {value}")
    return int(value)
