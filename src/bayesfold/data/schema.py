"""What a row is: the target, and each feature as a (source column, encoding) pair.

An encoding turns raw values into what can be counted: `Categories` into slots of an axis (slot 0 is "missing", level l
is slot l + 1, one slot behind the last is "unseen"), `Real` into numbers (NaN is "missing"), `Counts` and `Words` into
a block of non-negative counts, of columns side by side or of the terms of a text. One source may appear under several
encodings. A schema is learned once; after that only levels and terms grow.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel, side_by_side
from bayesfold.data.dates import NAMED, with_parts
from bayesfold.data.encoding import Encoding
from bayesfold.data.encoding_plan import EncodingPlan
from bayesfold.data.encodings import Binned, Categories, Counts, Discrete, Presence, Real
from bayesfold.data.frame import Coded, Floats, Frame, Level, code
from bayesfold.data.landmarks import Landmarks
from bayesfold.data.row_cells import plain_row, with_numbers_read
from bayesfold.data.text.column import Words
from bayesfold.data.united import Declared, say_the_same, unite_columns, unite_declared, unite_marks
from bayesfold.data.vector import Vector
from bayesfold.runtime.messages import listed, ordered
from bayesfold.runtime.threads import each

if TYPE_CHECKING:
    from bayesfold.data.row_reader import RowReader

Block: TypeAlias = Counts | Landmarks | Vector | Words
Column: TypeAlias = Discrete | Real | Block
Kind = TypeVar("Kind", bound=Encoding)

SAME_WHEN_GROWN = ("sources", "parts", "numbers", "binned", "presences", "_known", "_types")
"""What a schema has worked out that new levels do not change."""


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
    declared: Declared = field(default_factory=dict, compare=False)  # of a text how many of its first terms
    decimals: Mapping[str, str] = field(default_factory=dict, compare=False)  # source column: its mark in text files

    @cached_property
    def columns(self) -> dict[str, Column]:
        """Every column by name, the target included."""
        return {c.name: c for c in (*self.features, self.target)}

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The features that have levels or bins, and can so be a parent or have one."""
        return tuple(c.name for c in self.features if c.is_table)

    def _of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """The features of a kind."""
        types = {each for each in self._types if issubclass(each, kind)}
        return tuple(cast(Kind, c) for c in self.features if type(c) in types) if types else ()

    @cached_property
    def _types(self) -> frozenset[type[Column]]:
        """The features' types: few, where to ask each feature takes long in a stream of rows that makes it grow."""
        return frozenset(map(type, self.features))

    @cached_property
    def categories(self) -> tuple[Categories, ...]:
        """The features that are read as categories."""
        return self._of(Categories)

    @cached_property
    def numbers(self) -> tuple[Real, ...]:
        """The features that are read as numbers with a density."""
        return self._of(Real)

    @cached_property
    def binned(self) -> tuple[Binned, ...]:
        """The features that are read as numbers in bins."""
        return self._of(Binned)

    @cached_property
    def presences(self) -> tuple[Presence, ...]:
        """The features that say whether a cell has a value."""
        return self._of(Presence)

    @cached_property
    def counts(self) -> tuple[Counts, ...]:
        """The features that are blocks of counts."""
        return self._of(Counts)

    @cached_property
    def texts(self) -> tuple[Words, ...]:
        """The features that are read as text."""
        return self._of(Words)

    @cached_property
    def vectors(self) -> tuple[Vector, ...]:
        """The features that are looked at together."""
        return self._of(Vector)

    @cached_property
    def landmarks(self) -> tuple[Landmarks, ...]:
        """The vectors that are compared with rows."""
        return self._of(Landmarks)

    @cached_property
    def plan(self) -> EncodingPlan:
        """How the features are encoded together."""
        return EncodingPlan(self.features, self.categories, self.numbers)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The source columns read, in order, each once."""
        names: dict[str, None] = {}
        for c in self.features:
            names |= dict.fromkeys(c.sources)
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
        return {name: column.slots for name, column in self.columns.items() if column.slots}

    @cached_property
    def position(self) -> dict[str, int]:
        """The place of each column, the target last."""
        return {name: i for i, name in enumerate(self.columns)}

    def width(self, name: str) -> int:
        """How many numbers a term column contributes: 1, or a block's width."""
        return self.columns[name].width

    def sums(self, name: str, order: int) -> int:
        """How many sums a term column needs: of x to each power; of a vector's x, and of x x'."""
        return self.columns[name].sums(order)

    def grown(self, frame: Frame) -> "Schema":
        """This schema with the levels and terms that `frame` shows for the first time."""
        frame = self._with_sources(frame)
        features = tuple(c.grown(frame) for c in self.features)
        return self if features == self.features else replace(self, features=features)

    def with_classes(self, classes: Iterable[Level]) -> "Schema":
        """This schema with more classes, kept in sorted order."""
        target = self.target.grow(classes)
        return self if target is self.target else replace(self, target=replace(target, levels=ordered(target.levels)))

    def declaring(self, classes: Iterable[Level]) -> "Schema":
        """This schema, in which these classes are declared."""
        return replace(self, declared=unite_declared(self.declared, {self.target.name: tuple(classes)}))

    def all_declared(self) -> "Schema":
        """This schema, in which every level is declared: it is handed on without the rows that it came from."""
        levels = {c.name: c.declares for c in (self.target, *self.features)}
        return replace(self, declared={name: stays for name, stays in levels.items() if stays is not None})

    def encode(self, frame: Frame, labels: Any = None, weight: Floats | None = None) -> Batch:
        """Rows as a batch; the columns that stand in one matrix stay in it."""
        frame = self._with_sources(frame)
        plain, whole, loose, blocks = self.plan.ways(frame.matrix is not None, bool(frame.integers))
        codes: list[Panel] = []
        reals: list[Panel] = []
        if plain:
            reals.append(Panel(tuple(c.name for c in plain), frame.matrix_of([c.origin for c in plain], float)))
        if whole:
            codes.append(Panel(tuple(c.name for c in whole), frame.matrix_of([c.origin for c in whole]), 1))
        if loose:
            encoded: list[Any] = each(lambda c: c.encode(frame), loose, frame.rows)
            of_codes: list[tuple[str, Any]] = []
            of_reals: list[tuple[str, Any]] = []
            for c, x in zip(loose, encoded, strict=True):
                (of_codes if c.slots else of_reals).append((c.name, x))
            codes += side_by_side(of_codes, frame.rows)
            reals += side_by_side(of_reals, frame.rows)
        counts = [Panel((c.name,), c.encode(frame)) for c in blocks]
        batch = Batch(frame.rows, tuple(codes), tuple(reals), tuple(counts), self.encode_labels(labels), weight)
        if labels is not None:  # these rows are to be learned, or were
            for column in self.numbers:
                if column.least is not None:
                    column.refuse(batch.column(column.name))
        return batch

    def _with_sources(self, frame: Frame) -> Frame:
        """A frame that has every source, numbers written with a comma read."""
        if frame.names != self.sources:
            frame.require(self.sources)
        return frame.with_numbers_read(self._commas) if self._commas else frame

    @cached_property
    def _commas(self) -> tuple[str, ...]:
        """The sources whose numbers had a comma before their decimals in the text files that were learned."""
        return tuple(name for name, mark in self.decimals.items() if mark == ",")

    def encode_labels(self, labels: Any) -> NDArray[np.int32] | None:
        """The target's slots, unknown classes refused by row."""
        if labels is None:
            return None
        coded = labels if isinstance(labels, Coded) else code(labels)
        if coded.whole and coded.levels == list(self.target.levels):
            return coded.raw + np.int32(1)
        own = self.target
        slots = coded.places([own.slot_of(level) if own.knows(level) else -1 for level in coded.levels], 0)
        if len(slots) and slots.min() < 0:
            row = int(np.argmin(slots))
            said = f"row {row} has the class {coded.levels[coded.index[row]]!r}, which this model has not learned"
            raise ValueError(f"{said}; its classes are {listed(own.levels)}")
        return slots

    @cached_property
    def _reader(self) -> "RowReader":
        from bayesfold.data.row_reader import RowReader  # tables are encoded without

        return RowReader.of(self.categories, self.numbers, self.binned, self.presences)

    def read_row(self, row: Mapping[str, Any], to_learn: bool = False) -> tuple[NDArray[np.int32], Floats]:
        """One row given as a dict: the slots of its categories, the numbers of its real and its binned columns."""
        if self.parts or self._commas or "" in row:
            row = self._as_held(row)
        return self._reader.read(row, self._known, to_learn)

    def _as_held(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """A row as a table holds it, with the parts of its dates, its columns called as the model calls them."""
        row = plain_row(row)
        if "" in row:
            from bayesfold.data.row_reader import name_by_place  # tables are encoded without

            row = name_by_place(row, self._known)
        row = with_numbers_read(row, self._commas)
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
        row = self._as_held(row)
        codes, reals = self._reader.panels(row, *self.read_row(row, label is not None))
        return Batch(
            1,
            codes,
            reals,
            tuple(Panel((c.name,), c.encode(c.frame_of(row))) for c in self.features if c.is_block),
            None if label is None else np.array([self.target.slot_of(label)], np.int32),
            None if weight is None else np.array([weight]),
        )

    def grown_by_row(self, row: Mapping[str, Any]) -> "Schema":
        """As `grown`, for one row given as a dict."""
        row = self._as_held(row)
        fresh = self._reader.unseen(row)
        if not (fresh or self.texts or self.landmarks):
            return self
        features = tuple(c.grown_by_row(row, fresh) for c in self.features)
        if features == self.features:
            return self
        grown = replace(self, features=features)
        grown.__dict__.update({name: getattr(self, name) for name in SAME_WHEN_GROWN})  # rows bring levels one by one
        grown.__dict__["_reader"] = self._reader.grown(grown.categories)
        return grown

    def __or__(self, other: "Schema") -> "Schema":
        """Levels and classes of both; columns that differ in anything else are refused by name."""
        declared, decimals = unite_declared(self.declared, other.declared), unite_marks(self.decimals, other.decimals)
        if self == other:
            united = replace(self, declared=declared, decimals=decimals)
            return self if say_the_same(self, united) else united
        mine, theirs = (list(s.columns) for s in (self, other))
        if mine != theirs:
            odd = sorted(set(mine) ^ set(theirs)) or mine
            raise ValueError(f"the two schemas do not have the same columns: {listed(odd)}")
        united = replace(
            self, features=unite_columns(self.features, other.features), declared=declared, decimals=decimals
        )
        return united.with_classes(other.target.levels)
