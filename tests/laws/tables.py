"""Tables for the laws: for every family columns that it can read, with holes, and levels and classes that come late."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, get_type_hints

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from bayesfold import families
from bayesfold.data.encodings import Binned, Categories, Counts, Real
from bayesfold.data.frame import Frame
from bayesfold.data.landmarks import Landmarks
from bayesfold.data.schema import Schema
from bayesfold.data.text.column import Words
from bayesfold.data.vector import Flag, OneHot, Scaled, Vector
from bayesfold.families._covariance import Shrinkage
from bayesfold.families._forms import Linear
from bayesfold.families.categorical import Categorical
from bayesfold.families.multinormal import Multinormal
from bayesfold.models import structures
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally

from .cells import Cell, any_of, near_zero, or_hole, rows_of, sevenths, some_words

CLASSES = ("p", "q", "r")
KINDS = [*families.names(), "mixed"]
STRUCTURES = structures.names()
TABLES = ("categorical", "m_estimate", "mixed")
"""Kinds with columns that can have parents: a structure of tables is tried on these, naive Bayes on all."""

CASES = [(structure, name) for structure in STRUCTURES for name in (KINDS if structure == "naive" else TABLES)]
TARGET = "y"

EXAMPLES = (
    settings().max_examples if os.environ.get("BAYESFOLD_SOAK") == "1" else max(3, settings().max_examples * 2 // 5)
)
"""Tables on which a law is tried for each structure and kind: there are two dozen of these, so each needs fewer."""


def every(law: Any) -> Any:
    """A law, to be tried on tables of every structure and kind."""
    return pytest.mark.parametrize(("structure", "name"), CASES)(settings(max_examples=EXAMPLES)(law))


@dataclass(frozen=True)
class Rows:
    """Raw cells, one tuple per row; `weights` is None where every row weighs 1."""

    names: tuple[str, ...]
    cells: tuple[tuple[Any, ...], ...]
    labels: tuple[str, ...]
    weights: tuple[float, ...] | None = None

    def __len__(self) -> int:
        return len(self.cells)

    def __add__(self, other: "Rows") -> "Rows":
        both = None if self.weights is None or other.weights is None else self.weights + other.weights
        return Rows(self.names, self.cells + other.cells, self.labels + other.labels, both)

    def take(self, index: Sequence[int]) -> "Rows":
        weights = None if self.weights is None else tuple(self.weights[i] for i in index)
        return Rows(self.names, tuple(self.cells[i] for i in index), tuple(self.labels[i] for i in index), weights)

    def without(self, row: int) -> "Rows":
        return self.take([i for i in range(len(self)) if i != row])

    def weighing(self, weights: Sequence[float] | float) -> "Rows":
        return replace(self, weights=tuple(map(float, np.broadcast_to(weights, len(self)))))

    def columns(self) -> dict[str, list[Any]]:
        return {name: [row[j] for row in self.cells] for j, name in enumerate(self.names)}

    def dicts(self) -> list[dict[str, Any]]:
        return [dict(zip(self.names, row, strict=True)) for row in self.cells]

    def frame(self) -> Frame:
        return Frame.of(self.columns())


@dataclass(frozen=True, eq=False)
class Kind:
    """Columns of one family, or of all of them: their encodings, families, and what their cells hold by a number."""

    features: tuple[Any, ...] = ()
    families: dict[str, Any] = field(default_factory=dict)
    cells: dict[str, Cell] = field(default_factory=dict)

    def __or__(self, other: "Kind") -> "Kind":
        return Kind(self.features + other.features, self.families | other.families, self.cells | other.cells)

    def schema(self, *tables: Rows, classes: Sequence[str] = ()) -> Schema:
        """A schema that knows the levels and the classes of these tables."""
        schema = Schema(Categories(TARGET), self.features).with_classes(classes)
        for rows in tables:
            schema = schema.with_classes(rows.labels).grown(rows.frame())
        return schema


@cache
def kind(name: str) -> Kind:
    """Two columns of a family side by side, or, for "mixed", one of each family."""
    if name != "mixed":
        return one(name, f"{name} 1") | one(name, f"{name} 2")
    whole = Kind()
    for family in families.names():
        whole |= one(family, family)
    return whole


def one(family: str, name: str) -> Kind:
    """A column that the family reads, by what it asks for: a block of counts, levels, or numbers of some sort."""
    made = families.find(family)()
    if family in ("multinormal", "parzen"):
        sources = (f"{name} x", f"{name} y")
        axes = (Scaled(sources[0]), Flag(sources[0]), OneHot(sources[1], ("a", "b"), shares=(0.25, 0.75)))
        cells = {sources[0]: or_hole(sevenths(near_zero(40))), sources[1]: any_of(None, "a", "b", "c")}
        if family == "parzen":
            places = np.array([[-4.0, 0, 1, 0], [0, 1, 0, 0], [0.5, 0, 0, 1], [3, 0, 1, 0], [5, 0, 0, 1], [0, 0, 0, 0]])
            near = Landmarks(name, axes, places, np.diag([0.5, 1.0, 2.0, 2.0]))
            return Kind((near,), {name: made}, cells)
        return Kind((Vector(name, axes),), {name: Multinormal(Shrinkage(0.5, 0.1, 4.0))}, cells)
    if family in ("kde", "m_estimate"):
        cuts = tuple(np.arange(-3.0, 4.0, 0.5 if family == "kde" else 3.0).tolist())
        return Kind((Binned(name, cuts, family=family),), {name: made}, {name: or_hole(sevenths(near_zero(40)))})
    if family == "text":
        return Kind((Words(name),), {name: made}, {name: or_hole(some_words)})
    if is_block(made):
        words = tuple(f"{name} {word}" for word in ("ham", "spam", "eggs"))
        shown = 0.0 if family == "bernoulli" else None
        return Kind((Counts(name, words, shown),), {name: made}, dict.fromkeys(words, any_of(*range(6))))
    if made.order == 0:
        return Kind((Categories(name),), {name: made}, {name: any_of(None, "", "a", "b", "c", "d")})
    transform = getattr(made, "transform", "")
    if transform:
        numbers = sevenths(lambda i: 1 + i % 10_000)
    elif made.order == 1:
        numbers = any_of(*range(41))
    else:
        numbers = sevenths(near_zero(400))
    return Kind((Real(name, transform=transform),), {name: made}, {name: or_hole(numbers)})


def is_block(family: Any) -> bool:
    """Whether a family reads a block of counts: its log densities are then linear in the block."""
    return issubclass(get_type_hints(type(family).fit)["return"], Linear)


def told(name: str) -> dict[str, Any]:
    """families= for the columns of a kind that `NaiveBayes` can be told about: all but blocks of counts."""
    made = kind(name)
    return {c.name: made.families[c.name] for c in made.features if not isinstance(c, Counts | Vector | Binned)}


def columns(rows: Rows, names: Iterable[str]) -> dict[str, list[Any]]:
    """Some columns of a table, by name."""
    every = rows.columns()
    return {name: every[name] for name in names}


FAR = [(0.0, 1.0), (1e9, 1.0), (-1e6, 1e-3), (0.0, 1e100), (0.0, 1e-100)]
"""Where real numbers stand: (offset, unit)."""


def tables(name: str, least: int = 1, most: int = 10, classes: Sequence[str] = CLASSES) -> st.SearchStrategy[Rows]:
    """Rows for columns of a kind."""
    return several(name, 1, least, most, classes).map(lambda parts: parts[0])


def several(
    name: str, parts: int, least: int = 1, most: int = 10, classes: Sequence[str] = CLASSES
) -> st.SearchStrategy[tuple[Rows, ...]]:
    """Tables of the same columns, which may show different levels and classes; their numbers stand in one place."""
    return tables_of(kind(name), parts, least, most, tuple(classes))


@cache
def tables_of(
    made: Kind, parts: int, least: int, most: int, classes: tuple[str, ...]
) -> st.SearchStrategy[tuple[Rows, ...]]:
    """The same of a kind; what hypothesis has looked over once is not looked over for every table."""
    row = rows_of(any_of(*classes), tuple(made.cells.values()), least, most)
    many = st.tuples(*[row] * parts)
    anywhere = {
        c.name for c in made.features if isinstance(c, Real) and made.families[c.name].order == 2 and not c.transform
    }

    def placed(far: tuple[float, float], drawn: tuple[list[Any], ...]) -> tuple[Rows, ...]:
        offset, unit = far

        def moved(source: str, x: Any) -> Any:
            return offset + unit * x if source in anywhere and x is not None else x

        names = tuple(made.cells)
        return tuple(
            Rows(
                names,
                tuple(tuple(moved(n, x) for n, x in zip(names, cells, strict=True)) for _, cells in rows),
                tuple(label for label, _ in rows),
            )
            for rows in drawn
        )

    return st.builds(placed, st.sampled_from(FAR) if anywhere else st.just(FAR[0]), many)


def weights(rows: int) -> st.SearchStrategy[list[float]]:
    """Weights for rows: whole, a fraction, and awkward ones."""
    awkward = (1.0, 2.0, 3.0, 0.5, 0.1, 1.7)
    return st.binary(min_size=rows, max_size=rows).map(lambda drawn: [awkward[i % 6] for i in drawn])


def batch_of(schema: Schema, rows: Rows) -> Any:
    """Encoded rows with their labels and weights."""
    weight = None if rows.weights is None else np.array(rows.weights)
    return schema.encode(rows.frame(), np.array(rows.labels), weight)


def structure_of(structure: str, schema: Schema) -> Any:
    """A structure that depends on no row: TAN and KDB are learned from a table of the schema's own making."""
    made = structures.find(structure)
    learner = made(schema.tables[0]) if structure == "spode" else made()
    every = tuple(c.grow("abcd") if isinstance(c, Categories) else c for c in schema.features)
    whole = Schema(Categories(TARGET, CLASSES), every)
    return learner.learn(whole, lambda cliques: fixed(whole, cliques))


def fixed(schema: Schema, cliques: Sequence[Clique]) -> Tally:
    """A tally of made-up counts."""
    tally = Tally.zero(schema, cliques)
    for clique in cliques:
        shape = tally.layout.shape(clique)
        start = tally.layout.offsets[clique][0]
        cell = np.indices(shape).reshape(len(shape), -1)[:, : int(np.prod(shape))]
        tally.counts[start : start + cell.shape[1]] = 1 + (sum(map(len, clique.keys)) * cell.prod(0)) % 5
    return tally


def tally_of(name: str, structure: str, schema: Schema, rows: Rows) -> Any:
    """The statistic of some rows under a structure."""
    known = kind(name).families | {TARGET: Categorical(1.0)}
    mixture = structure_of(structure, schema)
    return count(schema, cliques(schema, mixture, known), batch_of(schema, rows))


def model_of(name: str, structure: str, rows: Rows, schema: Schema | None = None, **options: Any) -> Model:
    """A model of some rows, every family with its default smoothing."""
    schema = kind(name).schema(rows) if schema is None else schema
    known = kind(name).families | {TARGET: Categorical(1.0)}
    return Model(structure_of(structure, schema), known, tally_of(name, structure, schema, rows), **options)


# comparing


def assert_same_counts(a: Any, b: Any) -> None:
    """Row counts equal to the bit, level by level, whatever order the levels came in."""
    a = a.on(b.schema)
    assert a.layout.cliques == b.layout.cliques
    np.testing.assert_array_equal(a.counts, b.counts)


def assert_same_tally(a: Any, b: Any, held: Any = None) -> None:
    """Counts equal, weights and sums to 1e-12 of the largest sums that were ever in the cells (`held`, or b's own)."""
    a, held = a.on(b.schema), (b if held is None else held.on(b.schema))
    assert_same_counts(a, b)
    for ours, theirs, size in ((mass(a), mass(b), mass(held)), (a.sums.sum(0), b.sums.sum(0), magnitude(held))):
        assert np.all(np.abs(ours - theirs) <= 1e-12 * np.maximum(size, np.abs(theirs)))


def mass(tally: Any) -> np.ndarray[Any, Any]:
    """The weight in each cell: its row count where every row weighs 1."""
    return tally.weights.sum(0) if tally.weights.shape[1] else tally.counts.astype(float)


def magnitude(tally: Any) -> np.ndarray[Any, Any]:
    """A bound on the sum of |x| or of x^2 in each cell: of x by Cauchy and Schwarz where x^2 is summed too."""
    bound = np.abs(tally.sums.sum(0))
    for clique in tally.layout.cliques:
        if clique.order == 2 and isinstance(tally.schema.columns[clique.terms[0]], Vector):
            begin = tally.layout.offsets[clique][1]
            bound[begin : begin + tally.layout.sums_in_cell(clique) * tally.schema.target.slots] = bound.max()
        elif clique.order == 2 and isinstance(tally.schema.columns[clique.terms[0]], Real):
            cells, sums = tally.layout.offsets[clique]
            size = int(np.prod(tally.layout.shape(clique)))
            squares = bound[sums + 1 : sums + 2 * size : 2]
            bound[sums : sums + 2 * size : 2] = np.sqrt(mass(tally)[cells : cells + size] * squares)
    return bound


class Frozen:
    """A family that has learned what it learns from a whole table, and learns no more: a refit with that held."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def hold(self, cells: Any) -> Any:
        return self.held

    def __getattr__(self, name: str) -> Any:
        return getattr(self.held, name)


def frozen(model: Model, tally: Any) -> Model:
    """The model that another statistic gives with everything held that this one holds."""
    known = dict(model.families)
    for group in model.groups:
        held = Frozen(group.held(model.tally)[1])
        known |= dict.fromkeys(group.names, held)
    return Model(model.mixture, known, tally, model.prior, model.class_weight)
