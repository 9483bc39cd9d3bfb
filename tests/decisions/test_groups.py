"""Rows of one unit share a fold, whoever names the units and in whatever kind of table."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesfold as bf
from bayesfold.decisions.groups import (
    column_names,
    deal_groups,
    number_by_appearance,
    read_groups,
    rows_per_group,
    split_groups,
)

DRAW = np.random.default_rng(0)
PATIENT = np.repeat(np.arange(40), 6)
Y = np.repeat(DRAW.integers(2, size=40), 6)  # nothing but the patient tells the class
X = pd.DataFrame({f"x{i}": np.repeat(DRAW.normal(size=40), 6) + DRAW.normal(0, 0.01, 240) for i in range(6)})


def test_units_stay_together_and_classes_are_spread():
    sizes = DRAW.integers(1, 9, size=60)
    groups = DRAW.permutation(np.repeat(np.arange(60), sizes))
    truth = (groups % 3 == 0).astype(int)
    for fold in deal_groups(groups, truth, 5, 3, seed=1):
        assert len(set(zip(groups, fold, strict=True))) == 60
        assert np.ptp(np.bincount(fold)) <= 9
        assert np.ptp(np.bincount(fold[truth == 1], minlength=5)) <= 9
    assert (deal_groups(groups, truth, 5, 1, seed=1) == deal_groups(groups, truth, 5, 1, seed=1)).all()


def test_copies_of_a_unit_no_longer_judge_each_other():
    """Of noise, rows of the same patient gave an area of nearly 1; patients held out give chance, and say so."""
    clf = bf.NaiveBayes(numeric="kde")
    apart, together = (bf.evaluate(clf, X, Y, folds=5, groups=g).scores["NaiveBayes"]["AUC"] for g in (None, PATIENT))
    assert apart.value > 0.9
    assert together.low < 0.5 < together.high
    assert together.value < 0.75


def test_intervals_count_units():
    few, many = (
        bf.evaluate(bf.GaussianNB(), X, Y, folds=np.arange(240) // 6 % 5, groups=g).scores["GaussianNB"]["accuracy"]
        for g in (PATIENT, None)
    )
    assert few.value == many.value
    assert few.high - few.low > 1.8 * (many.high - many.low)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_a_column_names_the_units_and_is_not_read(kind):
    table = kind({**{name: X[name].to_numpy() for name in X}, "patient": [f"p{i}" for i in PATIENT]})
    rest, units = split_groups(table, "patient")
    assert "patient" not in column_names(rest)
    np.testing.assert_array_equal(units, read_groups(PATIENT, None))
    named = bf.evaluate(bf.GaussianNB(), table, Y, folds=5, groups="patient")
    given = bf.evaluate(bf.GaussianNB(), rest, Y, folds=5, groups=PATIENT)
    assert str(named) == str(given)


def test_leave_one_out_leaves_units_out():
    found = bf.evaluate(bf.GaussianNB(), X, Y, folds="leave-one-out", groups=PATIENT)
    np.testing.assert_array_equal(found.folds[0], PATIENT)
    assert "40 folds" in str(found)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"groups": "ward"}, "groups='ward' is no column of the table"),
        ({"groups": PATIENT[1:]}, "239 values for 240 rows"),
        ({"groups": [None, *PATIENT[1:].tolist()]}, "row 0 has no group"),
        ({"groups": np.zeros(240)}, "all rows are of one group, so that none can be held out"),
        ({"groups": PATIENT, "folds": 41}, "from 2 to the number of groups, 40"),
        ({"groups": PATIENT, "folds": np.arange(240) % 5}, "rows of one group into several folds"),
    ],
)
def test_what_is_wrong_is_said(told, words):
    with pytest.raises(ValueError, match=words):
        bf.evaluate(bf.GaussianNB(), X, Y, **told)


@pytest.mark.parametrize(("units", "folds"), [(2, 2), (5, 5), (7, 3)])
@pytest.mark.parametrize("repeats", [1, 3])
def test_units_are_dealt_as_often_and_into_as_many_folds_as_are_wanted(units, folds, repeats):
    groups, truth = np.arange(3 * units) % units, np.arange(3 * units) % 2
    dealt = deal_groups(groups, truth, folds, repeats, seed=1)
    assert dealt.shape == (repeats, 3 * units)
    for fold in dealt:
        assert set(fold.tolist()) == set(range(folds))
        assert all(len(set(fold[groups == one])) == 1 for one in range(units))
        held = np.bincount(fold)
        assert held.max() - held.min() <= 3, "folds differ by a unit at most"
    assert (deal_groups(groups, truth, folds, repeats, seed=1) == dealt).all()
    assert (deal_groups(groups * 10 + 5, truth, folds, repeats, seed=1) == dealt).all(), "units have no names"
    for wrong in (1, units + 1):
        with pytest.raises(ValueError, match=f"folds={wrong} must be from 2 to the number of groups, {units}"):
            deal_groups(groups, truth, wrong, repeats, seed=1)


def test_large_units_go_first_and_each_where_its_class_has_fewest_rows():
    # of class 0 units of 4, 3, 2 and 1 rows, of class 1 units of 2 and 1
    sizes, classes = [4, 3, 2, 1, 2, 1], [0, 0, 0, 0, 1, 1]
    groups, truth = np.repeat(np.arange(6), sizes), np.repeat(classes, sizes)
    for seed in range(5):
        (fold,) = deal_groups(groups, truth, 2, 1, seed=seed)
        rows = [[int(((fold == f) & (truth == c)).sum()) for c in (0, 1)] for f in (0, 1)]
        assert sorted(row[0] for row in rows) == [5, 5]
        assert sorted(row[1] for row in rows) == [1, 2]
    mixed = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    most = np.array([0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0])
    for seed in range(5):
        (fold,) = deal_groups(mixed, most, 2, 1, seed=seed)
        assert fold[0] != fold[6], "units of which most rows are of one class are spread"
        assert fold[3] != fold[9]


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_rows_of_a_unit_count_as_one(unit):
    groups, weight = np.array([0, 0, 1, 2, 2, 2]), np.array([1.0, 3.0, 2.0, 0.0, 1.0, 1.0])
    expected = (4.0**2 + 2.0**2 + 2.0**2) / (1 + 9 + 4 + 0 + 1 + 1)
    assert rows_per_group(groups, weight * unit) == pytest.approx(expected)
    assert rows_per_group(None, weight) == 1.0


def test_a_row_of_no_unit_is_named():
    with pytest.raises(ValueError, match="row 1 has no group; every row is of some unit"):
        read_groups(["a", None, None], None)
    with pytest.raises(ValueError, match="row 2 has no patient; every row is of some unit"):
        read_groups(["a", "b", None], "patient")
    assert read_groups([7, 3, 7], None).tolist() in ([0, 1, 0], [1, 0, 1])
    assert number_by_appearance(np.array([4, 4, 9, 0, 9])).tolist() == [0, 0, 1, 2, 1]
    with pytest.raises(ValueError, match="groups='p': the columns of this table have no names"):
        split_groups(np.zeros((2, 2)), "p")
    with pytest.raises(ValueError, match="groups='p' is no column of the table; it has 'a', 'b'"):
        split_groups({"a": [1], "b": [2]}, "p")
    rest, units = split_groups({"a": [1, 2], 5: ["u", "v"]}, "5")
    assert (rest, units.tolist()) == ({"a": [1, 2]}, [0, 1])
    rest, units = split_groups(pd.DataFrame({0: [1.5, 2.5], 1: [7, 7]}), "1")
    assert (list(rest.columns), units.tolist()) == ([0], [0, 0])
