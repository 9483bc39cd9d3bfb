"""How rare terms were when documents were looked at first: idf_j = log((1 + D) / (1 + D_j)) + 1, held from then on.

>>> Rarity(3, np.array([3, 1])).idf(np.array([0, 1, 2])).round(3)                # a term that came later was in none
array([1.   , 1.693, 2.386])
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.sparse import Sparse


@dataclass(frozen=True, eq=False)
class Rarity:
    """D documents, df[j] of them with term j; of none where nothing has been looked at."""

    documents: int = 0
    df: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        if self.df.ndim != 1 or (len(self.df) and not 0 <= self.df.min() <= self.df.max() <= self.documents):
            raise ValueError(f"a term is in at least 0 and at most all {self.documents} documents")

    @classmethod
    def of(cls, rows: Sparse) -> "Rarity":
        """The document frequencies of documents given as rows of terms."""
        return cls(len(rows), np.bincount(rows.columns, minlength=rows.width).astype(np.int64))

    @cached_property
    def _all(self) -> Floats:
        seen = np.append(self.df, 0)
        return np.asarray(np.log((1 + self.documents) / (1 + seen)) + 1)

    def idf(self, terms: NDArray[Any]) -> Floats:
        """The idf of terms, given by their numbers."""
        idf: Floats = self._all[np.minimum(terms, len(self.df))]
        return idf

    @cached_property
    def _digest(self) -> int:
        return hash((self.documents, self.df.tobytes()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rarity):
            return NotImplemented
        return self.documents == other.documents and np.array_equal(self.df, other.df)

    def __hash__(self) -> int:
        return self._digest
