"""Numbers that a network knows by intervals are found in them."""

import numpy as np
import pandas as pd

import bayesfold as bf
from bayesfold.learning import intervals


def test_the_network_finds_numbers_in_the_intervals_that_they_were_cut_into(tmp_path):
    draw = np.random.default_rng(0)
    y = draw.choice(["p", "q"], 200)
    X = pd.DataFrame({"n": draw.normal(size=200) + 2 * (y == "p"), "a": draw.choice(["u", "v"], 200)})
    clf = bf.NetworkClassifier(target="y").fit(X, y)
    clf.save(tmp_path / "n.bayes")
    for one in (clf, bf.load(tmp_path / "n.bayes")):
        np.testing.assert_allclose(one.to_network().predict_proba(X[:9], "y"), clf.predict_proba(X[:9]), rtol=1e-9)


def test_intervals_are_named_by_where_they_are_cut():
    """Years that were cut at 2006.5 were "< 2010" and "≥ 2010"."""
    year = 2000 + np.random.default_rng(0).integers(0, 25, 400)
    clf = bf.NetworkClassifier().fit({"year": year}, np.where(year > 2006, "new", "old"))
    assert clf.cuts_ == {"year": (2006.5,)}
    assert clf.network_.states("year") == ("< 2006.5", "≥ 2006.5")


def test_intervals_that_an_older_version_named_otherwise_are_found(monkeypatch, tmp_path):
    draw = np.random.default_rng(0)
    x = 1000 * draw.normal(size=200)
    y = np.where(x + 1000 * draw.normal(size=200) > 0, "p", "q")
    now = bf.NetworkClassifier().fit({"n": x}, y)
    with monkeypatch.context() as older:
        older.setattr(intervals, "told_apart", lambda cuts, least: [f"{c:.2g}" for c in cuts])
        then = bf.NetworkClassifier().fit({"n": x}, y)
        then.save(tmp_path / "m.bayes")
    assert then.network_.states("n") != now.network_.states("n")
    for clf in (then, bf.load(tmp_path / "m.bayes")):
        np.testing.assert_array_equal(clf.predict_proba({"n": x}), now.predict_proba({"n": x}))
        np.testing.assert_array_equal(clf.leave_one_out({"n": x}, y), now.leave_one_out({"n": x}, y))
        clf.partial_fit({"n": x[:5]}, y[:5]).forget({"n": x[:5]}, y[:5])
        np.testing.assert_allclose(clf.predict_proba({"n": x}), now.predict_proba({"n": x}), rtol=1e-12)
    assert then.fit({"n": x}, y).network_.states("n") == now.network_.states("n")
