"""Counting all rows of a source: which of its columns are read for that."""

import numpy as np
import pytest

from bayesfold.io import sample
from bayesfold.io.fit import learn_from
from bayesfold.learning.kinds import find

ROWS = 6_000


@pytest.mark.parametrize("kind", ["tan", "kdb"])
def test_what_stands_in_a_column_that_is_left_out_does_not_matter(tmp_path, monkeypatch, kind):
    """The rows are numbered; behind the sample a number is none, in one file or another."""
    monkeypatch.setattr(sample, "MOST_ROWS", 1_000)
    monkeypatch.setattr(sample, "LEAST_ROWS", 1_000)
    draw = np.random.default_rng(0)
    y, a, b = draw.choice([*"pq"], ROWS), draw.choice([*"uvw"], ROWS), draw.choice([*"xy"], ROWS)
    for k in (2_345, 3_456, 5_678):
        numbers = [*map(str, range(ROWS))]
        numbers[k] = "oops"
        lines = [",".join(row) for row in zip(numbers, a, b, y, strict=True)]
        path = tmp_path / f"{k}.csv"
        path.write_text("\n".join(["number,a,b,y", *lines]))
        trained, account = learn_from(find(kind)(), path, "y")
        assert not account.whole
        assert set(trained.model_.schema.sources) == {"a", "b"}
        assert trained.model_.class_counts().sum() == ROWS
