"""Tables as people have them: other alphabets, line ends, marks, quotes, widths; and tables with nothing in them."""

import gzip
import json

import numpy as np
import pytest
from tests.cli.pets import pets, read, text, write
from tests.cli.process import call, run

NAMES = ["毛 (种类)", "masse 🐾", "à l'intérieur?", "chien, ou\nchat"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model of a plain table, and what it says of its rows."""
    place = tmp_path_factory.mktemp("tables")
    write(place / "plain.csv", pets())
    run(place, "fit", "plain.csv", "-t", "pet", "-m", "naive")
    return place


def chances(folder, *arguments, given=None):
    """P(first class) of each row."""
    said = call(folder, "predict", *arguments) if given is None else run(folder, "predict", *arguments, given=given)
    rows = read(said.stdout)
    return [float(row["P(cat)"]) for row in rows]


def test_line_ends_marks_tabs_and_gzip_do_not_matter(folder):
    plain = chances(folder, "plain.bayes", "plain.csv")
    lines = pets()
    (folder / "crlf.csv").write_bytes(b"\xef\xbb\xbf" + text(lines, end="\r\n").encode())
    write(folder / "tabs.tsv", lines, separator="\t")
    (folder / "packed.csv.gz").write_bytes(gzip.compress(text(lines).encode()))
    (folder / "open.csv").write_text(text(lines).rstrip("\n"), encoding="utf-8")
    for name in ("crlf.csv", "tabs.tsv", "packed.csv.gz", "open.csv"):
        assert chances(folder, "plain.bayes", name) == plain, name
    assert chances(folder, "plain.bayes", "-", given=text(lines)) == plain


@pytest.mark.slow
def test_names_in_any_alphabet_with_spaces_commas_and_line_breaks(tmp_path):
    lines = [NAMES, *pets()[1:]]
    write(tmp_path / "动物 🐕.csv", lines)
    said = run(tmp_path, "fit", "动物 🐕.csv", "-t", NAMES[3], "-m", "naive").stdout
    assert "毛 (种类)" in said
    assert (tmp_path / "动物 🐕.bayes").exists()
    answers = read(run(tmp_path, "predict", "动物 🐕.bayes", "动物 🐕.csv").stdout)
    assert list(answers[0])[:4] == NAMES
    assert len(answers) == 60
    told = json.loads(run(tmp_path, "explain", "动物 🐕.bayes", "动物 🐕.csv", "--row", "1", "--json").stdout)
    assert {reason["part"] for reason in told[0]["reasons"]} >= set(NAMES[:3])
    wrong = run(tmp_path, "fit", "动物 🐕.csv", "-t", "chien, ou", code=1)
    assert "did you mean" in wrong.stderr


def test_quoted_line_breaks_are_one_cell(tmp_path):
    lines = pets()
    lines[1][0] = 'a "very\nlong" coat, indeed'
    lines[2][0] = lines[1][0]
    write(tmp_path / "quoted.csv", lines)
    call(tmp_path, "fit", "quoted.csv", "-t", "pet", "-m", "naive", "-o", "m.bayes")
    answers = read(call(tmp_path, "predict", "m.bayes", "quoted.csv").stdout)
    assert len(answers) == 60
    assert answers[0]["coat"] == lines[1][0]


def test_several_files_are_one_table(folder):
    lines = pets()
    write(folder / "one.csv", lines[:31])
    write(folder / "two.csv", [lines[0], *lines[31:]])
    call(folder, "fit", "one.csv", "two.csv", "-t", "pet", "-m", "naive", "-o", "halves.bayes")
    whole, halves = (chances(folder, f"{name}.bayes", "plain.csv") for name in ("plain", "halves"))
    assert whole == halves


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("coat,mass,pet\n", "no rows"),
        ("coat,mass,pet\nshort,4,cat\n", "every row"),
        ("coat,coat,pet\nshort,4,cat\nlong,5,dog\n", "columns named 'coat'"),
        ("coat,mass,pet\nshort,4\nlong,5,dog\n", "odd.csv"),
        ("pet\ncat\ndog\n", "no column"),
    ],
)
def test_a_file_that_holds_no_table_to_learn_is_refused_with_the_reason(tmp_path, content, words):
    (tmp_path / "odd.csv").write_text(content, encoding="utf-8")
    said = call(tmp_path, "fit", "odd.csv", "-t", "pet", "-m", "naive", code=1)
    assert words in said.stderr
    assert said.stderr.count("\n") == 1
    assert not (tmp_path / "odd.bayes").exists()


def test_one_row_is_answered(folder):
    write(folder / "one row.csv", pets()[:2])
    assert chances(folder, "plain.bayes", "one row.csv") == chances(folder, "plain.bayes", "plain.csv")[:1]


def test_rows_without_a_class_are_put_aside(tmp_path):
    lines = pets()
    lines[3][3] = lines[9][3] = ""
    write(tmp_path / "holes.csv", lines)
    told = json.loads(call(tmp_path, "fit", "holes.csv", "-t", "pet", "-m", "naive", "--json").stdout)
    assert (told["rows"], told["rows_without_label"]) == (58, 2)


@pytest.mark.slow
def test_five_thousand_columns(tmp_path):
    draw = np.random.default_rng(0)
    names = [f"x{j}" for j in range(5_000)]
    label = draw.integers(2, size=40)
    cells = (draw.standard_normal((40, 5_000)) + 0.3 * label[:, None]).round(2)
    lines = [[*names, "y"], *([*map(str, row), ["no", "yes"][k]] for row, k in zip(cells, label, strict=True))]
    write(tmp_path / "wide.csv", lines)
    said = run(tmp_path, "fit", "wide.csv", "-t", "y", "-m", "naive", "--set", "numeric=gaussian").stdout
    assert "5,000 columns" in said
    assert "and 4,940 more" in said
    assert len(read(run(tmp_path, "predict", "wide.bayes", "wide.csv").stdout)) == 40


def test_marks_of_missing_values_and_declared_columns(tmp_path):
    lines = pets()
    for row in lines[1:8]:
        row[1] = "?"
    write(tmp_path / "marks.csv", lines)
    arguments = ["fit", "marks.csv", "-t", "pet", "-m", "naive", "--json"]
    told = json.loads(call(tmp_path, *arguments, "--missing", "?,mass=-1").stdout)
    assert next(c for c in told["columns"] if c["column"] == "mass")["family"] != "categorical"
    call(tmp_path, "predict", "marks.bayes", "marks.csv", "-o", "out.csv")
    assert [row["mass"] for row in read(tmp_path / "out.csv")][:7] == ["?"] * 7
    told = json.loads(call(tmp_path, *arguments, "--as", "mass=categorical", "--drop", "coat").stdout)
    assert {c["column"]: c["family"] for c in told["columns"]} == {"mass": "categorical", "indoor": "categorical"}


def test_rows_that_weigh_nothing_are_as_good_as_not_there(tmp_path):
    lines = pets()
    weights = ["weight", *("0" if i % 3 == 0 else "2" if i % 3 == 1 else "1" for i in range(60))]
    write(tmp_path / "weighed.csv", [[*row, w] for row, w in zip(lines, weights, strict=True)])
    copies = [row for row, w in zip(lines[1:], weights[1:], strict=True) for _ in range(int(w))]
    write(tmp_path / "copied.csv", [lines[0], *copies])
    choices = ["-t", "pet", "-m", "naive", "--set", "numeric=gaussian"]
    call(tmp_path, "fit", "weighed.csv", "--weight", "weight", *choices)
    call(tmp_path, "fit", "copied.csv", *choices)
    one, other = (chances(tmp_path, f"{name}.bayes", "copied.csv") for name in ("weighed", "copied"))
    assert one == pytest.approx(other, abs=1e-12)


def test_prose_is_read_word_by_word(tmp_path):
    draw = np.random.default_rng(0)
    spam, ham = "win prize cash now free".split(" "), "meeting lunch report tomorrow thanks".split(" ")  # noqa: SIM905
    lines = [["id", "body", "kind"]]
    for i in range(80):
        own, other = (spam, ham) if i % 2 else (ham, spam)
        words = [*draw.choice(own, 4), *draw.choice(other, 1), f"nr{i}"]
        lines.append([f"m{i}", f"Dear you, {' '.join(words)}!\nBye", "spam" if i % 2 else "ham"])
    write(tmp_path / "mail.csv", lines)
    left_out = call(tmp_path, "fit", "mail.csv", "-t", "kind", "-m", "naive", "--drop", "id", "-o", "x.bayes").stdout
    assert "--text 'body' reads its words" in left_out
    told = json.loads(
        call(tmp_path, "fit", "mail.csv", "-t", "kind", "--text", "body", "--drop", "id", "--json").stdout
    )
    assert told["kind"] == "TextClassifier"
    assert told["held_out"]["accuracy"]["value"] > 0.95
    answers = read(call(tmp_path, "predict", "mail.bayes", "mail.csv").stdout)
    assert [row["body"] for row in answers] == [line[1] for line in lines[1:]]
    why = json.loads(call(tmp_path, "explain", "mail.bayes", "mail.csv", "--row", "2", "--json").stdout)[0]
    assert {"win", "prize", "cash", "now", "free"} & {reason["part"] for reason in why["reasons"]}
    write(tmp_path / "one.csv", lines[:5])
    call(tmp_path, "forget", "mail.bayes", "one.csv", "-o", "less.bayes")
    call(tmp_path, "update", "less.bayes", "one.csv")
    again = read(call(tmp_path, "predict", "less.bayes", "mail.csv").stdout)
    for a, b in zip(answers, again, strict=True):
        assert float(a["P(spam)"]) == pytest.approx(float(b["P(spam)"]), abs=1e-9)


def test_what_was_text_stays_text_where_all_of_it_looks_like_numbers(tmp_path):
    lines = [["code", "pet"], *([["A1", "cat"], ["7", "dog"]] * 10)]
    write(tmp_path / "codes.csv", lines)
    call(tmp_path, "fit", "codes.csv", "-t", "pet", "-m", "naive")
    write(tmp_path / "new.csv", [["code"], ["7"], ["7"]])
    assert [row["predicted"] for row in read(call(tmp_path, "predict", "codes.bayes", "new.csv").stdout)] == ["dog"] * 2


def test_a_model_that_reads_no_column_still_has_rows(tmp_path):
    (tmp_path / "same.csv").write_text("kind,y\n" + "u,a\nu,b\nu,a\n" * 20)
    run(tmp_path, "fit", "same.csv", "-t", "y", "-m", "naive")
    assert len(read(call(tmp_path, "predict", "same.bayes", "same.csv").stdout)) == 60
    assert "row 2: a against b" in call(tmp_path, "explain", "same.bayes", "same.csv", "--row", "2").stdout
    assert "60 rows" in call(tmp_path, "evaluate", "same.bayes", "same.csv").stdout
    assert "learned 60 rows" in call(tmp_path, "update", "same.bayes", "same.csv").stdout
    assert "forgot 60 rows" in call(tmp_path, "forget", "same.bayes", "same.csv").stdout


def test_a_text_among_numbers_is_said_by_its_line_in_every_command(folder):
    (folder / "odd.csv").write_text((folder / "plain.csv").read_text(encoding="utf-8"), encoding="utf-8")
    lines = (folder / "odd.csv").read_text(encoding="utf-8").splitlines()
    lines.insert(30, lines[0])  # as in files that were put together
    (folder / "odd.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for command in ("predict", "evaluate", "explain", "update", "forget"):
        said = call(folder, command, "plain.bayes", "odd.csv", code=1).stderr
        assert "odd.csv, line 31: column" in said, command
        assert "is a number to this model, but here it is" in said
    for arguments in (
        ("report", "plain.bayes", "odd.csv", "-o", "r.html"),
        ("predict", "plain.bayes", "odd.csv", "--json"),
    ):
        assert "odd.csv, line 31: column" in call(folder, *arguments, code=1).stderr, arguments
    said = call(folder, "fit", "odd.csv", "-t", "pet", "--like", "plain.bayes", "-o", "like.bayes", code=1).stderr
    assert "odd.csv, line 31: column" in said
