"""One value in several spellings: files of text say "8" and "true" where Parquet and JSON say 8, 8.0 and true.

Levels that are all numbers, all truth values or all text read a value of another kind as the one that they would have
written for it; levels of several kinds were told apart on purpose, and stay so. But a text that is none of them is the
number or the truth value that it says: a column of these may have learned texts as well, and still knows the others.

>>> spell("8.0", (4, 8)), spell("true", (False, True)), spell(True, ("no", "true")), spell(8.0, ("4", "8"))
(8.0, True, 'true', '8')
>>> spell("1", (False, True)), spell("0.0", (False, True)), spell("yes", (False, True))
(True, False, 'yes')
>>> spell("V8", (4, 8)), spell(8, ("V6", "V8")), spell(8, ("8", 4)), spell("TRUE", ("false", "true"))
('V8', 8, 8, 'true')
>>> spell("true", (False, True, "unknown")), spell("9", (8, "V8")), spell("8", (8, "V8")), spell("8", (8, "9"))
(True, '9', 8.0, '8')

True, 1 and 1.0 are equal, and so one level wherever they stand in one column; a text beside them is another.

>>> spell("true", (0, True, 2)), spell("2", (0, True, 2)), spell("true", (0, 2))
(True, 2.0, 'true')
"""

import re
from collections.abc import Sequence
from math import isfinite

from bayesfold.data.frame import Level
from bayesfold.runtime.arrow_buffers import EXACT

TRUTHS = {"true": True, "false": False}
TRUTHS_IN_DIGITS = {"1": True, "0": False, "1.0": True, "0.0": False}
DIGITS = re.compile(r"\s*([-+]?0*[0-9]{16,20})(\.0*)?\s*")
"""A whole number of 64 bits that a float may not hold."""

STYLES = (str, str.lower, str.upper)
"""How a truth value is written: as Python does, as JSON does, as spreadsheets do."""


def spell(level: Level, levels: Sequence[Level]) -> Level:
    """A value that is none of these levels, as they would write it; as it is where they would not.

    The first level mostly decides, so that a stream of ever new words is not compared with all of them.
    """
    first = next((known for known in levels if known is not None), None)
    if isinstance(level, str) and isinstance(first, str):
        truth = TRUTHS.get(level.lower())
        said = truth is not None and all(known is None or str(known).lower() in TRUTHS for known in levels)
        return as_text(truth, levels) if truth is not None and said else level
    if level is None or first is None or isinstance(level, str) == isinstance(first, str):
        return level
    if isinstance(level, str):
        typed = [known for known in levels if not isinstance(known, str)]
        read = as_truth(level) if are_truths(typed) else as_number(level)
        if isinstance(read, str) and any(isinstance(known, bool) for known in typed):
            read = TRUTHS.get(level.lower(), level)
        if len(typed) < len(levels) and (read not in typed or any(map(says_number, levels))):
            return level  # 7 beside "8": as text, 7 is another
        return read
    return as_text(level, levels) if are_texts(levels) else level


def are_truths(levels: Sequence[Level]) -> bool:
    """Whether levels are truth values, missing aside."""
    return all(level is None or isinstance(level, bool) for level in levels)


def are_texts(levels: Sequence[Level]) -> bool:
    """Whether levels are text, missing aside."""
    return all(level is None or isinstance(level, str) for level in levels)


def says_number(level: Level) -> bool:
    """Whether a level is a text, and a number is what it says."""
    return isinstance(level, str) and not isinstance(as_number(level), str)


def as_truth(text: str) -> Level:
    """The truth value that a text says, or the text itself."""
    return (TRUTHS | TRUTHS_IN_DIGITS).get(text.strip().lower(), text)


def as_number(text: str) -> Level:
    """The number that a text says, or the text itself; of whole numbers every digit, which no float keeps beyond 2**53.

    >>> as_number("8.0"), as_number("1e3"), as_number("V8"), as_number("9007199254740993")
    (8.0, 1000.0, 'V8', 9007199254740993)
    """
    try:
        x = float(text)
    except ValueError:
        return text
    if abs(x) >= EXACT and (digits := DIGITS.fullmatch(text)):
        return int(digits[1])
    return x if isfinite(x) else text


def as_text(value: bool | float, levels: Sequence[Level]) -> Level:
    """A truth value or a number as levels that are text write it; itself where none of them is such a one.

    >>> as_text(False, ("TRUE",)), as_text(9, ("7", "8")), as_text(1, ("7.0", "1.0")), as_text(9, ("7", "x"))
    ('FALSE', '9', '1.0', 9)
    """
    known = set(levels)
    if isinstance(value, bool):
        pairs = [(style(str(value)), style(str(not value))) for style in STYLES]
        return next((own for own, other in pairs if own in known or other in known), value)
    whole = float(value).is_integer()
    ways = [str(value), *([str(int(value)), f"{int(value)}.0"] if whole else [])]
    found = next((way for way in ways if way in known), None)
    if found is not None:
        return found
    numerals = all(level is None or not isinstance(as_number(str(level)), str) for level in levels)
    return ways[1 if whole else 0] if numerals else value
