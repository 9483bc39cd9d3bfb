"""How one column is read: declared, a number, categories, or left out, and why."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import pyarrow as pa

from bayesfold.data.encodings import Categories, Real
from bayesfold.data.encodings.numbers import refuse_infinity
from bayesfold.data.frame import Frame, Level, is_text
from bayesfold.families import Family, find, names
from bayesfold.families.categorical import Categorical
from bayesfold.learning.number_candidates import (
    SAMPLE,
    Reading,
    Sample,
    densities,
    family_of,
    levels_of,
    read_number,
)
from bayesfold.runtime.arrow_buffers import to_numpy
from bayesfold.runtime.messages import digits, listed, ordered
from bayesfold.runtime.unique import distinct

MOST_LEVELS = 65_536


NUMBERED = 50
"""Rows from which integers that are all different can be taken for an identifier."""


@dataclass(frozen=True)
class Options:
    """How to read columns: `families` by column, `numeric` for the other numbers, `missing` markers, smoothing."""

    families: Mapping[str, Any] = field(default_factory=dict)
    numeric: str = "auto"
    missing: Any = None
    alpha: float | str = 1.0
    prior_alpha: float | str = 1.0
    missing_as: str = "auto"  # what a missing cell is: "skip" (no evidence), "value" (a level), or by held-out score
    kept: Mapping[str, str] = field(default_factory=dict)  # densities chosen before, not to be compared again
    together: bool = True  # densities are compared by what all columns say; False: by what the column says alone
    copies: bool = False  # a weight is a number of equal rows; else it says how much one row counts
    more_to_come: bool = False  # these are the first rows of a stream: a column that is constant so far is kept
    keep_alike: bool = False  # numbers that every row shows are kept: a person said how numbers are read
    codes: Mapping[str, str] | None = None  # integers that are read as categories, and why; None: not looked for yet
    silent: Mapping[str, str] = field(default_factory=dict)  # columns that are left out for what they tell, and why
    shallow: Mapping[str, str] = field(default_factory=dict)  # ... where columns may depend on each other


def markers(missing: Any, name: str, levels: Iterable[Level] = ()) -> frozenset[Level]:
    """The values that mean "missing" in a column: missing= is a value, several, or a dict by column ("*": all).

    0 does not mark the level False, nor False the level 0, though they are equal in Python. A text that is a number
    marks that number too, however it is written there.

    >>> sorted(markers({"*": "?", "Glucose": [0, -1]}, "Glucose"), key=str)
    [-1, 0, '?']
    >>> markers(["?", 0], "Smoker", [False, True])
    frozenset({'?'})
    >>> sorted(markers("-9.0", "Glucose"), key=repr)
    ['-9.0', -9.0]
    """
    if missing is None:
        return frozenset()
    if isinstance(missing, Mapping):
        some = [*several(missing.get("*", ())), *several(missing.get(name, ()))]
    else:
        some = several(missing)
    some = [v.item() if isinstance(v, np.generic) else v for v in some]
    some += [number for v in some if isinstance(v, str) and (number := parse_number(v)) is not None]
    level = {v: v for v in levels}
    return frozenset(v for v in some if is_truth(v) == is_truth(level.get(v, v)))


def parse_number(text: str) -> int | float | None:
    """The number that a text is; None where it is none, or not finite.

    >>> parse_number("-9.0"), parse_number("1e-1"), parse_number("007"), parse_number("nan"), parse_number("n/a")
    (-9.0, 0.1, 7, None, None)
    """
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if math.isfinite(number) else None
    return None


def several(value: Any) -> list[Any]:
    """One value or several as a list."""
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]


def is_truth(value: Any) -> bool:
    """Whether a value is True or False, Python's or numpy's."""
    return isinstance(value, bool | np.bool_)


def name_of(family: Any) -> str:
    """A family's registry key."""
    return type(family).__module__.rpartition(".")[2] if family is not None else ""


def make(family: Any, options: Options) -> Any:
    """A family given by name or as itself."""
    if isinstance(family, str):
        return Categorical(options.alpha) if family == "categorical" else find(family)()
    if isinstance(family, Family):
        return family
    raise TypeError(f"{family!r} is not a family: give a name ({listed(names())}) or a family object")


def read_as_declared(frame: Frame, name: str, how: Any, options: Options, sample: Sample) -> Reading:
    """A column read as the user says: by a family's or a density's name, or by a family itself."""
    if isinstance(how, str) and how in densities() and how != "categorical":
        return read_number(name, how, markers(options.missing, name), family_of(how, options.alpha), sample)
    family = make(how, options)
    number, called = kind_of(frame.column(name)) == "number", name_of(family)
    if called == "m_estimate" and number:
        return read_number(name, "mdl", markers(options.missing, name), family, sample)
    if called in densities() and called != "categorical":
        return read_number(name, called, markers(options.missing, name), family, sample)
    if family.order != 0:
        raise ValueError(f"column {name!r} cannot be declared {called!r}, which reads several columns together")
    return Reading(called, categories(frame, name, options), family)


def categories(frame: Frame, name: str, options: Options) -> Categories:
    """A column's levels, without what marks a missing one."""
    levels = frame.coded(name).levels
    return Categories(name, missing=markers(options.missing, name, levels)).grow(ordered(levels))


def one_column(
    frame: Frame, name: str, options: Options, sample: Sample
) -> tuple[Reading | Literal["number"] | None, str]:
    """How a column is read ("number": one to be decided, None: not at all) and the reason."""
    missing = markers(options.missing, name)
    if name in options.families:
        return read_as_declared(frame, name, options.families[name], options, sample), "declared"
    kind = kind_of(frame.column(name))
    if kind == "number":
        if is_numbering(frame.column(name)):
            keep = f"families={{{name!r}: 'gaussian'}} keeps it"
            return None, f"left out as an identifier: {frame.rows} integers, all different and in order ({keep})"
        if options.codes and (why := options.codes.get(name)):
            return Reading("categorical", categories(frame, name, options), Categorical(options.alpha)), why
        if options.numeric != "auto":
            kept = options.more_to_come or options.keep_alike
            if not kept and (why := alike(frame, Real(name, missing=missing))):
                return None, why
            return read_as_declared(frame, name, options.numeric, options, sample), f"numeric={options.numeric!r}"
        seen = numbers_shown(frame, name, missing, SAMPLE)
        if seen.none or (seen.low == seen.high and not options.more_to_come):
            why = constant(frame, Real(name, missing=missing))
            if why:
                return None, why
        return "number", ""
    column = categories(frame, name, options)
    if not column.levels:
        return None, "left out: no row has a value"
    holes = bool((column.encode(frame) == 0).any()) if len(column.levels) == 1 else False
    if len(column.levels) == 1 and not holes and not options.more_to_come:  # whether it is there may say something
        return None, f"left out: every row has the value {column.levels[0]!r}"
    shown = frame.rows  # whatever they weigh
    if len(column.levels) > 0.5 * shown:
        shown = int((frame.coded(name).index >= 0).sum())
    if len(column.levels) > MOST_LEVELS or names_rows(len(column.levels), shown):
        keep = f"families={{{name!r}: 'categorical'}} keeps it"
        if has_sentences(column.levels):
            keep = f"families={{{name!r}: 'text'}} reads its words"
        return None, f"left out as an identifier: {len(column.levels)} values in {shown} rows ({keep})"
    return Reading("categorical", column, Categorical(options.alpha)), kind


def is_numbering(values: Any) -> bool:
    """Whether integers number the rows: no two alike, and they rise or fall, or fill most of the range they span.

    Whole numbers among which some are missing are integers, whatever a library has made of them.

    >>> is_numbering(np.arange(1, 892)), is_numbering(np.arange(40)), is_numbering(np.arange(60.0))
    (True, False, False)
    >>> is_numbering(np.append(np.arange(60.0), np.nan)), is_numbering(pa.array([None, *range(60)]))
    (True, True)
    """
    if isinstance(values, pa.Array) and pa.types.is_integer(values.type):
        values = to_numpy(values.drop_null())
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf" or len(values) < NUMBERED:
        return False
    if values.dtype.kind == "f":
        known = values[~np.isnan(values)]
        if len(known) in (len(values), 0) or np.abs(known).max() >= 2.0**53 or (known != np.floor(known)).any():
            return False
        values = known.astype(np.int64)
        if len(values) < NUMBERED:
            return False
    rises, falls = values[1:] > values[:-1], values[1:] < values[:-1]
    if rises.all() or falls.all():
        return True
    span = int(values.max()) - int(values.min()) + 1
    return span <= 2 * len(values) and len(distinct(values)) == len(values)


def is_identifier(frame: Frame, name: str) -> bool:
    """Whether a column numbers or names the rows, so that it says nothing of them; prose does not."""
    if kind_of(frame.column(name)) == "number":
        return is_numbering(frame.column(name))
    coded = frame.coded(name)
    return names_rows(len(coded.levels), int((coded.index >= 0).sum())) and not has_sentences(coded.levels)


def is_remark(frame: Frame, name: str) -> bool:
    """Whether a column is prose of which nearly every row has its own."""
    if kind_of(frame.column(name)) == "number":
        return False
    coded = frame.coded(name)
    return names_rows(len(coded.levels), int((coded.index >= 0).sum())) and has_sentences(coded.levels)


def names_rows(levels: int, shown: int) -> bool:
    """Whether so many levels, in so many rows that have one, name the rows."""
    return shown >= NUMBERED and levels > 0.9 * shown


def has_sentences(levels: Iterable[Level]) -> bool:
    """Whether levels look like free text: three words or more, most of the time."""
    shown = [len(str(level).split()) >= 3 for level in islice(levels, 100)]
    return sum(shown) > len(shown) / 2


def kind_of(values: Any) -> str:
    """number, truth values, text or categories."""
    if isinstance(values, np.ndarray):
        return {"b": "truth values", "O": "values of several kinds"}.get(values.dtype.kind, "number")
    if pa.types.is_dictionary(values.type):
        return "categories"
    if pa.types.is_boolean(values.type):
        return "truth values"
    return "text" if is_text(values.type) or pa.types.is_null(values.type) else "number"


class NumbersShown(NamedTuple):
    """Whether some rows show no number, and the least and the largest that the others show; NaN where there is none."""

    holes: bool
    low: float
    high: float

    @property
    def none(self) -> bool:
        """Whether no row shows a number."""
        return self.low != self.low


def numbers_shown(frame: Frame, name: str, missing: frozenset[Level], most: int | None = None) -> NumbersShown:
    """What the rows show, or every k-th, so that about `most` are looked at; kept with the table, for all who ask."""
    step = max(1, frame.rows // most) if most else 1
    key = "numbers shown", name, missing, step
    if key not in frame.kept:
        x = frame.numbers(name, missing)[::step]
        low, high = (float(end.reduce(x)) if len(x) else np.nan for end in (np.fmin, np.fmax))
        frame.kept[key] = NumbersShown(bool(np.isnan(x).any()), low, high)
    return cast(NumbersShown, frame.kept[key])


def alike(frame: Frame, column: Real) -> str:
    """Why a column is left out of which every row shows the same, a number or nothing; empty where rows differ."""
    shown = numbers_shown(frame, column.origin, column.missing)
    return "" if shown.holes and not shown.none else constant(frame, column)


def constant(frame: Frame, column: Real) -> str:
    """Why a column of one value is left out; empty when it has two."""
    shown = numbers_shown(frame, column.origin, column.missing)
    if np.isinf([shown.low, shown.high]).any():
        refuse_infinity(column.name, int(np.flatnonzero(np.isinf(column.encode(frame)))[0]))
    if shown.none:
        return "left out: no row has a value"
    if shown.low < shown.high:
        return ""
    if (many := len(levels_of(column, frame))) > 1:
        keep = f"families={{{column.name!r}: 'categorical'}} keeps it"
        return f"left out: {many} integers that are one number to 16 digits, which is what a float holds ({keep})"
    which = "every row that is not empty there" if shown.holes else "every row"
    return f"left out: {which} has the value {digits(shown.low, 6)}"
