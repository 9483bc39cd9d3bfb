"""Every engine gives the memory engine's tally, whatever the pieces in which it delivers rows."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest
from tests.io.engines.tables import FORMS, mixed

from bayesfold.data.tables import frame
from bayesfold.io import sample as module
from bayesfold.io.fit import learn_from
from bayesfold.io.open import open_source
from bayesfold.learning.kinds import find, names
from bayesfold.tally.counter import count

ROWS = 150_001
"""Two blocks and a part of a third."""


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return mixed(ROWS)


@pytest.fixture(scope="module")
def in_form(table, tmp_path_factory):
    """The table in a form: files are written once, and what can be read only once is made anew."""
    folder, written = tmp_path_factory.mktemp("forms"), {}

    def of(form):
        if form in written:
            return written[form]
        made = FORMS[form](table, folder / f"table.{form}")
        return written.setdefault(form, made) if isinstance(made, str | Path) else made

    return of


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 3_000)
    monkeypatch.setattr(module, "LEAST_ROWS", 500)


def in_memory(model, table, weight):
    """The tally of all rows at once."""
    labels = table.column("y").combine_chunks()
    features = frame(table.drop_columns(["y", "weight"]))
    weights = None if weight is None else table.column(weight).to_numpy()
    batch = model.schema.encode(features, labels, weights)
    return count(model.schema, model.tally.layout.cliques, batch)


def assert_same(tally, expected):
    np.testing.assert_array_equal(tally.counts, expected.counts)
    np.testing.assert_array_equal(tally.sums, expected.sums)
    np.testing.assert_array_equal(tally.weights, expected.weights)


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("form", FORMS)
def test_every_engine_gives_the_memory_engines_tally(form, weight, table, in_form):
    columns = [c for c in table.column_names if c not in ("y", "weight")]
    trained, account = learn_from(find("naive")(), in_form(form), "y", weight, columns)
    assert account.rows == ROWS
    assert account.sampled <= 3_000
    assert {"late"} < set(trained.model_.schema.columns["colour"].levels)
    assert trained.model_.classes == ("maybe", "never", "no", "yes")
    assert trained.model_.schema.columns["zip"].levels[0] == "00000"
    assert_same(trained.model_.tally, in_memory(trained.model_, table, weight))


@pytest.mark.parametrize("skip", [None, 0, 1, 40, 99])
@pytest.mark.parametrize("form", FORMS)
def test_every_engine_scans_all_rows_but_those_that_are_skipped(form, skip, tmp_path):
    numbered = pa.table({"n": pa.array(range(100), pa.int64()), "y": [*"ab"] * 50})
    with open_source(FORMS[form](numbered, tmp_path / f"table.{form}")) as source:
        told = () if skip is None else (skip,)
        pieces = source.parts[0].scan({"n": pa.int64()}, {}, *told)
        found = [n for piece in pieces for n in piece.column("n").to_pylist()]
    assert found == list(range(skip or 0, 33 if form == "files" else 100))


@pytest.mark.parametrize("at_once", [1 << 22, 100_000, 500])
def test_so_does_text_without_quotes_in_blocks_of_any_size(at_once, table, tmp_path, monkeypatch):
    monkeypatch.setattr("bayesfold.io.csv.row_index.AT_ONCE", at_once)
    table = table.drop_columns(["colour"]).slice(ROWS - (70_001 if at_once > 500 else 5_001))
    path = tmp_path / "plain.csv"
    arrow_csv.write_csv(table, path, arrow_csv.WriteOptions(quoting_style="none"))
    trained, _ = learn_from(find("naive")(), path, "y", "weight")
    assert trained.model_.classes == ("maybe", "never", "no", "yes")
    assert_same(trained.model_.tally, in_memory(trained.model_, table, "weight"))


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("kind", names())
def test_so_does_every_kind_of_model(kind, weight, table, monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 600)
    columns = ["colour", "size", "age"]
    trained, _ = learn_from(find(kind)(), table, "y", weight, columns)
    assert_same(trained.model_.tally, in_memory(trained.model_, table, weight))
    batch = trained.model_.schema.encode(frame(table.slice(0, 50)))
    assert np.isfinite(trained.model_.log_proba(batch)).all()
