"""The columns of a plan: what a raw value becomes.

A slot is 0 (missing), 1 and on (the levels), or one behind the last (unseen).
"""

from dataclasses import dataclass
from typing import TypeAlias

from bayesfold.data.frame import Floats, Level


@dataclass(frozen=True)
class LevelsColumn:
    """The slot of a value among the levels; `hole` is the slot of a missing one, `missing` are markers of it."""

    name: str
    source: str
    levels: tuple[Level, ...]
    hole: int
    missing: tuple[Level, ...]
    kind: str = "levels"

    @property
    def slots(self) -> int:
        """Slots, the missing one included."""
        return len(self.levels) + 1


@dataclass(frozen=True)
class BinsColumn:
    """The slot of a number by the cuts: 1 + how many of them it is not below."""

    name: str
    source: str
    cuts: tuple[float, ...]
    hole: int
    missing: tuple[Level, ...]
    kind: str = "bins"

    @property
    def slots(self) -> int:
        """Slots, the missing one included."""
        return len(self.cuts) + 2 + (self.hole > 0)


@dataclass(frozen=True)
class PresenceColumn:
    """Slot 1 where there is a value, 2 where there is none; `number`: the value is one."""

    name: str
    source: str
    number: bool
    missing: tuple[Level, ...]
    kind: str = "presence"

    @property
    def slots(self) -> int:
        """Slots, the missing one included."""
        return 3


@dataclass(frozen=True)
class NumberColumn:
    """A number, or its logarithm; one that is missing, or has no logarithm, says nothing."""

    name: str
    source: str
    log: bool
    missing: tuple[Level, ...]
    kind: str = "number"


@dataclass(frozen=True)
class CountsColumn:
    """Numbers side by side; with `above` each is 1 where it is above that, else 0."""

    name: str
    sources: tuple[str, ...]
    above: float | None
    kind: str = "counts"


@dataclass(frozen=True)
class ScaledAxis:
    """(x - centre) / unit within +-limit, 0 where missing; with knots x first goes along straight lines between."""

    source: str
    missing: tuple[Level, ...]
    centre: float
    unit: float
    limit: float
    knots: tuple[tuple[float, float], ...]
    kind: str = "scaled"


@dataclass(frozen=True)
class OneHotAxis:
    """1 for the level shown, 0 for the others; `hole` where missing, `unseen` where it is none of them."""

    source: str
    missing: tuple[Level, ...]
    levels: tuple[Level, ...]
    hole: tuple[float, ...]
    unseen: tuple[float, ...]
    kind: str = "one hot"


@dataclass(frozen=True)
class FlagAxis:
    """1 where a number is missing."""

    source: str
    missing: tuple[Level, ...]
    kind: str = "flag"


Axis: TypeAlias = ScaledAxis | OneHotAxis | FlagAxis


@dataclass(frozen=True)
class VectorColumn:
    """Axes side by side."""

    name: str
    axes: tuple[Axis, ...]
    kind: str = "vector"


@dataclass(frozen=True)
class Letters:
    """What Python says of characters: runs [first, last] of those that words are made of and of white space, and pairs
    [capital, small letter]. U+0130 and U+03A3 are in no pair: one has two small letters, the other's depends on what
    stands beside it."""

    words: tuple[tuple[int, int], ...]
    spaces: tuple[tuple[int, int], ...]
    lower: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class TermsColumn:
    """Each known term of a text as (place among `terms`, weight).

    The text is lowered if there are `lower` pairs. analyzer "word": runs of two or more word characters, and n-grams
    of these with a blank between; "char": n-grams of characters, two or more white spaces being one blank; "char_wb":
    n-grams within each word, a blank at either end of it, the whole of it once where it is shorter. A term that
    occurs n times weighs n ("count"), 1 ("presence") or log(1 + n) ("log"), times its idf if there are any (one more
    than there were terms at first: the last is that of all later ones), over the document's length ("l1": the sum of
    weights, "l2": the root of that of squares). Without idf a term that is not among `terms` has a length too: as
    often as it occurs, that of a term that occurs once. With `like`, terms and letters are those of that column.
    """

    name: str
    source: str
    terms: tuple[str, ...]
    letters: Letters | None
    like: int | None
    analyzer: str
    ngrams: tuple[int, int]
    weighing: str
    norm: str | None
    idf: Floats | None
    missing: tuple[Level, ...]
    kind: str = "terms"


Slotted: TypeAlias = LevelsColumn | BinsColumn | PresenceColumn
Column: TypeAlias = Slotted | NumberColumn | CountsColumn | VectorColumn | TermsColumn
