"""scikit-learn's common checks of estimators, all of them.

One is expected to fail where choices are made on rows held out: a row of weight 2 is one row and leaves as one, and
two copies of it leave one by one. Who says that weights are counts passes that one too.
"""

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
    bayesfold.NaiveBayes(weights_are="counts"),
    bayesfold.TextClassifier(),  # whose tables of numbers are read as NaiveBayes reads them
]

WHOLE = {"check_sample_weight_equivalence_on_dense_data": "a weighted row is held out whole, copies one by one"}


def expected_failures(estimator: Any) -> dict[str, str]:
    """The checks that an estimator does not pass, and why."""
    chooses = isinstance(estimator, bayesfold.NaiveBayes | bayesfold.TextClassifier)
    return WHOLE if chooses and estimator.weights_are == "importance" else {}


@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures, xfail_strict=True)
def test_check(estimator: Any, check: Any) -> None:
    check(estimator)
