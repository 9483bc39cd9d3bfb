"""Dates and times: what about them may matter (year, month, weekday, hour, days) as columns beside the others.

A part is a column that the table need not have: it is called after the column of dates, and whoever asks for it by that
name gets it from there. Text is read in the forms that people write; where 3/4/2024 stands, the name of the part says
which comes first.

>>> part_name("sent", "month"), date_column_of("sent (month)", ["sent", "size"]), date_column_of("size (mm)", ["size"])
('sent (month)', 'sent', None)
>>> take_part("sent (weekday)", pa.array(["2024-02-29", "1 Mar 2024 17:05", None])).to_pylist()
['Thursday', 'Friday', None]
>>> take_part("sent (days, m/d/y)", pa.array(["02/29/2024", "3/1/24"])).tolist()
[19782.0, 19783.0]
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.clocks import CLOCK, hour_of, parse_clock
from bayesfold.data.date_parts import CLOCK_PART, PART, PARTS
from bayesfold.runtime.arrow_buffers import arrow_array, to_integers

EIGHT_DIGITS = 10**7
"""The least number that may be a year, a month and a day."""
NAT = int(np.iinfo(np.int64).min)
"""The tick of a moment that is none."""
DAY_FIRST, MONTH_FIRST = "d/m/y", "m/d/y"
NAMED = re.compile(rf"(?s)(.*) \(({'|'.join(PARTS)})(?:, ({DAY_FIRST}|{MONTH_FIRST}))?\)")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
CENTURY = 70
"""Two digits of a year from here on are of the last century."""
SOME, MOSTLY = 200, 0.95
"""Distinct values that are looked at first, and the share of them that dates must have."""

AT_CLOCK = rf"(?:(?:T|,?\s+){CLOCK}"
ZONE = r"\s*(?:Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?)?"
DAYS = (
    r"(?P<y>\d{4})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})",
    r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4}|\d\d)",
    r"(?P<a>\d{1,2})([-/])(?P<b>\d{1,2})\2(?P<y>\d{4}|\d\d)",
    r"(?:[A-Za-z]{3,9}\.?,\s*)?(?P<d>\d{1,2})(?:\.|st|nd|rd|th)?[\s-](?P<word>[A-Za-z]{3,9})\.?[\s,-]+(?P<y>\d{4}|\d\d)",
    r"(?:[A-Za-z]{3,9}\.?,\s*)?(?P<word>[A-Za-z]{3,9})\.?\s(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>\d{4})",
    r"(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
    r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)",
)


def part_name(column: str, part: str, order: str = "") -> str:
    """The name of the column that holds a part of a column of dates."""
    return f"{column} ({part}, {order})" if order else f"{column} ({part})"


def date_column_of(name: str, there: Container[str]) -> str | None:
    """The column of dates that a part with such a name comes from, if it is there and nothing has that name itself."""
    match = None if name in there else NAMED.fullmatch(name)
    return match[1] if match is not None and match[1] in there else None


def absent_in_words(name: str) -> str:
    """A column that is not there, in words; one called as a part of dates may be meant to come from these.

    >>> print(absent_in_words("size"), "/", absent_in_words("sent (weekday)"))
    'size' / 'sent' of dates, nor 'sent (weekday)'
    """
    match = NAMED.fullmatch(name)
    return repr(name) if match is None else f"{match[1]!r} of dates, nor {name!r}"


def part_of(name: str) -> str:
    """Which part of a date is called so.

    >>> part_of("sent (days, m/d/y)")
    'days'
    """
    match = NAMED.fullmatch(name)
    assert match is not None
    return match[2]


def day_order_in(name: str) -> str:
    """The order of day and month ("d/m/y" or "m/d/y") that the name of a part tells, "" where it tells none."""
    match = NAMED.fullmatch(name)
    return "" if match is None else match[3] or ""


def columns_for(names: Iterable[str], there: Iterable[str]) -> list[str]:
    """The columns to read for these names, each once: of parts that are not there those that they come from.

    >>> columns_for(["sent (hour)", "size", "sent (year)"], ["sent", "size"])
    ['sent', 'size']
    """
    known = dict.fromkeys(there)  # a list of thousands of names is not gone through for each
    return list(dict.fromkeys(date_column_of(name, known) or name for name in names))


def with_parts(row: Mapping[str, Any], names: Iterable[str]) -> Mapping[str, Any]:
    """The row, with those of these names that are parts of its dates added."""
    made = {}
    for name in names:
        if source := date_column_of(name, row):
            value = take_part(name, column_of_one(row[source]))
            made[name] = value.item() if isinstance(value, np.ndarray) else value[0].as_py()
    return {**row, **made} if made else row


def column_of_one(cell: Any) -> pa.Array:
    """One cell as a column."""
    if isinstance(cell, np.datetime64):
        cell = cell.astype("M8[us]").item()
    elif isinstance(cell, int | float | np.integer | np.floating) and not isinstance(cell, bool):
        cell = f"{cell:.0f}" if EIGHT_DIGITS <= cell < 10 * EIGHT_DIGITS and cell == cell // 1 else None
    return arrow_array([cell if isinstance(cell, str | date | datetime | time) else None])


def take_part(name: str, column: Any) -> NDArray[Any] | pa.Array:
    """The part of a column of dates that a name asks for: numbers, NaN where there is none, or names of weekdays."""
    part = part_of(name)
    return PART[part](moments(column, day_order_in(name), clocks=part == CLOCK_PART))


def moments(column: Any, order: str = "", clocks: bool = True) -> NDArray[np.datetime64]:
    """Dates of any kind as moments to the second, by the clock that they were written by; what is none is NaT.

    A time of day alone is one of the first day of 1970, or NaT without `clocks`: it says nothing of the day.
    """
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, np.ndarray):
        column = pa.array(column, from_pandas=True)
    if pa.types.is_dictionary(column.type):
        known = moments(column.dictionary, order, clocks)
        known = np.append(known, np.datetime64("NaT", "s"))
        return np.asarray(known[to_integers(column.indices, -1)])
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    if not pa.types.is_temporal(column.type):
        distinct = column.cast(pa.string()).dictionary_encode()
        dates = parse_dates(distinct.dictionary, order, clocks)
        return moments(pa.DictionaryArray.from_arrays(distinct.indices, dates))
    if pa.types.is_time(column.type) and not clocks:
        return np.full(len(column), np.datetime64("NaT", "s"))
    if pa.types.is_time(column.type):
        column = column.cast(pa.time64("us")).cast(pa.int64()).cast(pa.timestamp("us"))
    elif pa.types.is_timestamp(column.type) and column.type.tz is not None:
        column = to_wall_clock(column)
    whole = column.cast(pa.timestamp("s"), safe=False)
    return to_integers(whole.cast(pa.int64()), NAT).view("M8[s]")


def to_wall_clock(column: pa.Array) -> pa.Array:
    """Timestamps of a time zone as its clocks show them."""
    import pyarrow.compute as pc  # it takes as long to load as pyarrow itself

    try:
        return pc.local_timestamp(column)
    except pa.ArrowInvalid:  # a machine that does not know the zone
        return column.cast(pa.timestamp(column.type.unit))


def parse_dates(values: pa.Array, order: str, clocks: bool = True) -> pa.Array:
    """Texts as timestamps, null where one is not a date; times of day as such where `clocks` are asked for."""
    dates = [parse_date(text, order) or (parse_clock(text) if clocks else None) for text in values.to_pylist()]
    return arrow_array(dates).cast(pa.timestamp("s"), safe=False)


def parse_date(text: str | None, order: str = "") -> datetime | None:
    """A date as people write it.

    >>> str(parse_date("5.3.2024 14:30")), str(parse_date("3/4/2024 2:05 pm", "m/d/y"))
    ('2024-03-05 14:30:00', '2024-03-04 14:05:00')
    >>> parse_date("3/4/2024"), parse_date("31.2.2024")
    (None, None)
    """
    match = match_date(text)
    if match is None:
        return None
    fields = {name: value for name, value in match.groupdict().items() if value is not None}
    if "a" in fields:
        if not order:
            return None
        fields["d"], fields["m"] = (fields["a"], fields["b"]) if order == DAY_FIRST else (fields["b"], fields["a"])
    year = int(fields["y"])
    if len(fields["y"]) == 2:
        year += 1900 if year >= CENTURY else 2000
    month = MONTHS.index(fields["word"][:3].lower()) + 1 if "word" in fields else int(fields["m"])
    hour = hour_of(fields.get("H", "0"), fields.get("half"))
    try:
        return datetime(year, month, int(fields["d"]), hour, int(fields.get("M", 0)), int(fields.get("S", 0)))
    except ValueError:
        return None


SHORTEST = len("1.1.24")


@cache
def forms_of_dates() -> tuple[re.Pattern[str], ...]:
    """The forms in which dates are read; they take longer to make than a small table does to be answered."""
    return tuple(re.compile(day + AT_CLOCK + ZONE) for day in DAYS)


def match_date(text: str | None) -> re.Match[str] | None:
    """The match of a text with one of the forms of a date, None where it is not a date."""
    if text is None or not SHORTEST <= len(text) <= 60:
        return None
    for form in forms_of_dates():
        match = form.fullmatch(text.strip())
        if match is not None and ("word" not in match.groupdict() or match["word"][:3].lower() in MONTHS):
            return match
    return None


def order_of(levels: Sequence[Any]) -> str | None:
    """How values are dates: "" where they say so themselves, "d/m/y" or "m/d/y", None where they are no dates, or
    digits alone. Times of day say so themselves; a column has dates or times.

    >>> order_of(["2024-02-29"]), order_of(["3/4/24", "2/29/24"]), order_of(["29/2/24", "2/29/24"]), order_of(["a"])
    ('', 'm/d/y', None, None)
    >>> order_of(["14:35", "9:05"]), order_of(["14:35", "2024-02-29"])
    ('', None)
    """
    first = levels[:: max(1, len(levels) // SOME)]
    if are_clocks(first) and are_clocks(levels):
        return ""
    for values in (first, levels) if len(first) < len(levels) else (levels,):
        forms = [match_date(level) if isinstance(level, str) else None for level in values]
        if not forms or sum(form is not None for form in forms) < MOSTLY * len(forms):
            return None
    if all(level.strip().isdigit() for level in levels if isinstance(level, str)):
        return None
    pairs = [(int(f["a"]), int(f["b"])) for f in forms if f is not None and "a" in f.groupdict()]
    orders = [
        order
        for order, k in ((DAY_FIRST, 1), (MONTH_FIRST, 0))
        if all(pair[k] <= 12 and pair[1 - k] <= 31 for pair in pairs)
    ]
    order = "" if not pairs else orders[0] if orders else None
    if order is None or sum(parse_date(level, order) is not None for level in levels) < MOSTLY * len(levels):
        return None
    return order


def clocks_alone(when: NDArray[np.datetime64]) -> bool:
    """Whether moments are times of day, without dates."""
    return not bool((when[~np.isnat(when)].astype("M8[D]") != np.datetime64(0, "D")).any())


def are_clocks(levels: Sequence[Any]) -> bool:
    """Whether values are times of day, without dates."""
    clocks = sum(parse_clock(level) is not None for level in levels if isinstance(level, str))
    return bool(levels) and clocks >= MOSTLY * len(levels)


def differing_parts(when: NDArray[np.datetime64]) -> Iterator[str]:
    """The names of the parts in which dates differ."""
    there = when[~np.isnat(when)]
    for part in (CLOCK_PART,) if clocks_alone(when) else PARTS:
        values = PART[part](there)
        if len(values) and len(set(values.tolist() if isinstance(values, np.ndarray) else values.to_pylist())) > 1:
            yield part
