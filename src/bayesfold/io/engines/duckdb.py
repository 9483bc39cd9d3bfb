"""DuckDB: relations, tables and queries, streamed as record batches in the order of their rows.

>>> import duckdb
>>> part = Relation(duckdb.sql("select range % 3 as a from range(7)"), "the relation")
>>> [table.num_rows for table in part.scan(part.types, {})]
[7]
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.own_names import own_name
from bayesfold.io.engines import MIXER, Passing, Survey, Types
from bayesfold.io.engines._class_digits import class_tables, quote_name
from bayesfold.runtime.threads import BLOCK

BEHIND = re.compile(r";\s*(--[^\n]*\s*|/\*.*?\*/\s*)*$", re.DOTALL)
"""What may stand behind a query, and not inside another, where DuckDB puts it."""


def takes(what: Any) -> bool:
    """Whether something is a relation, or the text of a query.

    >>> takes("select 1 as a"), takes("selected.csv")
    (True, False)
    """
    if isinstance(what, str):
        return what.lstrip().lower().startswith(("select ", "from ", "with ")) and not os.path.exists(what)
    return type(what).__module__.partition(".")[0] in ("duckdb", "_duckdb")


def take(what: Any) -> "Relation":
    """The rows of a relation or a query."""
    return query(what) if isinstance(what, str) else Relation(what, "the relation")


@dataclass(frozen=True)
class Relation:
    """A relation: it is run again each time that its rows are wanted."""

    relation: Any
    label: str
    is_text = False

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The columns and what they hold."""
        with translate_errors():
            schema = self.relation.limit(0).to_arrow_table().schema
        return dict(zip(schema.names, schema.types, strict=True))

    def count(self) -> int:
        """The number of rows."""
        with translate_errors():
            return int(self.relation.aggregate("count(*)").fetchall()[0][0])

    def survey(self, columns: Sequence[str], most: int, passing: Passing | None = None) -> Survey:
        """About one of each k rows, as even as they can be spread: DuckDB numbers them, and the others stay there."""
        rows, named = self.count(), list_names(columns)
        step = max(1, -(-rows // most))
        own = quote_name(own_name({name.casefold() for name in self.types}, "number of the row"))
        numbered = self.relation.project(f"{named}, row_number() over () as {own}")
        number = f"({own} & {(1 << 31) - 1})"  # so that the product has room
        share = f"({number} * {MIXER}) & {(1 << 32) - 1} < {-(-(1 << 32) // step)}"  # multiples of the golden section
        sampled = numbered.filter(share).project(named)
        with translate_errors():
            return Survey(rows, sampled.to_arrow_table())

    def grouped(self, columns: Sequence[str], times: str, most: int) -> pa.Table | None:
        """Each combination of values and how many rows show it; None where there are more than `most`."""
        groups = self.relation.aggregate(
            f"{list_names(columns)}, count(*) as {list_names([times])}", list_names(columns)
        ).limit(most + 1)
        with translate_errors():
            table = groups.to_arrow_table()
        return table if table.num_rows <= most else None

    def class_tables(
        self, columns: Sequence[str], by: str, classes: Sequence[Any], rows: int, times: str, most: int
    ) -> list[pa.Table] | None:
        """Each of several columns with the class, in one scan (`_class_digits`): values, classes, and how many of the
        rows have both. `classes` are those that are known; others are looked for where rows seem to have them. None
        where it must be done otherwise."""
        with translate_errors():
            tables = class_tables(self.relation, columns, by, classes, rows, times, most)
        if tables is None or all(sum_of(table, times) == rows for table in tables):
            return tables
        every = self.grouped([by], times, most)
        there = [] if every is None else [one for one in every.column(by).to_pylist() if one is not None]
        if every is None or set(there).issubset(classes):
            return None if every is None else tables
        with translate_errors():
            return class_tables(self.relation, columns, by, there, rows, times, most)

    def _batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with translate_errors():
            yield from self.relation.project(list_names(columns)).to_arrow_reader(BLOCK)

    def scan(
        self, types: Types, markers: Mapping[str, frozenset[str]], skip: int = 0, known: Any = None
    ) -> Iterator[pa.Table]:
        """Batch after batch."""
        for batch in self._batches(list(types)):
            gone = min(skip, batch.num_rows)
            skip -= gone
            if gone < batch.num_rows:
                yield pa.Table.from_batches([batch]).select(list(types)).slice(gone)

    def place(self, row: int) -> str:
        """The row's number, from 1."""
        return f"{self.label}, row {row + 1:,}"

    def identity(self) -> Any:
        """What is asked, and how many rows answer."""
        return [self.relation.sql_query(), self.count()]


def list_names(columns: Sequence[str]) -> str:
    """Names as SQL has them."""
    return ", ".join(map(quote_name, columns))


def sum_of(table: pa.Table, column: str) -> int:
    """The sum of a column of counts."""
    return int(np.sum(table.column(column).to_numpy()))


def query(sql: str) -> Relation:
    """The rows of a query: one statement that only reads. Any other is refused before it is run.

    >>> query("select 1 as a; drop table t")
    Traceback (most recent call last):
    ValueError: a source is one query that reads rows, and this is 2 statements (SELECT, DROP); give one SELECT
    """
    try:
        import duckdb
    except ImportError:
        raise ImportError("a query needs DuckDB: pip install 'bayesfold[duckdb]'") from None
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise ValueError(f"the query cannot be read: {error}") from None
    kinds = [statement.type.name for statement in statements]
    if kinds != ["SELECT"]:
        what = f"a {kinds[0]}" if len(kinds) == 1 else f"{len(kinds)} statements ({', '.join(kinds)})"
        raise ValueError(f"a source is one query that reads rows, and this is {what}; give one SELECT")
    with translate_errors():
        return Relation(duckdb.sql(BEHIND.sub("", statements[0].query)), "the query")


@contextmanager
def translate_errors() -> Iterator[None]:
    """What DuckDB says of a query that it cannot answer, perhaps when it is half through, as an error of ours."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise ValueError(f"the query cannot be answered: {error}") from None
