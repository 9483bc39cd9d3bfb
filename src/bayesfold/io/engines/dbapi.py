"""Any database with a Python driver: (connection, query), or (address, query) where an ADBC driver is installed.

A query is run once, so that choices and counts see the same rows whatever happens in the database meanwhile. ADBC
drivers give record batches; rows of others are fetched some thousands at a time.

>>> import sqlite3
>>> pets = sqlite3.connect(":memory:")
>>> _ = pets.execute("create table pet as select 'short' as coat, 4.2 as mass")
>>> take((pets, "select * from pet")).read_all().to_pylist()
[{'coat': 'short', 'mass': 4.2}]
"""

import decimal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from importlib import import_module
from typing import Any

import pyarrow as pa

from bayesfold.runtime.threads import BLOCK

DRIVERS = {"postgres": "postgresql", "postgresql": "postgresql", "sqlite": "sqlite", "snowflake": "snowflake"}
"""The ADBC driver by the first word of an address."""
EXACT = ("numeric", "decimal", "money")
"""Databases' names for numbers of any precision, which drivers give as text."""


def takes(what: Any) -> bool:
    """Whether something is a connection, or an address, and a query.

    >>> takes(("postgresql://host/sales", "select 1")), takes(("a.csv", "b.csv"))
    (True, False)
    """
    if not isinstance(what, tuple) or len(what) != 2 or not isinstance(what[1], str):
        return False
    return "://" in what[0] if isinstance(what[0], str) else hasattr(what[0], "cursor")


def take(what: Any) -> pa.RecordBatchReader:
    """The rows that answer the query, once; then the cursor is closed, and a connection that was made for it."""
    open_now = ExitStack()
    connection = open_now.enter_context(closing(connect(what[0]))) if isinstance(what[0], str) else what[0]
    cursor = open_now.enter_context(closing(connection.cursor()))
    with ExitStack() as on_error:
        on_error.callback(open_now.close)
        try:
            cursor.execute(what[1])
        except getattr(connection, "Error", Exception) as error:
            raise ValueError(f"the database cannot answer the query: {error}") from None
        if not cursor.description:
            raise ValueError("the query gives no rows; a source is a query that reads: SELECT * FROM patients")
        reader = cursor.fetch_record_batch() if hasattr(cursor, "fetch_record_batch") else fetch_batches(cursor)
        on_error.pop_all()
    schema = pa.schema([(field.name, plain_type(field.type)) for field in reader.schema])

    def batches() -> Iterator[pa.RecordBatch]:
        with open_now:
            for batch in reader:
                columns = [as_plain(column, kind) for column, kind in zip(batch.columns, schema.types, strict=True)]
                yield pa.RecordBatch.from_arrays(columns, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def plain_type(kind: pa.DataType) -> pa.DataType:
    """The type to read a database's own type as: a number of any precision is a float, others are as they are stored.

    >>> plain_type(pa.opaque(pa.string(), "numeric", "PostgreSQL"))
    DataType(double)
    >>> plain_type(pa.opaque(pa.string(), "inet", "PostgreSQL"))
    DataType(string)
    """
    if not isinstance(kind, pa.OpaqueType):
        return kind
    return pa.float64() if kind.type_name in EXACT else kind.storage_type


def as_plain(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """A column without a type that only a database knows."""
    if column.type == kind:
        return column
    storage = column.storage if isinstance(column, pa.ExtensionArray) else column
    return storage.cast(kind)


def connect(address: str) -> Any:
    """A connection by the ADBC driver of an address."""
    scheme = address.partition("://")[0].lower()
    if scheme not in DRIVERS:
        raise ValueError(
            f"no driver is known for {scheme}:// (but for {', '.join(DRIVERS)}); connect yourself, and give "
            "(connection, query)"
        )
    driver = f"adbc_driver_{DRIVERS[scheme]}"
    try:
        module = import_module(f"{driver}.dbapi")
    except ImportError:
        raise ImportError(f"{scheme}:// needs a driver: pip install {driver.replace('_', '-')}") from None
    try:
        return module.connect(address.partition("://")[2] if scheme == "sqlite" else address)
    except module.Error as error:
        place = address.rpartition("@")[2]  # without a password
        raise ConnectionError(
            f"{scheme}://{place.removeprefix(f'{scheme}://')} cannot be reached: {first_line(error)}"
        ) from None


def first_line(error: Exception) -> str:
    """What a driver says, without its details."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def fetch_batches(cursor: Any) -> pa.RecordBatchReader:
    """The rows of a cursor in batches; their types are those of the first."""
    names = [column[0] for column in cursor.description]
    rows = cursor.fetchmany(BLOCK)
    first = [values_of(rows, place) for place in range(len(names))]
    found = [first_type(values, name) for values, name in zip(first, names, strict=True)]
    kinds = [pa.string() if pa.types.is_null(kind) else kind for kind in found]
    schema = pa.schema(list(zip(names, kinds, strict=True)))

    def batches() -> Iterator[pa.RecordBatch]:
        rows_left = rows
        while rows_left:
            columns = [to_first_type(values_of(rows_left, place), schema.field(place)) for place in range(len(names))]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)
            rows_left = cursor.fetchmany(BLOCK)

    return pa.RecordBatchReader.from_batches(schema, batches())


def values_of(rows: Sequence[Sequence[Any]], place: int) -> list[Any]:
    """A column of some rows; decimals as floats, which all have one type."""
    values = [row[place] for row in rows]
    return [float(v) if isinstance(v, decimal.Decimal) else v for v in values]


def first_type(values: list[Any], name: str) -> pa.DataType:
    """The type of a column by its first values; databases such as SQLite let each row have its own."""
    try:
        return pa.array(values).type
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(
            f"column {name!r} of the query holds values of several types ({error}); cast it in the query, for example "
            f"CAST({name} AS text)"
        ) from None


def to_first_type(values: list[Any], field: pa.Field) -> pa.Array:
    """Values as the type that the column had at first."""
    try:
        return pa.array(values, field.type)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(
            f"column {field.name!r} of the query holds {field.type} at first and something else later ({error}); cast "
            f"it in the query, for example CAST({field.name} AS double precision) or AS text"
        ) from None
