"""What is wrong with a row is said with its line in the file, by every command, whatever rows were put aside before."""

import pytest
from tests.cli.process import call

HEAD = "coat,mass,pet"
ROWS = [f"{('long', 'short')[i % 2]},{i % 7}.5,{('cat', 'dog')[i % 3 == 0]}" for i in range(40)]
WRONG = [*ROWS[:2], "long,3,", "long,4,", *ROWS[2:18], "short,1e400,cat", *ROWS[18:]]
LINE = "odd.csv, line 22: column 'mass' is infinite here; make it missing (NaN) or a large finite number"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, a model of it, and a table with an infinity behind rows without a class."""
    made = tmp_path_factory.mktemp("places")
    (made / "pets.csv").write_text("\n".join([HEAD, *ROWS]))
    (made / "odd.csv").write_text("\n".join([HEAD, *WRONG]))
    call(made, "fit", "pets.csv", "-t", "pet", "-m", "naive")
    return made


@pytest.mark.parametrize(
    "command",
    [
        "fit odd.csv -t pet -m naive -o odd.bayes",
        "fit odd.csv -t pet -o odd.bayes",
        "fit odd.csv -t pet --like pets.bayes -o odd.bayes",
        "predict pets.bayes odd.csv",
        "evaluate pets.bayes odd.csv",
        "evaluate pets.bayes odd.csv --leave-out",
        "explain pets.bayes odd.csv --row 3 --row 21",
        "explain pets.bayes odd.csv --summary",
        "update pets.bayes odd.csv -o odd.bayes",
        "forget pets.bayes odd.csv -o odd.bayes",
        "plot waterfall pets.bayes odd.csv --row 21 -o odd.html",
        "plot roc pets.bayes odd.csv -o odd.html",
        "report pets.bayes odd.csv -o odd.html",
    ],
)
def test_an_infinity_is_said_with_its_line(folder, command):
    assert LINE in call(folder, *command.split(), code=1).stderr
    assert not list(folder.glob("odd.bayes"))
    assert not list(folder.glob("odd.html"))


def test_rows_without_a_class_are_counted_where_all_are_read(tmp_path):
    rows = [f"{i % 10},{('a', 'b', '')[i % 3]}" for i in range(54_000)]
    (tmp_path / "many.csv").write_text("\n".join(["x,y", *rows]))
    said = call(tmp_path, "fit", "many.csv", "-t", "y", "-m", "naive")
    assert "many.csv: 54,000 rows (those without a class are put aside), 1 column; classes: " in said.stdout
    assert "many.csv: 36,000 rows (18,000 rows without a class put aside), read by csv" in said.stdout + said.stderr
