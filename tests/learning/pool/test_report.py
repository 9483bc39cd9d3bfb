"""The report of a pool: every part's scores by hand, what was held out, and all of it in print."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bayesfold.data.frame import Frame
from bayesfold.decisions.measure import Measure
from bayesfold.learning.pool.report import NOT_JUDGED, Judged, PartLine, Report, reported
from bayesfold.learning.scores import Scores, guessed

NAN = float("nan")
LINES = {
    "naive": PartLine("naive", NAN, NAN, NAN, 0.25, "one network"),
    "kdb": PartLine("kdb", NAN, NAN, NAN, 1.5, "two parents"),
    "parzen": PartLine("parzen", NAN, NAN, NAN, 0.0, "left out"),
}
SAID = np.log([[[0.75, 0.25], [0.5, 0.5]], [[0.25, 0.75], [0.125, 0.875]], [[0.25, 0.75], [0.75, 0.25]]])
TOGETHER = np.log([[0.5, 0.5], [0.25, 0.75], [0.75, 0.25]])
OWN = np.array([0, 1, 0])


def judged(weight=None, carried=None):
    return Judged(SAID, OWN, weight, SimpleNamespace(log_proba=TOGETHER, how="3 rows, held out", carried=carried))


def test_each_part_has_its_own_scores_and_all_have_theirs_together():
    found = reported(LINES, {"naive": 0.75, "kdb": 0.5}, judged(), 99)
    naive, kdb, parzen = found.lines
    assert naive.loss == pytest.approx(-np.log([0.75, 0.75, 0.25]).mean())
    assert kdb.loss == pytest.approx(-np.log([0.5, 0.875, 0.75]).mean())
    assert (naive.accuracy, kdb.accuracy) == pytest.approx((2 / 3, 1.0))
    assert (naive.weight, kdb.weight, naive.seconds, naive.what) == (0.75, 0.5, 0.25, "one network")
    assert parzen is LINES["parzen"], "what was left out is not judged"
    assert found.loss == pytest.approx(-np.log([0.5, 0.75, 0.75]).mean())
    assert (found.accuracy, found.rows, found.held_out) == (1.0, 3, "3 rows, held out")


def test_rows_count_by_their_weights_and_losses_are_carried_on():
    weight = np.array([3.0, 1.0, 0.0])
    found = reported(LINES, {"naive": 1.0}, judged(weight), 99)
    assert found.lines[0].loss == pytest.approx(-np.log(0.75))
    assert found.lines[0].accuracy == 1.0
    assert found.loss == pytest.approx(-(3 * np.log(0.5) + np.log(0.75)) / 4)
    carried = reported(LINES, {"naive": 1.0}, judged(weight, np.array([0.125, 0.25, 99.0])), 99)
    assert carried.loss == pytest.approx(found.loss + (3 * 0.125 + 0.25) / 4)
    assert carried.lines[0].loss == found.lines[0].loss


def test_without_rows_held_out_nothing_is_judged():
    found = reported(LINES, {"naive": 0.75}, None, 99)
    assert (found.rows, found.held_out, found.lines[0].weight) == (99, NOT_JUDGED, 0.75)
    assert np.isnan([found.loss, found.accuracy, found.lines[0].loss, found.lines[0].accuracy, *found.interval]).all()
    assert found.caption == NOT_JUDGED


def scores(low, high):
    loss = Measure(0.5, low, high)
    return Scores({"log-loss": loss, "accuracy": Measure(0.75)}, 40, "40 rows", {"log-loss": 0.625})


def test_scores_of_the_whole_replace_those_of_parts():
    found = reported(LINES, {"naive": 0.75}, judged(), 99).judged_by(scores(0.25, 0.5))
    assert (found.loss, found.accuracy, found.rows, found.held_out) == (0.5, 0.75, 40, "40 rows")
    assert np.isnan([line.loss for line in found.lines] + [line.accuracy for line in found.lines]).all()
    assert (found.lines[0].weight, found.interval) == (0.75, (0.25, 0.5))
    assert found.caption == "40 rows; log-loss 0.250 to 0.500"
    guess = "40 rows; log-loss 0.250 to {}: too few rows to tell it from a guess (0.625)"
    assert found.judged_by(scores(0.25, 0.625)).caption == guess.format("0.625"), "no better than a guess may be one"
    assert found.judged_by(scores(0.25, 0.75)).caption == guess.format("0.750")
    assert found.judged_by(scores(NAN, NAN)).caption == "40 rows"


def test_a_report_in_print():
    lines = (PartLine("naive", 0.5, 0.75, 1.25, 0.25, "one network"), LINES["parzen"], LINES["kdb"])
    found = Report(lines, 0.25, 0.875, 40, "40 rows")
    assert [line.split() for line in str(found).splitlines()] == [
        ["part", "log-loss", "accuracy", "weight", "seconds", "what"],
        ["naive", "0.5000", "0.7500", "1.2500", "0.2", "one", "network"],
        ["parzen", "0.0", "left", "out"],
        ["kdb", "1.5", "two", "parents"],
        ["together", "0.2500", "0.8750", "1.8", "40", "rows"],
    ]
    assert repr(found) == str(found)
    html = found._repr_html_()
    assert html.count("<tr>") == 5
    assert html.count(">0.8750</td>") == 1


@pytest.mark.parametrize("weight", [None, np.array([1.0, 1.0, 2.0, 4.0, 0.0])])
def test_a_guess_is_what_class_frequencies_get(weight):
    labels = Frame.of({"t": list("aabbc")}).coded("t")
    share = np.array([2, 2, 1]) / 5 if weight is None else np.array([2, 6]) / 8
    found = guessed(labels, weight)
    assert found["accuracy"] == pytest.approx(share.max())
    assert found["log-loss"] == pytest.approx(-(share @ np.log(share)))
    assert replace(scores(0, 1), guess=found).guess is found
