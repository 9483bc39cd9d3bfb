"""The columns that `fit` prints are those of the model that it saves, whichever model it is."""

import pytest
from tests.cli.process import call

import bayesfold as bf


@pytest.mark.parametrize("model", ["bayes", "naive", "aode"])
@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_densities_that_are_printed_are_those_of_the_model(model, seed, tmp_path):
    call(tmp_path, "demo", "--table", "t.csv", "--rows", "150", "--seed", seed)
    printed = call(tmp_path, "fit", "t.csv", "-t", "place", "-m", model).stdout
    columns = bf.load(tmp_path / "t.bayes").columns_
    assert len(columns) == 7
    begins = {tuple(line.split()[:2]) for line in printed.splitlines()}
    assert {(column.name, column.family or "-") for column in columns} <= begins, printed
    explained = "\n(mdl, equal_frequency, proportional: the column is cut into bins; kde: a curve of any shape)\n"
    assert (explained in printed) == (model != "aode")  # which reads quintiles, and compares nothing
