"""Numbers that a network knows by intervals are found in them."""

import numpy as np
import pandas as pd

import bayesfold as bf


def test_the_network_finds_numbers_in_the_intervals_that_they_were_cut_into(tmp_path):
    draw = np.random.default_rng(0)
    y = draw.choice(["p", "q"], 200)
    X = pd.DataFrame({"n": draw.normal(size=200) + 2 * (y == "p"), "a": draw.choice(["u", "v"], 200)})
    clf = bf.NetworkClassifier(target="y").fit(X, y)
    clf.save(tmp_path / "n.bayes")
    for one in (clf, bf.load(tmp_path / "n.bayes")):
        np.testing.assert_allclose(one.to_network().predict_proba(X[:9], "y"), clf.predict_proba(X[:9]), rtol=1e-9)
