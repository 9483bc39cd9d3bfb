"""What each column is, and why: categories, numbers and their density, or left out.

Declared families win. Text and truth values are categories. A number's density is the one under which naive Bayes of
all columns best predicts the class of rows it has not seen (see `readings`).

>>> from bayesfold.data.frame import Frame
>>> f = Frame.of({"pet": ["cat", "dog"] * 10, "mass": [4.2, 30.1, 5.1, 27.3] * 5, "one": [1] * 20})
>>> found = discover(f, Frame.of({"y": ["m", "w"] * 10}).coded("y"), Options())
>>> found.columns
column  family       why
pet     categorical  text
mass    gaussian     best held-out density of gaussian, lognormal
one     -            left out: every row has the value 1
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.own_names import own_name, target_name
from bayesfold.data.schema import Column, Schema
from bayesfold.families import of_numbers
from bayesfold.families.categorical import Categorical
from bayesfold.families.text import Text
from bayesfold.learning.codes import codes
from bayesfold.learning.column_table import BEST, ColumnReport, ColumnTable
from bayesfold.learning.date_columns import keep_telling_parts, order_of_dates, parts_of_dates, tell_of_odd_cells
from bayesfold.learning.holes import by_class, speaks
from bayesfold.learning.naive_readings import whole_loss
from bayesfold.learning.number_candidates import (
    CUTTING,
    ROWS_TO_BIN,
    SAMPLE,
    TRIED_IF_WIDE,
    WIDE,
    Reading,
    Sample,
    candidates,
    compared,
    densities,
    family_of,
)
from bayesfold.learning.number_selection import LEAST_GAIN, best_readings
from bayesfold.learning.one_column import Options, categories, kind_of, markers, name_of, one_column
from bayesfold.learning.screen import beyond, surprise, tells_nothing, too_few
from bayesfold.runtime.messages import listed, ordered
from bayesfold.runtime.threads import each

MISSING_IS_A_VALUE = "; missing is a value"
BY_CHANCE = "left out: no more informative about the class than chance"
DEEP = 100
"""Columns that may depend on each other, where columns are screened: the work grows with their square."""

OTHERS = f"left out: {DEEP} other columns are more informative about the class"


@dataclass(frozen=True)
class Found:
    """A schema, each column's family, and the column table."""

    schema: Schema
    families: dict[str, Any]
    columns: ColumnTable


def discover(frame: Frame, labels: Coded, options: Options, weight: Floats | None = None) -> Found:
    """The schema of a table; a row of weight w counts w times, and is still one row where rows are needed."""
    frame_knows(frame, options)
    options = with_codes(frame, labels, weight, options)
    target = Categories(target_name(frame.names), ordered(labels.levels))
    slots = Schema(target).encode_labels(labels)
    assert slots is not None
    few, many = (
        Sample.of(frame, slots, weight, len(target.levels), most, options.copies) for most in (SAMPLE, CUTTING)
    )
    readings: dict[str, Reading] = {}
    why: dict[str, str] = {}
    numbers: list[str] = []
    dates = parts_of_dates(frame, options.families, options.more_to_come)
    names = [part for name in frame.names for part in dates.get(name, (name,))]
    texts = {name: several_texts(options.families.get(name)) for name in names}
    tables = [name for name in names if not texts[name] and name not in options.silent]
    each(lambda name: read(frame, name, options), tables, frame.rows)  # the frame keeps what was read
    for name in names:
        if texts[name] or name in options.silent:
            why[name] = "declared" if texts[name] else options.silent[name]
            continue
        found, why[name] = one_column(frame, name, options, many)
        if found == "number":
            numbers.append(name)
        elif found is not None:
            readings[name] = found
    ways = compared() if len(numbers) <= WIDE else TRIED_IF_WIDE
    tried = {how: family_of(how, options.alpha) for how in ways} if numbers else {}
    each_of = each(lambda n: in_question(n, options, many, tried), numbers, frame.rows)
    possible = dict(zip(numbers, each_of, strict=True))
    readings |= {n: some[0] for n, some in possible.items() if len(some) == 1}
    undecided = {n: some for n, some in possible.items() if len(some) > 1}
    if undecided:
        readings |= best_readings(target, undecided, list(readings.values()), many, options.together)
    for name, some in possible.items():
        named = ", ".join(r.how for r in some)
        why[name] = BEST + named
    keep_telling_parts(target, readings, dates, why, few, options.more_to_come)
    tell_of_odd_cells(frame, dates, why)
    kept = [readings[name] for name in names if name in readings]
    families: dict[str, Any] = {target.name: Categorical(options.prior_alpha)}
    families |= {r.column.name: r.family for r in kept}
    read_in_parts = [name for name, parts in dates.items() if any(part in readings for part in parts)]
    left_out = {n: w for n, w in why.items() if n not in readings and n not in read_in_parts}
    schema = Schema(target, tuple(r.column for r in kept), left_out)
    schema = with_holes(schema, families, options, few, why)
    schema, how = with_texts(schema, families, texts, options, tuple(names)), {n: r.how for n, r in readings.items()}
    how |= {name: "text" for name, own in texts.items() if own}
    how |= {name: "dates" for name, parts in dates.items() if not how.keys().isdisjoint(parts)}
    lines = [line for name in frame.names for line in (name, *dates.get(name, ())) if line in why]
    report = [ColumnReport(n, how.get(n, ""), why[n]) for n in lines]
    return Found(schema, families, ColumnTable(report))


def with_codes(frame: Frame, labels: Coded, weight: Floats | None, options: Options) -> Options:
    """The options by which integers that name groups are read as categories, if it is open how numbers are read."""
    is_open = options.codes is None and options.numeric == "auto"
    return find_codes(frame, labels, weight, options) if is_open else options


def find_codes(frame: Frame, labels: Coded, weight: Floats | None, options: Options) -> Options:
    """The options by which integers that name groups, in these rows, are read as categories."""
    target = Schema(Categories("", ordered(labels.levels)))
    slots = target.encode_labels(labels)
    assert slots is not None
    sample = Sample.of(frame, slots, weight, len(target.target.levels), CUTTING, options.copies)
    dates = parts_of_dates(frame, options.families, options.more_to_come)
    return replace(options, codes=codes(frame, [n for n in frame.names if n not in dates], options, sample))


def screened(frame: Frame, labels: Coded, weight: Floats | None, options: Options, rows: int) -> Options:
    """The options by which columns are left out that tell no more of the class than chance, of those nobody declared.

    `rows` is how many the whole table has: parts of it are screened where it is. Of a stream's first rows nothing is
    said yet.
    """
    dates = parts_of_dates(frame, options.families)
    every = [part for name in frame.names for part in dates.get(name, (name,))]
    free = [name for name in every if name not in options.families]
    if options.more_to_come or (too_few(len(free), rows) and len(free) <= DEEP):
        return replace(options, silent={}, shallow={})
    if frame.rows > CUTTING:
        some = np.arange(frame.rows) % (frame.rows // CUTTING) == 0
        frame, labels, weight = frame.take(some), labels.take(some), None if weight is None else weight[some]
    real = [n for n in free if kind_of(frame.column(n)) == "number" and n not in (options.codes or ())]
    numbers = {n: Real(n, missing=markers(options.missing, n)) for n in real}
    words = {name: categories(frame, name, options) for name in free if name not in numbers}
    values = {name: column.encode(frame) for name, column in numbers.items()}
    levels = {name: column.encode(frame).astype(np.intp) for name, column in words.items()}
    found = surprise(values, levels, np.asarray(labels.index, np.intp), weight, options.copies)
    silent = dict.fromkeys(tells_nothing(found, rows), BY_CHANCE)
    telling = {name: z for name, z in found.items() if name not in silent}
    return replace(options, silent=silent, shallow=dict.fromkeys(beyond(telling, DEEP), OTHERS))


def in_question(name: str, options: Options, sample: Sample, tried: Mapping[str, Any]) -> list[Reading]:
    """The densities that a column of numbers could have: the one it had before, if it still can, or those tried."""
    own = name, markers(options.missing, name), sample
    kept = options.kept.get(name)
    return (candidates(*own, {kept: family_of(kept, options.alpha)}) if kept else []) or candidates(*own, tried)


def several_texts(declared: Any) -> tuple[Text, ...]:
    """The ways in which a column of text is declared to be read; none where it is not."""
    if declared is None:
        return ()
    if declared == "text":
        return (Text(),)
    some = declared if isinstance(declared, tuple) else (declared,)
    return some if some and all(isinstance(one, Text) for one in some) else ()


def with_texts(
    schema: Schema,
    families: dict[str, Any],
    texts: Mapping[str, tuple[Text, ...]],
    options: Options,
    names: tuple[str, ...],
) -> Schema:
    """The schema with its columns of text, each where it stands in the table; one may be read in several ways."""
    if not any(texts.values()):
        return schema
    made: dict[str, list[Column]] = {}
    for column in schema.features:
        made.setdefault(column.origin, []).append(column)
    for name, ways in texts.items():
        for i, family in enumerate(ways):
            called = own_name({*names, *families}, f"{name} ({family.model})") if i else name
            column = family.reads(name, markers(options.missing, name), called)
            made.setdefault(name, []).append(column)
            families[column.name] = family
    kept = {n: why for n, why in schema.left_out.items() if not texts.get(n)}
    return replace(schema, features=tuple(c for n in names for c in made.get(n, ())), left_out=kept)


def with_holes(
    schema: Schema, families: dict[str, Any], options: Options, sample: Sample, why: dict[str, str]
) -> Schema:
    """The schema with missing cells as levels of their own, where that is asked or predicts held-out rows better."""
    if options.missing_as == "skip" or options.more_to_come:
        return schema
    asked = options.missing_as == "value"
    features = [holes_as_level(c, sample.frame, None if asked else sample) for c in schema.features]
    holed = replace(schema, features=tuple(features))
    changed = [c.name for c, old in zip(holed.features, schema.features, strict=True) if c != old]
    if not changed:
        return schema
    if options.missing_as == "auto":
        enough = sample.shown(np.ones(len(sample.rows), bool)) >= ROWS_TO_BIN
        if not enough:
            return schema
        before, after = each(lambda s: whole_loss(s, families, sample), (schema, holed), len(sample.rows))
        if after > before - LEAST_GAIN:
            return schema
    for name in changed:
        why[name] += MISSING_IS_A_VALUE
    return holed


def with_holes_as_values(
    found: Found, frame: Frame, labels: Coded, weight: Floats | None, copies: bool = False
) -> Found:
    """What was found with every missing cell skipped, with missing as a level of each column of which holes speak."""
    slots = Schema(found.schema.target).encode_labels(labels)
    assert slots is not None
    sample = Sample.of(frame, slots, weight, len(found.schema.target.levels), frame.rows, copies)
    features = tuple(holes_as_level(c, frame, sample) for c in found.schema.features)
    changed = {c.name for c, old in zip(features, found.schema.features, strict=True) if c is not old}
    if not changed:
        return found
    report = [replace(c, why=c.why + MISSING_IS_A_VALUE) if c.name in changed else c for c in found.columns]
    return replace(found, schema=replace(found.schema, features=features), columns=ColumnTable(report))


def holes_as_level(column: Column, frame: Frame, sample: Sample | None) -> Column:
    """A discrete column with missing as one of its levels, if it shows a missing cell, and these speak in a sample."""
    with_level = column.with_holes()
    if with_level is None or not column.may_have_holes(frame):
        return column
    slots: Any = column.encode(frame)
    absent = slots == 0
    if not absent.any():
        return column
    if sample is not None:
        classes = sample.labels.astype(np.intp) - 1
        if not speaks(*by_class(absent[sample.rows], classes, sample.weight, sample.copies)):
            return column
    return with_level


def read(frame: Frame, name: str, options: Options) -> Any:
    """A column as its kind will need it."""
    declared = options.families.get(name) == "categorical" or name in (options.codes or ())
    discrete = kind_of(frame.column(name)) != "number" or declared
    return frame.coded(name) if discrete else frame.numbers(name)


def frame_knows(frame: Frame, options: Options) -> None:
    """Refuse options that name a column the table does not have, or a family there is not."""
    frame.require(options.families)
    frame.require(k for k in (options.missing if isinstance(options.missing, Mapping) else ()) if k != "*")
    if options.numeric != "auto" and options.numeric not in densities():
        raise ValueError(f"numeric={options.numeric!r} is not one of 'auto', {listed(densities(), 12)}")
    if options.missing_as not in ("auto", "skip", "value"):
        raise ValueError(f"missing_as={options.missing_as!r} is not one of 'auto', 'skip', 'value'")


def is_chosen(frame: Frame, name: str, options: Options) -> bool:
    """Whether how a column is read is chosen on the rows: its density, its cuts, or whether a hole is a value."""
    if name not in options.families and order_of_dates(frame, name) is not None:
        return True  # which parts of them are learned
    number = kind_of(frame.column(name)) == "number"
    how = options.families.get(name, options.numeric if number else "categorical")
    called = how if isinstance(how, str) else name_of(how)
    if called == "categorical":
        holes = options.missing_as == "auto" and frame.coded(name).misses(markers(options.missing, name))
        return holes or getattr(how, "alpha", 1.0) == "auto"
    return called != "kde" and called not in of_numbers()  # of these nothing is chosen but by the rows' own sums
