"""Strengths of arcs: sure ones are sure, chance ones are not; their average is a network; the published threshold."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

import bayesfold as bf
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning import structure
from bayesfold.networks.learning.bootstrap import bootstrap, find_threshold
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.strengths import ArcStrengths
from bayesfold.runtime.threads import workers

CANCER = bf.BayesianNetwork.from_edges(
    [("pollution", "cancer"), ("smoker", "cancer"), ("cancer", "xray")],
    tables={
        "pollution": {"low": 0.5, "high": 0.5},
        "smoker": {"yes": 0.4, "no": 0.6},
        "cancer": {
            ("low", "yes"): {"yes": 0.3, "no": 0.7},
            ("low", "no"): {"yes": 0.05, "no": 0.95},
            ("high", "yes"): {"yes": 0.8, "no": 0.2},
            ("high", "no"): {"yes": 0.35, "no": 0.65},
        },
        "xray": {"yes": {"dark": 0.9, "clear": 0.1}, "no": {"dark": 0.1, "clear": 0.9}},
    },
)


def test_what_is_there_is_sure_and_directed():
    table = pd.DataFrame(CANCER.sample(2_000, random_state=1))
    found = bf.learn_network(table, bootstrap=40)
    place = {v: i for i, v in enumerate(found.strengths.names)}
    for a, b in CANCER.edges:
        assert found.strengths.strength[place[a], place[b]] > 0.95
        assert found.strengths.direction[place[a], place[b]] > 0.9
    assert found.strengths.strength[place["smoker"], place["xray"]] < 0.3
    assert set(found.averaged.edges) == set(CANCER.edges)
    assert found.averaged.log_likelihood(table) < 0
    assert str(found.strengths).startswith("40 samples; an arc is taken for real from a strength of")
    assert "100.0%" in str(found)
    again = bf.learn_network(table, bootstrap=40)
    assert (again.strengths.strength == found.strengths.strength).all()
    assert (found.strengths.strength == found.strengths.strength.T).all()
    both = found.strengths.direction + found.strengths.direction.T
    np.testing.assert_allclose(both[found.strengths.strength > 0], 1.0)


def test_rules_and_weights_reach_the_samples():
    table = pd.DataFrame(CANCER.sample(300, random_state=1))
    found = bf.learn_network(table, bootstrap=10, forbid=[("smoker", "cancer"), ("cancer", "smoker")], max_parents=1)
    place = {v: i for i, v in enumerate(found.strengths.names)}
    assert found.strengths.strength[place["smoker"], place["cancer"]] == 0
    assert max(len(found.averaged.parents(v)) for v in found.averaged.nodes) <= 1
    nothing = bf.learn_network(table, bootstrap=5, weight=np.eye(300)[0])
    assert not nothing.strengths.strength.any()


def test_arcs_that_would_close_a_circle_are_turned_or_left_out():
    direction = np.zeros((3, 3))
    for u, v in ((0, 1), (1, 2), (2, 0)):
        direction[u, v], direction[v, u] = 0.9, 0.1
    strength = np.array([[0, 1.0, 0.8], [1.0, 0, 0.9], [0.8, 0.9, 0]])
    found = ArcStrengths(("a", "b", "c"), strength, direction, 10, 0.5, "10 samples")
    links = found.averaged(Rules.of("abc"))
    assert links.tolist() == [[False, True, True], [False, False, True], [False, False, False]]
    strict = found.averaged(Rules.of("abc", forbid=[("a", "c")]))
    assert strict.sum() == 2
    assert len(Dag.of([], "abc").order) == 3
    assert found.averaged(Rules.of("abc"), least=0.95).sum() == 1
    assert [pair[:2] for pair in found.pairs()] == [("a", "b"), ("b", "c"), ("c", "a")]


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40))
def test_the_threshold_minimises_the_published_norm(counts):
    strengths = np.array(counts) / 20
    knots = np.unique(np.concatenate([[0.0], strengths, [1.0]]))
    share = np.array([(strengths <= k).mean() for k in knots[:-1]])

    def norm(p):
        return float(np.diff(knots) @ np.abs(share - p))

    found = find_threshold(strengths)
    best = min(norm(minimize_scalar(norm, bounds=(0, 1), method="bounded").x), *(norm(p) for p in share))
    assert found in strengths or found == 1.0
    below = (strengths < found).mean()  # p lies between the shares below and up to the threshold
    assert (
        min(norm(p) for p in [below, *(s for s in share if below <= s <= (strengths <= found).mean())]) <= best + 1e-9
    )


def test_errors_and_interruptions(monkeypatch):
    table = pd.DataFrame(CANCER.sample(200, random_state=1))
    with pytest.raises(ValueError, match="bootstrap must be at least 0, not -3"):
        bf.learn_network(table, bootstrap=-3)

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(structure, "drawn_again", stopped)
    found = bf.learn_network(table, bootstrap=10)
    assert found.interrupted
    assert found.strengths is None


def test_an_interruption_of_one_sample_ends_the_others():
    rules, learned = Rules.of(("a", "b")), []

    def learn(rows, draw):
        learned.append(len(rows))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bootstrap(learn, rules, 10_000, 400, np.random.default_rng(0))
    assert len(learned) <= workers()
