"""scikit-learn's common checks of estimators, all of them, with nothing expected to fail."""

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import bayesfold

ESTIMATORS = [
    bayesfold.BernoulliNB(),
    bayesfold.CategoricalNB(),
    bayesfold.ComplementNB(),
    bayesfold.GaussianNB(),
    bayesfold.MinimumRisk(bayesfold.GaussianNB(), loss=None),
    bayesfold.MultinomialNB(),
    bayesfold.NaiveBayes(),
    bayesfold.TextClassifier(),  # whose tables of numbers are read as NaiveBayes reads them
]


@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
@parametrize_with_checks(ESTIMATORS)
def test_check(estimator: Any, check: Any) -> None:
    check(estimator)
