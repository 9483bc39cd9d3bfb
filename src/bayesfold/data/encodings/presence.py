"""Whether a cell has a value at all, as a column of its own.

>>> Presence("age is there", "age", number=True).encode(Frame.of({"age": [7.0, None]})).tolist()
[1, 2]
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import NO_MARKERS, Cell, Encoding
from bayesfold.data.frame import Frame, Level
from bayesfold.kernels.counting.records import absent


@dataclass(frozen=True)
class Presence(Encoding):
    """Whether a cell has a value: slot 1 it has, slot 2 it has not."""

    name: str
    source: str = ""
    missing: frozenset[Level] = NO_MARKERS
    number: bool = False

    slots = 3
    levels = ("there", "missing")

    def encode(self, frame: Frame) -> NDArray[np.uint8]:
        """The slot of each row."""
        if self.number:
            return np.where(np.isnan(frame.numbers(self.source, self.missing)), 2, 1).astype(np.uint8)
        coded = frame.coded(self.source)
        slots: NDArray[np.uint8] = coded.places([2 if v in self.missing else 1 for v in coded.levels], 2, np.uint8)
        return slots

    def read(self, value: Any) -> NDArray[np.uint8]:
        """The slot of one cell, as a table of one row."""
        if self.number and isinstance(value, str):  # " ", "nan" and the text of a marker are no numbers
            return self.encode(Frame.of({self.source: [value]})).reshape(1, 1)
        gone = absent(value) or any(value == m and isinstance(value, bool) == isinstance(m, bool) for m in self.missing)
        return np.array([[2 if gone else 1]], np.uint8)

    def decode(self, values: Any, draw: "np.random.Generator", columns: dict[str, Any]) -> None:
        """Take out what others have written where there is no value: a cell that is not there has none."""
        if self.source in columns:
            known = columns[self.source]
            columns[self.source] = np.where(values == 2, np.nan if known.dtype.kind == "f" else None, known)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Its cells may be anything, if they are no numbers."""
        return ((self.source, "number" if self.number else "text", self.missing),)

    @property
    def in_words(self) -> str:
        """How it is read, for a person."""
        return f"whether {self.source} has a value"
