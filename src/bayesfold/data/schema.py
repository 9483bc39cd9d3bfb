"""What a row is: the target, and each feature as a (source column, encoding) pair.

An encoding turns raw values into what can be counted: `Categories` into slots of an axis (slot 0 is "missing", level l
is slot l + 1, one slot behind the last is "unseen"), `Real` into numbers (NaN is "missing"), `Counts` and `Words` into
a block of non-negative counts, of columns side by side or of the terms of a text. One source may appear under several
encodings. A schema is learned once; after that only levels and terms grow.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.dates import NAMED, with_parts
from bayesfold.data.encodings import Binned, Categories, Counts, Discrete, Presence, Real
from bayesfold.data.frame import Coded, Floats, Frame, Level, code
from bayesfold.data.own_names import own_name
from bayesfold.data.row_reader import Reader
from bayesfold.data.text.column import Words, nothing
from bayesfold.data.vector import Vector
from bayesfold.runtime.messages import listed, ordered
from bayesfold.runtime.threads import each

Block: TypeAlias = Counts | Vector | Words
Column: TypeAlias = Discrete | Real | Block
Declared: TypeAlias = Mapping[str, tuple[Level, ...]]


@dataclass(frozen=True)
class Schema:
    """The target and the features of a row.

    >>> s = Schema(Categories("y", ("no", "yes")), (Categories("a", ("x",)), Real("b")))
    >>> s.encode_row({"a": "x", "b": 2}).column("b")
    array([2.])
    >>> (s | Schema(Categories("y", ("maybe",)), s.features)).target.levels
    ('maybe', 'no', 'yes')
    """

    target: Categories
    features: tuple[Column, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict, compare=False)  # source column: why it is not used
    declared: Declared = field(default_factory=dict, compare=False)
    """By column the levels that somebody has declared, which stay without a row; of a text how many of its first terms,
    of a vector nothing: all of it stays."""

    @cached_property
    def columns(self) -> dict[str, Column]:
        """Every column by name, the target included."""
        return {c.name: c for c in (*self.features, self.target)}

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The features that have levels or bins, and can so be a parent or have one."""
        return tuple(
            c.name
            for c in self.features
            if isinstance(c, Discrete) and not (isinstance(c, Binned) and c.family == "kde")
        )

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The source columns read, in order, each once."""
        names: dict[str, None] = {}
        for c in self.features:
            names |= dict.fromkeys(c.sources if isinstance(c, Block) else (c.source or c.name,))
        return tuple(names)

    def axis(self, name: str) -> int:
        """Slots of a discrete column."""
        slots = self.axes.get(name)
        if slots is None:
            raise TypeError(f"column {name!r} is not discrete: only categories and bins can be a key of a table")
        return slots

    @cached_property
    def axes(self) -> dict[str, int]:
        """Slots of every discrete column, the target included."""
        return {name: column.slots for name, column in self.columns.items() if isinstance(column, Discrete)}

    @cached_property
    def position(self) -> dict[str, int]:
        """Where each column stands, the target last."""
        return {name: i for i, name in enumerate(self.columns)}

    def width(self, name: str) -> int:
        """How many numbers a term column contributes: 1, or a block's width."""
        column = self.columns[name]
        return column.width if isinstance(column, Block) else 1

    def sums(self, name: str, order: int) -> int:
        """How many sums a term column needs: of x to each power; of a vector's x, and of x x'."""
        width = self.width(name)
        return width + width * width if isinstance(self.columns[name], Vector) and order == 2 else order * width

    def grown(self, frame: Frame) -> "Schema":
        """This schema with the levels and terms that `frame` shows for the first time."""
        if frame.names != self.sources:
            frame.require(self.sources)
        features = tuple(
            c.grow(frame.coded(c.source or c.name).levels)
            if isinstance(c, Categories)
            else c.grow(frame)
            if isinstance(c, Words)
            else c
            for c in self.features
        )
        return self if features == self.features else replace(self, features=features)

    def with_classes(self, classes: Iterable[Level]) -> "Schema":
        """This schema with more classes, kept in sorted order."""
        target = self.target.grow(classes)
        return self if target is self.target else replace(self, target=replace(target, levels=ordered(target.levels)))

    def declaring(self, classes: Iterable[Level]) -> "Schema":
        """This schema, in which these classes are declared."""
        return replace(self, declared=united(self.declared, {self.target.name: tuple(classes)}))

    def all_declared(self) -> "Schema":
        """This schema, in which every level is declared: it is handed on without the rows that it came from."""
        columns = (self.target, *self.features)
        told: dict[str, tuple[Level, ...]] = {}
        for c in columns:
            if isinstance(c, Categories):
                told[c.name] = c.levels
            elif isinstance(c, Words | Vector):
                told[c.name] = (c.vocabulary.size,) if isinstance(c, Words) else ()
        return replace(self, declared=told)

    def encode(self, frame: Frame, labels: Any = None, weight: Floats | None = None) -> Batch:
        """Rows as a batch; the columns that stand in one matrix stay in it."""
        if frame.names != self.sources:
            frame.require(self.sources)
        codes: list[Panel] = []
        reals: list[Panel] = []
        plain = [c for c in self.features if isinstance(c, Real) and not c.transform and not c.missing]
        whole = [c for c in self.features if isinstance(c, Categories) and c.is_range]
        if frame.matrix is not None and plain:
            reals.append(
                Panel(tuple(c.name for c in plain), frame.matrix_of([c.source or c.name for c in plain], float))
            )
        if frame.integers and whole:
            codes.append(Panel(tuple(c.name for c in whole), frame.matrix_of([c.source or c.name for c in whole]), 1))
        done = {name for panel in (*codes, *reals) for name in panel.names}
        loose = [c for c in self.features if c.name not in done and not isinstance(c, Block)]
        for c, values in zip(loose, each(lambda c: c.encode(frame), loose, frame.rows), strict=True):
            (codes if isinstance(c, Discrete) else reals).append(Panel((c.name,), values.reshape(-1, 1)))
        counts = [Panel((c.name,), c.encode(frame)) for c in self.features if isinstance(c, Block)]
        batch = Batch(frame.rows, tuple(codes), tuple(reals), tuple(counts), self.encode_labels(labels), weight)
        if labels is not None:  # these rows are to be learned, or were
            for column in self.features:
                if isinstance(column, Real) and column.least is not None:
                    column.refuse(batch.column(column.name))
        return batch

    def encode_labels(self, labels: Any) -> NDArray[np.int32] | None:
        """The target's slots, unknown classes refused by row."""
        if labels is None:
            return None
        coded = labels if isinstance(labels, Coded) else code(labels)
        if coded.whole and coded.levels == list(self.target.levels):
            return coded.raw + np.int32(1)
        slots = coded.places([self.target.slot.get(level, -1) for level in coded.levels], 0)
        if len(slots) and slots.min() < 0:
            row = int(np.argmin(slots))
            raise ValueError(
                f"row {row} has the class {coded.levels[coded.index[row]]!r}, which this model has not learned; "
                f"its classes are {listed(self.target.levels)}"
            )
        return slots

    @cached_property
    def _reader(self) -> Reader:
        return Reader.of(self.features)

    def read_row(self, row: Mapping[str, Any], to_learn: bool = False) -> tuple[NDArray[np.int32], Floats]:
        """One row given as a dict: the slots of its categories, the numbers of its real and its binned columns."""
        return self._reader.read(self._dated(row), self._known, to_learn)

    def _dated(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """A row with the parts of its dates that the model reads."""
        return with_parts(row, self.parts) if self.parts else row

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The sources that may be parts of dates."""
        return tuple(name for name in self.sources if NAMED.fullmatch(name))

    @cached_property
    def _known(self) -> tuple[str, ...]:
        return (*self.sources, *self.left_out)

    def encode_row(self, row: Mapping[str, Any], label: Any = None, weight: float | None = None) -> Batch:
        """One row given as a dict: the same batch as `encode` makes of a table with that one row."""
        row = self._dated(row)
        codes, reals = self._reader.panels(row, *self.read_row(row, label is not None))
        return Batch(
            1,
            codes,
            reals,
            tuple(Panel((c.name,), c.encode(frame_of(row, c))) for c in self.features if isinstance(c, Vector | Words)),
            None if label is None else np.array([self.target.slot[label]], np.int32),
            None if weight is None else np.array([weight]),
        )

    def grown_by_row(self, row: Mapping[str, Any]) -> "Schema":
        """As `grown`, for one row given as a dict."""
        row = self._dated(row)
        fresh = self._reader.unseen(row)
        if not fresh and not self._has_text:
            return self
        features = tuple(
            c.grow([fresh[c.source or c.name]])
            if isinstance(c, Categories) and (c.source or c.name) in fresh
            else c.grow(frame_of(row, c))
            if isinstance(c, Words)
            else c
            for c in self.features
        )
        return self if features == self.features else replace(self, features=features)

    @cached_property
    def _has_text(self) -> bool:
        return any(isinstance(c, Words) for c in self.features)

    def __or__(self, other: "Schema") -> "Schema":
        """Levels and classes of both; columns that differ in anything else are refused by name."""
        declared = united(self.declared, other.declared)
        if self == other:
            return self if declared == self.declared else replace(self, declared=declared)
        mine, theirs = (list(s.columns) for s in (self, other))
        if mine != theirs:
            odd = sorted(set(mine) ^ set(theirs)) or mine
            raise ValueError(f"the two schemas do not have the same columns: {listed(odd)}")
        features: list[Column] = []
        for a, b in zip(self.features, other.features, strict=True):
            if type(a) is not type(b) or blank(a) != blank(b):
                raise ValueError(
                    f"column {a.name!r} is read in two ways, as {in_words(a)} and as {in_words(b)}; learn both models "
                    "with the same schema: first.blank().partial_fit(X, y)"
                )
            if isinstance(a, Categories) and isinstance(b, Categories):
                features.append(a.grow(b.levels))
            else:
                features.append(a.united(b) if isinstance(a, Words) and isinstance(b, Words) else a)
        return replace(self, features=tuple(features), declared=declared).with_classes(other.target.levels)


def united(some: Declared, more: Declared) -> Declared:
    """The levels that either declares."""
    return {n: tuple(dict.fromkeys((*some.get(n, ()), *more.get(n, ())))) for n in (*some, *more)}


def target_name(names: Container[str]) -> str:
    """What the target is called in a schema whose columns have these names."""
    return own_name(names, "class", "class label")


def frame_of(row: Mapping[str, Any], column: Vector | Words) -> Frame:
    """The cells of one row that a block reads."""
    return Frame.of({s: [row.get(s)] for s in column.sources or ("no column",)})


def blank(column: Column) -> Column:
    """A column without its levels or terms: what must be equal for two models to be merged."""
    if isinstance(column, Words):
        return replace(column, vocabulary=nothing())
    if not isinstance(column, Categories):
        return column
    return replace(column, levels=(None,) if None in column.levels else ())


def in_words(column: Column) -> str:
    """How a column is read, for a person.

    >>> in_words(Real("dose", family="lognormal", transform="log"))
    'numbers with a lognormal density'
    """
    if isinstance(column, Vector):
        return f"a vector of {column.width} numbers"
    if isinstance(column, Counts):
        above = "" if column.binarize is None else f", each as above {column.binarize:g} or not"
        return f"a block of {column.width} counts{above}"
    if isinstance(column, Words):
        return f"text: {column.in_words}"
    if isinstance(column, Presence):
        return f"whether {column.source} has a value"
    kind = f"numbers with a {column.family} density" if isinstance(column, Real) else "categories"
    if isinstance(column, Binned):
        kind = f"numbers in {len(column.levels)} bins cut at {listed(column.cuts, 4)}" if column.cuts else "one bin"
    if isinstance(column, Categories) and None in column.levels:
        kind += ", missing being one of them"
    return f"{kind}, {listed(sorted(column.missing, key=str))} missing" if column.missing else kind
