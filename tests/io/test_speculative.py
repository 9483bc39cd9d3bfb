"""What is counted while rows are looked at is what a pass of its own would count, to the bit; errors stay the same."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bayesfold.io import count as count_from
from bayesfold.io import sample as sampled
from bayesfold.io.fit import learn_from
from bayesfold.io.selection import Selection
from bayesfold.io.source import Source
from bayesfold.io.speculative import Early
from bayesfold.learning.kinds import find
from bayesfold.learning.kinds.naive import NaiveSettings

ROWS = 150_001
"""Two blocks and a part of a third."""


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    monkeypatch.setattr(sampled, "MOST_ROWS", 3_000)


@pytest.fixture(scope="module")
def table() -> pa.Table:
    """Normal numbers and text, which are guessed right; others, which are not; levels that come late or are many."""
    draw = np.random.default_rng(4)
    y = draw.choice(3, ROWS, p=[0.6, 0.3, 0.1])
    colour = np.array(["red", "green", "blue", ""])[draw.integers(0, 4, ROWS)]
    colour[-3:] = "late", "later", "late"
    return pa.table(
        {
            "colour": pa.array(colour.astype(object), pa.string(), mask=draw.random(ROWS) < 0.1),
            "told": pa.array(np.where(draw.random(ROWS) < 0.3, "a", "b"), mask=draw.random(ROWS) < 0.4 * (y == 1)),
            "truth": draw.random(ROWS) < 0.3 + 0.2 * y,
            "many": [f"v{v}" for v in draw.integers(0, 900, ROWS)],
            "normal": pa.array(draw.normal(y, 1.0), mask=draw.random(ROWS) < 0.05),
            "single": pa.array(draw.normal(y, 1.0).astype(np.float32)),
            "skewed": np.exp(draw.normal(y, 1.0)),
            "age": draw.poisson(3 + y),
            "gaps": pa.array(draw.integers(0, 4, ROWS), mask=draw.random(ROWS) < 0.1),
            "constant": np.ones(ROWS),
            "weight": np.round(draw.random(ROWS) * 3, 3) * (draw.random(ROWS) < 0.9),
            "y": np.array(["no", "yes", "maybe"])[y],
        }
    )


def one_file(table, folder):
    pq.write_table(table, folder / "table.parquet", row_group_size=70_000)
    return folder / "table.parquet"


def two_files(table, folder):
    pq.write_table(table.slice(0, 90_000), folder / "1.parquet")
    pq.write_table(table.slice(90_000), folder / "2.parquet")
    return str(folder / "*.parquet")


def two_types(table, folder):
    pq.write_table(table.slice(0, 90_000), folder / "1.parquet")
    wide = table.slice(90_000)
    wide = wide.set_column(wide.column_names.index("age"), "age", wide.column("age").cast(pa.float64()))
    pq.write_table(wide, folder / "2.parquet")
    return str(folder / "*.parquet")


def stream(table, folder):
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(12_345))


SOURCES = {"table": lambda table, folder: table} | {f.__name__: f for f in (one_file, two_files, two_types, stream)}
SETTINGS = {
    "defaults": {},
    "markers": {"missing": {"colour": "red", "gaps": 0, "truth": 0, "normal": 1.5}},
    "holes are values": {"missing_as": "value"},
    "declared": {"families": {"normal": "kde", "age": "gaussian", "many": "categorical", "told": "categorical"}},
    "exponents": {"weights": "auto"},
}


def both(make, settings, weight, monkeypatch, **more):
    """Learned with and without counting early."""
    found = []
    for early in (True, False):
        monkeypatch.setattr(NaiveSettings, "side_by_side", early)
        found.append(learn_from(find("naive")(**settings), make(), "y", weight, **more))
    return found


def assert_same(found):
    (ours, account), (theirs, other) = found
    assert repr(account) == repr(other)
    assert ours.model_.schema == theirs.model_.schema
    assert ours.columns == theirs.columns
    for part in ("counts", "sums", "weights"):
        np.testing.assert_array_equal(getattr(ours.model_.tally, part), getattr(theirs.model_.tally, part))
    assert ours.history == theirs.history


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("weight", [None, "weight"])
def test_it_is_what_a_pass_of_its_own_counts(source, weight, table, tmp_path, monkeypatch):
    table = table if weight else table.drop_columns(["weight"])
    assert_same(both(lambda: SOURCES[source](table, tmp_path), {}, weight, monkeypatch))


@pytest.mark.parametrize(("settings", "most"), [*((name, 4_096) for name in SETTINGS), ("defaults", 100)])
def test_whatever_is_chosen_in_the_end(settings, most, table, monkeypatch):
    monkeypatch.setattr("bayesfold.io.speculative.FEW_LEVELS", most)
    assert_same(both(lambda: table, SETTINGS[settings], None, monkeypatch))


def test_what_was_guessed_right_is_not_read_again(table, tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(count_from, "start_reading", lambda *given: read.append(given))
    path = one_file(table, tmp_path)
    told = []
    trained, _ = learn_from(find("naive")(), path, "y", columns=["colour", "normal", "truth"], watcher=told.append)
    assert not read
    assert [progress.rows for progress in told] == [ROWS]
    assert trained.model_.class_counts().sum() == ROWS
    assert trained.model_.schema.columns["colour"].levels[-2:] == ("late", "later")


def test_and_of_the_rest_only_what_was_not(table, tmp_path, monkeypatch):
    read, reading = [], count_from.start_reading

    def noted(source, look, wanted, begin=0):
        read.append(wanted.features)
        return reading(source, look, wanted, begin)

    monkeypatch.setattr(count_from, "start_reading", noted)
    trained, _ = learn_from(find("naive")(), one_file(table, tmp_path), "y", columns=["colour", "normal", "skewed"])
    assert read == [("skewed",)]
    assert trained.model_.schema.columns["skewed"].family != "gaussian"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("class", lambda table: table.column("colour")),  # then the target has another name
        ("y", lambda table: pa.array([*table.column("y").to_pylist()[:-9], *["never"] * 9])),  # a class comes late
    ],
)
def test_where_no_guess_can_be_made_all_is_counted_later(name, values, table, monkeypatch):
    kept = table.select(["colour", "normal", "y"])
    kept = kept.drop_columns([name]) if name in kept.column_names else kept
    found = both(lambda: kept.append_column(name, values(table)), {}, None, monkeypatch)
    assert_same(found)
    assert found[0][0].rows == ROWS


def late(column, value, table):
    """The table with another value in its last row but one."""
    values = table.column(column).to_pylist()
    values[-2] = value
    kept = table.select(["colour", "normal", "y"])
    return kept.set_column(kept.column_names.index(column), column, pa.array(values))


@pytest.mark.parametrize(
    ("column", "value", "settings", "message"),
    [
        ("normal", np.inf, {}, f"row {ROWS - 1:,}: column 'normal' is infinite here"),
        ("y", "never", {"priors": {"no": 0.5, "yes": 0.3, "maybe": 0.2}}, "never"),
        ("normal", 1.0, {"priors": {"no": 2.0, "yes": 0.3, "maybe": 0.2}}, "sum to"),
    ],
)
def test_errors_are_those_of_a_pass_of_its_own(column, value, settings, message, table, monkeypatch):
    given = late(column, value, table)
    said = []
    for early in (True, False):
        monkeypatch.setattr(NaiveSettings, "side_by_side", early)
        with pytest.raises(ValueError, match=message) as error:
            learn_from(find("naive")(**settings), given, "y")
        said.append(str(error.value))
    assert said[0] == said[1]


def test_a_column_that_nobody_can_read_is_refused_as_before(table):
    lists = table.select(["colour", "y"]).append_column("tags", pa.array([["a"]] * ROWS))
    with pytest.raises(TypeError, match="column 'tags' holds list"):
        learn_from(find("naive")(), lists, "y")


@pytest.mark.parametrize("as_text", [False, True])
def test_dates_are_counted_by_their_parts(as_text, table, monkeypatch):
    days = np.arange(ROWS) * 7 + (table["y"].to_numpy(zero_copy_only=False) == table["y"][0].as_py())
    when = pa.array(days.astype("M8[D]"))
    dates = table.select(["colour", "y"]).append_column("when", when.cast(pa.string()) if as_text else when)
    found = []
    for early in (True, False):
        monkeypatch.setattr(NaiveSettings, "side_by_side", early)
        found.append(learn_from(find("naive")(), dates, "y")[0].model_)
    assert "when (weekday)" in found[0].schema.sources
    assert found[0].schema == found[1].schema
    np.testing.assert_array_equal(found[0].tally.counts, found[1].tally.counts)


@pytest.mark.parametrize("early", [True, False])
def test_rows_without_a_class_are_put_aside(early, table, monkeypatch):
    monkeypatch.setattr(NaiveSettings, "side_by_side", early)
    trained, account = learn_from(find("naive")(), late("y", None, table), "y")
    assert (account.rows, account.unlabelled) == (ROWS - 1, 1)
    assert trained.rows == ROWS - 1
    others = table.select(["colour", "normal", "y"])
    others = pa.concat_tables([others.slice(0, ROWS - 2), others.slice(ROWS - 1)])
    whole = learn_from(find("naive")(), others, "y")[0].model_.tally
    assert trained.model_.tally.counts.sum() == whole.counts.sum()


def test_nothing_is_known_of_rows_that_were_not_all_seen(table):
    trained, _ = learn_from(find("naive")(), table, "y", columns=["colour", "normal"])
    early = Early(Source((), "the table"), Selection(("colour", "normal"), "y", None), None, ())
    early.see(table.select(["colour", "normal", "y"]).slice(0, 70_000))
    assert early.rows == 65_536
    assert early.known(trained.model_, ROWS) == ()
    early.rest()
    assert early.rows == 70_000
    assert len(early.known(trained.model_, 70_000)) == 3
