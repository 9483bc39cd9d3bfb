"""Subsumption resolution (Zheng & Webb 2006): a value that another one always brings with it says nothing more.

If every row that is pregnant is also female, P(x | female, pregnant) = P(x | pregnant), and a model that takes both as
evidence counts one thing twice. Among the values of a row, x is left out if N(x, z) = N(z) for a z that enough rows
have shown.

>>> N = np.zeros((3, 3, 2))                              # [sex, pregnant, class]; slot 0 is missing
>>> N[1, 1:, 1], N[2, 1:, 1] = (4, 0), (3, 5)            # men: 4 are not; women: 3 are not, 5 are
>>> pair = Implication.of(0, 1, N, [N.sum((1, 2)), N.sum((0, 2))])
>>> rows = np.array([[1, 2, 2], [1, 1, 2]], np.int32)    # [column, row]: a man, a woman, a pregnant woman
>>> find_redundant(rows, rows > 0, [pair]).astype(int)      # that he is not says nothing more; nor that she is a woman
array([[0, 0, 1],
       [1, 0, 0]])
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.column_major import Grid
from bayesfold.data.frame import Floats

SLACK = 1 - 1e-9
"""Sums of weights in another order may differ by so much."""


@dataclass(frozen=True)
class Implication:
    """Two columns, by their places in a grid: forth[x, y] where x never comes without y, back[x, y] the reverse."""

    first: int
    second: int
    forth: NDArray[np.bool_]
    back: NDArray[np.bool_]

    @classmethod
    def of(cls, first: int, second: int, counts: Floats, shown: list[Floats]) -> "Implication":
        """From the counts of the pair by class and those of each column; a missing cell is no value, and lacks any."""
        both = counts.sum(axis=-1)
        both[0] = both[:, 0] = -1.0
        return cls(first, second, both >= SLACK * shown[first][:, None], both >= SLACK * shown[second])


def pairs_once(tables: Mapping[tuple[int, int], int], names: Sequence[str]) -> list[tuple[int, int, int]]:
    """Pairs of columns that are in tables, AODE's both ways, with the table of each: first the column whose name comes
    first, wherever it stands.

    >>> pairs_once({(0, 1): 7, (1, 0): 8, (1, 2): 9}, ["b", "a", "c"])
    [(1, 0, 8), (1, 2, 9)]
    """
    return [(a, b, k) for (a, b), k in tables.items() if names[a] < names[b] or (b, a) not in tables]


def find_redundant(codes: Grid, often: NDArray[np.bool_], pairs: list[Implication]) -> NDArray[np.bool_]:
    """[column, row]: values that another value of the row, shown `often`, always brings with it.

    Of two that bring each other the one in the first column of the pair stays. Never to come without is a preorder, so
    in every row something stays.
    """
    redundant = np.zeros(codes.shape, np.bool_)
    for pair in pairs:
        x, y = codes[pair.first], codes[pair.second]
        forth = pair.forth[x, y] & often[pair.first]
        redundant[pair.second] |= forth
        redundant[pair.first] |= pair.back[x, y] & often[pair.second] & ~forth
    return redundant
