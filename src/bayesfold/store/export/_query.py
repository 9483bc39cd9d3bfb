"""Pieces of SQL that DuckDB and PostgreSQL read alike: names, literals, arithmetic, and steps of one query.

>>> quote_name('a "b" c'), quote_text("it's"), write_number(0.1), write_number(-1e-5)
('"a ""b"" c"', "'it''s'", '0.1e0', '(-1e-05)')
>>> write_sum(["a", "b", "c"])
'((a + b) + c)'
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

DOUBLE = "DOUBLE PRECISION"
SMALLEST = "-700e0"  # PostgreSQL refuses exp of much less, which would be 0


def quote_name(identifier: str) -> str:
    """An identifier in quotes."""
    if not identifier or "\0" in identifier:
        raise ValueError(f"{identifier!r} cannot be a name in SQL; rename the column, or give its name in columns=")
    return '"' + identifier.replace('"', '""') + '"'


def quote_text(value: str) -> str:
    """A text in quotes."""
    if "\0" in value:
        raise ValueError(f"{value!r} has a NUL character, which SQL cannot hold; clean the levels before fitting")
    return "'" + value.replace("'", "''") + "'"


def write_number(value: float) -> str:
    """A number in double precision to its last bit; the exponent says that it is no decimal."""
    if np.isneginf(value):
        return f"CAST('-Infinity' AS {DOUBLE})"
    if not np.isfinite(value):
        raise ValueError(f"this classifier holds the number {value}, which SQL has no word for")
    shown = repr(float(value))
    shown = shown if "e" in shown else f"{shown}e0"
    return f"({shown})" if value < 0 else shown


def write_array(values: Any) -> str:
    """Numbers to be picked by their place, which begins at 1; as one text, which is parsed several times faster."""
    return f"(CAST(string_to_array('{','.join(map(repr, np.ravel(values).tolist()))}', ',') AS {DOUBLE}[]))"


def write_integers(values: Iterable[int]) -> str:
    """As `write_array`, of whole numbers."""
    return f"(CAST(string_to_array('{','.join(str(int(v)) for v in values)}', ',') AS INTEGER[]))"


def write_sum(terms: Sequence[str]) -> str:
    """A sum, in brackets so that it is not nested deeply."""
    if len(terms) < 3:
        return f"({' + '.join(terms)})" if len(terms) == 2 else (terms[0] if terms else "0e0")
    half = (len(terms) + 1) // 2
    return f"({write_sum(terms[:half])} + {write_sum(terms[half:])})"


def all_of(conditions: Sequence[str]) -> str:
    """Whether every condition holds."""
    return f"({' AND '.join(conditions)})" if conditions else "TRUE"


def any_of(conditions: Sequence[str]) -> str:
    """Whether some condition holds."""
    return f"({' OR '.join(conditions)})" if conditions else "FALSE"


def write_exp(of: str) -> str:
    """e to the power of something; 0 below e^-700, as it is to Python a little further down."""
    return f"CASE WHEN {of} > {SMALLEST} THEN exp({of}) ELSE 0e0 END"


class Steps:
    """One query in steps, each of which adds columns to those before it."""

    def __init__(self, source: str, columns: Mapping[str, str]) -> None:
        self.parts: list[tuple[str, str]] = []
        self.last = ""
        self.begin("bf_input", source, columns)

    def begin(self, step: str, source: str, columns: Mapping[str, str], tail: str = "") -> str:
        """A step that has these columns alone."""
        chosen = ",\n    ".join(f"{expression} AS {column}" for column, expression in columns.items())
        self.parts.append((step, f"SELECT\n    {chosen}\n  FROM {source}{tail}"))
        self.last = step
        return step

    def add(self, step: str, columns: Mapping[str, str]) -> None:
        """A step that has all columns of the last and these."""
        if columns:
            more = "".join(f",\n    {expression} AS {column}" for column, expression in columns.items())
            self.parts.append((step, f"SELECT *{more}\n  FROM {self.last}"))
            self.last = step

    def join(self, step: str, main: str, other: str) -> None:
        """Two steps side by side, row by row."""
        self.parts.append((step, f"SELECT *\n  FROM {main} JOIN {other} USING (bf_row)"))
        self.last = step

    def query(self, columns: Mapping[str, str], tail: str = "") -> str:
        """The whole query: materialised, so that no step is worked out twice."""
        steps = ",\n".join(f"{step} AS MATERIALIZED (\n  {body}\n)" for step, body in self.parts)
        chosen = ",\n  ".join(f"{expression} AS {quote_name(column)}" for column, expression in columns.items())
        return f"WITH\n{steps}\nSELECT\n  {chosen}\nFROM {self.last}{tail}"
