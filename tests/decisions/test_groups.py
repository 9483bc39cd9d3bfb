"""Rows of one unit share a fold, whoever names the units and in whatever kind of table."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesfold as bf
from bayesfold.decisions.groups import column_names, deal_groups, read_groups, split_groups

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
