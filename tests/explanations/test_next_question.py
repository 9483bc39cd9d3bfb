"""What to ask next: the value of an answer, beside its definition."""

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold.explanations.candidate_values import levels_of
from bayesfold.plots import densities

DRAW = np.random.default_rng(5)
Y = np.array(["p", "q", "r"])[DRAW.integers(0, 3, 200)]
X = pd.DataFrame(
    {
        n: np.where(DRAW.random(200) < share, Y, DRAW.choice([*"pqr"], 200))
        for n, share in (("weak", 0.1), ("middling", 0.4), ("strong", 0.8))
    }
)
LOSS = {"p": {"q": 3, "r": 1}, "q": {"p": 1, "r": 6}, "r": {"p": 2, "q": 1}}


@pytest.mark.parametrize("loss", [None, LOSS])
@pytest.mark.parametrize("reject", [None, 0.4])
@pytest.mark.parametrize("row", [{}, {"weak": "q"}, {"weak": "p", "middling": "r"}])
def test_gains_by_their_definition(loss, reject, row):
    clf = bf.NaiveBayes(loss=loss, reject_cost=reject).fit(X, Y)
    limit = np.inf if reject is None else reject

    def least(cells):
        p = clf.predict_proba({"weak": None} | cells)
        return min(bf.conditional_risk(p, loss, classes=clf.classes_).min(), limit)

    found = clf.what_to_ask({"weak": None} | row)
    assert found.risk == pytest.approx(least(row))
    assert set(found) == set(X) - set(row)
    joint = np.exp(clf.predict_joint_log_proba({"weak": None} | row)).sum()
    for column in found:
        after = 0.0
        for value in "pqr":
            cells = {**row, column: value}
            after += np.exp(clf.predict_joint_log_proba(cells)).sum() / joint * least(cells)
        assert found[column] == pytest.approx(least(row) - after, abs=1e-12)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert min(found.values()) >= 0


def test_the_telling_column_is_asked_for():
    clf = bf.NaiveBayes().fit(X, Y)
    found = clf.what_to_ask({"weak": "p"})
    assert found.best == "strong"
    assert str(found).splitlines()[1].split() == ["to", "ask", "lowers", "risk", "by", "to"]
    assert "strong" in found._repr_html_()


def test_the_gain_of_a_number_is_that_of_many_drawn_values():
    n = DRAW.normal(np.select([Y == "p", Y == "q"], [0.0, 2.0], 4.0))
    clf = bf.NaiveBayes(families={"n": "gaussian"}).fit(X.assign(n=n), Y)
    found = clf.what_to_ask({"weak": "p", "middling": None})
    p = clf.predict_proba({"weak": "p"})[0]
    drawn, labels = clf.sample(60_000, random_state=0)  # by class, then weighed as the row's posterior says
    weight = (
        p[np.searchsorted(clf.classes_, labels)]
        / np.bincount(np.searchsorted(clf.classes_, labels), minlength=3)[np.searchsorted(clf.classes_, labels)]
    )
    table = pd.DataFrame({"weak": "p", "middling": None, "strong": None, "n": drawn["n"]})
    after = 1 - clf.predict_proba(table).max(1)
    assert found["n"] == pytest.approx((1 - p.max()) - after @ weight, abs=0.005)


def test_missing_is_no_answer_even_where_it_is_a_value():
    holed = X.where(DRAW.random(X.shape) < 0.8, None)
    clf = bf.NaiveBayes(missing_as="value").fit(holed, Y)
    assert any(None in c.levels for c in clf.schema_.features)
    assert all(None not in values for values in levels_of(clf.model_).values())
    assert min(clf.what_to_ask({"weak": "p"}).values()) >= 0
    row = holed.dropna().iloc[0].to_dict()
    assert all(new is not None for _, _, new in clf.what_would_change(row).changes)
    assert "missing" in densities.data(clf)[1][0].values


def test_a_block_of_nothing_missing_is_said():
    clf = bf.NaiveBayes().fit(X, Y)
    with pytest.raises(ValueError, match="no column of this row is missing"):
        clf.what_to_ask(X[:1])


HOLES = pd.DataFrame({"heat": np.where(DRAW.random(200) < 0.2, np.nan, DRAW.normal(Y == "p")), "strong": X["strong"]})


@pytest.mark.parametrize(
    "clf",
    [
        bf.NaiveBayes(missing_as="value"),
        bf.NaiveBayes(weights="auto"),
        bf.AODE(combine="pool"),
        bf.AODE(combine="pool", families={"heat": "gaussian"}),
        bf.GaussianBayes(),
        bf.BayesClassifier(structure="naive"),
        bf.BayesClassifier(),
    ],
)
def test_models_that_draw_no_rows_know_what_to_ask_and_what_to_change(clf):
    clf.fit(HOLES, Y)
    found = clf.what_to_ask({"heat": None})
    assert set(found) == {"heat", "strong"}
    assert found.best == "strong"
    assert 0 < found["strong"] < found.risk
    assert clf.what_would_change({"heat": 0.0, "strong": "p"}).changes


def test_a_pool_expects_what_its_members_expect():
    plain = bf.NaiveBayes(alpha="auto").fit(X, Y)
    pool = bf.BayesClassifier(structure="naive").fit(X, Y)
    pool.model_.members = {"only": plain.model_}
    pool.model_.weights, pool.model_.bias, pool.model_.doubt = (1.0,), (), 0.0
    for row in ({"weak": None}, {"weak": "q"}):
        one, two = plain.what_to_ask(row), pool.what_to_ask(row)
        assert dict(two) == pytest.approx(dict(one))
        assert two.risk == pytest.approx(one.risk)
