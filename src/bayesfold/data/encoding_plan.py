"""What of encoding rows does not change from table to table: worked out once, as a few rows are answered in less time.

>>> a, b = Categories("a", ("x", "y")), Real("b")
>>> plan = EncodingPlan((a, b), (a,), (b,))
>>> [[c.name for c in columns] for columns in plan.ways(matrix=True, integers=False)]
[['b'], [], ['a'], []]
>>> plan.limits(("a",)).tolist()
[[3], [0]]
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import Encoding
from bayesfold.data.encodings import Categories, Real

Ways = tuple[Sequence[Any], Sequence[Any], Sequence[Any], Sequence[Any]]


class EncodingPlan:
    """How columns, of which some are `categories` and some `numbers`, are encoded together."""

    def __init__(self, columns: Sequence[Encoding], categories: Sequence[Categories], numbers: Sequence[Real]) -> None:
        self.columns, self.categories, self.numbers = columns, categories, numbers
        self._ways: dict[tuple[bool, bool], Ways] = {}
        self._limits: dict[tuple[str, ...], NDArray[np.intp]] = {}

    def ways(self, matrix: bool, integers: bool) -> Ways:
        """The columns by how they are encoded, of a table that is a matrix, or one of integers: numbers that stay in
        the matrix, codes that do, columns that are read one by one, blocks."""
        kind = matrix, integers
        if kind not in self._ways:
            plain = [c for c in self.numbers if not c.transform and not c.missing] if matrix else []
            whole = [c for c in self.categories if c.is_range] if integers else []
            done = {c.name for c in (*plain, *whole)}
            loose = [c for c in self.columns if c.name not in done and not c.is_block]
            self._ways[kind] = plain, whole, loose, [c for c in self.columns if c.is_block]
        return self._ways[kind]

    def limits(self, names: tuple[str, ...]) -> NDArray[np.intp]:
        """How many slots each of some discrete columns has, and which of them is a missing cell's; two lines."""
        if names not in self._limits:
            by_name = {c.name: c for c in self.columns}
            columns = [by_name[name] for name in names]
            self._limits[names] = np.array([[c.slots for c in columns], [c.hole for c in columns]], np.intp)
        return self._limits[names]
