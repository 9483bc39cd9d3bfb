"""Every message of the library that a command can show speaks the command's own language."""

import ast
import re
from pathlib import Path

import pytest
from tests.cli.pets import pets, write
from tests.cli.process import call

import bayesfold
from bayesfold.cli._advice import translate_advice

ROOMS = ("data", "tally", "decisions", "explanations", "io", "learning", "models", "families", "store", "plots")
HINT = re.compile(r"(?<!--set )(?<![-\w'\"])[a-z_]{2,}=(?!=)|\b\w+\.\w+\([a-zX, ]*\)")
ONLY_IN_PYTHON = re.compile(
    # arguments that no command passes on
    r"and repeats=|^(folds|groups|repeats|how|factor|reject_cost|missing|missing_columns)=|reject_label=|"
    r"classes=(\[| says)|logs=|how='refit'|bf\.decide|str\(value\)|X\.reshape|"
    r"bayesfold\.load\(path\)|sample_weight=|^decimal=|^columns='x'|given in columns=|combine='mean'|schema="
)


def messages():
    """Texts of the library that advise, with 'x' for what is filled in."""
    root = Path(bayesfold.__file__).parent
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            parts = {id(v) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for v in node.values}
            parts |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
            for text in [filled(node) for node in ast.walk(tree) if id(node) not in parts]:
                if HINT.search(text) and len(text.split()) > 2 and "\n" not in text:  # pages and queries have lines
                    yield text


def filled(node):
    """A text of the source, with 'x' for what is filled in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join("'x'" if isinstance(v, ast.FormattedValue) else filled(v) for v in node.values)
    return ""


def test_no_message_shows_python_to_a_person_who_types_commands():
    shown = [translate_advice(text) for text in messages() if not ONLY_IN_PYTHON.search(text)]
    assert len(shown) > 50
    assert [text for text in shown if HINT.search(re.sub(r"--set '\w+=.*?'", "", text))] == []


def test_names_in_messages_that_are_no_settings_stay():
    for text in (
        "in 'lung | k=yes': there is no variable 'k'",
        "P(x | n=1, parent=2)",
        "t.csv: column 'alpha=1' is odd",
    ):
        assert translate_advice(text) == text


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table and a model of it."""
    place = tmp_path_factory.mktemp("advice")
    write(place / "pets.csv", pets(60))
    call(place, "fit", "pets.csv", "-t", "pet", "-m", "naive")
    return place


@pytest.mark.parametrize("option", ["--drop", "--weight", "--text"])
def test_a_misspelt_column_is_never_answered_with_the_target(folder, option):
    said = call(folder, "fit", "pets.csv", "-t", "pet", option, "pett", code=1).stderr
    assert "there is no column 'pett'; there are 'coat', 'mass', 'indoor'" in said


def test_a_column_lost_at_prediction_is_never_answered_with_the_target(folder):
    lines = pets(9)[1:]
    write(folder / "lost.csv", [["coat", "pett", "indoor", "mas"], *lines])
    assert (
        "has no column 'mass'; did you mean 'mas'?" in call(folder, "predict", "pets.bayes", "lost.csv", code=1).stderr
    )
    write(folder / "lost.csv", [["coat", "x", "indoor", "weigh"], *lines])
    write(folder / "weigh.csv", [["coat", "weighs", "indoor", "weigh"], *pets(30)[1:]])
    call(folder, "fit", "weigh.csv", "-t", "weigh", "-m", "naive")
    assert "did you mean" not in call(folder, "predict", "weigh.bayes", "lost.csv", code=1).stderr


def test_few_rows_are_said_to_be_few(folder):
    write(folder / "three.csv", pets(3, seed=3))
    assert "note: 3 rows are few" in call(folder, "fit", "three.csv", "-t", "pet").stderr
    assert "few" not in call(folder, "fit", "pets.csv", "-t", "pet", "-m", "naive", "-o", "x.bayes").stderr


def test_an_exported_query_says_which_table_it_reads(folder):
    assert "reads a table called rows (--set table=NAME" in call(folder, "export", "pets.bayes", "--to", "sql").stderr
    assert 'It reads the table "rows"' in (folder / "pets.sql").read_text("utf-8")
    assert "called" not in call(folder, "export", "pets.bayes", "--to", "sql", "--set", "table=pets").stderr
    assert "called" not in call(folder, "export", "pets.bayes", "--to", "json").stderr


def test_a_nomogram_says_what_it_needs(folder):
    call(folder, "fit", "pets.csv", "-t", "pet", "-m", "tan", "-o", "tan.bayes")
    assert "'fit --model naive'" in call(folder, "plot", "nomogram", "tan.bayes", code=1).stderr
    lines = [["body", "spam"], *([f"word{i % 7} and {'money' if i % 2 else 'lunch'}", i % 2] for i in range(40))]
    write(folder / "mail.csv", lines)
    call(folder, "fit", "mail.csv", "-t", "spam", "--text", "body")
    assert "one line per column of numbers" in call(folder, "plot", "nomogram", "mail.bayes", code=1).stderr


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        (("--set", "structure=foo"), "--set structure=foo is not one of"),
        (("-m", "kdb", "--set", "k=-1"), "--set k=-1 must be"),
        (("-m", "naive", "--set", "numeric=foo"), "--set numeric=foo is not one of"),
        (("-m", "naive", "--set", "calibration=x"), "--set calibration=x is not"),
    ],
)
def test_a_setting_is_refused_as_it_was_typed(folder, choices, words):
    assert words in call(folder, "fit", "pets.csv", "-t", "pet", *choices, code=1).stderr
