"""Numbers as categories: the intervals between cuts, in words.

>>> in_bins(np.array([1.0, 5.0, np.nan]), (5.0,))
['< 5', '≥ 5', None]
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats


def bin_words(cuts: tuple[float, ...]) -> tuple[str, ...]:
    """Bins in few characters: as many digits as tell the cuts apart, three at least.

    >>> bin_words((7.97717, 12.5)), bin_words((1001.25, 1001.75)), bin_words(())
    (('< 7.98', '7.98 to 12.5', '≥ 12.5'), ('< 1001', '1001 to 1002', '≥ 1002'), ('any number',))
    """
    if not cuts:
        return ("any number",)
    shown = ([digits(cut, most) for cut in cuts] for most in range(3, 7))
    words = next((some for some in shown if len(set(some)) == len(cuts)), [repr(cut) for cut in cuts])
    return (f"< {words[0]}", *(f"{a} to {b}" for a, b in pairwise(words)), f"≥ {words[-1]}")


def in_bins(x: Floats, cuts: tuple[float, ...]) -> list[str | None]:
    """Numbers as the words of their bins, None where one is missing."""
    words = bin_words(cuts)
    return [None if place < 0 else words[place] for place in places(x, cuts).tolist()]


def places(x: Floats, cuts: tuple[float, ...]) -> NDArray[np.int16]:
    """The number of each one's bin, -1 where it is missing."""
    return np.where(np.isnan(x), -1, np.searchsorted(cuts, x, side="right")).astype(np.int16)


def digits(value: float, most: int = 3) -> str:
    """A number in few characters, without an exponent up to a million.

    >>> digits(1447.39), digits(0.87277), digits(7.977e-7), digits(12345678.0)
    ('1450', '0.873', '7.98e-07', '1.23e+07')
    """
    return f"{float(f'{value:.{most}g}'):g}"
