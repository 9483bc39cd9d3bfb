"""The ways to read columns that are compared."""

import numpy as np
import pytest

from bayesfold.data.frame import Frame, code
from bayesfold.learning import fit
from bayesfold.learning.one_column import Options
from bayesfold.learning.readings import readings, telling_or_all
from bayesfold.learning.recipe import CovarianceChoices, Recipe
from bayesfold.models.structures.tan import Tan


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


LABELS = np.repeat([*"pq"], 100)


def ways(columns: dict, **options: object) -> list:
    recipe = Recipe(Options(**options), structure=Tan())
    return list(readings(Frame.of(columns), code(LABELS), None, recipe))


def test_numbers_are_cut_in_two_ways() -> None:
    draw = np.random.default_rng(0)
    numbers = draw.normal(size=200) + 2 * (LABELS == "q")
    found = ways({"x": numbers, "a": [*"uv"] * 100})
    assert len(found) == 2
    assert len({found.schema for found in found}) == 2


def test_words_are_read_in_one_way() -> None:
    assert len(ways({"a": [*"uv"] * 100})) == 1


def test_a_way_that_is_asked_for_is_the_only_one() -> None:
    numbers = np.random.default_rng(0).normal(size=200) + 2 * (LABELS == "q")
    assert len(ways({"x": numbers}, numeric="quintiles")) == 1


def test_holes_are_skipped_or_a_value_of_their_own() -> None:
    cells = ["u", None] * 50 + ["u", "v"] * 50
    assert len(ways({"a": cells}, missing_as="auto")) == 2
    assert len(ways({"a": cells}, missing_as="auto", more_to_come=True)) == 1
