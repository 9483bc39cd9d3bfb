"""Files as people have them: other letters, other numbers, a hint for spreadsheets; each is read by its own signs."""

import gzip
import os
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.store import load

from .process import COMMAND, ENVIRONMENT, call, run

HEAD = ["Größe", "Betrag", "Rabatt", "Punkte", "Ort", "Klasse"]


def german(x, form=",.2f"):
    return format(x, form).replace(",", "G").replace(".", ",").replace("G", ".")


def rows(n=80, seed=0):
    """Numbers and words of `n` rows."""
    draw = np.random.default_rng(seed)
    for _ in range(n):
        rich = draw.random() < 0.5
        size, rate = draw.normal(1.7, 0.1), draw.random() * 20
        sums, points = abs(draw.normal(1800 if rich else 900, 300)), int(draw.integers(0, 5000))
        yield size, sums, rate, points, str(draw.choice(["Köln", "Zürich", "Łódź" if seed else "Bern"])), rich


def lines(some):
    """The rows as a German spreadsheet has them."""
    return [
        [german(a, ".2f"), f"{german(b)} €", f"{german(c, '.1f')} %", german(d, ",d"), o, "reich" if k else "arm"]
        for a, b, c, d, o, k in some
    ]


def plain(some):
    """The same rows as a program would write them."""
    return [[f"{a:.2f}", f"{b:.2f}", f"{c:.1f}", str(d), o, "reich" if k else "arm"] for a, b, c, d, o, k in some]


def text(cells, separator=";", end="\r\n", head=HEAD):
    return "".join(separator.join(line) + end for line in [head, *cells])


def same(a, b):
    """Whether two models have counted the same."""
    one, other = load(a).model_, load(b).model_
    assert one.schema == other.schema
    np.testing.assert_allclose(one.tally.sums, other.tally.sums, rtol=1e-12)
    return np.array_equal(one.tally.counts, other.tally.counts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A plain table and its model."""
    found = tmp_path_factory.mktemp("odd")
    (found / "plain.csv").write_text(text(plain(rows()), ",", "\n"), encoding="utf-8")
    call(found, "fit", "plain.csv", "-t", "Klasse", "-m", "naive")
    return found


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16 hint", "cp1252 hint", "cp1252 gz"]
)
def test_a_german_export_is_the_table_that_it_shows(folder, encoding):
    name, _, more = encoding.partition(" ")
    data = (("sep=;\r\n" if more == "hint" else "") + text(lines(rows()))).encode(name)
    data = data.replace(b"\r\n", b"\r") if more == "mac" else data
    path = folder / f"{encoding}.csv"
    path.write_bytes(gzip.compress(data) if more == "gz" else data)
    said = call(folder, "fit", path.name, "-t", "Klasse", "-m", "naive").stderr
    assert same(folder / f"{encoding}.bayes", folder / "plain.bayes")
    assert ("read as Windows-1252 (Western European) text; --encoding NAME says otherwise" in said) == (
        name == "cp1252"
    )
    assert ("read as UTF-16" in said) == name.startswith("utf-16")
    assert ("read as Mac Roman" in said) == (name == "mac-roman")
    assert "numbers of columns 'Größe', 'Betrag', 'Rabatt' and 1 more are read like this one: " in said
    assert "--decimal MARK says otherwise" in said


def test_every_command_reads_them(folder):
    """What is answered is what is answered for the plain table."""
    (folder / "n.csv").write_bytes(text(lines(rows(30, 1))).replace("Łódź", "Genf").encode("cp1252"))
    (folder / "p.csv").write_text(text(plain(rows(30, 1)), ",", "\n").replace("Łódź", "Genf"), encoding="utf-8")
    for command in ("evaluate", "explain"):
        odd, usual = (call(folder, command, "plain.bayes", name, "--json") for name in ("n.csv", "p.csv"))
        assert odd.stdout == usual.stdout
        assert "Windows-1252" in odd.stderr
        assert usual.stderr == ""
    answers = run(folder, "predict", "plain.bayes", "-", given=(folder / "n.csv").read_bytes()).stdout.splitlines()
    expected = run(folder, "predict", "plain.bayes", "p.csv").stdout.splitlines()  # processes of their own
    assert [a.split(",")[-2:] for a in answers[1:]] == [e.split(",")[-2:] for e in expected[1:]]
    first = text(lines(rows(30, 1))).splitlines()[1].split(";")
    assert answers[1].startswith(f'"{first[0]}","{first[1]}","{first[2]}",')  # as it was written
    for command in ("update", "forget"):
        for name in ("n", "p"):
            start = "plain.bayes" if command == "update" else f"update-{name}.bayes"
            call(folder, command, start, f"{name}.csv", "-o", f"{command}-{name}.bayes")
        assert same(folder / f"{command}-n.bayes", folder / f"{command}-p.bayes")
    assert same(folder / "forget-n.bayes", folder / "forget-p.bayes")
    call(folder, "report", "plain.bayes", "n.csv", "-o", "n.html")
    assert "Köln" in (folder / "n.html").read_text(encoding="utf-8")
    call(folder, "plot", "confusion", "plain.bayes", "n.csv")
    assert same_classes(folder)


def same_classes(folder):
    """The Python side reads them too, and says how."""
    clf = bf.NaiveBayes().fit_from(folder / "n.csv", "Klasse")
    other = bf.NaiveBayes().fit_from(folder / "p.csv", "Klasse")
    assert clf.schema_ == other.schema_
    assert any("Windows-1252" in note for note in clf.source_.notes)
    assert clf.predict_from(folder / "n.csv", folder / "out.csv") == 30
    assert clf.predict_from(folder / "n.csv", folder / "out.csv", encoding="cp1252", decimal=",") == 30
    return not other.source_.notes


@pytest.mark.slow
def test_the_first_letter_may_come_late(folder, monkeypatch):
    """A file that is ASCII for longer than anyone looks, and then is not."""
    cells = [line for _ in range(700) for line in plain(rows(80, 3))]
    for line in cells:
        line[4] = "Bern"
    cells[-5][4] = "Genève"
    head = ["size", *HEAD[1:]]
    (folder / "late.csv").write_bytes(text(cells, ",", "\n", head).encode("cp1252"))
    (folder / "soon.csv").write_text(text(cells, ",", "\n", head), encoding="utf-8")
    said = [call(folder, "fit", f"{n}.csv", "-t", "Klasse", "-m", "naive").stderr for n in ("late", "soon")]
    assert same(folder / "late.bayes", folder / "soon.bayes")
    assert "late.csv is read as Windows-1252" in said[0]
    assert "Windows-1252" not in said[1]
    call(folder, "predict", "late.bayes", "late.csv", "-o", "late-out.csv")
    assert "Genève" in (folder / "late-out.csv").read_text(encoding="utf-8").splitlines()[-5]


def test_what_was_said_is_believed(folder):
    (folder / "dos.csv").write_bytes(text(lines(rows())).replace("€", "EUR").encode("cp850"))
    wrong = call(folder, "fit", "dos.csv", "-t", "Klasse", "-m", "naive", code=1).stderr
    assert "is not Windows-1252 (Western European) text; say how the file is written with --encoding" in wrong
    call(folder, "fit", "dos.csv", "-t", "Klasse", "-m", "naive", "--encoding", "cp850")
    assert same(folder / "dos.bayes", folder / "plain.bayes")
    (folder / "dots.csv").write_text("x;y\n" + "".join(f"{i}.{i}00;{'ab'[i % 2]}\n" for i in range(1, 10)), "utf-8")
    shown = {}
    for mark in (".", ","):
        call(folder, "fit", "dots.csv", "-t", "y", "-m", "naive", "--decimal", mark, "--as", "x=gaussian")
        shown[mark] = load(folder / "dots.bayes").model_.tally.sums.max()
    assert shown[","] > 1000 * shown["."]
    wrong = call(folder, "fit", "dots.csv", "-t", "y", "--encoding", "utf-16", code=1).stderr
    assert "dots.csv is not UTF-16 text" in wrong
    assert "'klingon'" in call(folder, "fit", "dots.csv", "-t", "y", "--encoding", "klingon", code=1).stderr


def test_lines_are_counted_behind_the_hint(folder):
    bad = text(lines(rows()))[:-2].replace("\r\n", "\r\n", 1) + ";too many\r\n"
    (folder / "bad.csv").write_bytes(("sep=;\r\n" + bad).encode("utf-16"))
    said = call(folder, "fit", "bad.csv", "-t", "Klasse", "-m", "naive", code=1).stderr
    assert "bad.csv, line 82: the row has 7 fields, but the first line names 6 columns" in said


def test_a_word_among_numbers_is_told_by_its_line(folder):
    cells = lines(rows(30, 1))
    cells[17][1] = "viel"
    (folder / "word.csv").write_text(text(cells), encoding="utf-8")
    said = call(folder, "predict", "plain.bayes", "word.csv", "-o", "no.csv", code=1).stderr
    assert "word.csv, line 19: column 'Betrag' is a number to this model, but here it is 'viel'" in said
    assert not Path(folder / "no.csv").exists()


def test_the_separator_is_the_one_that_the_rows_have(tmp_path):
    (tmp_path / "t.csv").write_text("Umsatz, in T€;Ort;y\n" + "1,5;Köln;a\n2,5;Bonn;b\n" * 9, encoding="utf-8")
    said = call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive").stdout
    assert "18 rows, 2 columns" in said


def test_other_kinds_of_files_have_no_encoding(folder):
    call(folder, "predict", "plain.bayes", "plain.csv", "-o", "p.parquet")
    said = call(folder, "predict", "plain.bayes", "p.parquet", "--encoding", "cp1252", "-o", "q.csv", code=1).stderr
    assert "p.parquet is not a text file" in said
    assert not os.path.exists(folder / "q.csv")


def test_classes_are_called_as_they_are_written(tmp_path):
    """A German grade, 1,3, is a name; only a model of plain numbers reads it as one."""
    grades = ["1,0", "1,3", "2,0", "2,3"]
    cells = [f"{i % 4},5;{grades[i % 4]}\n" for i in range(40)]
    (tmp_path / "g.csv").write_text("x;Note\n" + "".join(cells), encoding="utf-8")
    (tmp_path / "p.csv").write_text("x,Note\n" + "".join(cells).replace(",", ".").replace(";", ","), encoding="utf-8")
    assert "classes: 1,0 10, 1,3 10" in call(tmp_path, "fit", "g.csv", "-t", "Note", "-m", "naive").stdout
    assert bf.NaiveBayes().fit_from(tmp_path / "g.csv", "Note").classes_.tolist() == grades
    call(tmp_path, "fit", "p.csv", "-t", "Note", "-m", "naive")
    assert "learned 40 rows" in call(tmp_path, "update", "p.bayes", "g.csv", "-o", "both.bayes").stdout
    assert load(tmp_path / "both.bayes").model_.classes == (1.0, 1.3, 2.0, 2.3)


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ('"other,1.5,p', "line 5: a quote is opened here and closed lines later"),
        ('oth"er,1.5,p', "line 5: a quote is opened here and closed lines later"),
        ("other,1.5,p", "line 5: a quote is opened and never closed"),
        ('other",1.5,p', "a value of 28 lines that look like rows, from 'big,1.5,n' on; was a quote left open?"),
    ],
)
def test_a_quote_left_open_in_a_row_swallows_no_rows_without_a_word(tmp_path, last, said):
    some = [f"word {i % 7},{i * 0.37 % 2:.2f},{'np'[i * i % 3 % 2]}" for i in range(40)]
    some[3], some[30] = '"big,1.5,n', last
    (tmp_path / "t.csv").write_text("\n".join(["a,b,y", *some]), "utf-8")
    done = run(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive", code=0 if last.startswith('other"') else 1)
    assert said in done.stdout + done.stderr


def test_every_usual_mark_is_told_of(tmp_path):
    some = [f"{'rgb'[i % 3]},{'np'[i % 2]}" for i in range(40)]
    marks = ["?", "NULL", "n/a", "NaN", "None"]
    (tmp_path / "t.csv").write_text("\n".join(["a,y", *some, *(f"r,{mark}" for mark in marks)]), "utf-8")
    done = call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive")
    assert all(f"--missing 'y={mark}'" in done.stdout + done.stderr for mark in marks)


def test_a_column_that_is_not_there_in_this_encoding_is_answered_with_the_encoding(tmp_path):
    path = tmp_path / "gbk.csv"
    path.write_bytes(("年龄,结果\n" + "".join(f"{i},{'是' if i % 2 else '否'}\n" for i in range(30))).encode("gbk"))
    said = call(tmp_path, "fit", "gbk.csv", "-t", "结果", code=1).stderr
    assert "--encoding gbk if it is Chinese" in said
    call(tmp_path, "fit", "gbk.csv", "-t", "结果", "--encoding", "gbk", "-m", "naive")


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_change_neither_the_work_nor_the_exit_code(closed, tmp_path):
    """A job whose output goes nowhere wrote the model, said that it had failed, and learned the rows again."""
    (tmp_path / "t.csv").write_text("x,y\n" + "a,yes\nb,no\n" * 10)
    command = " ".join(map(shlex.quote, COMMAND))
    for words in (
        "fit t.csv -t y -o m.bayes",
        "update m.bayes t.csv",
        "inspect m.bayes",
        "predict m.bayes t.csv -o p.csv",
    ):
        done = subprocess.run(f"{command} {words} {closed}", shell=True, cwd=tmp_path, env=ENVIRONMENT, check=False)
        assert done.returncode == 0, words
    assert load(tmp_path / "m.bayes").rows == 40
    assert (tmp_path / "p.csv").read_text().count("\n") == 21


@pytest.mark.parametrize(
    "words", ["predict m.bayes t.csv", "predict m.bayes t.csv -o -", "predict m.bayes t.csv --json"]
)
def test_answers_that_would_go_nowhere_are_refused(words, tmp_path):
    """They were worked out, lost, and the exit code was 0."""
    (tmp_path / "t.csv").write_text("x,y\n" + "a,yes\nb,no\n" * 10)
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive", "-o", "m.bayes")
    command = " ".join(map(shlex.quote, COMMAND))
    done = subprocess.run(
        f"{command} {words} >&-", shell=True, cwd=tmp_path, env=ENVIRONMENT, check=False, capture_output=True
    )
    said = b"bayesfold: standard output is closed, and the answers were to go there; name a file with -o"
    assert (done.returncode, done.stderr.strip()) == (1, said)


def test_a_model_whose_name_is_not_utf8_has_a_report(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "a,yes\nb,no\n" * 10)
    name = os.fsdecode(b"m\xf6.bayes")
    call(tmp_path, "fit", "t.csv", "-t", "y", "-o", name)
    call(tmp_path, "report", name, "t.csv", "-o", "r.html")
    assert "m?.bayes" in (tmp_path / "r.html").read_text()
    assert "wrote m?.bayes" in call(tmp_path, "update", name, "t.csv").stdout
