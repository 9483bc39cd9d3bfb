"""Columns of a source as small codes: one pass over the rows, of which nothing else is kept.

>>> import pyarrow as pa
>>> rows, _ = pack_columns(open_source(pa.table({"rain": ["no", "yes", "no"], "mm": [0.5, 7.0, 0.1]})), ["rain", "mm"])
>>> rows.coded("rain").levels, rows.coded("rain").index.tolist()
(['no', 'yes'], [0, 1, 0])
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.frame import Coded, Floats, Frame, Level
from bayesfold.data.tables import frame as read_table
from bayesfold.io.look import Look
from bayesfold.io.open import open_source as open_source  # for the example above
from bayesfold.io.sample import most_rows
from bayesfold.io.source import Source
from bayesfold.learning.discretize import Cuts, equal_frequency, histogram
from bayesfold.learning.intervals import bin_words, places
from bayesfold.networks.interval import name_intervals
from bayesfold.networks.learning.search_rows import refuse_levels
from bayesfold.networks.mixed.structure import find_numbers
from bayesfold.runtime.progress import Watcher, watch
from bayesfold.runtime.threads import each
from bayesfold.runtime.unique import distinct

FEW = 12
"""Most different numbers of a column that is not cut."""

MISSING = 0xFFFF
"""The code of a missing cell: -1 in two bytes."""

Codes = NDArray[np.int16]
States = dict[str, tuple[str, ...]]


def pack_columns(
    source: Source,
    names: Sequence[str],
    cut: int | None = None,
    progress: Watcher | None = None,
    numbers: str | Iterable[str] = "states",
    states: Mapping[str, Any] | None = None,
) -> tuple[Frame, States]:
    """These columns of all rows, and the states, in order, of those that were cut.

    cut: numbers with many values are put into so many intervals of about equally many rows. numbers: which columns stay
    numbers, as in `learn_network`, unless their `states` are given.
    """
    if source.remote is not None:
        raise TypeError(
            f"the rows of {source.name} stay on other machines, and a search passes over them again and again: learn "
            "from a table that fits here, for example df.limit(1_000_000).toArrow()"
        )
    source.require(*names)
    look = source.look(names, most_rows(len(names)), {}, {})
    first = read_table(look.table)
    measured = [] if numbers == "states" else find_numbers(first, tuple(names), numbers, states or {})
    cuts = {n: points for n in names if n not in measured and (points := cuts_of(look.table, n, cut)) is not None}
    levels: dict[str, dict[Level, int]] = {name: {} for name in names if name not in cuts}
    pieces: dict[str, list[Any]] = {name: [] for name in names}
    for _, table in watch(read_ahead(source, look, names), look.rows, progress):
        coded = each(partial(codes_of, read_table(table), cuts, measured, levels), names, table.num_rows)
        for name, codes in zip(names, coded, strict=True):
            pieces[name].append(codes)
    columns: dict[str, Any] = {}
    for name in names:
        if name in measured:
            columns[name] = np.concatenate([np.empty(0), *pieces.pop(name)])
            continue
        words: list[Level] = (
            [*bin_words(cuts[name])] if name in cuts else to_written_type(look.types[name], [*levels[name]])
        )
        columns[name] = Coded(np.concatenate([np.empty(0, np.int16), *pieces.pop(name)]), words)
    rows = len(columns[names[0]]) if names else 0
    intervals = {name: name_intervals(bin_words(points), points) for name, points in cuts.items()}
    return Frame(tuple(names), rows, columns), intervals


def read_ahead(source: Source, look: Look, names: Sequence[str]) -> Iterator[tuple[int, pa.Table]]:
    """The rows of these columns, the next of them read while some are coded."""
    with source.ahead({name: look.wider(name) for name in names}, look.markers) as prefetched:
        yield from prefetched


def to_written_type(kind: pa.DataType, levels: list[Level]) -> list[Level]:
    """Whole numbers of a text file as such, though they were read with room for others."""
    if pa.types.is_integer(kind) and all(isinstance(level, float) and level.is_integer() for level in levels):
        return [int(level) for level in levels if level is not None]
    return levels


def codes_of(
    frame: Frame, cuts: Mapping[str, Cuts], measured: Sequence[str], levels: Mapping[str, dict[Level, int]], name: str
) -> Codes | Floats:
    """A column of some rows; levels that are new get the next number."""
    if name in measured:
        return frame.numbers(name)
    if name in cuts:
        return places(frame.numbers(name), cuts[name])
    coded, known = frame.coded(name), levels[name]
    slots = [known.setdefault(level, len(known)) for level in coded.levels]
    refuse_levels(name, len(known))
    codes: Codes = coded.places(slots, MISSING, np.uint16).view(np.int16)
    return codes


def cuts_of(table: pa.Table, name: str, cut: int | None) -> Cuts | None:
    """Where a column of many numbers is cut into intervals of about as many rows each; None where it is not."""
    kind = table.column(name).type
    if cut is None or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    x = read_table(table.select([name])).numbers(name)
    x = x[~np.isnan(x)]
    if len(distinct(x)) <= FEW:
        return None
    return equal_frequency(histogram(x, np.zeros(len(x), np.intp), np.ones(len(x)), 1), cut)
