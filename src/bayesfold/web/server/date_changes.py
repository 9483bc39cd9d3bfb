"""What would change a decision, where that is parts of a date: the nearest date that has them.

Parts of a date do not change by themselves: with the weekday, the day changes too. So the decision for the new date is
asked for again, and days are tried until one has it.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import MAXYEAR, MINYEAR, datetime, timedelta
from typing import Any

from bayesfold.data.dates import NAMED, day_order_in, parse_date, with_parts
from bayesfold.explanations.candidate_values import grids_of
from bayesfold.learning.trained import Trained
from bayesfold.web.server.cells import checked_row
from bayesfold.web.server.dates import date_columns

NEAR = 400
"""How many days before and behind a date are tried: every weekday of every month is among them."""
SOME_DAY = datetime(2024, 1, 1)
"""Where the search begins if nothing is known of a date, not even the years that rows were of."""
Line = tuple[str, Any, Any]
"""A column, its value now, and its value then."""


def change_dates(
    trained: Trained, row: Mapping[str, Any], changes: Iterable[Line], after: Any
) -> tuple[Line, ...] | None:
    """The changes, those of a date's parts as one of the date itself, to a day near by; None: no such day has `after`.

    `row` is the row as it was sent, with its dates.
    """
    lines, schema = tuple(changes), trained.model_.schema
    dates = date_columns(schema, trained.names)
    wanted = {column: {name: then for name, _, then in lines if name in parts} for column, parts in dates.items()}
    days = {column: list(days_with(trained, column, told, row.get(column))) for column, told in wanted.items() if told}
    if not days:
        return lines
    if not all(days.values()):
        return None
    gone = {part for column in days for part in dates[column]}
    others = [line for line in lines if line[0] not in gone]
    rest = {name: v for name, v in row.items() if name not in gone} | {name: then for name, _, then in others}
    tries = [
        {column: near[min(k, len(near) - 1)] for column, near in days.items()}
        for k in range(max(map(len, days.values())))
    ]
    rows = [dict.fromkeys(schema.sources) | checked_row(trained, rest | one) for one in tries]
    decided = trained.decide(trained.log_proba(rows)).tolist()
    if after not in decided:
        return None
    return (*others, *((column, row.get(column), day) for column, day in tries[decided.index(after)].items()))


def days_with(trained: Trained, column: str, wanted: Mapping[str, Any], now: Any) -> Iterator[str]:
    """Dates that have these parts, in ISO's form, those first that are near to the date of now; of a column of which
    the hour alone is read, a time of day if there is no date yet."""
    parts = date_columns(trained.model_.schema, trained.names)[column]
    told = {match[2]: value for name, value in wanted.items() if (match := NAMED.fullmatch(name)) is not None}
    known = parse_date(now, day_order_in(parts[0])) if isinstance(now, str) else None
    start = known or middle_day(trained, parts)
    clock = timedelta(hours=start.hour, minutes=start.minute, seconds=start.second)
    if "hour" in told:
        clock = timedelta(minutes=min(round(told.pop("hour") * 60), 24 * 60 - 1))
        if known is None and len(parts) == 1:
            yield f"{SOME_DAY + clock:%H:%M}"
            return
    day = start.replace(hour=0, minute=0, second=0)
    if "days" in told:
        day = datetime(1970, 1, 1) + timedelta(days=round(told["days"]))
    elif "year" in told:
        day = day.replace(year=round(told["year"]), day=min(day.day, 28))
    if not MINYEAR + 2 < day.year < MAXYEAR - 2:  # calendars end
        return
    for away in sorted(range(-NEAR, NEAR + 1), key=abs):
        moment = day + timedelta(days=away) + clock
        text = moment.isoformat(timespec="auto" if moment.second else "minutes") if clock else str(moment.date())
        has = with_parts({"day": text}, [f"day ({part})" for part in told])
        if all(has[f"day ({part})"] == (v if isinstance(v, str) else round(v)) for part, v in told.items()):
            yield text


def middle_day(trained: Trained, parts: tuple[str, ...]) -> datetime:
    """A day in the middle of those that rows were of, as far as the parts of a date that the model reads tell."""
    for name, grid in grids_of(trained.model_, 3).items():
        match = NAMED.fullmatch(name) if name in parts else None
        if match is not None and match[2] == "days":
            return datetime(1970, 1, 1) + timedelta(days=round(float(grid.mean())))
        if match is not None and match[2] == "year":
            return datetime(round(float(grid.mean())), 7, 1)
    return SOME_DAY
