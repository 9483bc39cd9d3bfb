"""The ways to read the columns that Gaussian Bayes compares where some columns tell nothing by themselves."""

import numpy as np
import pytest

from bayesfold.data.frame import Frame
from bayesfold.learning.one_column import Options
from bayesfold.learning.readings import telling_or_all


@pytest.mark.parametrize(("silent", "ways"), [(0, [6]), (2, [4, 6]), (3, [3, 6]), (4, [2])])
def test_all_columns_are_tried_too_unless_most_tell_nothing(silent, ways):
    draw = np.random.default_rng(0)
    frame = Frame.of({f"x{j}": draw.normal(size=40) for j in range(6)})
    labels = Frame.of({"y": ["a", "b"] * 20}).coded("y")
    options = Options(silent={f"x{j}": "left out" for j in range(silent)})
    found = telling_or_all(frame, labels, None, options, (True, False))
    assert [len(way.schema.features) for way in found] == ways
