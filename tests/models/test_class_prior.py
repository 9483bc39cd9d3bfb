"""Class probabilities where a class has no rows, is given a weight, or loses its only row."""

import numpy as np
import pytest

import bayesfold as bf

X, Y = {"a": [*"uuvvvu"]}, [*"ppppqq"]


def test_a_declared_class_without_rows_has_no_balance_to_keep() -> None:
    """Classes are weighed by 1 / (K share); one without rows, which has no share, is weighed as if it had its own."""
    plain, clf = (
        bf.NaiveBayes(class_weight=weight).partial_fit(X, Y, classes=["p", "q", "never"])
        for weight in (None, "balanced")
    )
    found, before = (np.log(some.predict_proba({})[0]) for some in (clf, plain))
    assert np.isfinite(found).all()
    weights = -np.log(3 * np.array([1 / 3, 4 / 6, 2 / 6]))  # never, p, q
    moved = before + weights
    np.testing.assert_allclose(found, moved - np.log(np.exp(moved).sum()), atol=1e-12)


@pytest.mark.parametrize("weight", [None, "balanced", {"p": 3.0, "lone": 0.5}])
def test_the_only_row_of_a_class_can_be_left_out(weight: object) -> None:
    table, labels = {"a": [*"uuvvvuu"]}, [*Y, "lone"]
    clf = bf.NaiveBayes(class_weight=weight).fit(table, labels)
    found = clf.leave_one_out(table, labels)
    assert np.isfinite(found).all()
    less = bf.NaiveBayes(class_weight=weight, schema=clf.schema_).fit({"a": table["a"][:-1]}, labels[:-1])
    np.testing.assert_allclose(found[-1], less.predict_log_proba({"a": ["u"]})[0], atol=1e-9)
