"""Models that learn and forget rows on the command line."""

import json
import re

import numpy as np
import pytest
from tests.cli.process import call

from bayesfold import load


def test_a_model_that_would_forget_everything_stays_unless_its_names_are_kept(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{'uvw'[i % 3]},{'pq'[i % 2]}\n" for i in range(30)))
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive")
    before = (tmp_path / "t.bayes").read_bytes()
    learned = load(tmp_path / "t.bayes").model_.tally.counts
    said = call(tmp_path, "forget", "t.bayes", "t.csv", code=1).stderr
    assert "no row and no class is left to save; --keep-levels keeps the names" in said
    assert (tmp_path / "t.bayes").read_bytes() == before
    call(tmp_path, "forget", "t.bayes", "t.csv", "--keep-levels")
    call(tmp_path, "update", "t.bayes", "t.csv")
    np.testing.assert_array_equal(load(tmp_path / "t.bayes").model_.tally.counts, learned)


def test_a_pool_that_was_made_of_counts_is_read_by_python_too(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{'uvw'[i % 3]},{'pq'[i % 2]}\n" for i in range(60)))
    call(tmp_path, "fit", "t.csv", "-t", "y")
    call(tmp_path, "fit", "t.csv", "-t", "y", "--like", "t.bayes", "-o", "again.bayes")
    clf = load(tmp_path / "again.bayes")
    assert clf.report_ is None
    with pytest.raises(ValueError, match="made of counts"):
        clf.reweigh({"a": ["u"]}, ["p"])


def test_leaving_out_gives_the_scores_of_fit_also_where_columns_were_left_out(tmp_path):
    draw = np.random.default_rng(0)
    rows = [f"{i},{draw.normal():.3f},2024-0{1 + i % 9}-0{1 + i % 7},{'pq'[i % 2]}\n" for i in draw.permutation(120)]
    (tmp_path / "t.csv").write_text("id,x,day,y\n" + "".join(rows))
    fitted = call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive").stdout
    judged = call(tmp_path, "evaluate", "t.bayes", "t.csv", "--leave-out").stdout
    for measure in ("accuracy", "log-loss"):
        of_fit, of_evaluate = (re.search(rf"{measure} +([\d.]+)", said)[1] for said in (fitted, judged))
        assert of_fit == of_evaluate


def test_rows_learned_with_weights_are_not_held_out_or_forgotten_as_if_they_had_none_without_a_word(tmp_path):
    rows = "".join(f"{i * 0.37 % 2:.2f},{1 + i % 5},{'pq'[i * i % 3 % 2]}\n" for i in range(60))
    (tmp_path / "t.csv").write_text("a,w,y\n" + rows)
    (tmp_path / "some.csv").write_text("a,w,y\n" + "".join(rows.splitlines(True)[:20]))
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive", "--weight", "w")
    for arguments in (["evaluate", "t.bayes", "t.csv"], ["report", "t.bayes", "t.csv", "-o", "t.html"]):
        assert "learned with weights" in call(tmp_path, *arguments, "--leave-out").stderr
        assert "learned with weights" not in call(tmp_path, *arguments, "--leave-out", "--weight", "w").stderr
    before = (tmp_path / "t.bayes").read_bytes()
    said = call(tmp_path, "forget", "t.bayes", "t.csv", code=1).stderr
    assert "would leave weights without rows; name the column of the weights they were learned with: --weight" in said
    assert (tmp_path / "t.bayes").read_bytes() == before
    assert "learned with weights" in call(tmp_path, "forget", "t.bayes", "some.csv", "-o", "less.bayes").stderr
    call(tmp_path, "forget", "t.bayes", "some.csv", "--weight", "w")


def test_an_update_tells_of_spellings_that_become_levels_and_classes_of_their_own(tmp_path):
    rows = [("uv"[i % 2], "pq"[i * i % 3 % 2]) for i in range(40)]
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{a},{y}\n" for a, y in rows))
    (tmp_path / "odd.csv").write_text("a,y\n" + "".join(f"{a.upper()},{y} \n" for a, y in rows))
    (tmp_path / "some.csv").write_text("a,y\nu,p\nV,q\n")
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive")
    said = " ".join(call(tmp_path, "update", "t.bayes", "odd.csv", "-o", "odd.bayes").stderr.split())
    assert "('U', 'V'; the model knows 'u', 'v'); now they are, as new ones" in said
    assert "ignored" not in said
    assert "classes of 'y' that differ in case or spaces only count as different: 'p' and 'p ', 'q' and 'q '" in said
    said = call(tmp_path, "update", "t.bayes", "some.csv", "-o", "some.bayes").stderr
    assert "values of column 'a' that differ in case or spaces only count as different: 'v' and 'V'" in " ".join(
        said.split()
    )
    assert "count as different" not in call(tmp_path, "update", "t.bayes", "t.csv", "-o", "again.bayes").stderr
    assert load(tmp_path / "some.bayes").predict_proba([{"a": "V"}]).shape == (1, 2)


@pytest.mark.parametrize("output", [(), ("-o", "other.bayes")])
@pytest.mark.parametrize("command", ["update", "forget"])
def test_a_model_goes_on_to_predict_what_it_did_whatever_a_table_calls_it(command, output, tmp_path):
    rows = "".join(f"{'uvw'[i % 3]},{'pq'[i % 2]}\n" for i in range(30))
    (tmp_path / "t.csv").write_text("a,y\n" + rows)
    (tmp_path / "other.csv").write_text("a,outcome\n" + rows[: len(rows) // 2])
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive")
    call(tmp_path, command, "t.bayes", "other.csv", "-t", "outcome", *output)
    changed = output[1] if output else "t.bayes"
    assert "predicts   y:" in call(tmp_path, "inspect", changed).stdout
    call(tmp_path, "update", changed, "t.csv")


@pytest.fixture
def two_files(tmp_path):
    """Models of two files of one table, and the folder that they are in."""
    for name, rows in (("t", 30), ("u", 12)):
        lines = [f"{'uvw'[i % 3]},{'pq'[i % 2]}\n" for i in range(rows)]
        (tmp_path / f"{name}.csv").write_text("a,y\n" + "".join(lines))
        call(tmp_path, "fit", f"{name}.csv", "-t", "y", "-m", "naive")
    return tmp_path


def test_json_tells_what_was_merged_learned_and_forgotten(two_files):
    merged = json.loads(call(two_files, "merge", "t.bayes", "u.bayes", "-o", "both.bayes", "--json").stdout)
    assert merged["merged"] == [{"model": "t.bayes", "rows": 30}, {"model": "u.bayes", "rows": 12}]
    assert merged["classes"] == [{"class": "p", "rows": 21}, {"class": "q", "rows": 21}]
    forgotten = json.loads(call(two_files, "forget", "both.bayes", "u.csv", "--json").stdout)
    assert sum(one["after"] for one in forgotten["classes"]) == 30
    learned = json.loads(call(two_files, "update", "both.bayes", "u.csv", "--json").stdout)
    assert sum(one["after"] for one in learned["classes"]) == 42


def test_models_of_two_kinds_are_not_merged(two_files):
    call(two_files, "fit", "u.csv", "-t", "y", "-m", "tan", "-o", "tan.bayes")
    said = call(two_files, "merge", "t.bayes", "tan.bayes", "-o", "both.bayes", code=1).stderr
    assert "t.bayes is a NaiveBayes of 'y' and tan.bayes is a TAN of 'y'; only models of the same kind" in said
    assert not (two_files / "both.bayes").exists()


@pytest.mark.parametrize("command", ["update", "forget"])
def test_a_table_without_rows_changes_nothing(two_files, command):
    before = (two_files / "t.bayes").read_bytes()
    (two_files / "none.csv").write_text("a,y\n")
    said = call(two_files, command, "t.bayes", "none.csv", code=1).stderr
    assert "none.csv" in said
    assert "no rows" in said
    assert (two_files / "t.bayes").read_bytes() == before


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ('{"p": {"q": 1}, "p": {"q": 2}}', "costs.json: 'p' is there twice in one object"),
        ('{"p": ', "costs.json is not JSON"),
    ],
)
def test_a_file_of_costs_that_cannot_be_read_is_named(two_files, costs, words):
    (two_files / "costs.json").write_text(costs)
    said = call(two_files, "fit", "t.csv", "-t", "y", "-m", "naive", "--loss", "costs.json", code=1).stderr
    assert words in said


def test_what_is_no_share_of_a_class_is_refused(two_files):
    said = call(two_files, "predict", "t.bayes", "u.csv", "--priors", "p=much,q=0.5", code=1).stderr
    assert "--priors 'p=much': write CLASS=PROBABILITY" in said
