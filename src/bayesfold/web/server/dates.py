"""Dates as they are sent: text in a form that is read, or a time of day."""

from contextlib import suppress
from datetime import time
from typing import Any

from bayesfold.data.clocks import parse_clock
from bayesfold.data.dates import day_order_in, parse_date, part_name
from bayesfold.web.server.problems import Problem


def read_date(column: str, parts: tuple[str, ...], value: Any) -> str | time:
    """The date of a cell as it was sent, or a time, where nothing else is read of the column; others are refused."""
    order = day_order_in(parts[0])
    needs_day = parts != (part_name(column, "hour", order),)
    if isinstance(value, str):
        if parse_date(value, order) is not None or (not needs_day and parse_clock(value) is not None):
            return value
        with suppress(ValueError):
            if not needs_day:
                return time.fromisoformat(value.strip())
    form = "2024-12-31" if needs_day else "2024-12-31 17:05, or 17:05"
    form += f", or in the order {order}" if order else ""
    raise Problem("not-possible", f"column {column!r} holds dates, not {str(value)[:60]!r}; write {form}")
