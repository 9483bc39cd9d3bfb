"""A column that is the target in other words is told of."""

import numpy as np
import pytest
from tests.cli.process import call

DRAW = np.random.default_rng(0)
ROWS = 80
LABELS = DRAW.choice(["no", "yes"], ROWS)
NOISE = DRAW.normal(size=ROWS).round(3)
SAID = "column 'code' alone tells the class of every row; if it is only known when the class is, scores mean nothing"


def say(folder, code, rows=ROWS):
    """What fit says of a table whose second column is this."""
    lines = [f"{x},{c},{y}" for x, c, y in zip(NOISE[:rows], code[:rows], LABELS[:rows], strict=True)]
    (folder / "t.csv").write_text("\n".join(["x,code,y", *lines]))
    return call(folder, "fit", "t.csv", "-t", "y", "-m", "naive").stderr


@pytest.mark.parametrize(
    "code",
    [
        [f"{y}_code" for y in LABELS],
        [int(y == "yes") for y in LABELS],
        [f"{y}{i % 3}" for i, y in enumerate(LABELS)],
        [y == "yes" for y in LABELS],
    ],
    ids=["words", "numbers", "several values of a class", "truth values"],
)
def test_a_column_that_tells_every_class_is_told_of(code, tmp_path):
    assert SAID in say(tmp_path, code)
    assert SAID not in say(tmp_path, code, rows=40)


def test_what_errs_once_or_lacks_a_row_or_names_rows_is_not(tmp_path):
    once = [f"{y}_code" for y in LABELS]
    once[7] = "no_code" if LABELS[7] == "yes" else "yes_code"
    assert SAID not in say(tmp_path, once)
    assert SAID not in say(tmp_path, ["", *[f"{y}_code" for y in LABELS[1:]]])
    assert SAID not in say(tmp_path, [f"row {i % 40}{LABELS[i]}" for i in range(ROWS)])
