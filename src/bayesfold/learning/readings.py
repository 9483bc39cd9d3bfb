"""The ways to read the columns of a table that are compared when a model is learned."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bayesfold.data.encodings import Presence
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.own_names import own_name
from bayesfold.data.schema import Schema
from bayesfold.families.m_estimate import MEstimate
from bayesfold.learning.discover import Found, discover, with_codes, with_holes_as_values
from bayesfold.learning.gaussian_vector import gathered
from bayesfold.learning.given_schema import read_given_schema
from bayesfold.learning.holes import by_class as holes_by_class
from bayesfold.learning.holes import strength
from bayesfold.learning.one_column import Options
from bayesfold.learning.recipe import Recipe

ALL_TOGETHER = 200
"""Columns up to which a covariance of those that tell nothing by themselves is tried too."""


def readings(frame: Frame, labels: Coded, weight: Floats | None, recipe: Recipe) -> Iterator[Found]:
    """The ways to read the columns that are to be compared: of tables, two kinds of bins, holes skipped or a value."""
    options = recipe.options if recipe.schema is not None else with_codes(frame, labels, weight, recipe.options)
    if recipe.schema is not None:
        yield read_given_schema(recipe)
    elif recipe.normal is not None:
        for found in telling_or_all(frame, labels, weight, options, recipe.normal.screened):
            ranks = recipe.normal.ranks if found.schema.numbers else (False,)
            yield from gathered(found, frame, labels, weight, ranks, recipe.normal.limit, options)
    elif not recipe.reads_tables:
        if recipe.weights == "auto":
            found = read_for_weights(frame, labels, weight, options)
            yield found if options.missing_as == "skip" else with_presence(found, frame, labels, weight, options.copies)
        else:
            yield discover(frame, labels, options, weight)
    else:
        options = replace(options, silent={**options.silent, **options.shallow})
        holes = ("skip", "value") if options.missing_as == "auto" else (options.missing_as,)
        seen: list[Schema] = []
        for numeric in ("mdl", "quintiles") if options.numeric == "auto" else (options.numeric,):
            first = discover(frame, labels, replace(options, numeric=numeric, missing_as=holes[0]), weight)
            values_too = len(holes) > 1 and not options.more_to_come
            both = (
                (first, with_holes_as_values(first, frame, labels, weight, options.copies)) if values_too else (first,)
            )
            for found in both:
                if found.schema not in seen:
                    seen.append(found.schema)
                    yield found
            if not first.schema.binned:
                break  # there is nothing to cut in another way


def read_for_weights(frame: Frame, labels: Coded, weight: Floats | None, options: Options) -> Found:
    """The columns as naive Bayes with weights, and with it a pool, reads them: each by itself, holes skipped."""
    return discover(frame, labels, replace(options, missing_as="skip", together=False), weight)


def telling_or_all(
    frame: Frame, labels: Coded, weight: Floats | None, options: Options, screened: tuple[bool, ...]
) -> Iterator[Found]:
    """The columns that tell by themselves, and all, where that differs: some tell only beside others.

    A covariance of all columns is not tried where they are very many.
    """
    options = replace(options, numeric="gaussian", missing_as="skip")
    if not options.silent or len(frame.names) > ALL_TOGETHER:
        screened = (True,)
    for only in screened:
        yield discover(frame, labels, options if only else replace(options, silent={}), weight)


def with_presence(found: Found, frame: Frame, labels: Coded, weight: Floats | None, copies: bool) -> Found:
    """One more column for each that has missing cells: whether it has a value. It has no weight until it earns one.

    Its table is pulled to the share over all classes, the more the less these are known to differ.
    """
    features = list(found.schema.features)
    slots = Schema(found.schema.target).encode_labels(labels)
    assert slots is not None
    families = dict(found.families)
    unit = 1.0 if weight is None or copies else float(weight.mean())  # counts below are of rows, tables of weights
    taken, known = {*families, *found.schema.sources}, {c.name for c in found.schema.presences}
    for column in found.schema.features:
        if column.is_block or column.name in known:
            continue
        called = f"{column.name} is missing"
        missing = Presence(called, column.origin, column.missing, bool(column.numeric_sources))
        absent = missing.encode(frame) == 2
        if absent.any():
            missing = replace(missing, name=own_name(taken, called))
            taken.add(missing.name)
            features.append(missing)
            counts = holes_by_class(absent, slots.astype(np.intp) - 1, weight, copies)
            families[missing.name] = MEstimate(unit * strength(*counts))
    return replace(found, schema=replace(found.schema, features=tuple(features)), families=families)
