"""Numbers as people write them: 3,14 and 1.259,88 €, $1,200.50, 12 %, 1 000 000, losses also as (500) and 500-.

A column has one format in all rows.

>>> format_of_numbers(arrow_texts(["1.259,88 €", "424,60 €", "-3 €"]), ";")
NumberFormat(decimal=',')
>>> write_plainly(arrow_texts(["1.259,88 €", "-3 €", "unknown"]), NumberFormat(",")).to_pylist()
['1259.88', '-3', 'unknown']
>>> format_of_numbers(arrow_texts(["$1,200.50", "$80"]), ",")
NumberFormat(decimal='.')
>>> format_of_numbers(arrow_texts(["3.14", "2"]), ","), format_of_numbers(arrow_texts(["12 €", "12 $"]), ";")
(None, None)
>>> format_of_numbers(arrow_texts(["01067", "1,5"]), ";") is None
True
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from unicodedata import category

import pyarrow as pa
import pyarrow.compute as pc

from bayesfold.runtime.arrow_buffers import arrow_texts

USUAL = frozenset({
    "NA", "N/A", "n/a", "na", "n.a.", "N.A.", "NULL", "Null", "null", "None", "none", "?", "-", "--", ".", "missing",
    "k.A.", "#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
})  # fmt: skip
"""What people and spreadsheets write for a missing number."""
MOST_VALUES = 2_000
"""Most values of a column that are looked at."""
MOSTLY, MOST_ODD, LEAST_FITTING = 0.95, 3, 0.8
"""The share of numbers in a column of numbers; or the most values that are none, and the least share beside them."""
BLANK = r"[\s\x{a0}\x{2009}\x{202f}]"
CODES = ("EUR", "USD", "CHF", "GBP", "JPY", "CNY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "CZK", "INR", "BRL")
MONEY = rf"(?:\p{{Sc}}|{'|'.join(CODES)})"
NEGATIVE = r"^(?:\((.*)\)|(.*\d)-)$"
"""A number below 0 as in accounts: in brackets, or with its sign behind it."""
GROUPS = {",": r"[.'’\s\x{a0}\x{2009}\x{202f}]", ".": r"[,'’\s\x{a0}\x{2009}\x{202f}]"}
"""Pattern of what may separate thousands, by the decimal mark."""


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a column are written: the mark before the decimals; the other mark separates thousands."""

    decimal: str


@cache
def number_pattern(decimal: str) -> str:
    """The pattern of a number in a format. A superfluous 0 in front is a code, not a number."""
    whole = rf"(?:0|[1-9]\d*|[1-9]\d{{0,2}}(?:{GROUPS[decimal]}\d{{3}})+)"
    point = rf"\{decimal}\d+"
    number = rf"(?:{whole}(?:{point})?|{point})(?:[eE][-+]?\d+)?"
    gap, sign = f"{BLANK}*", "[-+−]?"
    money, unit = rf"{gap}{MONEY}?{gap}", rf"{gap}(?:{MONEY}|[%‰])?{gap}"
    before = f"{gap}{sign}{money}{sign}{gap}{number}{unit}"
    return f"^(?:{before}|{money}\\({money}{number}{unit}\\){unit}|{money}{number}{unit}[-−]{unit})$"


def matches_format(values: Any, decimal: str) -> Any:
    """Which values are numbers in the format with this decimal mark."""
    return pc.match_substring_regex(values, number_pattern(decimal))


def write_plainly(values: Any, number_format: NumberFormat | None) -> Any:
    """Numbers of a format written plainly; what is not a number stays as it is."""
    if number_format is None:
        return values
    plain = pc.replace_substring_regex(values, rf"{GROUPS[number_format.decimal]}|{MONEY}|[%‰+]|{BLANK}", "")
    plain = pc.replace_substring(pc.replace_substring(plain, "−", "-"), ",", ".")
    plain = pc.replace_substring_regex(plain, NEGATIVE, r"-\1\2")
    return pc.if_else(matches_format(values, number_format.decimal), plain, values)


def format_of_numbers(values: pa.Array, separator: str) -> NumberFormat | None:
    """The number format of a column's distinct values; None where they are plain, or most of them are not numbers.

    Where both marks would do, as in 1,234, it is the one that a file with this separator usually has.
    """
    filled = sample_values(values)
    if not len(filled) or is_plain(filled):
        return None
    fitting = {mark: count_fitting(filled, mark) for mark in ((".", ",") if separator == "," else (",", "."))}
    best = max(fitting, key=fitting.__getitem__)
    odd = len(filled) - fitting[best]
    if odd > (1 - MOSTLY) * len(filled) and not (odd <= MOST_ODD and fitting[best] >= LEAST_FITTING * len(filled)):
        return None
    numbers = filled.filter(matches_format(filled, best))
    if is_plain(numbers) or not have_one_unit(numbers.to_pylist()) or not have_accounts(numbers):
        return None
    return NumberFormat(best)


def have_accounts(values: pa.Array) -> bool:
    """Whether brackets, and minus signs behind numbers, can mean what they do in accounts, if there are any: where all
    numbers have them they are a way to number things, and 1, 2- and 3 are marks of a school.

    >>> [have_accounts(arrow_texts(v)) for v in (["(5)", "7"], ["(5)", "(7)"], ["50-", "7"], ["2-", "3"], ["5", "7"])]
    [True, False, True, False, True]
    """
    plain = pc.replace_substring_regex(values, rf"{MONEY}|[%‰]|{BLANK}", "")
    brackets, behind = (pc.match_substring_regex(plain, end) for end in (r"\)$", "[-−]$"))
    if not pc.any(pc.or_(brackets, behind)).as_py():
        return True
    marks = pc.all(pc.match_substring_regex(plain.filter(behind), r"^\d.$"), min_count=1).as_py()
    return not pc.all(pc.or_(brackets, behind)).as_py() and not marks


def may_part_thousands(values: pa.Array) -> bool:
    """Whether plain numbers look as if their points separated thousands: 1.234 and 950, never 3.14."""
    filled = sample_values(values)
    dotted = pc.match_substring(filled, ".")
    return bool(len(filled)) and bool(pc.any(dotted).as_py()) and bool(pc.all(matches_format(filled, ",")).as_py())


def has_decimal_points(values: pa.Array) -> bool:
    """Whether some of these values can only be numbers with a point before their decimals: 3.14, never 1.234."""
    filled = sample_values(values)
    return bool(pc.any(pc.and_not(matches_format(filled, "."), matches_format(filled, ","))).as_py())


def shown_mark(values: pa.Array) -> str | None:
    """The decimal mark that values must have to be numbers; None where they would be with either, or are none.

    >>> [shown_mark(arrow_texts([text])) for text in ("3.14", "1.259,88", "1.300", "1300", "x")]
    ['.', ',', None, None, None]
    """
    point, comma = (count_fitting(sample_values(values), mark) for mark in ".,")
    return None if point == comma else "." if point > comma else ","


def format_as_learned(values: pa.Array, mark: str) -> NumberFormat | None:
    """The number format of values that may be written with a mark that is known from others; None where they are plain
    and mean the same, or cannot be written so.

    >>> format_as_learned(arrow_texts(["1.300", "950"]), ","), format_as_learned(arrow_texts(["1.3", "950"]), ",")
    (NumberFormat(decimal=','), None)
    """
    filled = sample_values(values)
    if shown_mark(filled) not in (None, mark) or not count_fitting(filled, mark):
        return None
    return None if mark == "." and is_plain(filled) else NumberFormat(mark)


def numbers_as_learned(levels: Sequence[Any], mark: str) -> list[Any]:
    """Distinct values of a column, those that are text as numbers where they can be written with a known mark.

    >>> numbers_as_learned(["1.300", "12,5", "x", 7, None], ",")
    [1300.0, 12.5, 'x', 7, None]
    """
    texts = arrow_texts([level for level in levels if isinstance(level, str)])
    number_format = format_as_learned(texts, mark)
    if number_format is None:
        return list(levels)
    fitting = texts.filter(matches_format(texts, mark))
    read = dict(zip(fitting.to_pylist(), map(float, write_plainly(fitting, number_format).to_pylist()), strict=True))
    return [read.get(level, level) if isinstance(level, str) else level for level in levels]


def count_fitting(values: pa.Array, mark: str) -> int:
    """How many values are numbers in the format with this decimal mark."""
    return int(pc.sum(matches_format(values, mark)).as_py() or 0)


def sample_values(values: pa.Array) -> pa.Array:
    """The first values that are neither empty nor a usual mark of a missing one."""
    first = values[:MOST_VALUES].cast(pa.string()).drop_null()
    return first.filter(pc.invert(pc.is_in(pc.utf8_trim_whitespace(first), arrow_texts(["", *sorted(USUAL)]))))


def is_plain(values: pa.Array) -> bool:
    """Whether all values are numbers as programs write them."""
    try:
        pc.utf8_trim_whitespace(values).cast(pa.float64())
    except pa.ArrowInvalid:
        return False
    return True


def have_one_unit(values: list[str]) -> bool:
    """Whether values are of one currency, and all of them percentages or none: else they are not one quantity."""
    units = [
        {c for c in value if category(c) == "Sc" or c in "%‰"} | {code for code in CODES if code in value}
        for value in values
    ]
    every = set().union(*units)
    return len(every) <= 1 and (not every & {"%", "‰"} or all(units))
