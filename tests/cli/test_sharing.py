"""Rows that stay where they are, and statistics that travel: a schema, models of its parts, and their sum."""

import json

import pytest
from tests.cli.pets import pets, write
from tests.cli.process import call

from bayesfold.store import load


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A schema, and three tables of other rows: two parts, and both in one."""
    place = tmp_path_factory.mktemp("sharing")
    names, *rows = pets()
    write(place / "north.csv", [names, *rows])
    write(place / "south.csv", [names, *rows[:20]])
    write(place / "west.csv", [names, *rows[20:], ["piebald", *rows[20][1:]]])
    write(place / "all.csv", [names, *rows, ["piebald", *rows[20][1:]]])
    call(place, "schema", "north.csv", "-t", "pet", "-m", "naive", "-o", "s.bayes")
    call(place, "schema", "north.csv", "-t", "pet", "-m", "naive", "--set", "numeric=mdl", "-o", "bins.bayes")
    return place


def test_a_schema_has_no_rows(folder):
    schema = load(folder / "s.bayes")
    assert schema.rows == 0
    assert not schema.model_.tally.counts.any()
    assert not schema.model_.tally.sums.any()
    assert schema.history == ()
    told = json.loads(call(folder, "schema", "north.csv", "-t", "pet", "-o", "t.bayes", "--json").stdout)
    assert told["classes"] == ["cat", "dog"]


@pytest.mark.parametrize("schema", ["s.bayes", "bins.bayes"])
def test_models_of_parts_add_up_to_one_fit_of_all_rows(schema, folder):
    for name in ("south", "west", "all"):
        call(folder, "fit", f"{name}.csv", "--schema", schema, "-o", f"{name}.bayes")
    call(folder, "merge", "south.bayes", "west.bayes", "-o", "both.bayes")
    answers = [call(folder, "predict", f"{name}.bayes", "north.csv").stdout for name in ("both", "all")]
    assert answers[0] == answers[1]
    both, whole = (load(folder / f"{name}.bayes").model_.tally for name in ("both", "all"))
    assert (both.on(whole.schema).counts == whole.counts).all()


def test_small_cells_are_withheld_and_so_are_names_that_only_they_have(folder):
    said = call(folder, "fit", "west.csv", "--schema", "bins.bayes", "--min-cell", "5", "-o", "few.bayes")
    assert "withheld" in said.stderr
    found = load(folder / "few.bayes")
    assert "piebald" not in str(found.model_.schema)
    assert found.scores is None
    assert "withheld cells of fewer than 5 rows" in [step.what for step in found.history]


def test_noise_spends_a_budget_that_is_told(folder):
    said = call(folder, "fit", "west.csv", "--schema", "bins.bayes", "--epsilon", "2", "-o", "noise.bayes")
    tables = len(load(folder / "noise.bayes").model_.tally.layout.cliques)
    assert f"epsilon 2 for all {tables} tables together" in said.stderr
    found = load(folder / "noise.bayes")
    assert found.model_.schema == load(folder / "bins.bayes").model_.schema
    call(folder, "predict", "noise.bayes", "north.csv")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (("--min-cell", "5"), "give that with --schema"),
        (("--schema", "s.bayes", "--epsilon", "1"), "would be summed"),
        (("--schema", "bins.bayes", "--epsilon", "-1"), "a number above 0"),
        (("--schema", "bins.bayes", "--min-cell", "1"), "a cell of one row is that row"),
        (("--schema", "bins.bayes", "--min-cell", "5", "--epsilon", "1"), "give one of the two"),
        (("--schema", "bins.bayes", "--drop", "mass"), "takes everything from that model"),
    ],
)
def test_what_hides_nothing_is_refused(told, why, folder):
    code = 2 if why in ("give that with --schema", "give one of the two", "takes everything from that model") else 1
    said = call(folder, "fit", "west.csv", "-t", "pet", *told, "-o", "no.bayes", code=code)
    assert why in said.stderr.replace("\n", " ")
    assert not (folder / "no.bayes").exists()
