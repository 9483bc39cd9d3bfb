"""States come with the first row that shows them and go with the last: what was forgotten leaves no name."""

import pickle

import numpy as np
import pytest

import bayesfold as bf

EDGES = [("weather", "wet"), ("season", "wet")]


def rows(n=120, seed=0):
    draw = np.random.default_rng(seed)
    return {
        "season": draw.choice(["summer", "winter"], n),
        "weather": draw.choice(["rain", "sun"], n),
        "wet": draw.choice(["no", "yes"], n),
    }


SECRET = {"season": ["winter", "secret season"], "weather": ["secret weather", "rain"], "wet": ["yes", "secret"]}


def both(one, other):
    return {name: [*one[name], *other[name]] for name in one}


def same(one, other):
    """The same states and tables."""
    assert one.nodes == other.nodes
    for v in one.nodes:
        assert one.states(v) == other.states(v)
        np.testing.assert_allclose(one.table(v).values, other.table(v).values, rtol=1e-12)


HOW = [{}, {"method": "mle"}, {"method": "bdeu", "equivalent_sample_size": 5}, {"method": "backoff"}]


@pytest.mark.parametrize("how", HOW, ids=lambda how: how.get("method", "lambda"))
def test_a_network_that_forgets_and_learns_is_that_of_the_rows_that_are_left(how):
    whole, rest = bf.fit_network(EDGES, both(rows(), SECRET), **how), bf.fit_network(EDGES, rows(), **how)
    same(whole.forget(SECRET), rest)
    same(rest.partial_fit(SECRET), whole)
    same(whole.forget(SECRET).partial_fit(SECRET), whole)
    same(rest.merge(bf.fit_network(EDGES, SECRET, **how)), whole)
    same(whole.decay(0.5).forget(SECRET, [0.5, 0.5]), rest.decay(0.5))


def test_what_was_forgotten_is_in_no_file(tmp_path):
    left = bf.fit_network(EDGES, both(rows(), SECRET)).forget(SECRET)
    for ending in ("bif", "json", "net", "xmlbif"):
        bf.write_network(left, tmp_path / f"n.{ending}")
        assert b"secret" not in (tmp_path / f"n.{ending}").read_bytes()
    assert b"secret" not in pickle.dumps(left)
    found = bf.learn_network(both(rows(), both(SECRET, SECRET))).network.forget(both(SECRET, SECRET))
    assert found.states("weather") == ("rain", "sun")


def test_states_that_were_declared_or_are_to_be_kept_stay():
    states = {"weather": ["rain", "secret weather", "sun"]}
    whole = bf.BayesianNetwork.from_edges(EDGES, states=states).fit(both(rows(), SECRET))
    left = whole.forget(SECRET)
    assert left.states("weather") == ("rain", "secret weather", "sun")
    assert left.states("season") == ("summer", "winter")
    assert whole.forget(SECRET, keep_states=True).states("season") == whole.states("season")
    with pytest.raises(ValueError, match="'weather' has no state 'hail'"):
        whole.partial_fit({**SECRET, "weather": ["hail", "rain"]})


def test_a_network_without_rows_keeps_its_states():
    net = bf.fit_network(EDGES, SECRET)
    assert net.forget(SECRET).states("wet") == net.states("wet")


def test_one_row_may_bring_a_state():
    net = bf.fit_network(EDGES, rows()).partial_fit({"season": "autumn", "weather": "rain", "wet": "no"})
    assert net.states("season") == ("autumn", "summer", "winter")


def test_a_network_that_classifies_forgets_too(tmp_path):
    X, y = rows(), np.where(np.arange(120) % 3, "a", "b")
    clf = bf.NetworkClassifier(tables={"alpha": 1.0}).fit(both(X, SECRET), [*y, "secret class", "a"])
    clf.save(tmp_path / "all.bayes")
    again = bf.load(tmp_path / "all.bayes")
    for one in (clf, again):
        one.forget(SECRET, ["secret class", "a"])
        assert one.classes_.tolist() == ["a", "b"]
        assert one.predict_proba(X).shape == (120, 2)
        one.save(tmp_path / "left.bayes")
        assert b"secret" not in (tmp_path / "left.bayes").read_bytes()
        assert b"secret" not in pickle.dumps(one)
    clf.partial_fit(SECRET, ["secret class", "a"])
    assert clf.classes_.tolist() == ["a", "b", "secret class"]
    costs = {a: {b: 1 for b in ("a", "b", "secret class") if b != a} for a in ("a", "b", "secret class")}
    told = bf.NetworkClassifier(loss=costs).fit(both(X, SECRET), [*y, "secret class", "a"])
    assert len(told.forget(SECRET, ["secret class", "a"]).classes_) == 3


def test_a_chain_forgets_the_states_of_sequences_that_are_taken_away():
    usual, odd = bf.MarkovChain.fit([["a", "b", "a"]] * 3), bf.MarkovChain.fit([["secret", "a"]])
    left = usual + odd - odd
    assert left.states == ("a", "b")
    assert left.transitions() == usual.transitions()
    named = bf.MarkovChain.fit([["a", "b", "a"]], states=["secret"])
    assert (named + odd - odd).states == ("a", "b", "secret")


def numbered(n=150, seed=1):
    draw = np.random.default_rng(seed)
    sex = draw.choice(["f", "m"], n)
    return {"sex": sex.tolist(), "height": (165 + 12 * (sex == "m") + draw.normal(0, 6, n)).tolist()}


def test_a_network_with_numbers_forgets_and_learns_states_too(tmp_path):
    secret = {"sex": ["secret", "f", "secret"], "height": [150.0, 160.0, 151.0]}
    edges, numbers = [("sex", "height")], ["height"]
    whole, rest = (bf.fit_network(edges, table, numbers=numbers) for table in (both(numbered(), secret), numbered()))
    for one, other in (
        (whole.forget(secret), rest),
        (rest.partial_fit(secret), whole),
        (rest.merge(bf.fit_network(edges, secret, numbers=numbers)), whole),
    ):
        assert one.states("sex") == other.states("sex")
        for key, line in other.lines("height").items():
            got = one.lines("height")[key]
            np.testing.assert_allclose([got.intercept, got.sd], [line.intercept, line.sd], rtol=1e-7)
        np.testing.assert_allclose(one.table("sex").values, other.table("sex").values, rtol=1e-12)
    bf.write_network(whole.forget(secret), tmp_path / "n.json")
    assert b"secret" not in (tmp_path / "n.json").read_bytes()
    found = bf.learn_network(both(numbered(), secret), numbers=numbers).network
    assert found.forget(secret).states("sex") == ("f", "m")
    assert whole.forget(secret, keep_states=True).states("sex") == ("f", "m", "secret")
