"""Scores of answers with intervals, and differences row by row."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from bayesfold.decisions.compare import judge
from bayesfold.decisions.measure import Measure, in_print
from bayesfold.decisions.measures import areas, mean, share

DRAW = np.random.default_rng(5)


def answers(rows, classes, skill=1.0, draw=DRAW):
    truth = draw.integers(classes, size=rows)
    score = draw.standard_normal((rows, classes)) + skill * np.eye(classes)[truth]
    p = np.exp(score)
    return truth, p / p.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("classes", [2, 4])
def test_the_area_is_scikit_learns_and_the_mean_of_what_rows_add(classes):
    truth, p = answers(300, classes)
    p[:50] = p[0]  # ties
    found = areas(p, truth, np.ones(300))
    expected = roc_auc_score(truth, p[:, 1] if classes == 2 else p, multi_class="ovr")
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert found.rows.mean() == pytest.approx(found.value, abs=1e-12)


def test_a_weight_of_two_is_a_row_twice():
    truth, p = answers(80, 3)
    twice = DRAW.integers(1, 3, size=80)
    copied = judge((0, 1, 2), truth.repeat(twice), {"m": p.repeat(twice, 0)}, {"m": p.argmax(1).repeat(twice)})
    weighed = judge((0, 1, 2), truth, {"m": p}, {"m": p.argmax(1)}, weight=twice.astype(float))
    for name, measure in copied.scores["m"].items():
        assert weighed.scores["m"][name].value == pytest.approx(measure.value, abs=1e-12), name


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    draw = np.random.default_rng(0)
    truth, p = answers(200_000, 2, draw=draw)
    whole = judge((0, 1), truth, {"m": p}, {"m": p.argmax(1)}).scores["m"]
    held = dict.fromkeys(("accuracy", "log-loss", "Brier", "AUC"), 0)
    for _ in range(400):
        some = draw.integers(len(truth), size=120)
        found = judge((0, 1), truth[some], {"m": p[some]}, {"m": p[some].argmax(1)}).scores["m"]
        for name in held:
            held[name] += found[name].low <= whole[name].value <= found[name].high
    assert all(0.90 <= times / 400 <= 0.985 for times in held.values()), held


def test_a_paired_difference_is_narrower_than_two_intervals_apart():
    truth, p = answers(400, 2)
    worse = 0.9 * p + 0.1 * 0.5
    found = judge((0, 1), truth, {"a": p, "b": worse}, {"a": p.argmax(1), "b": worse.argmax(1)})
    difference, own = found.difference("b", "a", "Brier"), found.scores["a"]["Brier"]
    assert difference.value == pytest.approx(found.scores["b"]["Brier"].value - own.value, abs=1e-12)
    assert difference.high - difference.low < (own.high - own.low) / 3


def test_a_share_of_one_still_has_a_width():
    found = share(np.ones(20), np.ones(20), 1.0)
    assert found.value == 1.0
    assert found.high == pytest.approx(1.0, abs=1e-12)
    assert 0.8 < found.low < 0.9


def test_one_row_has_numbers_and_no_interval():
    assert np.isnan(mean(np.array([2.0]), np.ones(1)).low)
    found = judge(("a", "b"), np.array([0]), {"m": np.array([[0.7, 0.3]])}, {"m": np.array([0])})
    assert found.scores["m"]["accuracy"].value == 1.0
    assert np.isnan(found.scores["m"]["AUC"].value)
    assert "-" in str(found)


def test_costs_and_coverage_come_with_a_loss_and_with_rejecting():
    truth, p = np.array([0, 1, 1]), np.array([[0.9, 0.1], [0.4, 0.6], [0.6, 0.4]])
    found = judge(
        ("a", "b"), truth, {"m": p}, {"m": np.array([0, -1, 0])}, np.array([[0.0, 9.0], [1.0, 0.0]]), 0.5
    ).scores["m"]
    assert found["cost"].value == pytest.approx((0 + 0.5 + 9) / 3)
    assert found["coverage"].value == pytest.approx(2 / 3)


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="no rows"):
        judge(("a",), np.empty(0, np.intp), {"m": np.empty((0, 1))}, {"m": np.empty(0, np.intp)})


def test_differences_are_of_the_first_model_and_in_print():
    p = {"a": np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]), "b": np.full((3, 2), 0.5), "c": np.full((3, 2), 0.25)}
    truth = np.array([0, 1, 1])
    found = judge(("no", "yes"), truth, p, {name: q.argmax(axis=1) for name, q in p.items()})
    assert found.models == ("a", "b", "c")
    captions = [line for line in str(found).splitlines() if " minus " in line]
    assert captions == ["b minus a, paired by row", "c minus a, paired by row"]
    losses = {name: -np.log(q[np.arange(3), truth]) for name, q in p.items()}
    apart = found.difference("b", "a", "log-loss")
    assert apart.value == pytest.approx((losses["b"] - losses["a"]).mean())
    back = found.difference("a", "b", "log-loss")
    assert (back.value, back.low, back.high) == pytest.approx((-apart.value, -apart.high, -apart.low))
    whole = found.difference("b", "a", "ECE")
    assert whole.value == pytest.approx(found.scores["b"]["ECE"].value - found.scores["a"]["ECE"].value)
    assert np.isnan(whole.low), "of a measure that is no mean of rows there is no interval"
    html = found._repr_html_()
    assert html.count("<table>") == 3
    assert "<caption>3 rows, 2 classes</caption>" in html
    assert repr(found) == str(found)
    assert found.notes() == []


@pytest.mark.parametrize("weight", [np.zeros(3), np.empty(0)])
def test_rows_that_weigh_nothing_judge_nothing(weight):
    p = np.full((len(weight), 2), 0.5)
    with pytest.raises(ValueError, match="there are no rows with a class to judge by"):
        judge((0, 1), np.zeros(len(weight), int), {"a": p}, {"a": np.zeros(len(weight), int)}, weight=weight)


def test_units_make_an_interval_wider():
    draw = np.random.default_rng(0)
    q = draw.random(40)
    p, truth = {"a": np.column_stack([1 - q, q])}, draw.integers(0, 2, 40)
    decisions, group = {"a": (q > 0.5).astype(int)}, np.repeat(np.arange(10), 4)
    plain, united = (judge((0, 1), truth, p, decisions, group=g).scores["a"] for g in (None, group))
    for name in ("log-loss", "accuracy"):
        assert plain[name].value == united[name].value
        assert united[name].high - united[name].low > 1.5 * (plain[name].high - plain[name].low)


def test_a_number_without_an_interval_has_a_dash():
    assert in_print(Measure(0.5)) == ("0.500", "-")
    assert in_print(Measure(np.nan, 0.25, 0.75), "+") == ("-", "0.250 to 0.750")
    assert in_print(Measure(0.5, 0.25, 0.75), "+") == ("+0.500", "0.250 to 0.750")
    ends = [(0.1, 0.2), (-0.2, -0.1), (-0.1, 0.1), (0.0, 0.1), (-0.1, 0.0), (np.nan, np.nan)]
    assert [Measure(0.0, *pair).excludes_zero for pair in ends] == [True, True, False, False, False, False]
