"""Levels and terms that were met where nobody knows who was first, in an order that does not depend on it."""

from dataclasses import replace

from bayesfold.data.schema import Schema
from bayesfold.tally.statistic import Tally


def sort_new_levels(tally: Tally, known: Schema) -> Tally:
    """A tally whose new levels and terms stand sorted behind those that were known."""
    features = tuple(c.sorted_behind(known.columns[c.name]) for c in tally.schema.features)
    return tally.on(replace(tally.schema, features=features))
