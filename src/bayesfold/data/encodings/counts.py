"""Columns of counts side by side, as one block.

>>> Counts("words", ("win", "ten"), binarize=0.0).encode(Frame.of({"win": [2, 0], "ten": [0, 1]})).tolist()
[[1.0, 0.0], [0.0, 1.0]]
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bayesfold.data.encoding import Encoding
from bayesfold.data.frame import Frame


@dataclass(frozen=True)
class Counts(Encoding):
    """A block of count columns side by side: words of a text, clicks of a session; `binarize` keeps only presence."""

    name: str
    sources: tuple[str, ...] = ()
    binarize: float | None = None
    is_block: ClassVar[bool] = True
    reads_numbers: ClassVar[bool] = True

    @property
    def width(self) -> int:
        """Columns in the block."""
        return len(self.sources)

    def encode(self, frame: Frame) -> Any:
        """The block as a matrix, dense or CSR."""
        matrix = frame.matrix_of(self.sources)
        if self.binarize is None:
            return matrix
        if isinstance(matrix, np.ndarray):
            return np.asarray(matrix > self.binarize, np.float64)
        marked = matrix.copy()
        marked.data = (marked.data > self.binarize).astype(np.float64)
        return marked

    def decode(self, values: Any, draw: "np.random.Generator", columns: dict[str, Any]) -> None:
        """Write each column of the block."""
        columns |= {source: values[:, i] for i, source in enumerate(self.sources)}

    @property
    def in_words(self) -> str:
        """How it is read, for a person."""
        above = "" if self.binarize is None else f", each as above {self.binarize:g} or not"
        return f"a block of {self.width} counts{above}"
