"""What is credited to the prior and to each column sums to the log joint."""

from typing import Any

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame

DRAW = np.random.default_rng(7)
Y = DRAW.choice([*"pq"], 60)
X = {"coat": np.where(DRAW.random(60) < 0.7, Y, "n").tolist(), "mass": (DRAW.normal(size=60) + (Y == "p")).tolist()}
PRIORS = {"p": 0.9, "q": 0.1}


@pytest.mark.parametrize(
    "clf",
    [
        bf.NaiveBayes(priors=PRIORS),
        bf.NaiveBayes(class_weight={"p": 5.0}, calibration="temperature"),
        bf.TAN(priors=PRIORS),
        bf.GaussianBayes(priors=PRIORS),
    ],
    ids=["naive", "weighted", "tan", "gaussian"],
)
def test_lines_sum_to_the_log_joint_under_given_priors_too(clf: Any) -> None:
    model = clf.fit(X, Y).model_
    batch = model.schema.encode(Frame.of(X))
    lines = model.contributions(batch)
    np.testing.assert_allclose(lines.sum(1), model.log_joint(batch), rtol=1e-9, atol=1e-9)
    if clf.priors is None:
        return
    learned = clf.set_params(priors=None).fit(X, Y).model_
    np.testing.assert_allclose(lines[:, 1:], learned.contributions(batch)[:, 1:], rtol=1e-9, atol=1e-9)
    own = (lines - learned.contributions(batch))[:, 0]
    expected = np.log([0.9, 0.1]) - learned.log_prior()
    np.testing.assert_allclose(own[:, 0] - own[:, 1], expected[0] - expected[1], rtol=1e-9)
