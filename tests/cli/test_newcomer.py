"""The path of somebody who has a file: every command as a process, on a table of their own."""

import contextlib
import fcntl
import io
import json
import os
import re
import shlex
import struct
import subprocess
import termios

import pytest
from tests.cli.pets import pets, read, write
from tests.cli.process import COMMAND, ENVIRONMENT, call, run

from bayesfold import load, store
from bayesfold.cli._options import EXAMPLES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, later rows, and a model of the table."""
    place = tmp_path_factory.mktemp("pets")
    write(place / "pets.csv", pets(80))
    write(place / "later.csv", pets(40, seed=1))
    said = run(place, "fit", "pets.csv", "--target", "pet", "--model", "naive").stdout
    assert "wrote pets.bayes" in said
    return place


def test_fit_with_nothing_said_learns_the_recommended_model_and_tells_all(tmp_path):
    write(tmp_path / "my pets.csv", pets(40))
    said = run(tmp_path, "fit", "my pets.csv", "--target", "pet").stdout
    for words in (
        "40 rows",
        "coat",
        "categorical",
        "mass",
        "BayesClassifier",
        "held-out scores",
        "guessing",
    ):
        assert words in said
    assert (tmp_path / "my pets.bayes").exists()
    assert "wrote my pets.bayes" in said
    assert "\x1b" not in said


def test_a_narrow_terminal_shows_the_scores_of_each_model(tmp_path):
    """What a model is may be cut at the edge; its scores and its weight may not."""
    write(tmp_path / "pets.csv", pets(40))
    said = in_terminal(tmp_path, 60, "fit", "pets.csv", "--target", "pet")
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in said.splitlines()]
    (naive,) = [line for line in lines if line.startswith("naive ")]
    assert re.match(r"naive +\d\.\d{3} +\d\.\d{3} +\d\.\d{3} +1 network", naive)
    assert max(len(line) for line in lines[lines.index("part      accuracy  log-loss  weight  what") - 1 :]) <= 60


def in_terminal(folder, columns, *arguments):
    """What the command prints to standard output, if that is a terminal so many columns wide."""
    ours, theirs = os.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([*COMMAND, *arguments], cwd=folder, stdout=theirs, stderr=subprocess.PIPE, env=ENVIRONMENT):
        os.close(theirs)
        said = b""
        with contextlib.suppress(OSError):  # where the terminal is closed
            while part := os.read(ours, 65536):
                said += part
    os.close(ours)
    return said.decode().replace("\r\n", "\n")


def test_a_column_whose_spread_is_lost_is_told(tmp_path):
    lines = [["far", "pet"], *([f"{1 + i % 3}e160", "cat" if i % 2 else "dog"] for i in range(20))]
    write(tmp_path / "pets.csv", lines)
    said = call(tmp_path, "fit", "pets.csv", "-t", "pet", "-m", "naive", "--as", "far=gaussian").stderr
    assert said.startswith("note: the spread of column 'far' cannot be told")


def test_predict_appends_columns_and_keeps_the_order(folder):
    said = run(folder, "predict", "pets.bayes", "later.csv", "-o", "out.csv")
    assert said.stdout == ""
    answers, given = read(folder / "out.csv"), read(folder / "later.csv")
    assert [{k: row[k] for k in given[0]} for row in answers] == given
    for row in answers:
        p = {c: float(row[f"P({c})"]) for c in ("cat", "dog")}
        assert sum(p.values()) == pytest.approx(1, abs=1e-9)
        assert row["predicted"] == max(p, key=p.get)


def test_answers_of_two_models_stand_side_by_side(folder):
    call(folder, "predict", "pets.bayes", "later.csv", "-o", "first.csv")
    assert "--prefix" in call(folder, "predict", "pets.bayes", "first.csv", "-o", "two.csv", code=1).stderr
    call(folder, "predict", "pets.bayes", "first.csv", "--prefix", "again ", "-o", "two.csv")
    for row in read(folder / "two.csv"):
        assert row["again predicted"] == row["predicted"]
        assert row["again P(cat)"] == row["P(cat)"]
    said = call(folder, "predict", "pets.bayes", "later.csv", "--prefix", "again ", "--json").stdout
    assert {"again predicted", "again P(cat)"} <= set(json.loads(said)["rows"][0])


def test_costs_are_read_from_a_file_and_rows_may_be_rejected(folder):
    (folder / "costs.csv").write_text("decision,cat,dog\ncat,0,9\ndog,1,0\n", encoding="utf-8")
    (folder / "costs.json").write_text('{"cat": {"dog": 9}, "dog": {"cat": 1}}', encoding="utf-8")
    answers = {}
    for form in ("csv", "json"):
        choices = ["--loss", f"costs.{form}", "--reject-cost", "0.4", "-o", f"careful-{form}.bayes"]
        call(folder, "fit", "pets.csv", "-t", "pet", "-m", "naive", *choices)
        answers[form] = read(call(folder, "predict", f"careful-{form}.bayes", "later.csv").stdout)
    assert answers["csv"] == answers["json"]
    for row in answers["csv"]:
        expected = {"cat": 9 * float(row["P(dog)"]), "dog": float(row["P(cat)"]), "reject": 0.4}
        assert row["predicted"] == min(expected, key=expected.get)
        assert float(row["risk"]) == pytest.approx(min(expected.values()), abs=1e-12)
        assert (row["reject"] == "true") == (row["predicted"] == "reject")
    assert {row["predicted"] for row in answers["csv"]} == {"cat", "dog", "reject"}


def test_a_file_of_costs_that_is_not_there_is_asked_for_in_words(folder):
    said = call(folder, "fit", "pets.csv", "-t", "pet", "--loss", "5", code=1)
    assert "there is no file 5; --loss names a JSON or CSV file of costs, loss[decision][truth]" in said.stderr


def test_predict_writes_what_the_ending_says_and_reads_it_again(folder):
    call(folder, "predict", "pets.bayes", "later.csv", "-o", "out.parquet")
    call(folder, "predict", "pets.bayes", "later.csv", "-o", "plain.csv")
    again = call(folder, "evaluate", "pets.bayes", "out.parquet", "--json").stdout
    plain = call(folder, "evaluate", "pets.bayes", "plain.csv", "--json").stdout
    assert json.loads(again)["scores"] == json.loads(plain)["scores"]


def test_evaluate_compares_and_says_when_rows_may_have_been_learned(folder):
    call(folder, "fit", "pets.csv", "-t", "pet", "-m", "tan", "-o", "tan.bayes")
    said = call(folder, "evaluate", "pets.bayes", "tan.bayes", "later.csv")
    assert "tan minus pets" in said.stdout
    assert "may have been fitted" not in said.stderr
    learned = call(folder, "evaluate", "pets.bayes", "pets.csv")
    assert "may have been fitted" in learned.stderr
    left_out = json.loads(call(folder, "evaluate", "pets.bayes", "pets.csv", "--leave-out", "--json").stdout)
    fitted = json.loads(call(folder, "fit", "pets.csv", "-t", "pet", "-m", "naive", "--json", "-o", "x.bayes").stdout)
    for measure, found in left_out["scores"]["pets"].items():
        assert found == pytest.approx(fitted["held_out"][measure], nan_ok=True)


@pytest.mark.parametrize("kind", ["naive", "bayes"])
def test_one_number_for_one_thing(folder, kind):
    """What `fit` shows of rows held out, `evaluate` and `report` show too, and so does Python."""
    fitted = json.loads(call(folder, "fit", "pets.csv", "-t", "pet", "-m", kind, "--json", "-o", "k.bayes").stdout)
    shown = {m: v for m, v in fitted["held_out"].items() if m not in ("how", "rows", "by_the_prior")}
    left_out = json.loads(call(folder, "evaluate", "k.bayes", "pets.csv", "--leave-out", "--json").stdout)
    assert left_out["how"] == fitted["held_out"]["how"]
    for measure, found in left_out["scores"]["k"].items():
        assert found == pytest.approx(shown[measure], nan_ok=True), measure
    flattered = call(folder, "evaluate", "k.bayes", "pets.csv").stderr
    assert f"when it was fitted: accuracy {shown['accuracy']['value']:.3f}" in flattered
    call(folder, "report", "k.bayes", "pets.csv", "--leave-out", "-o", "held.html")
    call(folder, "report", "k.bayes", "pets.csv", "-o", "learned.html")
    for page in ("held.html", "learned.html"):  # the second says it beside the flattering ones
        assert f"{shown['log-loss']['value']:.3f}" in (folder / page).read_text("utf-8"), page
    assert "optimistic" not in (folder / "held.html").read_text("utf-8")
    saved = load(folder / "k.bayes")
    measures = saved.report_.scores.measures if kind == "bayes" else store.load(folder / "k.bayes").judged.measures
    assert measures["log-loss"].value == pytest.approx(shown["log-loss"]["value"])


def test_weights_may_be_counts_of_equal_rows(folder):
    header, *lines = pets(80)
    write(folder / "heavy.csv", [[*header, "n"], *([*line, 1 + i % 20] for i, line in enumerate(lines))])
    found = {}
    for name, flags in (("plain", ()), ("counts", ("--weight-counts",))):
        options = ("-m", "kdb", "--weight", "n", *flags, "--json", "-o", f"{name}.bayes")
        found[name] = json.loads(call(folder, "fit", "heavy.csv", "-t", "pet", *options).stdout)["held_out"]
    assert store.load(folder / "counts.bayes").settings.weights_are == "counts"
    assert found["plain"]["log-loss"] != found["counts"]["log-loss"]
    refused = run(folder, "fit", "pets.csv", "-t", "pet", "--weight-counts", code=2)
    assert "--weight COLUMN" in refused.stderr


def test_a_model_that_has_changed_has_no_old_scores(folder):
    call(folder, "fit", "pets.csv", "-t", "pet", "-m", "naive", "-o", "k.bayes")
    call(folder, "update", "k.bayes", "later.csv")
    assert store.load(folder / "k.bayes").judged is None


def test_explanations_add_up_to_what_predict_says(folder):
    told = json.loads(call(folder, "explain", "pets.bayes", "later.csv", "--row", "3", "--change", "--json").stdout)[0]
    assert told["row"] == 3
    assert sum(reason["log_odds"] for reason in told["reasons"]) == pytest.approx(told["log_odds"], abs=1e-9)
    answer = read(call(folder, "predict", "pets.bayes", "later.csv").stdout)[2]
    assert answer["predicted"] == told["predicted"]
    odds = float(answer[f"P({told['decision']})"]) / float(answer[f"P({told['against']})"])
    assert odds == pytest.approx(2.718281828459045 ** told["log_odds"], rel=1e-6)
    assert told["change"]["to"] != told["predicted"]
    words = run(folder, "explain", "pets.bayes", "later.csv", "--first", "2").stdout
    assert words.count("log-odds") >= 4
    assert words.count("\nsum") == 2


@pytest.mark.slow
def test_update_then_forget_gives_the_same_answers(folder):
    before = run(folder, "predict", "pets.bayes", "later.csv").stdout
    run(folder, "update", "pets.bayes", "later.csv", "-o", "more.bayes")
    said = run(folder, "forget", "more.bayes", "later.csv").stdout
    assert "forgot 40 rows" in said
    assert "largest changes" in said
    after = run(folder, "predict", "more.bayes", "later.csv").stdout
    for a, b in zip(read(before), read(after), strict=True):
        assert float(a["P(cat)"]) == pytest.approx(float(b["P(cat)"]), abs=1e-9)


def test_models_of_two_files_merge_to_the_model_of_both(folder):
    call(folder, "fit", "later.csv", "-t", "pet", "--like", "pets.bayes", "-o", "south.bayes")
    call(folder, "merge", "pets.bayes", "south.bayes", "-o", "both.bayes")
    call(folder, "update", "pets.bayes", "later.csv", "-o", "updated.bayes")
    both, updated = (call(folder, "predict", f"{name}.bayes", "later.csv").stdout for name in ("both", "updated"))
    assert both == updated


def test_inspect_says_what_a_model_is_and_where_it_comes_from(folder):
    said = call(folder, "inspect", "pets.bayes").stdout
    for words in ("NaiveBayes", "80", "coat", "mass", "learned", "pets.csv"):
        assert words in said
    assert json.loads(call(folder, "inspect", "pets.bayes", "--json").stdout)["rows"] == 80


def test_a_picture_and_a_report_need_nothing_else(folder):
    run(folder, "plot", "calibration", "pets.bayes", "later.csv", "-o", "calibration.html")
    call(folder, "plot", "pets.bayes", "later.csv", "-o", "roc.html")
    assert "Hits against false alarms" in (folder / "roc.html").read_text(encoding="utf-8")
    run(folder, "report", "pets.bayes", "later.csv", "-o", "report.html")
    page = (folder / "report.html").read_text(encoding="utf-8")
    for words in ("Scores", "Data", "Answers", "Columns", "Worst mistakes", "Origin", "later.csv"):
        assert words in page
    assert page.count("Plotly.react") == 1
    assert "<link" not in page
    assert 'src="' not in page.split("<script")[0]


def test_the_demonstration_writes_a_table_to_begin_with(tmp_path):
    call(tmp_path, "demo", "--table", "patients.csv", "--rows", "50")
    lines = read(tmp_path / "patients.csv")
    assert len(lines) == 50
    assert {"age", "awake", "place"} <= set(lines[0])


def test_the_shell_completes_commands_pictures_and_kinds(tmp_path):
    for typed, word in (
        ("pl", "plot"),
        ("plot cal", "calibration"),
        ("export pets.bayes --to on", "onnx"),
        ("fit --model kd", "kdb"),
    ):
        words = f"bayesfold {typed}"
        asked = {"_BAYESFOLD_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        done = subprocess.run(
            COMMAND, cwd=tmp_path, env=ENVIRONMENT | asked, capture_output=True, text=True, check=False
        )
        assert done.stdout.split() == [f"plain,{word}"]


def test_a_column_that_a_table_lacks_may_be_unknown(folder):
    header, *lines = pets(30, seed=5)
    write(folder / "lacks.csv", [[header[j] for j in (0, 2, 3)], *([line[j] for j in (0, 2, 3)] for line in lines)])
    write(folder / "holes.csv", [header, *([a, "", c, d] for a, _, c, d in lines)])
    assert "has no column 'mass'" in call(folder, "predict", "pets.bayes", "lacks.csv", code=1).stderr
    said = call(folder, "predict", "pets.bayes", "lacks.csv", "--allow-missing")
    assert "note: lacks.csv has no column 'mass'; its values are taken for unknown" in said.stderr
    empty = read(call(folder, "predict", "pets.bayes", "holes.csv").stdout)
    found = read(said.stdout)
    assert list(found[0]) == ["coat", "indoor", "pet", "predicted", "P(cat)", "P(dog)"]
    assert [row["P(cat)"] for row in found] == [row["P(cat)"] for row in empty]
    for command in ("evaluate", "explain"):
        assert "has no column" in call(folder, command, "pets.bayes", "lacks.csv", code=1).stderr
        answers = [
            call(folder, command, "pets.bayes", name, "--allow-missing", "--json").stdout
            for name in ("lacks.csv", "holes.csv")
        ]
        assert answers[0] == answers[1]


def test_a_table_without_any_column_of_the_model_is_refused(folder):
    write(folder / "other.csv", [["a", "b"], [1, 2]])
    said = call(folder, "predict", "pets.bayes", "other.csv", "--allow-missing", code=1).stderr
    assert "none of the columns of the model" in said


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """The same in this process."""
    place = tmp_path_factory.mktemp("learned")
    write(place / "pets.csv", pets(80))
    write(place / "later.csv", pets(40, seed=1))
    call(place, "fit", "pets.csv", "--target", "pet", "--model", "naive")
    return place


def test_what_is_named_twice_counts_twice_and_is_said(learned):
    (learned / "link.csv").symlink_to(learned / "pets.csv")
    said = call(learned, "fit", "pets.csv", "link.csv", "-t", "pet", "-m", "naive", "-o", "both.bayes")
    assert "note: pets.csv is read 2 times, and its rows count as often" in said.stderr
    said = call(learned, "merge", "pets.bayes", "pets.bayes", "-o", "merged.bayes")
    assert "pets.bayes and pets.bayes are one model, and its rows count 2 times" in said.stderr
    said = call(learned, "fit", "pets.csv", "later.csv", "-t", "pet", "-m", "naive", "-o", "apart.bayes")
    assert "times" not in said.stderr


def test_a_target_is_no_weight(learned):
    said = call(learned, "fit", "pets.csv", "-t", "pet", "--weight", "pet", code=1).stderr
    assert "'pet' cannot be the target and the weight of rows" in said


def test_a_target_is_not_left_out(learned):
    said = call(learned, "fit", "pets.csv", "-t", "pet", "--drop", "pet", code=1).stderr
    assert "'pet' cannot be the target and a column to leave out" in said


def test_what_an_option_says_twice_of_one_thing_is_refused(learned):
    fit = ("fit", "pets.csv", "-t", "pet", "-m", "naive", "-o", "twice.bayes")
    said = call(learned, *fit, "--as", "mass=kde", "--as", "mass=mdl", code=1).stderr
    assert "--as says what 'mass' is twice; say it once" in said
    said = call(learned, *fit, "--set", "alpha=1", "--set", "alpha=2", code=1).stderr
    assert "--set says what 'alpha' is twice" in said
    said = call(learned, "predict", "pets.bayes", "later.csv", "--priors", "cat=.9,cat=.5,dog=.5", code=1).stderr
    assert "--priors says what 'cat' is twice" in said
    export = ("export", "pets.bayes", "--to", "sql", "--set", "table=a", "--set", "table=b")
    assert "--set says what 'table' is twice" in call(learned, *export, code=1).stderr


def test_options_of_an_explanation_that_would_do_nothing_are_refused(learned):
    explain = ("explain", "pets.bayes", "later.csv")
    for others in (("--row", "2"), ("--first", "5"), ("--change",), ("--ask",)):
        assert "--summary is of all rows" in call(learned, *explain, "--summary", *others, code=2).stderr
    assert "--row chooses rows, and --first" in call(learned, *explain, "--row", "2", "--first", "3", code=2).stderr
    assert "row 5:" in call(learned, *explain).stdout
    assert "row 6:" not in call(learned, *explain).stdout


def test_priors_that_are_a_text_are_refused_in_words(learned):
    said = call(learned, "fit", "pets.csv", "-t", "pet", "-m", "naive", "--set", "priors=cat", code=1).stderr
    assert "priors=cat is text; give a probability by class" in said or "priors='cat' is text" in said


def test_a_curve_of_one_class_is_refused_in_words(learned):
    lines = (learned / "pets.csv").read_text(encoding="utf-8").splitlines()
    place = lines[0].split(",").index("pet")
    first = lines[1].split(",")[place]
    alone = [lines[0], *(line for line in lines[1:] if line.split(",")[place] == first)]
    (learned / "alone.csv").write_text("\n".join(alone) + "\n", encoding="utf-8")
    for picture in ("roc", "precision_recall"):
        said = call(learned, "plot", picture, "pets.bayes", "alone.csv", "-o", "p.html", code=1).stderr
        assert f"every row is of the class {first!r}" in said


def test_empty_standard_input_is_called_that(learned, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert "standard input is empty" in call(learned, "predict", "pets.bayes", "-", code=1).stderr


@pytest.mark.parametrize("command", ["query", "dsep"])
def test_the_examples_of_help_run_as_they_are_printed(folder, command):
    """They named a file that nobody has; those of built-in networks run anywhere."""
    printed = [line.split("  ")[0] for line in EXAMPLES[command].replace("\n  ", "\n").splitlines()]
    examples = [shlex.split(line)[1:] for line in printed if line.startswith(f"bayesfold {command} smoking")]
    assert len(examples) >= 3
    assert not any("asia" in line for line in printed)
    for words in examples:
        call(folder, *words)
