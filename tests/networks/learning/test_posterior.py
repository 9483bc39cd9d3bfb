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
