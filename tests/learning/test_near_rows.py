"""Kernels around rows: when they are in the pool, what they do to its answers, that it still learns and forgets."""

from copy import deepcopy

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data import landmarks
from bayesfold.data.frame import Frame
from bayesfold.data.landmarks import Landmarks
from bayesfold.data.vector import Scaled, Vector
from bayesfold.families._covariance import Moments
from bayesfold.learning import near_rows
from bayesfold.tally.counter import count
from bayesfold.tally.forgetting import first_nowhere_near


def rings(rows, seed):
    """Rings within rings: the class alternates, so that no column, no pair of bins and no normal tells it well."""
    draw = np.random.default_rng(seed)
    x = draw.uniform(-2, 2, (rows, 2))
    y = (np.hypot(*x.T) * 2).astype(int) % 2
    coat = np.where(y ^ (draw.random(rows) < 0.4), "long", "short").astype(object)
    return {"a": x[:, 0], "b": x[:, 1], "coat": coat}, y


@pytest.fixture(scope="module")
def learned():
    return bf.BayesClassifier().fit(*rings(600, 0))


def weight_of(clf, part="parzen"):
    return next(line.weight for line in clf.report_.lines if line.name == part)


def log_loss(clf, table, y):
    p = clf.predict_proba(table)
    return -np.log(p[np.arange(len(y)), y]).mean()


def test_kernels_earn_their_place_where_nothing_else_tells(learned):
    assert weight_of(learned) > 0.3
    new, y = rings(2_000, 1)
    loss = log_loss(learned, new, y)
    others = [bf.BayesClassifier(structure=s).fit(*rings(600, 0)) for s in ("naive", "kdb", "gaussian")]
    assert loss < min(log_loss(other, new, y) for other in others) - 0.05
    low, high = learned.report_.interval
    assert low <= loss <= high


def test_kernels_are_left_out_where_rows_held_out_gain_nothing():
    draw = np.random.default_rng(2)
    y = draw.integers(0, 2, 200)
    clf = bf.BayesClassifier().fit({"a": draw.normal(size=200) + y, "b": draw.normal(size=200)}, y)
    line = next(line for line in clf.report_.lines if line.name == "parzen")
    assert line.weight == 0
    assert line.what.startswith("left out: it does not improve the held-out log-loss (kernels at 200 landmarks")
    assert tuple(clf.model_.members) == ("naive", "aode", "kdb", "gaussian")
    assert not any(isinstance(c, Landmarks) for c in clf.model_.schema.features)


def test_words_alone_have_no_kernels():
    draw = np.random.default_rng(3)
    clf = bf.BayesClassifier().fit(
        {"a": draw.choice(["x", "y", "z"], 60), "b": draw.choice(["u", "v"], 60)}, [0, 1] * 30
    )
    line = next(line for line in clf.report_.lines if line.name == "parzen")
    assert line.what == "left out: no column is a number"


def test_too_many_rows_and_columns_are_left_out(monkeypatch):
    monkeypatch.setattr("bayesfold.learning.pool.cost.MOST", 100.0)
    clf = bf.BayesClassifier().fit({"a": np.arange(50.0) % 7, "b": np.arange(50.0) % 5}, np.arange(50) % 2)
    assert "parzen" not in clf.model_.members


def test_of_more_rows_some_are_landmarks_and_all_are_counted(monkeypatch):
    monkeypatch.setattr(near_rows, "MOST_LANDMARKS", 200)
    monkeypatch.setattr(landmarks, "MOST_LANDMARKS", 200)
    clf = bf.BayesClassifier().fit(*rings(600, 0))
    member = clf.model_.members["parzen"]
    (column,) = [c for c in member.schema.features if isinstance(c, Landmarks)]
    assert 100 < len(column.places) <= 200
    cells = member.tally.cells(member.groups[0].span)
    assert cells.high[0].sum() == 600
    new, y = rings(2_000, 1)
    assert log_loss(clf, new, y) < 0.62


def test_order_of_rows_changes_nothing(learned):
    table, y = rings(600, 0)
    turn = np.random.default_rng(5).permutation(600)
    other = bf.BayesClassifier().fit({name: cells[turn] for name, cells in table.items()}, y[turn])
    new, _ = rings(50, 1)
    np.testing.assert_allclose(other.predict_proba(new), learned.predict_proba(new), rtol=1e-7, atol=1e-9)


def test_order_of_columns_changes_nothing(learned):
    table, y = rings(600, 0)
    other = bf.BayesClassifier().fit({name: table[name] for name in ("coat", "b", "a")}, y)
    new, _ = rings(50, 1)
    np.testing.assert_allclose(other.predict_proba(new), learned.predict_proba(new), rtol=1e-6, atol=1e-8)


def test_a_row_alone_is_answered_as_among_others(learned):
    new, _ = rings(20, 1)
    alone = [learned.predict_proba({name: cells[i] for name, cells in new.items()})[0] for i in range(20)]
    np.testing.assert_allclose(alone, learned.predict_proba(new), atol=1e-12)


def test_rows_learned_and_forgotten_leave_what_was(learned, tmp_path):
    new, y = rings(100, 1)
    asked, _ = rings(50, 7)
    before = learned.predict_proba(asked)
    other = bf.load(learned.save(tmp_path / "m.bayes") or tmp_path / "m.bayes")
    np.testing.assert_array_equal(other.predict_proba(asked), before)
    other.partial_fit(new, y)
    assert abs(other.predict_proba(asked) - before).max() > 1e-3
    other.forget(new, y)
    np.testing.assert_allclose(other.predict_proba(asked), before, atol=1e-9)


def test_rows_forgotten_and_learned_again_leave_what_was(learned, tmp_path):
    table, y = rings(600, 0)
    asked, _ = rings(50, 7)
    learned.save(tmp_path / "m.bayes")
    other = bf.load(tmp_path / "m.bayes")
    some = {name: cells[:200] for name, cells in table.items()}
    other.forget(some, y[:200])
    assert abs(other.predict_proba(asked) - learned.predict_proba(asked)).max() > 1e-3
    other.partial_fit(some, y[:200])
    np.testing.assert_allclose(other.predict_proba(asked), learned.predict_proba(asked), atol=1e-9)


def test_models_of_the_same_landmarks_are_merged(learned):
    new, y = rings(100, 1)
    asked, _ = rings(50, 7)
    other = learned.blank().partial_fit(new, y)
    both = learned + other
    one_by_one = deepcopy(learned)
    for i in range(len(y)):
        one_by_one.partial_fit({name: cells[i] for name, cells in new.items()}, y[i])
    at_once = deepcopy(learned).partial_fit(new, y)
    np.testing.assert_allclose(one_by_one.predict_proba(asked), at_once.predict_proba(asked), atol=1e-9)
    parzen = [m.model_.members["parzen"] for m in (both, at_once)]
    said = [m.log_proba(m.schema.encode(frame_of(asked, np.arange(50)))) for m in parzen]
    np.testing.assert_allclose(*said, atol=1e-9)


def test_a_row_at_whose_landmark_its_class_has_no_rows_was_not_learned(learned):
    member = learned.model_.members["parzen"]
    table, y = rings(600, 0)
    layout = member.tally.layout
    for labels, expected in ((y[:3], None), ([*y[:2], 1 - y[2]], 2)):
        batch = member.schema.encode(frame_of(table, [0, 1, 2]), labels)
        assert first_nowhere_near(member.tally, count(layout.schema, layout.cliques, batch), batch) == expected


def test_a_row_left_out_is_a_model_without_it(learned):
    member = learned.model_.members["parzen"]
    table, y = rings(600, 0)
    some = [0, 17, 333]
    batch = member.schema.encode(frame_of(table, some), y[some])
    out = member.log_proba(batch, leave_out=True)
    for i in range(len(some)):
        row = batch.take(np.array([i]))
        np.testing.assert_allclose(out[i], member.without(row).log_proba(row)[0], atol=1e-9)


def test_explanations_add_up(learned):
    new, _ = rings(10, 1)
    p = learned.predict_proba(new)
    reasons = learned.explain(new)
    for i in range(10):
        assert np.isclose(abs(np.log(p[i, 1] / p[i, 0])), abs(reasons.margins[i].sum()), atol=1e-9)
        assert abs(reasons[i].log_odds) == pytest.approx(abs(np.log(p[i, 1] / p[i, 0])))


def test_what_was_forgotten_is_not_in_the_file(tmp_path):
    table, y = rings(600, 0)
    clf = bf.BayesClassifier().fit(table, y)
    gone = np.arange(600) < 300
    kept_before = len(clf.model_.members["parzen"].schema.columns)
    clf.forget({name: cells[gone] for name, cells in table.items()}, y[gone])
    clf.save(tmp_path / "m.bayes")
    other = bf.load(tmp_path / "m.bayes")
    (column,) = [c for c in other.model_.schema.features if isinstance(c, Landmarks)]
    assert len(column.places) == 300
    assert kept_before == len(other.model_.members["parzen"].schema.columns)
    new, _ = rings(50, 1)
    np.testing.assert_allclose(other.predict_proba(new), clf.predict_proba(new), atol=1e-9)


def test_a_class_without_rows_changes_no_distance():
    draw = np.random.default_rng(0)
    x = draw.normal(size=(20, 2))
    vector = Vector("all", (Scaled("a"), Scaled("b")))
    alone = Moments(np.array([20e-9]), 1e-9 * x.sum(0)[None], 1e-9 * (x.T @ x)[None])
    beside = Moments(
        np.array([20e-9, 0.0]), *(np.concatenate([part, 0 * part]) for part in (alone.first, alone.second))
    )
    found = [near_rows.whitening(sums, vector, 0.5) for sums in (alone, beside)]
    np.testing.assert_allclose(*(w @ w.T for w in found), rtol=1e-12)


def frame_of(table, rows):
    return Frame.of({name: cells[rows] for name, cells in table.items()})


def test_neighbouring_widths_share_their_exponentials_and_others_do_not():
    """Both ways each width has the densities that it has alone."""
    draw = np.random.default_rng(0)
    places = np.unique(draw.normal(size=(30, 2)), axis=0)
    column = Landmarks("all", (Scaled("a"), Scaled("b")), places, np.eye(2))
    weight = np.zeros((2, 30))
    weight[draw.integers(0, 2, 30), np.arange(30)] = 1.0
    rows = near_rows.HeldOutRows(places, weight.argmax(0), np.log(np.full((30, 2), 0.5)), np.ones(30), None)
    for widths in (near_rows.widths_around(0.4), (0.2, 0.3, 0.7)):
        together = near_rows.Whitened(rows, column, weight, 1.0, widths)
        for width in widths[1:]:
            alone = near_rows.Whitened(rows, column, weight, 1.0, (width,)).log_joint(width)
            np.testing.assert_allclose(together.log_joint(width), alone, rtol=1e-11)
        assert len(together.log_joints) == (13 if len(widths) == 13 else 2)
