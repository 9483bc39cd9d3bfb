"""Rows of databases: of any driver, in batches, from one run of the query."""

import sqlite3
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

import bayesfold as bf
from bayesfold.io.engines import dbapi
from bayesfold.io.open import open_source

ROWS = 70_000
"""More than one batch."""


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "pets.sqlite"
    with sqlite3.connect(found) as pets:
        pets.execute("create table pet (coat text, mass real, note text, kind text)")
        draw = np.random.default_rng(0)
        kinds = draw.integers(0, 2, ROWS)
        pets.executemany(
            "insert into pet values (?, ?, null, ?)",
            [
                (["short", "long"][int(c)], None if k % 97 == 0 else float(k + m), ["cat", "dog"][int(k)])
                for c, m, k in zip(draw.integers(0, 2, ROWS), draw.normal(size=ROWS), kinds, strict=True)
            ],
        )
    pets.close()
    return found


def test_every_row_of_a_query_is_learned(path):
    pets = sqlite3.connect(path)
    model = bf.NaiveBayes().fit_from((pets, "select coat, mass, kind from pet"), "kind")
    assert model.source_.rows == ROWS
    assert model.classes_.tolist() == ["cat", "dog"]
    pets.close()


def test_so_does_an_adbc_driver_by_its_address(path):
    pytest.importorskip("adbc_driver_sqlite", reason="the ADBC driver of SQLite is not installed")
    pets = sqlite3.connect(path)
    here = bf.NaiveBayes().fit_from((pets, "select coat, mass, kind from pet"), "kind")
    pets.close()
    there = bf.NaiveBayes().fit_from((f"sqlite://{path}", "select coat, mass, kind from pet"), "kind")
    np.testing.assert_array_equal(here.model_.tally.counts, there.model_.tally.counts)


def test_numbers_of_any_precision_are_numbers():
    """PostgreSQL's driver gives them as texts of a type of its own, SQLite has no such thing."""
    kind = pa.opaque(pa.string(), "numeric", "PostgreSQL")
    storage = pa.array(["1.5", None, "NaN"])
    reader = pa.RecordBatchReader.from_batches(
        pa.schema([("n", kind), ("a", pa.int16())]),
        [
            pa.RecordBatch.from_arrays(
                [pa.ExtensionArray.from_storage(kind, storage), pa.array([1, 2, 3], pa.int16())], ["n", "a"]
            )
        ],
    )
    cursor = SimpleNamespace(
        execute=lambda sql: None, description=["n", "a"], fetch_record_batch=lambda: reader, close=lambda: None
    )
    table = dbapi.take((SimpleNamespace(cursor=lambda: cursor), "select n, a")).read_all()
    assert table.schema.types == [pa.float64(), pa.int16()]
    assert table.column("n").to_pylist()[:2] == [1.5, None]


def test_who_cannot_be_reached_is_told_without_the_password(monkeypatch):
    driver = pytest.importorskip("adbc_driver_sqlite.dbapi", reason="the ADBC driver of SQLite is not installed")

    def refused(address):
        raise driver.OperationalError("Connection refused\n\tIs the server running?", status_code=10)

    monkeypatch.setattr(dbapi, "import_module", lambda name: SimpleNamespace(connect=refused, Error=driver.Error))
    with pytest.raises(
        ConnectionError, match=r"postgresql://host:1/x cannot be reached: .*Connection refused$"
    ) as told:
        open_source(("postgresql://me:secret@host:1/x", "select 1"))
    assert "secret" not in str(told.value)


def test_the_query_is_run_once(path):
    pets = sqlite3.connect(path)
    asked = []
    pets.set_trace_callback(asked.append)
    bf.NaiveBayes().fit_from((pets, "select coat, kind from pet"), "kind")
    assert len(asked) == 1
    pets.close()


def test_a_column_without_a_value_is_text_and_decimals_are_numbers():
    left = [[(Decimal("1.5"), None)], [(Decimal("22.25"), "late")]]
    cursor = SimpleNamespace(description=(("a", None), ("b", None)), fetchmany=lambda many: left.pop(0) if left else [])
    assert dbapi.fetch_batches(cursor).read_all().to_pydict() == {"a": [1.5, 22.25], "b": [None, "late"]}


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("select * from nowhere", "the database cannot answer the query: no such table"),
        ("create table made (a int)", "the query gives no rows"),
    ],
)
def test_what_is_no_query_is_refused(query, why, path):
    pets = sqlite3.connect(path)
    with pytest.raises(ValueError, match=why):
        open_source((pets, query))
    pets.close()


def test_a_column_that_changes_its_type_says_what_to_do(path):
    pets = sqlite3.connect(path)
    odd = "select case when rowid > 66000 then 'heavy' else mass end as mass, kind from pet"
    with pytest.raises(ValueError, match=r"column 'mass' of the query holds double at first.*CAST\(mass AS"):
        open_source((pets, odd))
    pets.close()


def test_an_address_without_a_driver_says_which_to_install(monkeypatch):
    with pytest.raises(ValueError, match="no driver is known for oracle://"):
        open_source(("oracle://host/x", "select 1"))
    monkeypatch.setattr(dbapi, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    with pytest.raises(ImportError, match="pip install adbc-driver-postgresql"):
        open_source(("postgresql://host/x", "select 1"))


@pytest.mark.parametrize(
    ("address", "given"),
    [
        ("sqlite:///tmp/pets", "/tmp/pets"),
        ("SQLite://pets", "pets"),
        ("postgresql://me@host/x", "postgresql://me@host/x"),
    ],
)
def test_a_driver_is_given_the_address_that_it_knows(address, given, monkeypatch):
    module = SimpleNamespace(connect=lambda told: told, Error=Exception)
    monkeypatch.setattr(dbapi, "import_module", lambda name: module)
    assert dbapi.connect(address) == given


def test_a_column_of_several_types_from_the_start_says_what_to_do(tmp_path):
    db = sqlite3.connect(tmp_path / "t.db")
    query = "select 1 as mixed, 'a' as y union all select 'x', 'b'"
    with pytest.raises(ValueError, match=r"column 'mixed' of the query holds values of several types.*CAST\(mixed AS"):
        open_source((db, query))
    db.close()
