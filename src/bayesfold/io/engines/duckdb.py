"""DuckDB: relations, tables and queries, streamed as record batches in the order of their rows.

>>> import duckdb
>>> part = Relation(duckdb.sql("select range % 3 as a from range(7)"), "the relation")
>>> [table.num_rows for table in part.scan(part.types, {})]
[7]
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from bayesfold.io.engines import MIXER, Passing, Survey, Types
from bayesfold.runtime.threads import BLOCK


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
        schema = self.relation.limit(0).to_arrow_table().schema
        return dict(zip(schema.names, schema.types, strict=True))

    def count(self) -> int:
        """The number of rows."""
        return int(self.relation.aggregate("count(*)").fetchall()[0][0])

    def survey(self, columns: Sequence[str], most: int, passing: Passing | None = None) -> Survey:
        """One of each k rows: DuckDB numbers them, so that the others need not leave it."""
        rows, named = self.count(), listed(columns)
        step = max(1, -(-rows // most))
        numbered = self.relation.project(f'{named}, row_number() over () - 1 as "number of the row"')
        scattered = f'(("number of the row" // {step}) * {MIXER} % {1 << 32}) // 256 % {step}'  # as in `one_of_each`
        some = numbered.filter(f'"number of the row" % {step} = {scattered}').project(named)
        return Survey(rows, some.to_arrow_table())

    def grouped(self, columns: Sequence[str], times: str, most: int) -> pa.Table | None:
        """Each combination of values and how many rows show it; None where there are more than `most`."""
        found = self.relation.aggregate(f"{listed(columns)}, count(*) as {listed([times])}", listed(columns)).limit(
            most + 1
        )
        table = found.to_arrow_table()
        return table if table.num_rows <= most else None

    def _batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from self.relation.project(listed(columns)).to_arrow_reader(BLOCK)

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


def listed(columns: Sequence[str]) -> str:
    """Names as SQL has them."""
    return ", ".join('"' + name.replace('"', '""') + '"' for name in columns)


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
    return Relation(duckdb.sql(sql), "the query")
