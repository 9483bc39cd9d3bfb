"""From the columns of a schema to those of a plan: how each reads its source."""

from collections.abc import Iterator
from functools import cache, singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data import encodings as columns
from bayesfold.data import vector
from bayesfold.data.encoding import Encoding
from bayesfold.data.frame import Level
from bayesfold.data.text.column import Words
from bayesfold.data.text.tokenizer import character_table
from bayesfold.store.export import _columns


def columns_of(features: tuple[Any, ...], texts: bool) -> Iterator[_columns.Column]:
    """How each column reads its source; columns that read one text in the same way hold its terms once."""
    first: dict[Any, int] = {}
    for i, c in enumerate(features):
        if texts and isinstance(c, Words) and not c.analyser.buckets:
            like = first.setdefault((c.sources, c.analyser, c.vocabulary), i)
            yield terms_of(c, None if like == i else like)
        else:
            yield column_of(c)


@singledispatch
def column_of(c: Encoding) -> _columns.Column:
    """How a column of the schema reads its source; a kind that is not below cannot be exported."""
    raise TypeError(f"column {c.name!r} is read as {c.in_words}, which cannot be exported yet")


@column_of.register
def _(c: columns.Categories) -> _columns.Column:
    return _columns.LevelsColumn(
        c.name, c.origin, levels_of(c.origin, c.levels), c.hole, ordered_markers(c.origin, c.missing)
    )


@column_of.register
def _(c: columns.Binned) -> _columns.Column:
    return _columns.BinsColumn(c.name, c.origin, c.cuts, c.hole, ordered_markers(c.origin, c.missing))


@column_of.register
def _(c: columns.Presence) -> _columns.Column:
    return _columns.PresenceColumn(c.name, c.source, c.number, ordered_markers(c.source, c.missing))


@column_of.register
def _(c: columns.Real) -> _columns.Column:
    return _columns.NumberColumn(c.name, c.origin, bool(c.transform), ordered_markers(c.origin, c.missing))


@column_of.register
def _(c: columns.Counts) -> _columns.Column:
    return _columns.CountsColumn(c.name, c.sources, c.binarize)


@column_of.register
def _(c: vector.Vector) -> _columns.Column:
    return _columns.VectorColumn(c.name, tuple(axis_of(axis) for axis in c.axes))


@column_of.register
def _(c: Words) -> _columns.Column:
    hint = "fit with hashed=None" if c.analyser.buckets else ".js and .json can hold it"
    raise TypeError(f"column {c.name!r} is read as {c.in_words}, which cannot be exported yet; {hint}")


def terms_of(c: Words, like: int | None) -> _columns.TermsColumn:
    """How a text is read into terms."""
    return _columns.TermsColumn(
        c.name,
        c.sources[0],
        tuple(c.vocabulary) if like is None else (),
        letters_of(c.analyser.lowercase) if like is None else None,
        like,
        c.analyser.analyzer,
        c.analyser.ngrams,
        c.weighing,
        c.norm,
        None if c.rarity is None else c.rarity.idf(np.arange(len(c.rarity.df) + 1)),
        tuple(sorted(map(str, c.missing))),
    )


@cache
def letters_of(lowercase: bool) -> _columns.Letters:
    """The table of characters that the kernels use, as runs and pairs."""
    stage, fold = character_table(lowercase)
    points = np.arange(len(stage) << 8)
    known = fold[(stage[points >> 8].astype(np.intp) << 8) | (points & 255)]
    capitals = np.flatnonzero(known >> 2)
    small = zip(capitals.tolist(), (capitals + (known[capitals] >> 2)).tolist(), strict=True)
    pairs = tuple((a, b) for a, b in small if a not in (0x130, 0x3A3))
    return _columns.Letters(runs(known & 1), runs(known & 2), pairs)


def runs(flags: NDArray[Any]) -> tuple[tuple[int, int], ...]:
    """Where flags are set, as first and last of each run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags != 0, [0]]).astype(np.int8)))
    return tuple((int(a), int(b) - 1) for a, b in edges.reshape(-1, 2))


@singledispatch
def axis_of(axis: Any) -> _columns.Axis:
    """One axis of a vector."""
    raise TypeError(f"an axis of the kind {type(axis).__name__} cannot be exported yet")


@axis_of.register
def _(axis: vector.Scaled) -> _columns.Axis:
    missing = ordered_markers(axis.source, axis.missing)
    return _columns.ScaledAxis(axis.source, missing, axis.centre, axis.unit, axis.limit, axis.knots)


@axis_of.register
def _(axis: vector.OneHot) -> _columns.Axis:
    missing, levels = ordered_markers(axis.source, axis.missing), levels_of(axis.source, axis.levels)
    hole, unseen = (tuple(x + 0.0 for x in stands) for stands in (axis.hole, axis.unseen))
    return _columns.OneHotAxis(axis.source, missing, levels, hole, unseen)


@axis_of.register
def _(axis: vector.Flag) -> _columns.Axis:
    return _columns.FlagAxis(axis.source, ordered_markers(axis.source, axis.missing))


def levels_of(source: str, levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Levels that other languages can hold."""
    return tuple(check_exact(f"column {source!r}", level) for level in levels)


def ordered_markers(source: str, missing: frozenset[Level]) -> tuple[Level, ...]:
    """Markers of missing values, in an order that does not change."""
    return levels_of(source, tuple(sorted(missing, key=lambda v: (type(v).__name__, str(v)))))


def check_exact(where: str, level: Level) -> Level:
    """A level, if a number in it is one that double precision holds."""
    if isinstance(level, int | float) and not (np.isfinite(float(level)) and float(level) == level):
        raise ValueError(f"{where} has the level {level!r}, which no other language reads exactly; make it text")
    return level
