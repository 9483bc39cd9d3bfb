"""The ways to read columns that are compared."""

import numpy as np

from bayesfold.data.frame import Frame, code
from bayesfold.learning.one_column import Options
from bayesfold.learning.readings import readings
from bayesfold.learning.recipe import Recipe
from bayesfold.models.structures.tan import Tan

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
