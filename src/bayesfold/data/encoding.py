"""What every encoding of a column can be asked: the questions of the other rooms, with the answers that most give.

An encoding reads source columns of a table (`sources`) and makes slots of an axis of them (`slots` is above 0), one
number, or a block of numbers (`is_block`). A kind of encoding is a frozen dataclass that inherits from `Encoding`, says
how it encodes, and answers otherwise only where it differs. What another room makes of each kind (a check of a file, a
line of SQL) is a table of functions there, by kind, in one place.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Frame, Level
from bayesfold.data.tables import from_columns
from bayesfold.runtime.arrow_buffers import EXACT
from bayesfold.runtime.messages import listed

NO_MARKERS: frozenset[Level] = frozenset()
AS_LEVEL = ", missing being one of them"
"""Added to the description of a column in which a missing cell is a level."""
Places = NDArray[np.intp]
Cell = tuple[str, str, frozenset[Level]]
"""A source, what its cells are taken for ("number", "truth", "text", "words"), and its markers of missing values."""


class Encoding(ABC):
    """A column that is read as one number; a kind says what differs."""

    name: str
    is_number: ClassVar[bool] = False  # one number for each row
    is_block: ClassVar[bool] = False  # several numbers for each row
    reads_numbers: ClassVar[bool] = False  # its sources are columns of numbers

    @abstractmethod
    def encode(self, frame: Frame) -> Any:
        """The rows of a table encoded: one slot, number or row of numbers per row."""

    # what it reads

    @property
    def source(self) -> str:
        """The source column, where it has another name than the encoding."""
        return ""

    @property
    def origin(self) -> str:
        """The source column."""
        return self.source or self.name

    @property
    def sources(self) -> tuple[str, ...]:
        """The source columns."""
        return (self.origin,)

    @property
    def missing(self) -> frozenset[Level]:
        """Values that stand for a missing one."""
        return NO_MARKERS

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What the cells of each source are taken for."""
        return tuple((source, "number", self.missing) for source in self.sources)

    def frame_of(self, row: Mapping[str, Any]) -> Frame:
        """The cells of one row that it reads."""
        return from_columns({s: [row.get(s)] for s in self.sources or ("no column",)})

    def called(self, name: str) -> Self:
        """The same reading of the same source under another name, with all that was worked out of it."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, name=name)
        if "source" in self.__dict__:  # a block has sources of its own
            other.__dict__["source"] = self.origin
        return other

    # what it makes of it

    @property
    def slots(self) -> int:
        """Length of its axis; 0 where it has none."""
        return 0

    @property
    def hole(self) -> int:
        """The slot of a missing cell."""
        return 0

    @property
    def levels(self) -> tuple[Level, ...]:
        """What the slots behind the first stand for."""
        return ()

    @property
    def is_table(self) -> bool:
        """Whether it can be a parent or have one: it has levels or a few bins."""
        return self.slots > 0

    @property
    def width(self) -> int:
        """Numbers for each row."""
        return 1

    def sums(self, order: int) -> int:
        """How many sums the statistic needs: of x to each power."""
        return order * self.width

    @property
    def family(self) -> str:
        """The family of its density, where none was chosen."""
        return "categorical"

    @property
    @abstractmethod
    def in_words(self) -> str:
        """How it is read, for a person."""

    # what rows add to it

    def grown(self, frame: Frame) -> Self:
        """This encoding with the levels or terms that a table shows for the first time."""
        return self

    def grown_by_row(self, row: Mapping[str, Any], fresh: Mapping[str, Level]) -> Self:
        """As `grown`, for one row; `fresh` are the levels by source that no category had."""
        return self

    def united(self, other: Any) -> Self:
        """This encoding with the levels or terms of another one of its kind."""
        return self

    def blank(self) -> Self:
        """This encoding without its levels or terms: what must be equal for two models to be merged."""
        return self

    def sorted_behind(self, known: Any) -> Self:
        """Its levels or terms that `known` does not have, sorted behind those that it has."""
        return self

    def may_have_holes(self, frame: Frame) -> bool:
        """Whether some cell of a table may be missing, told without looking at every row."""
        return True

    def with_holes(self) -> Self | None:
        """This encoding with a missing cell as one of its levels; None where that cannot be."""
        return None

    @property
    def declares(self) -> tuple[Level, ...] | None:
        """The levels or terms that stay without rows once they are declared; None where nothing can be dropped."""
        return None

    # where things stand under another encoding of the same column

    def slots_in(self, other: Any) -> Places:
        """The slot that each slot has in another one, which has all its levels."""
        return np.arange(self.slots)

    def sums_in(self, other: Any, order: int) -> Places:
        """The place that each sum has among those of another one, which has all its terms or indicators."""
        return np.arange(self.sums(order))

    # the way back

    def decode(self, values: Any, draw: "np.random.Generator", columns: dict[str, Any]) -> None:
        """Write values of the source columns for encoded ones; inside a bin a value is drawn."""
        columns[self.origin] = values

    def silent(self, values: Any) -> NDArray[np.bool_]:
        """The rows of a block of which no cell says something."""
        total: NDArray[Any] = np.asarray(values.sum(1)).ravel()
        return np.asarray(total == 0)

    # what explanations need

    @property
    def levels_by_source(self) -> dict[str, tuple[Level, ...]]:
        """The levels of each source that is read as categories."""
        return {}

    @property
    def numeric_sources(self) -> tuple[str, ...]:
        """The sources that are read as numbers."""
        return self.sources if self.reads_numbers else ()


def kind_of_levels(levels: tuple[Level, ...]) -> str:
    """The kind of the levels of a column of categories, in words.

    Whole numbers that no float holds are read as text, whose digits are all kept.

    >>> kind_of_levels((7, 8.5)), kind_of_levels((7, 2**53 + 1)), kind_of_levels((None, True))
    ('number', 'text', 'truth')
    """
    shown = [level for level in levels if level is not None]
    if shown and all(isinstance(level, bool) for level in shown):
        return "truth"
    long = any(isinstance(level, int) and abs(level) >= EXACT for level in shown)
    return "number" if shown and not long and all(isinstance(level, int | float) for level in shown) else "text"


def with_markers(kind: str, missing: frozenset[Level]) -> str:
    """A description of how a column is read, with its markers of missing values."""
    return f"{kind}, {listed(sorted(missing, key=str))} missing" if missing else kind
