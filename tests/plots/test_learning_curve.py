"""A learning curve from merged folds equals fits of the same rows."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB as Peer

import bayesfold as bf
from bayesfold.decisions.held_out import deal
from bayesfold.plots import learning_curve

from .sources import TRUTH, X, Y, drawn


def test_merged_folds_equal_fits():
    found = learning_curve.data(bf.NaiveBayes(), X, Y, folds=4)
    schema = bf.NaiveBayes().fit(X, Y).schema_
    fold = deal(TRUTH, 4, 1, 0)[0]
    for f in range(4):
        out = fold == f
        for step in range(3):
            learned = np.isin(fold, [(f + 1 + s) % 4 for s in range(step + 1)])
            p = bf.NaiveBayes(schema=schema).fit(X[learned], Y[learned]).predict_proba(X[out])
            expected = -np.log(p[np.arange(out.sum()), TRUTH[out]]).mean()
            assert found.log_loss[f, step] == pytest.approx(expected)
            assert found.accuracy[f, step] == pytest.approx((p.argmax(1) == TRUTH[out]).mean())
    np.testing.assert_allclose(found.rows, [37.5, 75, 112.5], atol=1)


@pytest.mark.parametrize(
    "clf",
    [
        bf.TAN(),
        bf.KDB(),
        bf.AODE(),
        bf.GaussianBayes(),
        bf.NaiveBayes(weights="auto"),
        bf.BayesClassifier(),
    ],
)
def test_what_is_no_statistic_is_held(clf):
    found = learning_curve.data(clf, X, Y, folds=3)
    whole = bf.evaluate(clf, X, Y, folds=deal(TRUTH, 3, 1, 0)[0], how="subtract")
    last = -np.log(next(iter(whole.proba.values()))[0][np.arange(len(Y)), TRUTH])
    by_fold = [last[whole.folds[0] == f].mean() for f in range(3)]
    np.testing.assert_allclose(found.log_loss[:, -1], by_fold, rtol=1e-6)


def test_the_figure_holds_the_numbers():
    found = learning_curve.data(bf.GaussianNB(), X[["heat", "dose"]].to_numpy(), Y, folds=5)
    figure = drawn(learning_curve, found)
    np.testing.assert_allclose(figure.data[1].y, found.log_loss.mean(0))
    np.testing.assert_allclose(figure.data[3].y, found.accuracy.mean(0))
    np.testing.assert_allclose(figure.data[1].x, found.rows)


def test_a_model_that_cannot_merge_is_refused():
    with pytest.raises(TypeError, match="GaussianNB cannot merge"):
        learning_curve.data(Peer(), X[["heat"]], Y)
