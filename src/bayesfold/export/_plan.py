"""A fitted classifier as a plan of plain tables: what every exported form is made from, and JSON is a dump of.

A row becomes slots and numbers (`columns`); factors turn these into log P(class, row) of each member; a pool weighs the
members; the decision weighs the classes. A slot is 0 (missing), 1 and on (the levels), or one behind the last (unseen).
What all classes have in common is left out, because posteriors do not feel it. Lists along classes stand in the order
of `classes`.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bayesfold.frame import Floats, Level

VERSION = 1
MOST = 1e290
"""No square is larger, as in the kernels."""


# what a raw value becomes


@dataclass(frozen=True)
class Levels:
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
class Bins:
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
class Presence:
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
class Number:
    """A number, or its logarithm; one that is missing, or has no logarithm, says nothing."""

    name: str
    source: str
    log: bool
    missing: tuple[Level, ...]
    kind: str = "number"


@dataclass(frozen=True)
class Counts:
    """Numbers side by side; with `above` each is 1 where it is above that, else 0."""

    name: str
    sources: tuple[str, ...]
    above: float | None
    kind: str = "counts"


@dataclass(frozen=True)
class Scaled:
    """(x - centre) / unit within +-limit, 0 where missing; with knots x first goes along straight lines between."""

    source: str
    missing: tuple[Level, ...]
    centre: float
    unit: float
    limit: float
    knots: tuple[tuple[float, float], ...]
    kind: str = "scaled"


@dataclass(frozen=True)
class OneHot:
    """1 for the level shown, 0 for the others; all 0 where missing or unseen."""

    source: str
    missing: tuple[Level, ...]
    levels: tuple[Level, ...]
    kind: str = "one hot"


@dataclass(frozen=True)
class Flag:
    """1 where a number is missing."""

    source: str
    missing: tuple[Level, ...]
    kind: str = "flag"


Axis: TypeAlias = Scaled | OneHot | Flag


@dataclass(frozen=True)
class Vector:
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
class Terms:
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


Slotted: TypeAlias = Levels | Bins | Presence
Column: TypeAlias = Slotted | Number | Counts | Vector | Terms


# what it says of each class; `column` is a place among the columns


@dataclass(frozen=True)
class Table:
    """log[slot][class]."""

    column: int
    log: Floats
    kind: str = "table"


@dataclass(frozen=True)
class Normal:
    """constant - min(precision (x - mean)^2, 1e290)."""

    column: int
    mean: Floats
    precision: Floats
    constant: Floats
    kind: str = "normal"


@dataclass(frozen=True)
class Rate:
    """x slope - rate, 0 where x is below 0."""

    column: int
    slope: Floats
    rate: Floats
    kind: str = "rate"


@dataclass(frozen=True)
class Linear:
    """constant + sum_i x_i weights[i][class]."""

    column: int
    weights: Floats
    constant: Floats
    kind: str = "linear"


@dataclass(frozen=True)
class Multinormal:
    """power (constant - |(x / unit - mean) @ whitening|^2 / 2), where unit is missing x / unit is 0.

    One whitening for all classes stands alone, and `mean` is then whitened already: x / unit @ whitening - mean.
    """

    column: int
    unit: tuple[float | None, ...]
    mean: Floats  # [class][axis]
    whitening: Floats  # [class, or 1][axis][axis]
    constant: Floats
    power: float
    kind: str = "multinormal"

    @property
    def shared(self) -> bool:
        """Whether all classes share the whitening."""
        return len(self.whitening) == 1


Factor: TypeAlias = Table | Normal | Rate | Linear | Multinormal


@dataclass(frozen=True)
class Node:
    """log[cell][class], the cell by the slots of the parents and then of the child, the child's running fastest.

    `columns` are places in the grid. In a grid an unseen value is missing.
    """

    columns: tuple[int, ...]
    log: Floats


@dataclass(frozen=True)
class Implication:
    """forth[x][y]: with x in the first column, y in the second says nothing more; back[x][y]: the reverse."""

    first: int
    second: int
    forth: NDArray[np.bool_]
    back: NDArray[np.bool_]


@dataclass(frozen=True)
class Networks:
    """Networks with feature parents, over a grid of columns with slots.

    Without `roots` there is one network. Its missing parents that a value depends on, by way of missing columns, are
    summed out if that takes from 1 to `most_sums` terms; otherwise slot 0 has the table without that parent.
    With `roots` a network has a say if each of its roots shows a slot that is `heard`. "mean": the log of the mean of
    those that have a say, by weight; "product": the sum of weight times log, a network without a say speaking as the
    mean of the others. With none that has a say (or weight) `naive` speaks.
    """

    columns: tuple[int, ...]
    slots: tuple[int, ...]
    networks: tuple[tuple[Node, ...], ...]
    naive: tuple[Node, ...]
    roots: tuple[tuple[int, ...], ...]
    heard: tuple[tuple[bool, ...], ...]
    weights: tuple[float, ...]
    combine: str
    implications: tuple[Implication, ...]
    most_sums: int


@dataclass(frozen=True)
class Member:
    """exponent (prior + factors + networks) + bias, and `bare` for a row without a value; then shift is added."""

    prior: Floats
    factors: tuple[Factor, ...]
    networks: Networks | None
    exponent: float
    bias: Floats
    bare: Floats | None
    shift: Floats


@dataclass(frozen=True)
class Pool:
    """sum_m weights[m] max(log posterior of member m, -30) + bias, `bare` for a row without a value; then shift."""

    weights: tuple[float, ...]
    bias: Floats
    bare: Floats
    shift: Floats


@dataclass(frozen=True)
class Decision:
    """costs[decision][truth]; None: the most probable class. Above `reject_cost` a row is called `reject_label`."""

    costs: Floats | None
    reject_cost: float | None
    reject_label: Any


@dataclass(frozen=True)
class Plan:
    """`impossible` classes have probability 0 (scikit-learn's rule for classes without rows)."""

    target: str
    classes: tuple[Level, ...]
    sources: tuple[str, ...]
    columns: tuple[Column, ...]
    members: tuple[Member, ...]
    pool: Pool | None
    impossible: tuple[int, ...]
    decision: Decision
    version: int = VERSION


def parents_of(networks: Networks) -> list[int]:
    """The columns of the grid that have children in the first network, children before their parents."""
    nodes = networks.networks[0]
    parents = {c for node in nodes for c in node.columns[:-1]}
    ordered: list[int] = []
    while len(ordered) < len(parents):
        for c in sorted(parents - set(ordered)):
            below = {node.columns[-1] for node in nodes if c in node.columns[:-1]}
            if (below & parents).issubset(ordered):
                ordered.append(c)
    return ordered
