"""Holes are weak evidence: what they say of a rare class is pulled to what they say of all."""

import numpy as np
import pytest
from scipy.stats import betabinom

from bayesfold import AODE, KDB, BayesClassifier, GaussianBayes, NaiveBayes
from bayesfold.learning.holes import ENOUGH, STRENGTHS, by_class, speaks, strength


def test_classes_that_miss_alike_say_nothing():
    draw = np.random.default_rng(0)
    rows = np.array([300.0, 77.0, 23.0])
    found = [strength(draw.binomial(rows.astype(int), 0.1).astype(float), rows) for _ in range(200)]
    assert np.mean(np.array(found) >= 100.0) > 0.9


def test_classes_that_differ_speak_and_rare_ones_do_not():
    assert strength(np.array([150.0, 5.0]), np.array([300.0, 300.0])) <= 10.0
    assert speaks(np.array([150.0, 5.0]), np.array([300.0, 300.0]))
    assert not speaks(np.array([150.0, 5.0, 0.0]), np.array([300.0, 300.0, 10.0]))  # of ten, two or three would miss
    assert not speaks(np.array([30.0, 30.0]), np.array([300.0, 300.0]))


def by_how_much(rows):
    """Missing cells of three classes of so many rows, from none more than chance to all of one class."""
    more = range(0, rows - rows // 10, max(1, rows // 20))
    return [np.array([0.0, few, few + k]) for few in (0, 2, rows // 10) for k in more]


@pytest.mark.parametrize("rows", [30, 60, 2_000])
def test_how_far_classes_are_heard_is_what_makes_their_holes_most_likely(rows):
    """Holes are heard where that is not the greatest strength, and enough of them are expected."""
    n, found = np.array([rows, rows, rows / 2]), set()
    for missing in by_how_much(rows // 2):
        share = (missing.sum() + 1) / (n.sum() + 2)
        chances = [betabinom.logpmf(missing, n, m * share, m * (1 - share)).sum() for m in STRENGTHS]
        m = STRENGTHS[int(np.argmax(chances))]
        assert strength(missing, n) == m
        assert speaks(missing, n) == (m < 1_000 and rows / 2 * share >= ENOUGH)
        found.add(m)
    assert len(found) > 3


def test_rows_weigh_by_their_share():
    absent, classes = np.array([True, False, True, False]), np.array([0, 0, 1, 1])
    for weight in (np.ones(4), np.full(4, 20.0), np.full(4, 1e-3)):
        missing, rows = by_class(absent, classes, weight)
        np.testing.assert_allclose([missing, rows], [[1, 1], [2, 2]])


def rare(seed=0, holes=0.1):
    """400 rows, 23 of a rare class that the last column tells well and in which no row lacks a value."""
    draw = np.random.default_rng(seed)
    y = np.array(["often"] * 250 + ["seldom"] * 127 + ["rare"] * 23)
    k = np.searchsorted(["often", "rare", "seldom"], y)
    x = {f"x{j}": draw.normal(size=400) + 0.7 * k for j in range(4)}
    x |= {"c": np.array([*"abc"])[np.where(draw.random(400) < 0.85, k, draw.integers(0, 3, 400))].astype(object)}
    for name in x:
        gone = (draw.random(400) < holes) & (y != "rare")
        x[name][gone] = None if name == "c" else np.nan
    return x, y


@pytest.mark.parametrize(
    "clf", [NaiveBayes(), AODE(), KDB(), GaussianBayes(), BayesClassifier()], ids=lambda clf: type(clf).__name__
)
def test_a_missing_cell_does_not_rule_out_a_rare_class(clf):
    x, y = rare()
    clf = clf.fit(x, y)
    place = clf.classes_.tolist().index("rare")
    row = {"x0": 0.7, "x1": 0.7, "x2": 0.7, "x3": 0.7, "c": "b"}
    whole = clf.predict_proba(row)[0, place]
    for name in ("x0", "x1", "x2", "x3"):
        assert clf.predict_proba(row | {name: None})[0, place] > whole / 3, name


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [NaiveBayes, GaussianBayes, BayesClassifier], ids=lambda make: make.__name__)
@pytest.mark.parametrize("cell", [None, "never seen"])
def test_a_category_that_is_not_known_does_not_rule_out_a_rare_class(make, cell, seed):
    """23 of 400 rows are rare, and none of them lacks the cell: its odds are near those of the levels together."""
    draw = np.random.default_rng(seed)
    k = np.arange(400) < 23
    level = np.where(draw.random(400) < 0.5 + 0.3 * k, "u", "v").astype(object)
    level[~k & (draw.random(400) < 0.1)] = None
    clf = make().fit({"a": draw.normal(1.5 * k), "b": level}, np.where(k, "rare", "common"))
    u, v, hole = (clf.predict_proba({"a": 1.5, "b": b})[0, 1] for b in ("u", "v", cell))
    mean = (u + v) / 2
    assert 0.5 < (hole / (1 - hole)) / (mean / (1 - mean)) < 2


def test_holes_that_tell_are_still_heard():
    draw = np.random.default_rng(1)
    y = draw.integers(0, 2, 600)
    x = draw.normal(size=600)
    x[draw.random(600) < np.where(y == 1, 0.6, 0.1)] = np.nan
    table = {"x": x, "z": draw.normal(size=600)}
    lacking = {"x": None, "z": 0.0}
    assert BayesClassifier().fit(table, y).predict_proba(lacking)[0, 1] > 0.75
    deaf = BayesClassifier(missing_as="skip").fit(table, y)
    assert abs(deaf.predict_proba(lacking)[0, 1] - 0.5) < 0.1
    with pytest.raises(ValueError, match="missing_as='never' is not one of"):
        BayesClassifier(missing_as="never").fit(table, y)


def test_the_strengths_go_from_nothing_said_to_all():
    assert list(STRENGTHS) == sorted(STRENGTHS, reverse=True)


@pytest.mark.parametrize("clf", [GaussianBayes(), BayesClassifier(structure="parzen")], ids=["gaussian", "parzen"])
def test_a_level_that_is_forgotten_goes_where_holes_stand_at_the_mean(clf):
    """What is left answers as a model that reads columns alike and has learned the other rows alone."""
    draw = np.random.default_rng(0)
    k = np.arange(200) < 12
    level = np.array(["u", "v", "w"], object)[draw.integers(0, 3, 200)]
    level[~k & (draw.random(200) < 0.1)] = None
    table = {"a": draw.normal(1.5 * k), "b": level}
    y = np.where(k, "rare", "common")
    clf.fit(table, y)
    assert not clf.schema_.features[0].indicators[0].hole_is_level
    gone = level == "w"
    clf.forget({n: c[gone] for n, c in table.items()}, y[gone])
    assert clf.schema_.features[0].indicators[0].levels == ("u", "v")
    rest = clf.blank().partial_fit({n: c[~gone] for n, c in table.items()}, y[~gone])
    new = {"a": [0.0, 1.0, 2.0, None], "b": ["u", None, "w", None]}
    np.testing.assert_allclose(clf.predict_proba(new), rest.predict_proba(new), atol=1e-9)
    hole = {n: [c[i] for i in np.flatnonzero(level == None)[:3]] for n, c in table.items()}  # noqa: E711
    clf.forget(hole, ["common"] * 3)
