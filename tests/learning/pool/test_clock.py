"""A budget of seconds is kept: what will not fit is not begun, what turns out late is given up, and both are said."""

from time import perf_counter

import numpy as np
import pytest
from sklearn.datasets import load_iris

from bayesfold import BayesClassifier
from bayesfold.data.frame import Frame
from bayesfold.learning.pool import cost as effort
from bayesfold.learning.pool import recommend
from bayesfold.learning.pool.clock import Clock
from bayesfold.learning.recipe import Recipe
from bayesfold.runtime import waiting

X, Y = load_iris(return_X_y=True)


def test_what_will_not_fit_has_no_time(monkeypatch):
    monkeypatch.setattr(Clock, "spent", 3.0)
    clock = Clock(budget=10.0)
    assert clock.has(7.0)
    assert not clock.has(7.5)
    assert not clock.will_be_late(7.5)
    assert clock.will_be_late(9.0)
    assert Clock().has(1e9)


def test_the_watcher_hears_of_every_part_up_to_the_last():
    heard = []
    clock = Clock(watcher=heard.append)
    clock.starts(2)
    clock.learned(30)
    clock.starts(2)
    for _ in range(3):
        clock.learned(30)
    assert [round(p.share, 2) for p in heard] == [0.5, 0.5, 0.75, 1.0]


def test_a_part_that_would_take_too_long_is_not_begun(monkeypatch):
    monkeypatch.setattr(effort, "seconds", lambda part, size: 1e6 if part == "aode" else 0.0)
    report = BayesClassifier(time_budget=1e4).fit(X, Y).report_
    lines = {line.name: line.what for line in report.lines}
    assert lines["aode"] == "left out: the time budget has no room for it (about 1000000.0 s)"
    assert [name for name, what in lines.items() if "time budget" in what] == ["aode"]
    assert np.isfinite(report.loss)


def test_folds_that_turn_out_late_are_given_up_and_the_weights_come_from_rows_left_out(monkeypatch):
    monkeypatch.setattr(Clock, "will_be_late", lambda clock, seconds: True)
    clf = BayesClassifier(time_budget=1e4).fit(X, Y)
    assert np.isnan(clf.report_.loss)
    assert "the time budget had no room to hold rows out" in str(clf.report_)
    assert clf.score(X, Y) > 0.9


def test_without_time_to_compare_densities_all_numbers_are_gaussian(monkeypatch):
    skewed = np.exp(X)
    compared = BayesClassifier(time_budget=1e4).fit(skewed, Y)
    monkeypatch.setattr(effort, "seconds_to_compare_densities", lambda columns, rows, classes: 1e6)
    hurried = BayesClassifier(time_budget=1e4).fit(skewed, Y)
    assert {c.family for c in compared.columns_} != {"gaussian"} == {c.family for c in hurried.columns_}
    notes = ["no room to compare densities" in str(clf.report_) for clf in (compared, hurried)]
    assert notes == [False, True]
    assert hurried.score(skewed, Y) > 0.9


def test_the_budget_counts_from_when_fit_began():
    parts = recommend.Wish(time_budget=1.0, began=perf_counter() - 2.0)  # spent before the first part begins
    frame, base = Frame.of({f"x{j}": column for j, column in enumerate(X.T)}), Recipe()
    found = recommend.recommend(frame, Y, None, base, parts)
    assert tuple(found.pool.members) == ("naive",)


@pytest.mark.parametrize("verbose", [True, False])
def test_verbose_says_how_far_it_has_come(verbose, monkeypatch, capsys):
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "LINE_BY_LINE", 0.01)
    loud = BayesClassifier(verbose=verbose).fit(X, Y)
    said = capsys.readouterr().err
    assert ("BayesClassifier: " in said and " %" in said and "s left" in said) is verbose
    np.testing.assert_array_equal(loud.predict_proba(X), BayesClassifier().fit(X, Y).predict_proba(X))


@pytest.mark.parametrize("value", [-1, np.nan, "long", True, None])
@pytest.mark.parametrize(("name", "unit"), [("time_budget", "seconds"), ("max_memory", "bytes")])
def test_a_bound_is_a_number(name, unit, value):
    with pytest.raises(ValueError, match=f"{name}=.* must be a number of {unit}, at least 0"):
        BayesClassifier(**{name: value}).fit(X, Y)
