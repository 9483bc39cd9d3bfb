"""A cell of blanks in a column of numbers is a missing one, to every command and however it is written."""

import json

import numpy as np
import pytest
from tests.cli.pets import pets, write
from tests.cli.process import call

import bayesfold as bf
from bayesfold.store import load

BLANKS = ["", " ", "   ", "\t", "\u00a0", '" "']


def with_blanks(lines, blank):
    """Pets whose first five masses are blank."""
    return [[*line[:1], blank, *line[2:]] if 0 < i < 6 else line for i, line in enumerate(lines)]


def written(path, lines):
    path.write_bytes("".join(",".join(line) + "\n" for line in lines).encode())
    return path


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize("rows", [60, 3_000])
def test_every_command_takes_blanks_for_missing(blank, rows, tmp_path, monkeypatch):
    from bayesfold.io import sample

    monkeypatch.setattr(sample, "MOST_ROWS", 2_000)
    lines = pets(rows)
    written(tmp_path / "empty.csv", with_blanks(lines, ""))
    written(tmp_path / "t.csv", with_blanks(lines, blank))
    for name in ("empty", "t"):
        call(tmp_path, "fit", f"{name}.csv", "-t", "pet", "-m", "naive")
    empty, ours = load(tmp_path / "empty.bayes").model_, load(tmp_path / "t.bayes").model_
    assert ours.schema == empty.schema
    np.testing.assert_array_equal(ours.tally.counts, empty.tally.counts)
    np.testing.assert_array_equal(ours.tally.sums, empty.tally.sums)
    said = [call(tmp_path, "predict", "t.bayes", f"{name}.csv", "--json").stdout for name in ("empty", "t")]
    assert said[0] == said[1]
    for command in (
        ("predict", "t.bayes", "t.csv", "-o", "out.csv"),
        ("evaluate", "t.bayes", "t.csv"),
        ("explain", "t.bayes", "t.csv"),
        ("update", "t.bayes", "t.csv", "-o", "u.bayes"),
        ("forget", "t.bayes", "t.csv", "-o", "u.bayes", "--keep-levels"),
    ):
        call(tmp_path, *command)
    clf = bf.NaiveBayes().fit_from(tmp_path / "t.csv", "pet")
    assert clf.schema_ == empty.schema
    assert clf.predict_from(tmp_path / "t.csv", tmp_path / "out.parquet") == rows


def test_blanks_beyond_the_sample(tmp_path, monkeypatch):
    from bayesfold.io import sample

    monkeypatch.setattr(sample, "MOST_ROWS", 2_000)
    lines = [["a", "b", "y"], *([str(i % 9), "1.5", "pq"[i % 2]] for i in range(30_000))]
    lines[29_001][0] = "  "
    lines[29_002][1] = "\t"
    write(tmp_path / "t.csv", lines)
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive")
    assert load(tmp_path / "t.bayes").rows == 30_000


def test_a_report_of_blanks(tmp_path):
    pytest.importorskip("plotly")
    write(tmp_path / "t.csv", with_blanks(pets(), " "))
    call(tmp_path, "fit", "t.csv", "-t", "pet", "-m", "naive")
    call(tmp_path, "report", "t.bayes", "t.csv", "-o", "report.html")
    assert "mass" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_text_among_numbers_is_still_told(tmp_path):
    write(tmp_path / "t.csv", pets())
    call(tmp_path, "fit", "t.csv", "-t", "pet", "-m", "naive")
    lines = with_blanks(pets(), " ")
    lines[3][1] = " x "
    write(tmp_path / "new.csv", lines)
    said = call(tmp_path, "predict", "t.bayes", "new.csv", code=1).stderr
    assert "new.csv, line 4: column 'mass' is a number to this model, but here it is 'x'" in said


def test_blank_weights_are_missing_weights(tmp_path):
    lines = [[*line, "w" if i == 0 else "1"] for i, line in enumerate(pets())]
    lines[4][-1] = " "
    write(tmp_path / "t.csv", lines)
    said = call(tmp_path, "fit", "t.csv", "-t", "pet", "-m", "naive", "--weight", "w", code=1).stderr
    assert "t.csv, line 5: column 'w' is missing here" in said


def test_blank_classes_are_missing(tmp_path):
    lines = [[*line[:3], line[3] if i == 0 else str(int(line[3] == "cat"))] for i, line in enumerate(pets())]
    lines[4][3] = " "
    write(tmp_path / "t.csv", lines)
    found = json.loads(call(tmp_path, "fit", "t.csv", "-t", "pet", "-m", "naive", "--json").stdout)
    assert (found["rows"], found["rows_without_label"]) == (59, 1)
    assert [c["class"] for c in found["classes"]] == [0, 1]
