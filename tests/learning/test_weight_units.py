"""Weights say how much rows count beside each other: the unit in which they are given makes no model surer."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.batch import Batch
from bayesfold.learning.choices import weight_of_a_row

ROWS = 240


def table(rows, seed):
    """Five columns, of which one tells something, and two classes."""
    draw = np.random.default_rng(seed)
    own = draw.integers(0, 2, rows)
    columns = {f"n{j}": draw.normal(size=rows) for j in range(3)} | {
        f"c{j}": draw.choice([*"uvwxyz"], rows).tolist() for j in range(2)
    }
    columns["n0"] = columns["n0"] + 0.8 * own
    columns["c0"] = np.where((own == 1) & (draw.random(rows) < 0.4), "u", columns["c0"]).tolist()
    return columns, np.array([*"pq"])[own]


@pytest.mark.parametrize("make", [bf.AODE, bf.KDB, bf.TAN, bf.SPODE], ids=lambda make: make.__name__)
@pytest.mark.parametrize("unit", [16.0, 4096.0])
def test_the_unit_of_weights_changes_no_cut_and_hardly_an_answer(make, unit):
    x, y = table(ROWS, 0)
    plain = make().fit(x, y)
    weighed = make().fit(x, y, sample_weight=np.full(ROWS, unit))
    for one, other in zip(plain.schema_.features, weighed.schema_.features, strict=True):
        assert one == other
    new, _ = table(400, 1)
    assert np.abs(weighed.predict_proba(new) - plain.predict_proba(new)).max() < 0.1


@pytest.mark.parametrize("make", [bf.NaiveBayes, bf.AODE, bf.KDB, bf.BayesClassifier], ids=lambda make: make.__name__)
def test_weights_of_a_survey_make_new_rows_no_surprise(make):
    """Each row stands for thousands of people, some for more; log(2) is what guessing costs."""
    (x, y), (new, truth) = table(ROWS, 2), table(2_000, 3)
    weight = np.random.default_rng(4).uniform(2_000, 9_000, ROWS)
    p = make().fit(x, y, sample_weight=weight).predict_proba(new)
    loss = -np.log(p[np.arange(len(truth)), (truth == "q").astype(int)]).mean()
    assert loss < 0.75


def test_copies_are_rows():
    x, y = table(ROWS, 5)
    twice = {name: [*cells, *cells] for name, cells in x.items()}
    counted = bf.NaiveBayes(weights_are="counts", numeric="mdl").fit(x, y, sample_weight=np.full(ROWS, 2.0))
    there = bf.NaiveBayes(numeric="mdl").fit(twice, [*y, *y])
    assert counted.schema_.features == there.schema_.features
    assert weight_of_a_row(Batch(2, weight=np.array([3.0, 5.0]))) == 4.0
    assert weight_of_a_row(Batch(2, weight=np.array([3.0, 5.0]), copies=True)) == 1.0


def test_a_hole_in_a_weighted_table_is_as_weak_evidence_as_in_one_without_weights():
    draw = np.random.default_rng(6)
    own = np.r_[np.zeros(377, int), np.ones(23, int)]
    x = np.where((draw.random(400) < 0.1) & (own == 0), np.nan, draw.normal(size=400) + own)
    asked = [{"x": None}]
    plain = bf.BayesClassifier().fit({"x": x}, own).predict_proba(asked)
    weighed = bf.BayesClassifier().fit({"x": x}, own, sample_weight=np.full(400, 4096.0)).predict_proba(asked)
    np.testing.assert_allclose(weighed, plain, atol=0.02)
