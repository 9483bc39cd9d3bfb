"""The ways to read the columns that Gaussian Bayes compares where some columns tell nothing by themselves."""

import numpy as np
import pytest

from bayesfold.data.frame import Frame
from bayesfold.learning import fit
from bayesfold.learning.one_column import Options
from bayesfold.learning.readings import telling_or_all
from bayesfold.learning.recipe import CovarianceChoices, Recipe


def rows_of(columns):
    """A frame of these columns, and classes that the first two tell only together."""
    draw = np.random.default_rng(0)
    y = np.arange(80) % 2
    common = draw.normal(0, 5, 80)  # each of the two is mostly this, and their difference is the class
    numbers = {"x0": common + y + draw.normal(0, 0.2, 80), "x1": common + draw.normal(0, 0.2, 80)}
    numbers |= {f"x{j}": draw.normal(size=80) for j in range(2, columns)}
    return Frame.of(numbers), Frame.of({"y": np.where(y == 1, "b", "a").tolist()}).coded("y")


@pytest.mark.parametrize(("silent", "ways"), [(0, [6]), (2, [4, 6]), (4, [2, 6])])
def test_all_columns_are_a_way_too_where_some_tell_nothing(silent, ways):
    frame, labels = rows_of(6)
    options = Options(silent={f"x{j}": "left out" for j in range(silent)})
    found = telling_or_all(frame, labels, None, options, (True, False))
    assert [len(way.schema.features) for way in found] == ways


@pytest.mark.parametrize(("silent", "read", "tried"), [(("x0", "x1"), 6, 5), (("x4", "x5"), 4, 3)])
def test_columns_that_tell_only_beside_others_are_found_and_noise_is_tried_once(silent, read, tried, monkeypatch):
    frame, labels = rows_of(6)
    counted, count_way = [], fit.count_way
    monkeypatch.setattr(fit, "count_way", lambda *given: counted.append(given) or count_way(*given))
    recipe = Recipe(Options(silent=dict.fromkeys(silent, "left out")), normal=CovarianceChoices())
    model, _ = fit.learn(frame, labels, None, recipe)
    assert model.schema.width("all columns") == read
    assert len(counted) == tried  # numbers as they are and by rank; those of all columns first under one covariance
