"""Importances of columns, of the model alone."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel

import bayesfold as bf

DRAW = np.random.default_rng(0)
LABELS = DRAW.choice([*"pq"], 400)
TABLE = pd.DataFrame(
    {
        "noise": DRAW.normal(size=400),
        "weak": DRAW.normal(size=400) + 0.7 * (LABELS == "p"),
        "strong": np.where(DRAW.random(400) < 0.9, LABELS, "r"),
        "same": 1.0,
    }
)
ONE_OF_EACH = [bf.NaiveBayes(), bf.TAN(), bf.AODE(), bf.BayesClassifier()]


@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
@pytest.mark.parametrize("clf", ONE_OF_EACH, ids=lambda clf: type(clf).__name__)
def test_the_column_that_tells_more_has_more(clf):
    found = clf.fit(TABLE, LABELS).feature_importances_
    assert found.sum() == pytest.approx(1)
    noise, weak, strong, same = found
    assert strong > weak > noise >= 0
    assert same == 0
    np.testing.assert_array_equal(found, clf.feature_importances_)


@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
def test_scikit_learn_selects_by_them():
    chosen = SelectFromModel(bf.NaiveBayes(), threshold=0.3).fit(TABLE, LABELS)
    assert chosen.get_support().tolist() == [False, False, True, False]


def test_parts_of_dates_count_for_their_column():
    days = pd.Series(pd.date_range("2024-01-01", periods=300, freq="17h"))
    clf = bf.NaiveBayes().fit(pd.DataFrame({"sold": days}), days.dt.day_of_week < 5)
    assert clf.feature_importances_.tolist() == [1.0]


def test_a_model_without_rows_has_none():
    with pytest.raises(NotFittedError):
        bf.NaiveBayes().feature_importances_  # noqa: B018
    mixed = bf.GaussianBayes().fit(TABLE[["weak", "strong"]], LABELS)
    assert not hasattr(mixed, "feature_importances_")
    with pytest.raises(AttributeError, match=r"rows cannot be drawn from it; explain\(X\)"):
        mixed.feature_importances_  # noqa: B018
