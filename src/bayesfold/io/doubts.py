"""Columns of text that are not what they seem, found before they are learned: formatted numbers, dates, one value in
two ways. Nothing is changed; a person is told what to look at.

>>> doubt_column("price", ["1.259,88 €", "424,60 €"]).said
"column 'price' holds numbers written like '1.259,88 €', which is text; write them plainly: 1259.88, or say decimal="
>>> doubt_column("age", ["31", "47", "52", "28", "60", "k.A."]).said
"column 'age' holds numbers but for 'k.A.', so it is text; if that means missing: missing={'age': ['k.A.']}"
>>> doubt_column("town", ["Boston", " boston", "York"]).said
"column 'town' has values that differ in case or spaces only: 'Boston' and ' boston'; write them alike"
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import category

from bayesfold.data.dates import are_clocks, match_date, order_of
from bayesfold.data.number_format import USUAL

MOSTLY = 0.95
"""Share of distinct values of a kind from which the whole column is taken for that kind."""
MOST_ODD, LEAST_PLAIN = 3, 0.8
"""Most values that may be marks of missing ones, and the least share of numbers beside them."""
MOST_PAIRS = 3
LEAST_ROWS = 3
"""Fewest lines of a value that are taken for rows."""
NUMBERS_AS_TEXT, A_MARK, WITH_UNITS = "numbers written as text", "numbers and a mark", "numbers with units"
LEAST_MEASURED, MOST_UNITS = 20, 3
"""Fewest distinct values that are quantities with units, rather than categories such as '2 rooms', and most units."""
MEASURED = re.compile(
    r"[-+]?(?:\d+[.,]?\d*|[.,]\d+)\s*([^\W\d_]{1,8}\.?|[°\"'][CF]?|[^\W\d_]{1,4}(?:/[^\W\d_]{1,4}|[²³23]))"
)
PLAIN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
DRESSED = re.compile(r"[-+]?(\d{1,3}([.,']\d{3})+|\d+)([.,]\d+)?", re.ASCII)
CODES = re.compile(r"^(EUR|USD|CHF|GBP|JPY|CNY)|(EUR|USD|CHF|GBP|JPY|CNY)$")


@dataclass(frozen=True)
class Doubt:
    """A warning about a column, and what it is rather than text ("" where it is text)."""

    said: str
    rather: str = ""


def doubt_column(name: str, values: Sequence[str]) -> Doubt | None:
    """The doubt about a column of text, by its distinct values; None where there is none."""
    filled = [v for v in values if v.strip()]
    if not filled:
        return None
    column = f"column {name!r}"
    plain = [v for v in filled if PLAIN.fullmatch(v.strip())]
    odd = [v for v in filled if not PLAIN.fullmatch(v.strip())]
    dressed = [v for v in odd if DRESSED.fullmatch(strip_signs(v))]
    if not odd:
        return None  # codes, such as 08: text on purpose
    if sum(match_date(v) is not None for v in filled) >= MOSTLY * len(filled):
        mixed = f"{column} holds dates of which some have the day and some the month first; write them as 2024-12-31"
        return Doubt(mixed, "dates in two orders") if order_of(filled) is None else None
    if are_clocks(filled):
        return None
    if dressed and len(plain) + len(dressed) >= MOSTLY * len(filled):
        shown = max(dressed, key=len)
        number = plain_number(shown)
        how = f": {number}" if number else " (1234.5, without signs)"
        said = f"{column} holds numbers written like {shown!r}, which is text; write them plainly{how}"
        return Doubt(f"{said}, or say decimal=", NUMBERS_AS_TEXT)
    if len(odd) <= MOST_ODD and len(plain) >= LEAST_PLAIN * len(filled) and len(plain) > MOST_ODD:
        exceptions = " and ".join(map(repr, odd))
        said = f"{column} holds numbers but for {exceptions}, so it is text"
        return Doubt(f"{said}; if that means missing: {as_missing(name, odd)}", A_MARK)
    if shown := measured_in_units(filled):
        return Doubt(f"{column} holds numbers with {shown}, which is text; write the numbers alone", WITH_UNITS)
    if rows := next((v for v in odd if "\n" in v and holds_rows(v)), ""):
        begin, lines = rows.partition("\n")[0], rows.count("\n") + 1
        return Doubt(
            f"{column} has a value of {lines} lines that look like rows, from {begin!r} on; was a quote left open?"
        )
    if marks := [v for v in filled if is_mark(v)]:
        return Doubt(f"{column} has {marks_in_words(name, marks)}")
    pairs = spelled_alike(filled)
    said = f"{column} has values that differ in case or spaces only: {pairs}; write them alike"
    return Doubt(said) if pairs else None


def measured_in_units(values: Sequence[str]) -> str:
    """The units of values that are quantities, with an example of each; "" where they are none.

    >>> measured_in_units([f"{k} kg" for k in range(30)]), measured_in_units(["2 rooms", "3 rooms"])
    ("a unit ('0 kg')", '')
    """
    matches = [(value, MEASURED.fullmatch(value.strip())) for value in values] if len(values) >= LEAST_MEASURED else []
    units = {match[1]: value.strip() for value, match in reversed(matches) if match is not None}
    fitting = sum(match is not None for _, match in matches)
    if not units or len(units) > MOST_UNITS or fitting < MOSTLY * len(values):
        return ""
    return f"{'a unit' if len(units) == 1 else 'units'} ({', '.join(map(repr, units.values()))})"


def doubt_typed_column(name: str, values: Sequence[str]) -> Doubt | None:
    """The same of a column of a file whose cells have types, in which a number may be written as one.

    >>> doubt_typed_column("age", ["31", "47", "52", "28", "60", "k.A."]).said
    "column 'age' holds numbers but for 'k.A.', so it is text; where that means missing leave the cell empty, and \
store numbers"
    """
    found = doubt_column(name, values)
    if found is None or found.rather not in (A_MARK, NUMBERS_AS_TEXT):
        return found
    said = found.said.partition("; if that means missing: ")[0].removesuffix(", or say decimal=")
    advice = "; where that means missing leave the cell empty, and store numbers" if found.rather == A_MARK else ""
    return Doubt(said + advice, found.rather)


def holds_rows(value: str) -> bool:
    """Whether the lines of a text look like rows of a table: as many separators in each but the first and the last.

    >>> holds_rows("5 wide,1,n\\nred,2,n\\nblue,3,p\\ngreen,1,p\\nround"), holds_rows("Main Street 1,\\nBern,\\nCH")
    (True, False)
    """
    lines = value.split("\n")[1:-1]
    return len(lines) >= LEAST_ROWS and any(
        len(counts := {line.count(mark) for line in lines}) == 1 and counts != {0} for mark in ",;\t|"
    )


def is_mark(value: str) -> bool:
    """Whether a text is what people, and programs, often write for a missing value."""
    return value.strip() in USUAL or value.strip().lower() in ("nan", "n/a", "null", "none", "na", "nil", "<na>")


def marks_in_words(name: str, marks: Sequence[str]) -> str:
    """What to tell of values that may mean missing.

    >>> marks_in_words("town", ["?", "NULL"])
    "'?' and 'NULL' as values like any other; if they mean missing: missing={'town': ['?', 'NULL']}"
    """
    one = len(marks) == 1
    values, means = ("a value", "it means") if one else ("values", "they mean")
    return f"{' and '.join(map(repr, marks))} as {values} like any other; if {means} missing: {as_missing(name, marks)}"


def as_missing(name: str, marks: Sequence[str]) -> str:
    """How to say that these values of a column mean missing."""
    return f"missing={ {name: [mark.strip() for mark in marks]} }"


def spelled_alike(values: Iterable[str]) -> str:
    """Values that differ in case or spaces only, in words; "" where there are none."""
    groups: dict[str, list[str]] = {}
    for value in values:
        groups.setdefault(" ".join(value.casefold().split()), []).append(value)
    twice = [" and ".join(map(repr, spellings)) for spellings in groups.values() if len(spellings) > 1]
    return ", ".join(twice[:MOST_PAIRS]) + (f" and {len(twice) - MOST_PAIRS} more" if len(twice) > MOST_PAIRS else "")


def strip_signs(value: str) -> str:
    """A text without signs of money, percent and spaces.

    >>> strip_signs("$ 1,234.50"), strip_signs("12 %"), strip_signs("CHF 3'000")
    ('1,234.50', '12', "3'000")
    """
    kept = "".join(c for c in value if c not in "%‰" and not c.isspace() and category(c) != "Sc")
    return CODES.sub("", kept)


def plain_number(value: str) -> str:
    """The number that a text is, written plainly; "" where a single sign may stand for thousands or for decimals.

    >>> plain_number("1.259,88 €"), plain_number("$1,259.50"), plain_number("12,5 %"), plain_number("1,250")
    ('1259.88', '1259.50', '12.5', '')
    """
    text = strip_signs(value).replace("'", "")
    marks = [c for c in text if c in ".,"]
    if not marks:
        return text
    last = marks[-1]
    whole, _, rest = text.rpartition(last)
    if marks.count(last) > 1:  # a sign that stands twice parts thousands
        return re.sub("[.,]", "", text) if len(set(marks)) == 1 else ""
    if len(set(marks)) == 1 and len(rest) == 3:
        return ""
    return f"{re.sub('[.,]', '', whole)}.{rest}"
