"""Models judged on labelled rows: as new ones, and held out where they were learned."""

from dataclasses import replace

import numpy as np
import pytest

from bayesfold.data.frame import code
from bayesfold.data.tables import frame
from bayesfold.io.judging import (
    judge_models,
    may_have_learned,
    restrict_to_common_rows,
    score_rows,
    warning_of_learned_rows,
)
from bayesfold.io.rows import Rows
from bayesfold.learning.trained import find, train

DRAW = np.random.default_rng(2)
LABELS = np.array([*"ab"])[DRAW.integers(0, 2, 60)]
CELLS = {"x": (DRAW.normal(size=60) + (LABELS == "a")).round(3), "c": DRAW.choice([*"pqr"], 60)}
ROWS = Rows(frame(CELLS), code(LABELS), None)
MODEL = train(find("naive")(), ROWS.frame, LABELS.tolist(), "y")


def test_learned_rows_are_known_again_and_others_are_not():
    assert may_have_learned(MODEL, ROWS)
    others = Rows(frame(CELLS | {"c": np.array([*"pqs"] * 20)}), code(LABELS), None)
    assert not may_have_learned(MODEL, others)
    assert not may_have_learned(MODEL, Rows(ROWS.frame, code(LABELS[::-1].copy()), None))


def test_rows_held_out_cost_more_than_the_same_rows_as_new_ones():
    losses = []
    for leave_out in (False, True):
        said, rows = restrict_to_common_rows({"m": score_rows(MODEL, ROWS, leave_out, "m")}, ROWS)
        losses.append(judge_models({"m": MODEL}, said, rows).scores["m"]["log-loss"].value)
    assert losses[0] < losses[1] == pytest.approx(MODEL.settings.scores(ROWS.frame, LABELS).measures["log-loss"].value)


@pytest.mark.parametrize("weights_are", ["importance", "counts"])
def test_rows_with_weights_are_judged_as_the_scores_of_a_fit_are(weights_are):
    """One class has a single row, of which the others know nothing once it is held out."""
    labels, weight = np.where(np.arange(60) == 7, "rare", LABELS), np.full(60, 3.0)
    settings = find("naive")(unseen_class="good-turing", weights_are=weights_are)
    model = train(settings, ROWS.frame, labels.tolist(), "y", weight=weight)
    rows = Rows(ROWS.frame, code(labels), weight)
    said, rows = restrict_to_common_rows({"m": score_rows(model, rows, True, "m")}, rows)
    judged = judge_models({"m": model}, said, rows).scores["m"]
    for name, measure in settings.scores(ROWS.frame, labels, weight).measures.items():
        assert judged[name].value == pytest.approx(measure.value)


def test_messages_name_the_option_that_there_is():
    assert "; --leave-out holds them out" in warning_of_learned_rows(MODEL, "m")
    assert "; leave_out holds them out" in warning_of_learned_rows(MODEL, "m", "leave_out")
    with pytest.raises(ValueError, match="m has not learned all of these rows; without leave_out they are scored"):
        score_rows(MODEL, Rows(ROWS.frame, code(LABELS[::-1].copy()), None), True, "m", "leave_out")


def test_a_time_budget_is_told_where_it_leaves_no_time_to_hold_rows_out():
    hasty = train(find("bayes")(time_budget=1e-9), ROWS.frame, LABELS.tolist(), "y")
    with pytest.raises(ValueError, match="time_budget=1e-09 leaves no time for rows to be held out; without --leave"):
        score_rows(hasty, ROWS, True, "m")


def test_models_that_answered_different_rows_are_judged_on_those_that_both_did():
    one = score_rows(MODEL, ROWS, False, "m")
    some = np.arange(10, 60)
    other = replace(one, rows=some, log_proba=one.log_proba[some], fold=one.fold[some])
    said, rows = restrict_to_common_rows({"m": one, "n": other}, ROWS)
    assert rows.frame.rows == len(said["m"].rows) == len(said["n"].rows) == 50
    np.testing.assert_array_equal(said["m"].log_proba, said["n"].log_proba)


def test_models_that_answered_no_row_together_are_not_compared():
    one = score_rows(MODEL, ROWS, False, "m")
    first, last = (
        replace(one, rows=some, log_proba=one.log_proba[some], fold=one.fold[some])
        for some in (np.arange(10), np.arange(50, 60))
    )
    with pytest.raises(ValueError, match="the models were asked about different rows; evaluate them one by one"):
        restrict_to_common_rows({"m": first, "n": last}, ROWS)
