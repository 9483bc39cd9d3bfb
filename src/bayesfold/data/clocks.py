"""Times of day as people write them, without a date: 14:35, 9:05:10, 2:05 pm.

A clock says the hour and nothing of the day. A column of text is one of clocks if nearly all of its values are; among
dates, a clock tells the hour alone.

>>> str(parse_clock("14:35")), str(parse_clock("2:05:10 p.m.")), parse_clock("25:00"), parse_clock("4:3")
('1970-01-01 14:35:00', '1970-01-01 14:05:10', None, None)
"""

import re
from datetime import datetime

CLOCK = r"(?P<H>\d{1,2}):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,]\d+)?)?\s*(?P<half>[AaPp]\.?[Mm]\.?)?"
LONGEST = 20
FORM = re.compile(CLOCK, re.ASCII)


def parse_clock(text: str | None) -> datetime | None:
    """A time of day, as that moment of the first day of 1970; None for any other text.

    Twelve hours follow each other twice: 12:05 am is five past midnight, 12:05 pm five past noon.
    """
    match = FORM.fullmatch(text.strip()) if text is not None and len(text) <= LONGEST else None
    if match is None:
        return None
    try:
        return datetime(1970, 1, 1, hour_of(match["H"], match["half"]), int(match["M"]), int(match["S"] or 0))
    except ValueError:
        return None


def hour_of(hour: str, half: str | None) -> int:
    """The hour of 24, of an hour that may be one of twice twelve."""
    return int(hour) if half is None else int(hour) % 12 + 12 * (half[0] in "pP")
