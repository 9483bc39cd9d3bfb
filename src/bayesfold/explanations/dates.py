"""Dates in questions and changes: a model reads parts of a date, a person is asked for the date and changes it.

Parts of a date do not change by themselves: with the weekday, the day changes too. So the decision for the new date is
asked for again, and days are tried until one has it.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

import numpy as np

from bayesfold.data.dates import NAMED, column_of_one, date_column_of, day_order_in, moments, take_part
from bayesfold.data.schema import Schema
from bayesfold.explanations.candidate_values import grids_of
from bayesfold.runtime.arrow_buffers import arrow_array

NEAR = 400
"""How many days before and behind a date are tried: every weekday of every month is among them."""
SOME_DAY = datetime(2024, 1, 1)
"""Where the search begins if nothing is known of a date, not even the years that rows were of."""
WHOLE = ("year", "month", "days")
"""Parts of which there are no fractions."""
Line = tuple[str, Any, Any]
"""A column, its value now, and its value then."""
Dates = Mapping[str, tuple[str, ...]]
"""Columns of dates, and the parts of each that are read."""


@lru_cache(maxsize=64)
def date_columns(schema: Schema, names: tuple[str, ...]) -> Dates:
    """The columns of dates among those of the table that was learned, and the parts of each that the model reads."""
    found: dict[str, tuple[str, ...]] = {}
    for part in schema.parts:
        if (column := date_column_of(part, names)) is not None:
            found[column] = (*found.get(column, ()), part)
    return found


def dates_meant(clf: Any, named: Container[str]) -> Dates:
    """The columns of dates that are spoken of as such: those of which a row names no part itself."""
    dates = date_columns(clf.model_.schema, tuple(clf._names))
    return {column: parts for column, parts in dates.items() if not any(part in named for part in parts)}


def ask_for_dates(gains: Mapping[str, float], dates: Dates) -> dict[str, float]:
    """What each question is worth, the best first, where parts of a date are one question: as much as its best part.

    >>> ask_for_dates({"sent (hour)": 0.2, "size": 0.1, "sent (year)": 0.05}, {"sent": ("sent (hour)", "sent (year)")})
    {'sent': 0.2, 'size': 0.1}
    """
    column_of = {part: column for column, parts in dates.items() for part in parts}
    best: dict[str, float] = {}
    for name, gain in gains.items():
        asked = column_of.get(name, name)
        best[asked] = max(best.get(asked, 0.0), gain)
    return dict(sorted(best.items(), key=lambda item: -item[1]))


def whole_parts(options: Mapping[str, Sequence[Any]], dates: Dates) -> dict[str, Sequence[Any]]:
    """The values that columns may have, where those of years, months and days are whole: there is no month 6.5.

    >>> whole_parts({"sent (month)": [1.0, 6.5], "sent (hour)": [6.5], "size": [6.5]}, {"sent": ("sent (month)",)})
    {'sent (month)': [1.0, 6.0, 7.0], 'sent (hour)': [6.5], 'size': [6.5]}
    """
    whole = {part for parts in dates.values() for part in parts if (m := NAMED.fullmatch(part)) and m[2] in WHOLE}
    return {
        name: np.unique([np.floor(values), np.ceil(values)]).tolist() if name in whole else values
        for name, values in options.items()
    }


def change_dates(
    clf: Any,
    row: Mapping[str, Any],
    changes: Sequence[Line],
    dates: Dates,
    fixed: Iterable[str],
    is_wanted: Callable[[Sequence[Mapping[str, Any]]], Sequence[bool]],
) -> tuple[Line, ...] | None:
    """The changes, those of a date's parts as one of the date itself, to a day near by; None: no such day is wanted.

    `row` has its dates and their parts; parts that are `fixed` stay as they are.
    """
    told = {column: {name: then for name, _, then in changes if name in parts} for column, parts in dates.items()}
    held = set(fixed)
    days = {}
    for column, parts in dates.items():
        if told[column]:
            stays = {part: row[part] for part in parts if part in held and row.get(part) is not None}
            days[column] = list(days_with(clf.model_, parts, stays | told[column], row.get(column)))
    if not days:
        return tuple(changes)
    if not all(days.values()):
        return None
    gone = {part for column in days for part in dates[column]}
    others = [line for line in changes if line[0] not in gone]
    rest = {name: v for name, v in row.items() if name not in gone} | {name: then for name, _, then in others}
    tries = [
        {column: near[min(k, len(near) - 1)] for column, near in days.items()}
        for k in range(max(map(len, days.values())))
    ]
    wanted = list(is_wanted([rest | one for one in tries]))
    if True not in wanted:
        return None
    found = tries[wanted.index(True)].items()
    return (*others, *((column, row.get(column), in_the_form_of(row.get(column), day)) for column, day in found))


def days_with(model: Any, parts: tuple[str, ...], wanted: Mapping[str, Any], now: Any) -> Iterator[str | time]:
    """Dates that have these parts, in ISO's form, those first that are near to the date of now; of a column of which
    the hour alone is read, a time of day if there is no date yet."""
    told = {match[2]: value for name, value in wanted.items() if (match := NAMED.fullmatch(name)) is not None}
    known = moment_of(now, day_order_in(parts[0]))
    start = known or middle_day(model, parts)
    clock = timedelta(hours=start.hour, minutes=start.minute, seconds=start.second)
    if "hour" in told:
        clock = timedelta(minutes=min(round(told.pop("hour") * 60), 24 * 60 - 1))
        if known is None and len(parts) == 1:
            yield (SOME_DAY + clock).time()
            return
    day = start.replace(hour=0, minute=0, second=0)
    if "days" in told:
        day = datetime(1970, 1, 1) + timedelta(days=round(told["days"]))
    elif "year" in told:
        day = day.replace(year=round(told["year"]), day=min(day.day, 28))
    if not MINYEAR + 2 < day.year < MAXYEAR - 2:  # calendars end
        return
    near = [day + timedelta(days=away) + clock for away in sorted(range(-NEAR, NEAR + 1), key=abs)]
    fits = np.ones(len(near), bool)
    for part, value in told.items():
        has = take_part(f"day ({part})", arrow_array(near)).tolist()
        fits &= [one == (value if isinstance(value, str) else round(value)) for one in has]
    for k in np.flatnonzero(fits).tolist():
        exact = "auto" if near[k].second else "minutes"
        yield near[k].isoformat(timespec=exact) if clock else str(near[k].date())


def moment_of(cell: Any, order: str) -> datetime | None:
    """The moment that a cell tells, by the clock that it was written by."""
    when = moments(column_of_one(cell), order, clocks=False)[0]
    return None if np.isnat(when) else when.item()


def in_the_form_of(now: Any, day: str | time) -> Any:
    """A day as the row has it: a date, a moment, or text where it is text or missing."""
    if isinstance(day, time):
        return day.isoformat("auto" if day.second else "minutes") if isinstance(now, str) else day
    if not isinstance(now, date | np.datetime64):
        return day
    moment = datetime.fromisoformat(day)
    if isinstance(now, np.datetime64):
        return np.datetime64(moment, "s") if moment.time() != time() else np.datetime64(moment).astype(now.dtype)
    if isinstance(now, datetime):
        clock = {"hour": moment.hour, "minute": moment.minute, "second": moment.second, "microsecond": 0}
        return now.replace(moment.year, moment.month, moment.day, **clock)  # type: ignore[arg-type]
    return moment.date() if moment.time() == time() else moment


def middle_day(model: Any, parts: tuple[str, ...]) -> datetime:
    """A day in the middle of those that rows were of, as far as the parts of a date that the model reads tell."""
    for name, grid in grids_of(model, 3).items():
        match = NAMED.fullmatch(name) if name in parts else None
        if match is not None and match[2] == "days":
            return datetime(1970, 1, 1) + timedelta(days=round(float(grid.mean())))
        if match is not None and match[2] == "year":
            return datetime(round(float(grid.mean())), 7, 1)
    return SOME_DAY
