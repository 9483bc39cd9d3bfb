"""Tables of several columns with a class, counted by DuckDB in one scan of its rows.

`GROUP BY column, class` hashes pairs of values for every row; `GROUP BY column` knows a column that is stored as a
dictionary, and takes a third of that. So the classes become the digits of one number: with a base B above the number of
rows, a row of class k adds B^k, and the digits of a group's sum are how many of its rows have each class. Grouping sets
count all columns in the same scan. More classes than a number has room for take more sums.

>>> import duckdb
>>> pets = duckdb.sql("from (values ('short', 'cat'), ('long', 'cat'), ('short', 'dog'), ('short', 'cat')) t(c, k)")
>>> [table] = class_tables(pets, ["c"], "k", ["cat", "dog"], 4, "n", 100)
>>> sorted(zip(*table.to_pydict().values(), strict=True))
[('long', 'cat', 1), ('short', 'cat', 2), ('short', 'dog', 1)]
"""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

WEIGHT_BITS = 62
"""Bits of the number that a row adds; sums have twice as many."""
MOST_SUMS = 4
"""Most sums; with more, groups of pairs are as fast."""
MOST_COLUMNS = 32
"""Most columns in one scan: GROUPING numbers the sets by the bits of a number."""


def class_tables(
    relation: Any, columns: Sequence[str], by: str, classes: Sequence[Any], rows: int, times: str, most: int
) -> list[pa.Table] | None:
    """For each column a table of its values, the class, and how many of the rows show both, as a column `times`.

    `classes` are all that occur besides NULL, of which nothing is counted, and `rows` is how many there are. None where
    there are too many classes, classes that are no words, whole numbers or truth values, or more than `most` groups.
    """
    bits = max(1, rows.bit_length())
    digits = WEIGHT_BITS // bits + 1
    sums = -(-len(classes) // digits)
    if not classes or sums > MOST_SUMS or not all(isinstance(one, str | int) for one in classes):
        return None
    tables: list[pa.Table] = []
    for begin in range(0, len(columns), MOST_COLUMNS):
        chunk = columns[begin : begin + MOST_COLUMNS]
        groups = count_groups(relation, chunk, by, classes, digits, bits, most)
        if groups is None:
            return None
        tables += [table_of_column(groups, place, name, by, classes, times) for place, name in enumerate(chunk)]
    return tables


def count_groups(
    relation: Any, columns: Sequence[str], by: str, classes: Sequence[Any], digits: int, bits: int, most: int
) -> pa.Table | None:
    """The groups of all columns: c0, c1, ... of which all but one are NULL, `s`, which of them is not (a bit that is
    0), and n0, n1, ... for the classes; None where groups are more than `most`."""
    cases = [f"when {write_literal(one)} then {1 << (k % digits * bits)}::bigint" for k, one in enumerate(classes)]
    groups = [" ".join(cases[i : i + digits]) for i in range(0, len(cases), digits)]
    weights = ", ".join(f"case {quote_name(by)} {digit_cases} end as w{i}" for i, digit_cases in enumerate(groups))
    names = ", ".join(f"c{place}" for place in range(len(columns)))
    every = ", ".join(f"{quote_name(name)} as c{place}" for place, name in enumerate(columns))
    sets = ", ".join(f"(c{place})" for place in range(len(columns)))
    sums = ", ".join(f"coalesce(sum(w{i}), 0) as w{i}" for i in range(len(groups)))
    aggregated = relation.project(f"{every}, {weights}").aggregate(
        f"{names}, grouping({names}) as s, {sums}", f"grouping sets ({sets})"
    )
    parts = ", ".join(
        f"((w{k // digits} // {1 << (k % digits * bits)}::hugeint) % {1 << bits}::hugeint)::bigint as n{k}"
        for k in range(len(classes))
    )
    table: pa.Table = aggregated.project(f"{names}, s, {parts}").limit(most + 1).to_arrow_table()
    return table if table.num_rows <= most else None


def table_of_column(groups: pa.Table, place: int, name: str, by: str, classes: Sequence[Any], times: str) -> pa.Table:
    """The groups of one column, one row for each class that they show."""
    columns = sum(field.startswith("c") for field in groups.column_names)
    own = groups.filter(pc.equal(groups.column("s"), ((1 << columns) - 1) ^ (1 << (columns - 1 - place))))
    large = any(isinstance(one, int) and one >= 1 << 63 for one in classes)
    pieces, kind = [], pa.uint64() if large else pa.scalar(classes[0]).type  # Arrow takes whole numbers for signed ones
    for k, one in enumerate(classes):
        shown = own.filter(pc.greater(own.column(f"n{k}"), 0))
        values = [shown.column(f"c{place}"), pa.array([one] * shown.num_rows, kind), shown.column(f"n{k}")]
        pieces.append(pa.Table.from_arrays(values, [name, by, times]))
    return pa.concat_tables(pieces)


def write_literal(value: str | int) -> str:
    """A word, a whole number or a truth value as SQL has it.

    >>> write_literal("it's"), write_literal(3), write_literal(True)
    ("'it''s'", '3', 'true')
    """
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value).lower()


def quote_name(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'
