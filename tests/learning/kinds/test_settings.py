"""What every kind may be told: columns by name or place, smoothing, what weights are, rows that weigh nothing."""

import numpy as np
import pytest

from bayesfold.data.frame import Frame
from bayesfold.learning.kinds import find
from bayesfold.learning.kinds._settings import are_copies, by_name, check_alpha
from bayesfold.learning.recipe import CovarianceChoices, Recipe, check_choices, check_powers, is_tempered
from bayesfold.models.structures.naive import Naive
from bayesfold.models.structures.tan import Tan

FRAME = Frame.of({"a": ["x", "y"] * 20, "7": [1, 2] * 20, "b": np.arange(40.0) % 7})
LABELS = [*"ppqq"] * 10


def test_columns_are_told_by_name_or_by_place():
    assert by_name("families", {"a": 1, 0: 2}, FRAME) == {"a": 2}
    assert by_name("families", {2: 1, -1: 3, 7: 5}, FRAME) == {"b": 3, "7": 5}
    assert by_name("missing", {np.int64(1): "?"}, FRAME) == {"7": "?"}
    assert by_name("missing", {-3: "?"}, FRAME) == {"a": "?"}
    assert by_name("missing", ["?"], FRAME) == ["?"]
    for place in (3, -4):
        with pytest.raises(
            ValueError, match=f"families= names the column {place}, but the table has 3 columns, from 0 to 2"
        ):
            by_name("families", {place: "gaussian"}, FRAME)


@pytest.mark.parametrize("value", [-1, "some", None, [1.0]])
def test_a_smoothing_is_auto_or_a_number(value):
    for good in ("auto", 0, 0.0, 2.5):
        check_alpha("alpha", good)
    with pytest.raises(ValueError, match=r"alpha=.* must be 'auto' or a number of at least 0"):
        check_alpha("alpha", value)


def test_what_weights_are():
    assert [are_copies(word) for word in ("counts", "importance")] == [True, False]
    with pytest.raises(ValueError, match="weights_are='rows' is not one of 'importance', 'counts'"):
        are_copies("rows")
    assert find("naive")(weights_are="counts").copies
    assert not find("naive")().copies


def test_rows_that_weigh_nothing_are_not_held_out_and_groups_go_with_the_others():
    weight = np.where(np.arange(40) % 5 == 0, 0.0, 1.0)
    settings = find("naive")(numeric="gaussian")
    found = settings.held_out(FRAME, LABELS, weight)
    assert sorted(found.rows.tolist()) == np.flatnonzero(weight).tolist()
    whole = settings.held_out(FRAME, LABELS)
    assert sorted(whole.rows.tolist()) == list(range(40))
    grouped = settings.held_out(FRAME, LABELS, weight, np.arange(40) // 8)
    assert sorted(grouped.rows.tolist()) == np.flatnonzero(weight).tolist()
    scores = settings.scores(FRAME, LABELS, weight)
    assert scores is not None
    with pytest.raises(TypeError, match="does not say how rows become a model"):
        super(type(settings), settings).learn(FRAME, LABELS)


def test_recipes_say_what_is_chosen_and_refuse_other_words():
    assert is_tempered(Recipe(weights="auto"))
    assert is_tempered(Recipe(calibration="temperature"))
    assert not is_tempered(Recipe(weights="information"))
    assert not Recipe().reads_tables
    assert not Recipe(structure=(Naive(), Tan())).reads_tables
    assert Recipe(structure=Tan()).reads_tables
    assert Recipe(structure=(Tan(), Naive())).reads_tables
    assert not Recipe(structure=Tan(), normal=CovarianceChoices()).reads_tables
    for told in ({"weights": "best"}, {"calibration": "platt"}):
        with pytest.raises(ValueError, match="is not None"):
            check_choices(Recipe(**told))
    for told in (
        {"weights": "auto"},
        {"weights": "information"},
        {"weights": {"a": 2}},
        {"calibration": "temperature"},
        {},
    ):
        check_choices(Recipe(**told))
    schema = find("naive")().learn(FRAME, LABELS).model.schema
    check_powers({"a": 1e6, "b": -1e6}, schema)
    with pytest.raises(ValueError, match="weights names columns that are not in the schema: 'c', 'd'"):
        check_powers({"d": 1.0, "a": 1.0, "c": 1.0}, schema)
    for bad in (1.1e6, -2e6, "1", float("nan")):
        with pytest.raises(ValueError, match="for column 'a'; an exponent is a number of at most 1e"):
            check_powers({"a": bad}, schema)


@pytest.mark.slow
def test_a_pool_is_judged_by_its_own_folds_and_by_groups_where_there_are_some():
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 60)
    frame = Frame.of({"a": y + draw.normal(size=60), "b": draw.normal(size=60)})
    settings = find("bayes")()
    found = settings.held_out(frame, y)
    assert sorted(found.rows.tolist()) == list(range(60))
    grouped = settings.held_out(frame, y, None, np.arange(60) // 6)
    assert sorted(grouped.rows.tolist()) == list(range(60))
    assert settings.scores(frame, y) is not None
