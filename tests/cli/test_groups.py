"""Rows of one patient held out together on the command line, as `bf.evaluate(groups=)` does in Python."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.pets import write
from tests.cli.process import call

import bayesfold as bf
from bayesfold.learning import cross_fit


def visits(patients=30, each=4, seed=5):
    """Lines of cells: visits of a patient are all but alike, and the outcome is the patient's and of no column."""
    draw = np.random.default_rng(seed)
    lines = [["patient", "age", "sugar", "sex", "outcome"]]
    for number in range(patients):
        age, sugar, ill = draw.normal(50, 10), draw.normal(100, 20), draw.random() < 0.5
        for _ in range(each):
            cells = f"{age + draw.normal(0, 0.1):.2f}", f"{sugar + draw.normal(0, 0.1):.2f}", "fm"[number % 2]
            lines.append([f"{number * 7 % patients}", *cells, "ill" if ill else "well"])
    order = draw.permutation(len(lines) - 1)
    return [lines[0], *(lines[1 + i] for i in order)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table of visits."""
    place = tmp_path_factory.mktemp("groups")
    write(place / "visits.csv", visits())
    return place


def columns(lines):
    """The table as a frame of columns, numbers as numbers, and its outcomes."""
    cells = dict(zip(lines[0], zip(*lines[1:], strict=True), strict=True))
    kinds = {"patient": int, "age": float, "sugar": float, "sex": str}
    return {name: np.array(cells[name], kind) for name, kind in kinds.items()}, list(cells["outcome"])


def held_out(folder, *arguments):
    """What `fit` says of rows held out."""
    return json.loads(call(folder, "fit", "visits.csv", "-t", "outcome", *arguments, "--json").stdout)


def test_scores_are_those_of_evaluate_in_python(folder):
    shown = held_out(folder, "-m", "naive", "--groups", "patient", "-o", "naive.bayes")
    assert shown["held_out"]["how"] == "10 folds, rows of one group together, everything refitted without each"
    assert [line["column"] for line in shown["columns"]] == ["age", "sugar", "sex"]
    table, outcomes = columns(visits())
    judged = bf.evaluate(bf.NaiveBayes(), table, outcomes, groups="patient", how="refit").scores["NaiveBayes"]
    for name in ("accuracy", "log-loss", "Brier", "AUC"):
        one = shown["held_out"][name]
        assert (one["value"], one["low"], one["high"]) == pytest.approx(
            (judged[name].value, judged[name].low, judged[name].high), rel=1e-9
        )


@pytest.mark.slow
def test_evaluate_gives_the_scores_that_fit_shows(folder):
    for kind in ("naive", "bayes"):
        shown = held_out(folder, "-m", kind, "--groups", "patient", "-o", f"{kind}.bayes")["held_out"]
        said = call(
            folder, "evaluate", f"{kind}.bayes", "visits.csv", "--leave-out", "--groups", "patient", "--json"
        ).stdout
        again = json.loads(said)
        assert again["how"] == shown["how"]
        for name, one in again["scores"][kind].items():
            assert one == shown[name]


@pytest.mark.slow
def test_a_pool_that_knows_patients_is_no_better_than_chance_on_others(folder):
    alone = held_out(folder, "--drop", "patient", "-o", "rows.bayes")
    together = held_out(folder, "--groups", "patient", "-o", "patients.bayes")
    assert alone["held_out"]["accuracy"]["value"] > 0.75 > 0.65 > together["held_out"]["accuracy"]["value"]
    assert [part["accuracy"] for part in together["parts"]] == [None] * 5  # parts were judged on rows held out alone
    assert bf.load(folder / "patients.bayes").report_.rows == 120


def test_new_rows_of_a_group_count_as_one_in_intervals(folder):
    call(folder, "fit", "visits.csv", "-t", "outcome", "-m", "naive", "--drop", "patient", "-o", "plain.bayes")
    rows, units = (
        json.loads(call(folder, "evaluate", "plain.bayes", "visits.csv", *more, "--json").stdout)["scores"]["plain"]
        for more in ((), ("--groups", "patient"))
    )
    assert rows["log-loss"]["value"] == units["log-loss"]["value"]
    wide = [one["log-loss"]["high"] - one["log-loss"]["low"] for one in (rows, units)]
    assert wide[1] > 1.9 * wide[0]


def test_a_model_like_another_is_scored_by_groups_too(folder):
    call(folder, "fit", "visits.csv", "-t", "outcome", "-m", "naive", "--drop", "patient", "-o", "like.bayes")
    said = call(folder, "fit", "visits.csv", "--like", "like.bayes", "--groups", "patient", "-o", "other.bayes").stdout
    assert "10 folds, rows of one group together, taken out by subtraction" in " ".join(said.split())


def test_a_large_file_is_held_out_by_groups_of_the_rows_looked_at(folder, monkeypatch):
    lines = visits(patients=300, each=20)
    table = pa.table({name: list(cells) for name, cells in zip(lines[0], zip(*lines[1:], strict=True), strict=True)})
    pq.write_table(table, folder / "many.parquet", row_group_size=500)
    monkeypatch.setattr("bayesfold.io.sample.MOST_ROWS", 5_200)  # so that it is larger than the sample
    monkeypatch.setattr(cross_fit, "FOLDED", 1_000)  # so that one fifth is held out
    dealt = []
    own = cross_fit.deal_groups
    monkeypatch.setattr(cross_fit, "deal_groups", lambda *given, **more: dealt.append(given) or own(*given, **more))
    call(folder, "fit", "many.parquet", "-t", "outcome", "-m", "naive", "--groups", "patient", "-o", "many.bayes")
    assert bf.load(folder / "many.bayes").feature_names_in_.tolist() == ["age", "sugar", "sex"]
    ((group, *_),) = dealt
    assert 1_000 < len(group) < 6_000
    assert len(set(group.tolist())) == 300


def test_what_is_no_group_is_refused(folder):
    def said(*arguments):
        return call(folder, *arguments, code=1).stderr

    fit = "fit", "visits.csv", "-t", "outcome", "-o", "no.bayes"
    assert "'outcome' cannot be the target and the group of rows" in said(*fit, "--groups", "outcome")
    assert "'age' cannot be the weight of rows and the group of rows" in said(
        *fit, "--weight", "age", "--groups", "age"
    )
    assert "did you mean 'patient'" in said(*fit, "--groups", "patients")
    lines = visits()
    lines[3][0] = ""
    write(folder / "holes.csv", lines)
    told = said("fit", "holes.csv", "-t", "outcome", "--groups", "patient", "-o", "no.bayes")
    assert "holes.csv, line 4: column 'patient' is empty here" in told
    write(folder / "one.csv", [lines[0], *(["7", *line[1:]] for line in lines[1:])])
    told = said("fit", "one.csv", "-t", "outcome", "--groups", "patient", "-o", "no.bayes")
    assert "all rows are of one group, so that none can be held out" in told
    call(folder, "fit", "visits.csv", "-t", "outcome", "-m", "naive", "--as", "patient=gaussian", "-o", "reads.bayes")
    told = said("evaluate", "reads.bayes", "visits.csv", "--leave-out", "--groups", "patient")
    assert "the model reads column 'patient', by which rows would be held out" in told
