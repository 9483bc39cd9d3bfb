"""Columns of dates in questions and answers: a person enters and is asked for the date, a model reads parts of it."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import time
from functools import lru_cache
from typing import Any

from bayesfold.data.dates import date_column_of, day_order_in, parse_date, part_name
from bayesfold.data.schema import Schema
from bayesfold.web.server.problems import Problem


@lru_cache(maxsize=64)
def date_columns(schema: Schema, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The columns of dates among those of the table that was learned, and the parts of each that the model reads."""
    found: dict[str, tuple[str, ...]] = {}
    for part in schema.parts:
        if (column := date_column_of(part, names)) is not None:
            found[column] = (*found.get(column, ()), part)
    return found


def read_date(column: str, parts: tuple[str, ...], value: Any) -> str | time:
    """The date of a cell as it was sent, or a time, where nothing else is read of the column; others are refused."""
    order = day_order_in(parts[0])
    needs_day = parts != (part_name(column, "hour", order),)
    if isinstance(value, str):
        if parse_date(value, order) is not None:
            return value
        with suppress(ValueError):
            if not needs_day:
                return time.fromisoformat(value.strip())
    form = "2024-12-31" if needs_day else "2024-12-31 17:05, or 17:05"
    form += f", or in the order {order}" if order else ""
    raise Problem("not-possible", f"column {column!r} holds dates, not {str(value)[:60]!r}; write {form}")


def ask_for_dates(gains: Iterable[tuple[str, float]], dates: Mapping[str, tuple[str, ...]]) -> list[tuple[str, float]]:
    """What each question is worth, where parts of a date are one question: it is worth as much as its best part.

    >>> ask_for_dates([("sent (month)", 0.2), ("size", 0.1), ("sent (hour)", 0.05)], {"sent": ("sent (month)",
    ...     "sent (hour)")})
    [('sent', 0.2), ('size', 0.1)]
    """
    column_of = {part: column for column, parts in dates.items() for part in parts}
    best: dict[str, float] = {}
    for name, gain in gains:
        asked = column_of.get(name, name)
        best[asked] = max(best.get(asked, 0.0), gain)
    return sorted(best.items(), key=lambda item: -item[1])
