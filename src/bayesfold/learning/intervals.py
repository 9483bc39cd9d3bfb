"""Numbers as categories: the intervals between cuts, in words.

>>> in_bins(np.array([1.0, 5.0, np.nan]), (5.0,))
['< 5', '≥ 5', None]
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.runtime.messages import told_apart


def bin_words(cuts: tuple[float, ...]) -> tuple[str, ...]:
    """Bins in few characters: as many digits as tell the cuts apart, three at least.

    >>> bin_words((7.97717, 12.5)), bin_words((2006.5,)), bin_words(())
    (('< 7.98', '7.98 to 12.5', '≥ 12.5'), ('< 2006.5', '≥ 2006.5'), ('any number',))
    """
    if not cuts:
        return ("any number",)
    words = told_apart(cuts, 3)
    return (f"< {words[0]}", *(f"{a} to {b}" for a, b in pairwise(words)), f"≥ {words[-1]}")


def in_bins(x: Floats, cuts: tuple[float, ...], words: Sequence[Any] | None = None) -> list[Any]:
    """Numbers as the words of their bins, None where one is missing."""
    words = bin_words(cuts) if words is None else words
    return [None if place < 0 else words[place] for place in places(x, cuts).tolist()]


def places(x: Floats, cuts: tuple[float, ...]) -> NDArray[np.int16]:
    """The number of each one's bin, -1 where it is missing."""
    return np.where(np.isnan(x), -1, np.searchsorted(cuts, x, side="right")).astype(np.int16)
