"""What a row is: the target, and each feature as a (source column, encoding) pair.

An encoding turns raw values into what can be counted: `Categories` into slots of an axis (slot 0 is "missing", level l
is slot l + 1, one slot behind the last is "unseen"), `Real` into numbers (NaN is "missing"), `Counts` and `Words` into
a block of non-negative counts, of columns side by side or of the terms of a text. One source may appear under several
encodings. A schema is learned once; after that only levels and terms grow.

>>> colour = Categories("colour", ("green", "red"))
>>> colour.encode(Frame.of({"colour": ["red", None, "blue"]})).tolist()      # red is slot 2, missing 0, unseen 3
[2, 0, 3]
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bayesfold.columns import NO_MARKERS, Binned, Presence
from bayesfold.frame import Array, Coded, Floats, Frame, Level, code
from bayesfold.kernels import records
from bayesfold.threads import each
from bayesfold.vector import Vector
from bayesfold.words import Words, nothing


@dataclass(frozen=True)
class Categories:
    """A discrete column: its levels in a fixed order. Where None is among them, missing is a level like the others."""

    name: str
    levels: tuple[Level, ...] = ()
    source: str = ""
    missing: frozenset[Level] = NO_MARKERS

    @property
    def slots(self) -> int:
        """Length of the axis: the missing slot and one slot a level."""
        return len(self.levels) + 1

    @cached_property
    def slot(self) -> dict[Level, int]:
        """The slot of each level; a marker of a missing value has the slot of the missing."""
        found = {level: i + 1 for i, level in enumerate(self.levels)}
        return found | dict.fromkeys(self.missing, found.get(None, 0))

    @property
    def hole(self) -> int:
        """The slot of a missing cell."""
        return self.slot.get(None, 0)

    @cached_property
    def is_range(self) -> bool:
        """Whether the levels are 0, 1, 2, ...: then integers are their own codes."""
        return not self.missing and self.levels == tuple(range(len(self.levels)))

    def encode(self, frame: Frame) -> Array:
        """The slot of each row."""
        coded = frame.coded(self.source or self.name)
        slots = [self.slot.get(level, self.slots) for level in coded.levels]
        return coded.places(slots, self.hole, np.uint8 if self.slots < 256 else np.int32)

    def grow(self, levels: Iterable[Level]) -> "Categories":
        """This column with the levels it did not know, appended."""
        new = [level for level in dict.fromkeys(levels) if level not in self.slot]
        return replace(self, levels=self.levels + tuple(new)) if new else self


@dataclass(frozen=True)
class Real:
    """A column of numbers, or of their logarithms, and the family its density was found to be of."""

    name: str
    source: str = ""
    transform: str = ""
    missing: frozenset[Level] = NO_MARKERS
    family: str = "gaussian"

    def encode(self, frame: Frame) -> Floats:
        """The number of each row, NaN where it is missing."""
        x = frame.numbers(self.source or self.name, self.missing)
        return x if not self.transform else logarithm(x)


@dataclass(frozen=True)
class Counts:
    """A block of count columns side by side: words of a text, clicks of a session; `binarize` keeps only presence."""

    name: str
    sources: tuple[str, ...]
    binarize: float | None = None

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


Discrete: TypeAlias = Categories | Binned | Presence
Block: TypeAlias = Counts | Vector | Words
Column: TypeAlias = Discrete | Real | Block


@dataclass(frozen=True)
class Panel:
    """Encoded columns that share one row-major array."""

    names: tuple[str, ...]
    values: Any
    shift: int = 0  # what turns a stored code into its slot


@dataclass(frozen=True)
class Batch:
    """Encoded rows: slots, numbers and count blocks; the target's slots and the rows' weights when they are known."""

    rows: int
    codes: tuple[Panel, ...] = ()
    reals: tuple[Panel, ...] = ()
    counts: tuple[Panel, ...] = ()
    labels: NDArray[np.int32] | None = None
    weight: Floats | None = None

    @property
    def weights(self) -> Floats:
        """The rows' weights, 1 where none were given."""
        return np.ones(self.rows) if self.weight is None else self.weight

    def place(self, name: str) -> tuple[Panel, int]:
        """The panel of a column, and where it stands there."""
        return self._places[name]

    @cached_property
    def _places(self) -> dict[str, tuple[Panel, int]]:
        panels = (*self.codes, *self.reals, *self.counts)
        return {name: (panel, j) for panel in panels for j, name in enumerate(panel.names)}

    def column(self, name: str) -> Any:
        """One column: its slots, its numbers or its block."""
        panel, j = self.place(name)
        if any(panel is p for p in self.counts):
            return panel.values
        values = panel.values[:, j]
        return values.astype(np.intp) + panel.shift if values.dtype.kind != "f" else values

    def take(self, rows: NDArray[Any]) -> "Batch":
        """The rows chosen by an index or a mask."""
        index = np.flatnonzero(rows) if rows.dtype == bool else rows

        def cut(panels: tuple[Panel, ...]) -> tuple[Panel, ...]:
            return tuple(replace(p, values=p.values[index]) for p in panels)

        return Batch(
            len(index),
            cut(self.codes),
            cut(self.reals),
            cut(self.counts),
            None if self.labels is None else self.labels[index],
            None if self.weight is None else self.weight[index],
        )


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
                if isinstance(column, Real) and column.family == "poisson":
                    refuse_negative(column.source or column.name, batch.column(column.name))
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
    def _reader(self) -> "Reader":
        discrete = tuple(c for c in self.features if isinstance(c, Categories))
        numeric = tuple(c for c in self.features if isinstance(c, Real))
        binned = tuple(c for c in self.features if isinstance(c, Binned))
        numbers: tuple[Real | Binned, ...] = (*numeric, *binned)
        return Reader(
            tuple(c.source or c.name for c in discrete),
            tuple(c.slot for c in discrete),
            tuple(c.slots for c in discrete),
            tuple(c.source or c.name for c in numbers),
            tuple(c.missing for c in numbers),
            tuple(i for i, c in enumerate(numeric) if c.transform),
            tuple(i for i, c in enumerate(numeric) if c.family == "poisson"),
            tuple(i for i, c in enumerate(numbers) if c.missing),
            tuple((j, c.hole) for j, c in enumerate(discrete) if c.hole),
            binned,
            tuple(c for c in self.features if isinstance(c, Presence)),
            tuple(c.name for c in discrete),
            tuple(c.name for c in numeric),
            any(isinstance(c, Words) for c in self.features),
        )

    def read_row(self, row: Mapping[str, Any], to_learn: bool = False) -> tuple[NDArray[np.int32], Floats]:
        """One row given as a dict: the slots of its categories, the numbers of its real and its binned columns."""
        reader = self._reader
        codes = np.empty((1, len(reader.keys)), np.int32)
        values = np.empty((1, len(reader.numbers)))
        read = (reader.keys, reader.slots, reader.behind, reader.numbers, reader.markers)
        if not records.read(row, *read, codes, values) and row:
            refuse_strangers(row, (*self.sources, *self.left_out))
        for i in reader.marked:
            if values[0, i] in reader.markers[i]:
                values[0, i] = np.nan
        for i in reader.logarithms:
            values[0, i : i + 1] = logarithm(values[0, i : i + 1])
        for j, hole in reader.holes:
            codes[0, j] = codes[0, j] or hole
        if to_learn:
            for i in reader.counting:
                refuse_negative(reader.numbers[i], values[:, i])
        return codes, values

    def encode_row(self, row: Mapping[str, Any], label: Any = None, weight: float | None = None) -> Batch:
        """One row given as a dict: the same batch as `encode` makes of a table with that one row."""
        reader = self._reader
        codes, values = self.read_row(row, label is not None)
        reals, binned = values[:, : len(reader.reals)], values[:, len(reader.reals) :]
        panels = [Panel(reader.names, codes)] if reader.names else []
        panels += [Panel((c.name,), c.place(binned[:, i]).reshape(1, 1)) for i, c in enumerate(reader.binned)]
        panels += [Panel((c.name,), c.read(row.get(c.source))) for c in reader.presence]
        return Batch(
            1,
            tuple(panels),
            (Panel(reader.reals, np.ascontiguousarray(reals)),) if reader.reals else (),
            tuple(Panel((c.name,), c.encode(frame_of(row, c))) for c in self.features if isinstance(c, Vector | Words)),
            None if label is None else np.array([self.target.slot[label]], np.int32),
            None if weight is None else np.array([weight]),
        )

    def grown_by_row(self, row: Mapping[str, Any]) -> "Schema":
        """As `grown`, for one row given as a dict."""
        fresh = records.unseen(row, self._reader.keys, self._reader.slots)
        if not fresh and not self._reader.words:
            return self
        named = dict(fresh)
        features = tuple(
            c.grow([named[c.source or c.name]])
            if isinstance(c, Categories) and (c.source or c.name) in named
            else c.grow(frame_of(row, c))
            if isinstance(c, Words)
            else c
            for c in self.features
        )
        return self if features == self.features else replace(self, features=features)

    def __or__(self, other: "Schema") -> "Schema":
        """Levels and classes of both; columns that differ in anything else are refused by name."""
        if self == other:
            return self
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
        return replace(self, features=tuple(features)).with_classes(other.target.levels)


@dataclass(frozen=True)
class Reader:
    """What reading one dict needs to know of each column, worked out once."""

    keys: tuple[str, ...]  # the sources of the categories ...
    slots: tuple[dict[Any, int], ...]
    behind: tuple[int, ...]
    numbers: tuple[str, ...]  # ... and of the numbers: real, then binned
    markers: tuple[frozenset[Level], ...]
    logarithms: tuple[int, ...]
    counting: tuple[int, ...]
    marked: tuple[int, ...]
    holes: tuple[tuple[int, int], ...]  # categories whose missing is a level
    binned: tuple[Binned, ...]
    presence: tuple[Presence, ...]
    names: tuple[str, ...]
    reals: tuple[str, ...]
    words: bool  # whether a column is text


def frame_of(row: Mapping[str, Any], column: Vector | Words) -> Frame:
    """The cells of one row that a block reads."""
    return Frame.of({s: [row.get(s)] for s in column.sources or ("no column",)})


def refuse_strangers(row: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse a row that has none of the columns: a misspelt name would otherwise pass for a row with nothing in it."""
    if names and not any(name in row for name in names):
        raise ValueError(f"this row has {listed(row)}, and none of the columns of the model: {listed(names)}")


def refuse_negative(name: str, x: Floats) -> None:
    """Say where a number below 0 stands that is to be learned as a count."""
    if (x < 0).any():
        row = int(np.argmax(x < 0))
        raise ValueError(
            f"column {name!r} is {x[row]:g} in row {row}, but poisson needs numbers of at least 0; make it missing "
            f"(NaN), or fit with another density: families={{{name!r}: 'gaussian'}}"
        )


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


def logarithm(x: Floats) -> Floats:
    """log x, NaN (says nothing) where x is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x > 0, np.log(x), np.nan)


def ordered(levels: Sequence[Level]) -> tuple[Level, ...]:
    """Levels sorted, also when they are of several types."""
    try:
        return tuple(sorted(levels))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(levels, key=lambda v: (type(v).__name__, v)))


def listed(names: Iterable[Any], most: int = 8) -> str:
    """Names for an error message, cut where there are many."""
    shown = [repr(n) for n in names]
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")
