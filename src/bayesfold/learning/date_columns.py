"""Which parts of a column of dates are learned: those that predict rows held out better, one after the other.

>>> days = [f"2024-01-{d:02d}" for d in range(1, 29)] * 4
>>> parts_of_dates(Frame.of({"sent": days, "size": list(range(112))}), {})
{'sent': ('sent (weekday)', 'sent (days)')}
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.date_parts import PARTS
from bayesfold.data.dates import are_clocks, clocks_alone, differing_parts, moments, order_of, parse_dates, part_name
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame, is_text
from bayesfold.data.number_format import USUAL
from bayesfold.data.schema import Schema
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.naive_readings import log_shares, whole_loss
from bayesfold.learning.number_candidates import Reading, Sample
from bayesfold.learning.number_selection import LEAST_GAIN
from bayesfold.learning.weights import log_loss
from bayesfold.runtime.arrow_buffers import arrow_texts
from bayesfold.runtime.messages import listed

LEAST_DATES = 2
"""Dates that a column of text must show: of one, it cannot be told whether the others are dates."""
NO_PART = "left out: dates, and no part of them helps to predict"
SHOWN = 3
ODD = "; missing where it is no date: "

Parts = Mapping[str, Sequence[str]]
"""By column of dates the names of its parts."""


def parts_of_dates(frame: Frame, declared: Mapping[str, Any], more_to_come: bool = False) -> dict[str, tuple[str, ...]]:
    """By column of dates the parts in which they differ, all of them where more rows are to come; what a person has
    declared is no column of dates."""
    if frame.matrix is not None:
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for name in frame.names:
        order = None if name in declared else order_of_dates(frame, name)
        if order is None:
            continue
        when = moments(frame.column(name), order)
        told = PARTS if more_to_come and not clocks_alone(when) else tuple(differing_parts(when))
        parts = (part_name(name, part, order) for part in told)
        found[name] = tuple(part for part in parts if part not in frame.position)
    return found


def order_of_dates(frame: Frame, name: str) -> str | None:
    """How a column holds dates (see `order_of`); None where it holds none."""
    values = frame.column(name)
    if isinstance(values, np.ndarray):
        return None
    if pa.types.is_temporal(values.type):
        return ""
    held = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if not is_text(held):
        return None
    key = ("order of dates", name)
    if key not in frame.kept:
        levels = frame.coded(name).levels
        frame.kept[key] = order_of(levels) if len(levels) >= LEAST_DATES else None
    order: str | None = frame.kept[key]
    return order


def keep_telling_parts(
    target: Categories, readings: dict[str, Reading], dates: Parts, why: dict[str, str], sample: Sample, all_: bool
) -> None:
    """Leave out of the readings the parts of dates with which naive Bayes of all columns does not predict rows held out
    better, and say in `why` which stay; all of them do if `all_`."""
    for name, parts in sorted(dates.items()):  # whatever order the columns stand in
        possible = [part for part in parts if part in readings]
        others = [reading for column, reading in readings.items() if column not in possible]
        kept = possible if all_ else telling(target, others, [readings[part] for part in possible], sample)
        for part in possible:
            if part not in kept:
                del readings[part]
        known = [part for part in parts if part in kept]
        why[name] = read_as(known) if known else NO_PART
        for part in set(parts) - set(known):
            why.pop(part, None)


def tell_of_odd_cells(frame: Frame, dates: Parts, why: dict[str, str]) -> None:
    """Say in `why` of the columns of dates that are read which of their values are no dates: they are missing."""
    for name in dates:
        odd = odd_cells(frame, name)
        if odd and why[name] != NO_PART:
            shown = ", ".join(map(repr, odd[:SHOWN])) + (f" and {len(odd) - SHOWN} more" if len(odd) > SHOWN else "")
            why[name] += f"{ODD}{shown}"


def odd_cells(frame: Frame, name: str) -> list[str]:
    """The values of a column of dates that are no dates, nor written for a missing one."""
    order, values = order_of_dates(frame, name), frame.column(name)
    if order is None or pa.types.is_temporal(values.type):
        return []
    held = frame.coded(name)
    shown = [level for level, there in zip(held.levels, held.shown(), strict=True) if there and isinstance(level, str)]
    texts = [text for text in shown if text.strip() and text.strip() not in USUAL]
    clocks = are_clocks(texts)  # among dates, a time of day is none
    read = parse_dates(arrow_texts(texts), order, clocks).to_pylist()
    return [text for text, date in zip(texts, read, strict=True) if date is None]


def unite_columns(tables: Sequence[ColumnTable], dates: Parts) -> ColumnTable:
    """The column table of several models of the same columns: the first one's, with parts of dates that others read."""
    first, *others = tables
    lines = {line.name: line for line in first}
    part_of = {part: name for name, parts in dates.items() for part in parts}
    for line in (line for table in others for line in table if line.family and line.name in part_of):
        if line.name not in lines or not lines[line.name].family:
            lines[line.name] = line
    for name, parts in dates.items():
        known = [part for part in parts if part in lines and lines[part].family]
        if known and name in lines:
            _, mark, odd = lines[name].why.partition(ODD)
            lines[name] = ColumnReport(name, "dates", f"{read_as(known)}{mark}{odd}")
    order = [name for line in first for name in (line.name, *dates.get(line.name, ())) if name in lines]
    return ColumnTable(lines[name] for name in dict.fromkeys(order))


def read_as(parts: Sequence[str]) -> str:
    """Why a column of dates has no density of its own."""
    return f"read as {listed(parts)}"


def telling(target: Categories, others: Sequence[Reading], parts: Sequence[Reading], sample: Sample) -> list[str]:
    """The parts that naive Bayes of the other columns is better with, the best first, as long as one helps."""

    def loss(some: Sequence[Reading]) -> float:
        if not some:
            own = sample.labels.astype(np.intp) - 1
            prior = log_shares(np.bincount(own, sample.weights, len(target.levels)))
            return log_loss(np.tile(prior, (len(own), 1)), own, sample.weight)
        families = {r.column.name: r.family for r in some}
        return whole_loss(Schema(target, tuple(r.column for r in some)), families, sample)

    chosen: list[Reading] = []
    left, best = list(parts), loss(others)
    while left:
        losses = [loss([*others, *chosen, part]) for part in left]
        least = int(np.argmin(losses))
        if losses[least] > best - LEAST_GAIN:
            break
        best = losses[least]
        chosen.append(left.pop(least))
    return [reading.column.name for reading in chosen]
