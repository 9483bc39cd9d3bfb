"""The generated triage: what it looks like, and that deciding by cost pays on rows held out."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.demo.triage import HOLES, LOSS, PLACES, SECOND_LOOK, SHARES, triage


def test_the_table_is_as_described_and_the_same_each_time():
    X, y = triage(5000)
    again, labels = triage(5000)
    assert X.equals(again)
    np.testing.assert_array_equal(y, labels)
    assert set(y) == set(PLACES) == set(LOSS)
    for place, share in zip(PLACES, SHARES, strict=True):
        assert abs((y == place).mean() - share) < 0.02
    holes = np.mean([X[name].null_count for name in X.column_names]) / 5000
    assert abs(holes - HOLES) < 0.01
    assert not X.equals(triage(5000, seed=1)[0])


@pytest.mark.slow
def test_no_column_decides_by_itself():
    X, y = triage(3000)
    alone = [bf.evaluate(bf.NaiveBayes(), X.select([c]), y).scores["NaiveBayes"]["AUC"].value for c in X.column_names]
    whole = bf.evaluate(bf.NaiveBayes(), X, y).scores["NaiveBayes"]["AUC"].value
    assert max(alone) < whole - 0.03


@pytest.mark.slow
def test_deciding_by_cost_costs_less_than_the_most_probable_class():
    X, y = triage(2400)
    models = {
        "most probable": bf.NaiveBayes(numeric="gaussian"),
        "least risk": bf.NaiveBayes(numeric="gaussian", loss=LOSS),
        "second look": bf.NaiveBayes(numeric="gaussian", loss=LOSS, reject_cost=SECOND_LOOK),
    }
    judged = bf.evaluate(models, X, y, folds=10, repeats=10)
    for name in ("least risk", "second look"):
        assert judged.difference(name, "most probable", "cost").high < 0
    assert judged.difference("second look", "least risk", "cost").high < 0
    assert 0.9 < judged.scores["second look"]["coverage"].value < 1
