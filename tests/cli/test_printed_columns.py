"""The columns that `fit` prints are those of the model that it saves, whichever model it is."""

import re

import numpy as np
import pytest
from tests.cli.process import call

import bayesfold as bf
from bayesfold.learning.column_table import densities_compared


@pytest.mark.parametrize("model", ["bayes", "naive", "aode"])
@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_densities_that_are_printed_are_those_of_the_model(model, seed, tmp_path):
    call(tmp_path, "demo", "--table", "t.csv", "--rows", "150", "--seed", seed)
    printed = call(tmp_path, "fit", "t.csv", "-t", "place", "-m", model).stdout
    columns = bf.load(tmp_path / "t.bayes").columns_
    assert len(columns) == 7
    begins = {tuple(line.split()[:2]) for line in printed.splitlines()}
    assert {(column.name, column.family or "-") for column in columns} <= begins, printed
    compared = {name for column in columns for name in densities_compared(column.why)}
    assert bool(compared) == (model != "aode")  # which reads quintiles, and compares nothing
    named = re.search(r"^\(densities compared, as far as a column allows them: (.*)\)$", printed, re.MULTILINE)
    assert (named is not None) == bool(compared)
    assert named is None or set(re.findall(r"\w+", re.sub(r"bins|a curve of any shape", "", named[1]))) == compared
    for column in columns:
        if tried := densities_compared(column.why):
            line = rf"^{column.name} .* best of {len(tried)} densities on held-out rows"
            assert re.search(line, printed, re.MULTILINE)


def test_what_only_some_models_of_an_ensemble_read_is_printed_too(tmp_path):
    """The table is printed before its models are learned: dates that naive Bayes does not need were left out there."""
    draw = np.random.default_rng(2)
    days = np.datetime64("2024-01-01") + draw.integers(0, 400, 200)
    flag = draw.integers(0, 2, 200)
    draw_x = draw.normal(size=200)
    weekend = (days.astype(int) + 3) % 7 >= 5
    up = (weekend ^ (flag == 1)) ^ (draw.random(200) < 0.05)
    lines = zip(days, flag, draw_x, up, strict=True)
    rows = [f"{day},{'ny'[f]},{x:.2f},{'up' if u else 'down'}\n" for day, f, x, u in lines]
    (tmp_path / "t.csv").write_text("day,flag,x,y\n" + "".join(rows))
    printed = call(tmp_path, "fit", "t.csv", "-t", "y").stdout
    columns = {(c.name, c.family, c.why) for c in bf.load(tmp_path / "t.bayes").columns_}
    assert ("day", "dates", "read as 'day (weekday)'") in columns
    _, _, besides = printed.partition("some of its models also read\n")
    shown = besides.partition("\n\n")[0]
    assert re.search(r"^day +dates +read as 'day \(weekday\)'$", shown, re.MULTILINE)
    assert re.search(r"^day \(weekday\) +categorical", shown, re.MULTILINE)
    assert not re.search(r"^flag", shown, re.MULTILINE)
