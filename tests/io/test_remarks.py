"""What to look at in a file is the same from Python as from the command."""

import numpy as np
import pytest
from tests.cli.process import call

import bayesfold as bf
from bayesfold.cli._advice import translate_advice

ROWS = "".join(f"{i % 7},{'uvw'[i % 3]},{'pq'[i * i % 5 % 2]}\n" for i in range(60))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n,c,y\n" + ROWS + "n,c,y\n" + ROWS, "a row that has the names of the columns as values"),
        ("3,v,q\n" + ROWS, "look like a row (3,v,q)"),
        ("n,c,y\n" + ROWS.replace("5,", "k. A. x,"), "missing={'n': ['k. A. x']}"),
        ("n,c,y\n" + ROWS.replace("w", "V"), "'v' and 'V'"),
        ("n,c,y\n" + ROWS + "1,u,P\n", "classes differ in case or spaces only"),
        ("n,c,y\n" + ROWS + "1,u,?\n", "missing={'y': ['?']}"),
        ("n,c,y\n" + "".join(f"{i % 7},{'uvwxyz'[i % 6]},{'pq'[i % 2]}\n" for i in range(60)), "columns= without 'c'"),
        ("n,c,y\n" + ROWS[:42], "are few"),
    ],
)
def test_notes_of_fit_from_are_those_of_the_command(tmp_path, text, said):
    (tmp_path / "t.csv").write_text(text)
    target = text.partition("\n")[0].rpartition(",")[2]
    notes = bf.NaiveBayes().fit_from(tmp_path / "t.csv", target=target).source_.notes
    assert any(said in note for note in notes), notes
    told = call(tmp_path, "fit", "t.csv", "-t", target, "-m", "naive").stderr
    assert sorted(line for line in told.splitlines() if line.startswith("note: ")) == sorted(
        f"note: {translate_advice(note)}" for note in notes
    )


def test_names_again_among_the_rows_are_no_row_without_names(tmp_path):
    (tmp_path / "t.csv").write_text(("n,c,y\n" + ROWS) * 2)
    notes = bf.NaiveBayes().fit_from(tmp_path / "t.csv", target="y").source_.notes
    assert not any("look like a row" in note for note in notes)


def test_of_columns_that_are_declared_nothing_is_said(tmp_path):
    (tmp_path / "t.csv").write_text("n,c,y\n" + ROWS.replace("w", "V"))
    for how in ({"families": {"c": "categorical"}}, {"families": {"c": "text"}}):
        assert bf.NaiveBayes(**how).fit_from(tmp_path / "t.csv", target="y").source_.notes == ()
    told = bf.NaiveBayes().fit_from(tmp_path / "t.csv", target="y", columns={"c": "text"})
    assert told.source_.notes == ()


def test_words_of_documents_are_not_looked_at(tmp_path):
    draw = np.random.default_rng(0)
    words = ["Win now", "win now", "meet me", "at noon"]
    lines = [f"{words[k]} {i // 2},{'ab'[k // 2]}\n" for i, k in enumerate(draw.integers(0, 4, 60))]
    (tmp_path / "t.csv").write_text("body,y\n" + "".join(lines))
    assert bf.TextClassifier().fit_from(tmp_path / "t.csv", target="y").source_.notes == ()
