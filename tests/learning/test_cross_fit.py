"""Rows held out: nothing that answers a row has seen it, and the numbers are those of a plain loop."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame, code
from bayesfold.data.tables import frame
from bayesfold.learning import cross_fit
from bayesfold.learning.kinds import find


def noise(rows, columns, seed=0):
    draw = np.random.default_rng(seed)
    return draw.normal(size=(rows, columns)), draw.integers(0, 2, rows)


def table(x):
    return Frame.of({f"x{j}": x[:, j] for j in range(x.shape[1])})


def test_what_is_shown_is_what_a_plain_loop_over_the_folds_gives():
    x, y = noise(120, 4)
    x[:, 0] += y
    settings = find("naive")()
    held = settings.held_out(table(x), y)
    found = settings.scores(table(x), y)
    p = np.empty((120, 2))
    for f in np.unique(held.fold):
        rest = held.fold != f
        p[~rest] = bf.NaiveBayes().fit(x[rest], y[rest]).predict_proba(x[~rest])
    np.testing.assert_allclose(np.exp(held.log_proba), p, atol=1e-12)
    again = bf.evaluate(bf.NaiveBayes(), x, y, folds=held.fold, how="refit").scores["NaiveBayes"]
    for name, measure in found.measures.items():
        assert measure.value == pytest.approx(again[name].value, abs=1e-12), name
    assert found.how == "10 folds, everything refitted without each"
    assert found.rows == 120


@pytest.mark.parametrize("units", [2, 3, 4, 40])
def test_as_few_as_two_units_judge_each_other(units):
    x, y = noise(120, 2)
    group = np.arange(120) * 7 % units
    held = find("naive")().held_out(table(x), y, None, group)
    folds = np.unique(held.fold)
    assert len(folds) == min(units, 10)
    assert all(len(np.unique(held.fold[group == one])) == 1 for one in range(units))
    assert held.how == f"{len(folds)} folds, rows of one group together, everything refitted without each"
    for f in folds:
        rest = held.fold != f
        p = bf.NaiveBayes().fit(x[rest], y[rest]).predict_proba(x[~rest])
        np.testing.assert_allclose(np.exp(held.log_proba[~rest]), p, atol=1e-12)


@pytest.mark.parametrize("kind", ["naive", "kdb", "gaussian"])
def test_what_is_said_of_a_fold_does_not_hang_on_its_labels(kind, monkeypatch):
    x, y = noise(80, 3)
    x[:, 0] += 3 * y  # so much that a cut is worth its while
    fold = np.arange(80) % 4
    monkeypatch.setattr(cross_fit, "deal", lambda batch, folds, **told: fold)
    settings = find(kind)()
    held, other = (settings.held_out(table(x), labels) for labels in (y, np.where(fold == 1, 1 - y, y)))
    assert (held.log_proba[fold != 1] != other.log_proba[fold != 1]).any()
    np.testing.assert_array_equal(held.log_proba[fold == 1], other.log_proba[fold == 1])


def test_many_rows_are_judged_by_one_fifth(monkeypatch):
    monkeypatch.setattr(cross_fit, "FOLDED", 100)
    x, y = noise(400, 3)
    held = find("naive")().held_out(table(x), y)
    assert len(held.rows) == 80
    assert held.how == "80 of 400 rows, by a model of 320 others"
    rest = np.ones(400, bool)
    monkeypatch.setattr(cross_fit, "MOST_ROWS", 200)
    fewer = find("naive")().held_out(table(x), y)
    assert fewer.how == "40 of 400 rows, by a model of 160 others"
    rest[held.rows] = False
    p = bf.NaiveBayes().fit(x[rest], y[rest]).predict_log_proba(x[held.rows])
    np.testing.assert_allclose(held.log_proba, p, atol=1e-12)


def test_rows_of_no_weight_are_neither_learned_nor_asked():
    x, y = noise(60, 2)
    weight = np.where(np.arange(60) % 3 == 0, 0.0, 2.0)
    held = find("naive")().held_out(table(x), y, weight)
    np.testing.assert_array_equal(held.rows, np.flatnonzero(weight))
    there = weight > 0
    less = find("naive")().held_out(table(x[there]), y[there], weight[there])
    np.testing.assert_array_equal(held.log_proba, less.log_proba)


def test_equal_rows_have_no_scores():
    frame = Frame.of({"x": [1.0] * 8, "c": ["a"] * 8})
    assert find("kdb")().scores(frame, [*"ppqqpqpq"]) is None
    assert find("bayes")().learn(frame, [*"ppqqpqpq"]).report.scores is None


def test_classes_are_dealt_out_evenly():
    x, y = noise(100, 2)
    fold = find("naive")().held_out(table(x), y).fold
    for k in (0, 1):
        shares = np.bincount(fold[y == k], minlength=10)
        assert shares.max() - shares.min() <= 1


def test_a_row_and_its_copies_share_a_fold():
    x, y = noise(50, 2)
    fold = find("naive")().held_out(table(np.tile(x, (2, 1))), np.tile(y, 2)).fold
    np.testing.assert_array_equal(fold[:50], fold[50:])


def test_taken_out_is_a_refit_with_all_that_was_chosen_held():
    x, y = noise(60, 2)
    clf = bf.NaiveBayes(numeric="gaussian").fit(x, y)
    held = cross_fit.taken_out(clf.model_, clf._learned(x, y, None))
    np.testing.assert_allclose(held.log_proba, clf.leave_folds_out(x, y, held.fold), atol=1e-12)


def test_text_truth_values_and_holes_are_content():
    frame = Frame.of({"a": ["x", None, "y", "x"] * 5, "b": [True, False] * 10, "c": [1.0, np.nan, 2.0, 3.0] * 5})
    batch = cross_fit.as_read(frame, code([*"pqpq"] * 5), None)
    assert batch.rows == 20
    assert len(set(cross_fit.deal(batch, 4).tolist())) == 4


def test_rows_that_differ_in_dates_or_remarks_alone_are_told_apart_by_them():
    days = [f"2024-01-{1 + i:02d}" for i in range(28)]
    for own in (days, [f"seen again on visit {i}" for i in range(28)], [f"row {i}" for i in range(28)]):
        frame = Frame.of({"own": own, "same": ["x"] * 28})
        fold = cross_fit.deal(cross_fit.as_read(frame, code([*"pq"] * 14), None), 4)
        assert len(set(fold.tolist())) == 4


@pytest.mark.parametrize(
    ("kind", "numbered"),
    [
        *[(kind, "") for kind in ("naive", "tan", "gaussian", "bayes")],
        *[("naive", numbered) for numbered in ("numbers", "names", "times", "remarks")],
        *[("tan", "days"), ("bayes", "times"), ("bayes", "remarks")],
    ],
)
def test_copies_of_rows_do_not_judge_each_other(kind, numbered):
    """40 rows of noise, six copies of each, with names, times or remarks of their own: nothing can be known."""
    x, y = noise(40, 6, seed=3)
    columns = {f"x{j}": np.repeat(x[:, j], 6) for j in range(6)}
    if numbered:
        own = {
            "numbers": lambda i: i,
            "names": lambda i: f"row {i}",
            "times": lambda i: f"2024-03-{1 + i // 24:02d}T{i % 24:02d}:00",
            "days": lambda i: f"2024-{1 + i % 12:02d}-{1 + i * 7 % 28:02d}",
            "remarks": lambda i: f"seen again on visit {i}",
        }
        columns["id"] = [own[numbered](i) for i in range(240)]
    settings = find(kind)()
    found = settings.learn(Frame.of(columns), np.repeat(y, 6))
    shown = settings.scores(Frame.of(columns), np.repeat(y, 6)) if found.report is None else found.report.scores
    assert shown.measures["accuracy"].value < 0.7


@pytest.mark.parametrize("identifier", ["numbers", "names"])
def test_rows_that_are_equal_but_for_an_identifier_are_dealt_alike_in_any_order(identifier):
    """Of few rows a model may read the identifier too: those of a fold must be the same, wherever they stand."""
    draw = np.random.default_rng(8)
    number = draw.permutation(120)
    columns = {"coat": draw.choice([*"uv"], 120), "id": number if identifier == "numbers" else number.astype("U4")}
    y = draw.choice([*"pq"], 120)
    held_out = find("naive")().held_out
    fold = held_out(frame(columns), y).fold
    assert (
        len({(c, label, f) for c, label, f in zip(columns["coat"], y, fold, strict=True)}) > 4
    )  # equal rows are apart
    for _ in range(3):
        order = draw.permutation(120)
        moved = frame({name: cells[order] for name, cells in columns.items()})
        np.testing.assert_array_equal(held_out(moved, y[order]).fold, fold[order])
