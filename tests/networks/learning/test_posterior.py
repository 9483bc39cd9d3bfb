"""P(arc | rows): against the sum over all networks and all their orders; walks come near it; what is refused."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from tests.kernels.reference import uncompiled
from tests.kernels.structure.test_families import drawn
from tests.networks.graphs import times

import bayesfold as bf
from bayesfold.networks.learning import posterior, scores
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.scores import LocalScores


def by_brute_force(local, rules):
    """P(arc | rows) by going through all orders, and for each through all parents of each node."""
    n = len(rules.names)
    top, total, arcs = -np.inf, 0.0, np.zeros((n, n))
    for order in permutations(range(n)):
        choices = []
        for place, v in enumerate(order):
            sets = [
                [u for u in order[:place] if chosen >> u & 1]
                for chosen in range(1 << n)
                if all(u in order[:place] and rules.allowed[u, v] for u in range(n) if chosen >> u & 1)
            ]
            required = set(np.flatnonzero(rules.required[:, v]))
            choices.append([(v, s) for s in sets if required <= set(s) and len(s) <= rules.most])
        for network in product(*choices):
            score = sum(local.of(v, parents) for v, parents in network)
            if score > top:
                total, arcs, top = total * np.exp(top - score), arcs * np.exp(top - score), score
            total += np.exp(score - top)
            for v, parents in network:
                arcs[parents, v] += np.exp(score - top)
    return arcs / total


@pytest.mark.parametrize("kind", posterior.PROBABILITIES)
def test_the_sum_over_all_orders_is_that_of_all_networks(kind):
    for seed in range(times(20)):
        draw = np.random.default_rng(seed)
        cards = draw.choice([2, 3], 4).tolist()
        local = LocalScores(drawn(draw, int(draw.choice([10, 60])), cards), cards, kind, 0.5)
        ruled = Rules.of("abcd", [("d", "a")], [("b", "c")], [["d"], ["c"]], 2)
        for rules in (Rules.of("abcd"), ruled):
            found = posterior.sum_over_orders(local, rules)
            expected = by_brute_force(local, rules)
            np.testing.assert_allclose(found.strength * found.direction, expected, atol=1e-10)
            assert found.samples == 0
            assert "at most 3 parents" in found.caption or rules.most == 2


def test_walks_come_near_the_exact_sum():
    draw = np.random.default_rng(4)
    cards = [2, 3, 2, 2, 2, 3]
    local = LocalScores(drawn(draw, 80, cards), cards, "bdeu")
    rules = Rules.of("abcdef", require=[("b", "a")], forbid=[("a", "f")])
    exact = posterior.find_arc_posterior(local, rules, rules.required, True, draw)
    walked = posterior.find_arc_posterior(local, rules, rules.required, 6_000, draw)
    np.testing.assert_allclose(walked.strength, exact.strength, atol=0.04)
    np.testing.assert_allclose(walked.strength * walked.direction, exact.strength * exact.direction, atol=0.06)
    assert "the two walks differ by at most 0.0" in walked.caption
    assert walked.strength[0, 1] == pytest.approx(1.0)
    assert walked.direction[1, 0] == pytest.approx(1.0)


def test_compiled_and_plain_agree(monkeypatch):
    cards = [2, 3, 2, 2]
    codes = drawn(np.random.default_rng(5), 60, cards)
    rules = Rules.of("abcd", [("d", "a")])

    def both():
        local = LocalScores(codes, cards, "bic")
        yield posterior.sum_over_orders(local, rules)
        yield posterior.walk_over_orders(local, rules, rules.required, 20, np.random.default_rng(1))

    expected = list(both())
    monkeypatch.setattr(scores, "families", uncompiled("families"))
    monkeypatch.setattr(posterior, "orders", uncompiled("orders"))
    for found, other in zip(both(), expected, strict=True):
        np.testing.assert_allclose(found.strength, other.strength, atol=1e-12)
        np.testing.assert_allclose(found.direction, other.direction, atol=1e-12)


def test_many_columns_are_walked_over(monkeypatch):
    monkeypatch.setattr(posterior, "ORDERS", 1_000)
    truth = bf.read_network("smoking")
    parts = [pd.DataFrame(truth.sample(500, random_state=k)).add_suffix(f"_{k}") for k in range(5)]
    wide = pd.concat(parts, axis=1)
    found = bf.learn_network(wide, posterior=True)
    assert found.posterior.samples == posterior.ORDERS
    place = {v: i for i, v in enumerate(found.posterior.names)}
    assert found.posterior.strength[place["dyspnoea_0"], place["bronchitis_0"]] > 0.99
    assert "99." in str(found) or "100.0%" in str(found)


def test_what_has_no_posterior_is_refused():
    table = {"a": ["x", "y"] * 20, "b": ["x", "x", "y", "y"] * 10}
    with pytest.raises(ValueError, match="the score aic is no probability of the rows"):
        bf.learn_network(table, score="aic", posterior=True)
    with pytest.raises(ValueError, match="at least 2, not 1"):
        bf.learn_network(table, posterior=1)


def test_an_interruption_gives_the_network(monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("bayesfold.networks.learning.structure.arc_posterior", stopped)
    found = bf.learn_network({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20}, posterior=True)
    assert found.interrupted
    assert found.posterior is None


@pytest.mark.parametrize(("room", "most"), [(32, 3), (31, 2), (28, 2), (27, 1), (15, 1)])
def test_parents_are_as_many_as_sets_can_be_scored(monkeypatch, room, most):
    """Of four nodes each has 1, 4, 7 and 8 sets of at most 0, 1, 2 and 3 parents."""
    monkeypatch.setattr(posterior, "MOST_SETS", room)
    assert posterior.limit_parents(Rules.of("abcd"), [3] * 4) == most
    assert posterior.limit_parents(Rules.of("abcd", max_parents=2), [3] * 4) == min(most, 2)
    required = Rules.of("abcd", [("a", "d"), ("b", "d"), ("c", "d")])
    assert posterior.limit_parents(required, [3] * 4) == 3, "what is required is there"
    assert posterior.limit_parents(Rules.of("a"), [0]) == 1


def test_the_sets_of_parents_are_those_that_the_rules_allow():
    rules = Rules.of("abcde", [("c", "a")], [("e", "a")])
    candidates = np.array([4, 3, 2, 1])
    found = list(posterior.list_parent_sets(rules, 0, candidates, 2))
    assert found == [0b0100, 0b0110, 0b1100], "c is there, e never, and one of the others at most"
    assert list(posterior.list_parent_sets(rules, 0, candidates, 1)) == [0b0100]
    assert len(list(posterior.list_parent_sets(rules, 1, np.array([0, 2, 3, 4]), 4))) == 16


def test_candidates_are_what_was_found_what_is_required_and_what_tells_most(monkeypatch):
    draw = np.random.default_rng(0)
    first = draw.integers(0, 2, 300)
    near = first ^ (draw.random(300) < 0.1)
    far = first ^ (draw.random(300) < 0.3)
    others = draw.integers(0, 2, (2, 300))
    local = LocalScores(np.array([first, far, near, *others], np.uint16), [2] * 5, "bic")
    monkeypatch.setattr(posterior, "CANDIDATES", 2)
    start = np.zeros((5, 5), bool)
    found = posterior.find_candidates(local, Rules.of("abcde"), start)
    assert found[0].tolist() == [2, 1]
    start[4, 0] = start[3, 4] = True
    found = posterior.find_candidates(local, Rules.of("abcde", [("d", "a")]), start)
    assert set(found[0].tolist()) == {3, 4}
    assert found[4].tolist()[0] == 3
    assert 0 in found[4].tolist(), "a child may turn out to be a parent"
    forbidden = posterior.find_candidates(local, Rules.of("abcde", forbid=[(u, "a") for u in "bcd"]), start)
    assert forbidden[0].tolist() == [4, -1]
    start[:4, 4] = [True, True, True, False]
    assert set(posterior.find_candidates(local, Rules.of("abcde"), start)[4].tolist()) >= {0, 1, 2}


def test_orders_are_drawn_in_which_parents_stand_first():
    links = np.zeros((4, 4), bool)
    links[3, 0] = links[0, 1] = True
    seen = {tuple(posterior.draw_order(links, np.random.default_rng(seed)).tolist()) for seed in range(60)}
    assert seen == {order for order in permutations(range(4)) if order.index(3) < order.index(0) < order.index(1)}


@pytest.mark.parametrize(("how", "limit", "walked"), [(True, 4, None), (True, 3, 1_000), (2, 4, 2), (7, 4, 7)])
def test_orders_are_summed_over_where_columns_are_few_and_walked_over_otherwise(monkeypatch, how, limit, walked):
    monkeypatch.setattr(posterior, "MOST_EXACT", limit)
    monkeypatch.setattr(posterior, "ORDERS", 1_000)
    local = LocalScores(drawn(np.random.default_rng(0), 30, [2] * 4), [2] * 4, "bic")
    asked = []
    monkeypatch.setattr(posterior, "sum_over_orders", lambda *given: asked.append(None))
    monkeypatch.setattr(posterior, "walk_over_orders", lambda *given: asked.append(given[3]))
    start = np.zeros((4, 4), bool)
    posterior.find_arc_posterior(local, Rules.of("abcd"), start, how, np.random.default_rng(0))
    assert asked == [walked]


@pytest.mark.parametrize("looks", [2, 5])
def test_half_of_the_orders_are_of_each_walk(monkeypatch, looks):
    local = LocalScores(drawn(np.random.default_rng(0), 30, [2] * 4), [2] * 4, "bic")
    steps, seen = [], []

    class Walk:
        def __init__(self, order, *rest):
            seen.append([])

        def go(self, chances):
            assert chances.shape == (4, 3)
            steps.append(1)

        def look(self, arcs):
            arcs[0, 1] += 1

    monkeypatch.setattr(posterior.orders, "Walk", Walk)
    found = posterior.walk_over_orders(local, Rules.of("abcd"), np.zeros((4, 4), bool), looks, np.random.default_rng(0))
    assert len(steps) == 2 * 2 * (looks // 2), "the first half of each walk is not looked at"
    assert len(seen) == 2
    assert found.strength[0, 1] == 1.0
    assert found.caption.startswith(f"P(arc | rows) by bic over {looks} orders, at most 3 parents each; the two walks")
    assert found.caption.endswith("differ by at most 0.000")
