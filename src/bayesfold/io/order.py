"""Levels and terms that were met where nobody knows who was first, in an order that does not depend on it."""

from dataclasses import replace

from bayesfold.data.encodings import Categories
from bayesfold.data.schema import Column, Schema
from bayesfold.data.text.column import Words
from bayesfold.data.text.vocabulary import Vocabulary
from bayesfold.runtime.messages import ordered
from bayesfold.tally.statistic import Tally


def in_order(tally: Tally, known: Schema) -> Tally:
    """A tally whose new levels and terms stand sorted behind those that were known."""
    features = tuple(sorted_behind(c, known.columns[c.name]) for c in tally.schema.features)
    return tally.on(replace(tally.schema, features=features))


def sorted_behind(column: Column, known: Column) -> Column:
    """A column with its new levels or terms sorted behind those that were known.

    >>> sorted_behind(Categories("a", ("x", "q", "p")), Categories("a", ("x",))).levels
    ('x', 'p', 'q')
    """
    if isinstance(column, Categories) and isinstance(known, Categories):
        fresh = [level for level in column.levels if level not in known.slot]
        return replace(column, levels=(*known.levels, *ordered(fresh)))
    if isinstance(column, Words) and isinstance(known, Words) and not column.analyser.buckets:
        old = set(known.vocabulary)
        terms = sorted(term for term in column.vocabulary if term not in old)
        return replace(column, vocabulary=Vocabulary.of([*known.vocabulary, *terms]))
    return column
