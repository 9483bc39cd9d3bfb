"""What a first look at a source has found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

LEAST_NUMBERS = 2
"""Distinct values besides the usual marks of missing ones that make a column one of numbers."""


@dataclass(frozen=True)
class Look:
    """What a first look has found: the rows of the source, a sample of them as a table, and how to read the columns."""

    rows: int
    table: pa.Table  # of no rows where an earlier look is remembered
    types: dict[str, pa.DataType]
    markers: Mapping[str, frozenset[str]]
    found_out: frozenset[str] = frozenset()  # columns whose type was read off the sample
    sampled: int = 0
    usual: Mapping[str, list[str]] = field(default_factory=dict)  # markers that nobody named, by column

    @property
    def whole(self) -> bool:
        """Whether the sample is all there is."""
        return self.sampled == self.rows

    def wider(self, name: str) -> pa.DataType:
        """The type of a column with room for rows beyond the sample: integers may become floats."""
        return pa.float64() if name in self.found_out and pa.types.is_integer(self.types[name]) else self.types[name]
