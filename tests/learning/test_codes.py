"""Integers that name groups are read as categories; quantities, numberings and noise are not."""

import numpy as np
import pandas as pd
import pytest

from bayesfold import AODE, BayesClassifier, GaussianBayes, NaiveBayes
from bayesfold.learning.codes import CODES, bins, losses_left_out


def schools(rows=600, groups=60, seed=0):
    """Rows of schools whose sector depends on the school, not on the size of its number; and a quantity."""
    draw = np.random.default_rng(seed)
    number = draw.choice(np.arange(1000, 9000), groups, replace=False)
    sector = draw.permutation(groups) % 2
    at = draw.integers(0, groups, rows)
    X = pd.DataFrame({"school": number[at], "income": draw.normal(size=rows) + 0.5 * sector[at]})
    return X, np.where(sector[at], "public", "private")


@pytest.mark.parametrize("make", [NaiveBayes, AODE, GaussianBayes, BayesClassifier])
def test_numbers_of_schools_are_categories_to_every_classifier(make):
    X, y = schools()
    train, test = slice(0, 450), slice(450, None)
    clf = make().fit(X[train], y[train])
    columns = {line.name: line for line in clf.columns_}
    assert (columns["school"].family, columns["school"].why) == ("categorical", CODES)
    assert clf.score(X[test], y[test]) > 0.9


def test_a_school_never_seen_says_nothing():
    X, y = schools()
    clf = NaiveBayes().fit(X, y)
    new = clf.predict_proba(pd.DataFrame({"school": [7], "income": [0.3]}))
    assert new == pytest.approx(clf.predict_proba({"school": None, "income": 0.3}))


def test_what_is_declared_stays_as_it_is_declared():
    X, y = schools()
    for given in ({"families": {"school": "gaussian"}}, {"numeric": "gaussian"}):
        (school, _) = NaiveBayes(**given).fit(X, y).columns_
        assert school.family == "gaussian"


def quantity(draw, rows):
    return draw.poisson(60, rows), lambda x: 1 / (1 + np.exp((60 - x) / 6))


def noise(draw, rows):
    return draw.integers(0, rows // 5, rows), lambda x: np.full(len(x), 0.3)


def blocks(draw, rows):
    """Postcodes of two regions: where the number lies says it all."""
    return draw.integers(100, 200, rows), lambda x: np.where(x < 150, 0.05, 0.95)


@pytest.mark.parametrize("kind", [quantity, noise, blocks])
@pytest.mark.parametrize("rows", [100, 400, 2000])
def test_quantities_noise_and_regions_are_numbers(kind, rows):
    found = 0
    for seed in range(8):
        draw = np.random.default_rng(seed)
        x, chance = kind(draw, rows)
        y = (draw.random(rows) < chance(x)).astype(int)
        clf = NaiveBayes().fit(pd.DataFrame({"x": x, "z": draw.normal(size=rows)}), y)
        found += clf.columns_[0].why == CODES
    assert found == 0


def test_weights_are_heard_in_the_unit_of_rows():
    X, y = schools(rows=300)
    for unit in (1e-6, 1.0, 1e6):
        clf = NaiveBayes().fit(X, y, sample_weight=np.full(len(y), unit))
        assert clf.columns_[0].why == CODES


def test_bins_hold_equally_many_rows():
    draw = np.random.default_rng(3)
    values, cell = np.unique(draw.integers(0, 500, 4_000), return_inverse=True)
    assert np.bincount(bins(values, cell, 20)).tolist() == pytest.approx([200] * 20, abs=15)


def test_a_row_is_left_out_of_its_own_cell():
    cell, own = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 0])
    share = np.array([3, 2]) / 5
    by_hand = [(1 + share[0]) / 3, (1 + share[0]) / 3, share[1] / 3, share[1] / 2, share[0] / 2]
    assert losses_left_out(cell, own, np.ones(5)) == pytest.approx(-np.log(by_hand))


@pytest.mark.parametrize("make", [NaiveBayes, BayesClassifier])
@pytest.mark.parametrize("rows", [26, 30, 39, 40, 45])
def test_a_few_rows_of_many_integers_are_numbers(make, rows):
    """Fewer rows than the widest bins need: nothing to compare single values with."""
    draw = np.random.default_rng(rows)
    x = np.concatenate([np.arange(22) * 3, draw.choice(np.arange(22) * 3, rows - 22)])
    clf = make().fit(pd.DataFrame({"x": draw.permutation(x), "z": draw.normal(size=rows)}), np.arange(rows) % 2)
    assert clf.columns_[0].why != CODES


def test_long_numbers_of_schools_are_categories_too():
    """Integers of 64 bits that differ only in digits that no float holds."""
    X, y = schools()
    X["school"] += 2**62
    clf = NaiveBayes().fit(X[:450], y[:450])
    assert clf.columns_[0].why == CODES
    assert clf.score(X[450:], y[450:]) > 0.9
