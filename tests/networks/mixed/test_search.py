"""Climbing step by step, against every network that the rules allow: gains, moves, where it stops and what it keeps."""

from itertools import product

import numpy as np
import pytest

from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.search import LEAST
from bayesfold.networks.learning.tree import creates_circle
from bayesfold.networks.mixed import search as module
from bayesfold.networks.mixed.search import (
    MixedClimber,
    MixedTask,
    by_climbing,
    by_exact,
    by_tree,
    judge_network,
    mixed_strategy,
    refuse_many,
)

N = 4
NAMES = "abcd"
RULES = [
    Rules.of(NAMES),
    Rules.of(NAMES, max_parents=1),
    Rules.of(NAMES, require=[("a", "b"), ("c", "b")], forbid=[("b", "d"), ("d", "a")], max_parents=2),
    Rules.of(NAMES, tiers=[["c"], ["a", "b"], ["d"]], require=[("a", "b")]),
]


class Drawn:
    """Scores drawn at random for every node and every set of parents."""

    def __init__(self, seed):
        self.seed = seed

    def of(self, node, parents):
        key = [self.seed, node, sum(1 << p for p in parents)]
        return float(np.random.default_rng(key).normal()) - 0.2 * len(parents)

    def whole(self, links):
        return sum(self.of(v, frozenset(np.flatnonzero(links[:, v]).tolist())) for v in range(len(links)))


def every_network(rules):
    """All networks without circles that the rules allow, as bytes and arcs."""
    n = len(rules.names)
    for bits in product((False, True), repeat=n * n):
        links = np.array(bits).reshape(n, n)
        legal = not (links & ~rules.allowed).any() and not (rules.required & ~links).any()
        if legal and links.sum(0).max() <= rules.most and no_circle(links):
            yield links


def no_circle(links):
    seen = np.zeros(links.shape, bool)
    for u, v in np.argwhere(links):
        if creates_circle(seen, u, v):
            return False
        seen[u, v] = True
    return True


ALLOWED = {k: [links.copy() for links in every_network(rules)] for k, rules in enumerate(RULES)}


def around(links, k):
    """Networks one move away: an arc more, an arc less, or an arc turned."""
    for other in ALLOWED[k]:
        changed = links != other
        turned = changed.sum() == 2 and (changed == changed.T).all()
        if changed.sum() == 1 or turned:
            yield other


@pytest.mark.parametrize("k", range(len(RULES)))
def test_moves_are_those_that_the_rules_allow_with_what_they_gain(k):
    rules, draw = RULES[k], np.random.default_rng(k)
    for seed in range(6):
        scores = Drawn(seed)
        links = ALLOWED[k][int(draw.integers(len(ALLOWED[k])))]
        walk = MixedClimber(scores, rules, links)
        assert walk.score == pytest.approx(scores.whole(links))
        found, last = {}, np.inf
        for gain, move in walk.moves():
            assert gain <= last
            last = gain
            after = walk.made(move)
            if after is not None and gain > -np.inf:
                found[after.tobytes()] = gain
        expected = {other.tobytes(): scores.whole(other) - scores.whole(links) for other in around(links, k)}
        assert found == pytest.approx(expected)
        best = max(found.values())
        before = walk.links.copy()
        assert not walk.step(max(best, 0.0)), "a move must gain more than the least"
        assert (walk.links == before).all()
        if best > 0:
            assert walk.step(np.nextafter(best, 0))
            assert walk.score == pytest.approx(scores.whole(links) + best)


@pytest.mark.parametrize("k", range(len(RULES)))
def test_a_climb_ends_where_no_move_gains_and_keeps_what_it_met(k):
    for seed in range(4):
        scores = Drawn(seed)
        walk = MixedClimber(scores, RULES[k], RULES[k].required)
        assert walk.climb()
        assert walk.top == walk.score == pytest.approx(scores.whole(walk.best))
        assert all(scores.whole(other) <= walk.score + LEAST for other in around(walk.links, k))
        assert not walk.offer(), "it is kept already"
        walk.top -= LEAST
        assert not walk.offer(), "a gain of rounding is none"
        walk.top -= LEAST
        assert walk.offer()


@pytest.mark.parametrize("patience", [1, 3])
def test_a_walk_never_returns_and_ends_when_so_many_moves_were_in_vain(patience, monkeypatch):
    class Flat(Drawn):
        def of(self, node, parents):
            return -0.5 * len(parents)

    walk = MixedClimber(Flat(0), RULES[0], RULES[0].required)
    walk.climb()
    steps = []
    step = walk.step
    monkeypatch.setattr(walk, "step", lambda least: steps.append(walk.links.tobytes()) or step(least))
    assert not walk.wander(patience)
    assert len(steps) == patience
    assert len({*steps, walk.links.tobytes()}) == patience + 1
    assert walk.seen == {*steps, walk.links.tobytes()}


def test_a_walk_finds_what_lies_behind_a_loss():
    class Behind(Drawn):
        def of(self, node, parents):
            return {0: 0.0, 1: -1.0, 2: 3.0, 3: 1.0}[len(parents)] if node == 0 else -9.0 * len(parents)

    walk = MixedClimber(Behind(0), RULES[0], RULES[0].required)
    walk.climb()
    assert not walk.links.any()
    assert walk.wander(5)
    assert (walk.top, walk.best.sum(), walk.best[:, 0].sum()) == (3.0, 2, 2)


@pytest.mark.parametrize(("most", "arcs", "changed"), [(2, 1, 1), (2, 3, 2), (4, 12, 3), (4, 8, 2)])
def test_as_many_arcs_are_turned_or_taken_out_as_is_said(most, arcs, changed):
    n = 6
    rules = Rules.of([*"abcdef"], max_parents=most)
    every = [(u, v) for v in range(n) for u in range(v) if v - u <= most][:arcs]
    links = np.zeros((n, n), bool)
    links[tuple(np.transpose(every))] = True
    outcomes = set()
    for seed in range(12):
        walk = MixedClimber(Drawn(0), rules, links)
        walk.offer()
        walk.stand_at(np.zeros((n, n), bool))
        walk.shake(np.random.default_rng(seed))
        gone = links & ~walk.links
        assert gone.sum() == changed, "from the best network that was met"
        fresh = walk.links & ~links
        assert not (fresh & ~gone.T).any(), "what is there anew was turned"
        assert no_circle(walk.links)
        assert walk.links.sum(0).max() <= most
        outcomes.add(int(fresh.sum()))
    assert len(outcomes) > 1, "some are turned and some taken out"


def test_what_is_required_is_not_shaken():
    rules = RULES[2]
    walk = MixedClimber(Drawn(1), rules, rules.required)
    walk.offer()
    for seed in range(5):
        walk.shake(np.random.default_rng(seed))
        assert (walk.links == rules.required).all()


def task(k, seed=0, **more):
    return MixedTask(Drawn(seed), RULES[k], more.pop("given", None), np.random.default_rng(0), **more)


@pytest.mark.parametrize("k", range(len(RULES)))
def test_the_exact_search_finds_the_best_of_all(k):
    for seed in range(3):
        asked = task(k, seed)
        found = by_exact(asked)
        best = max(asked.scores.whole(links) for links in ALLOWED[k])
        assert found.score == pytest.approx(best)
        assert asked.scores.whole(found.links) == pytest.approx(best)
        assert found.optimal
        assert found.path == [("exact", found.score)]
        assert any((found.links == links).all() for links in ALLOWED[k])
        walked = by_climbing(asked)
        assert walked.score <= best + 1e-9
        assert not walked.optimal
        forest = by_tree(asked)
        assert forest.path == [("tree", forest.score)]
        assert any((forest.links == links).all() for links in ALLOWED[k])


def test_the_stages_of_a_climb_are_told(monkeypatch):
    monkeypatch.setattr(module, "FAILURES", 3)
    heard, shaken = [], []
    shake = MixedClimber.shake
    monkeypatch.setattr(MixedClimber, "shake", lambda walk, draw: shaken.append(1) or shake(walk, draw))
    given = np.zeros((N, N), bool)
    given[3, 0] = True
    found = by_climbing(task(0, 2, given=given, watch=lambda *stage: heard.append(stage)))
    assert found.path == heard
    assert found.path[0][0] == "start 1"
    assert {stage for stage, _ in found.path} <= {"start 1", "start 2", "start 3", "tabu", "restart"}
    assert [score for _, score in found.path] == sorted(score for _, score in found.path)
    assert found.path[-1][1] == found.score
    restarts = [stage for stage, _ in found.path].count("restart")
    assert len(shaken) >= 3
    assert restarts or len(shaken) == 3
    judged = judge_network(task(0, 2), found.links, "by hand")
    assert (judged.score, judged.path) == (pytest.approx(found.score), [("by hand", judged.score)])
    np.testing.assert_allclose(judged.gains, found.gains)


def test_a_climb_begins_at_what_was_given_too(monkeypatch):
    stood = []
    climb = MixedClimber.climb
    monkeypatch.setattr(MixedClimber, "climb", lambda walk: stood.append(walk.links.copy()) or climb(walk))
    given = np.zeros((N, N), bool)
    given[3, 2] = True
    by_climbing(task(3, 0, given=given))
    assert np.argwhere(stood[0]).tolist() == [[0, 1]]
    assert stood[1][0, 1]
    assert np.argwhere(stood[2]).tolist() == [[0, 1], [3, 2]]


@pytest.mark.parametrize(("most", "sets"), [(1, 4 * 4), (2, 4 * 7), (3, 4 * 8), (4, 4 * 8)])
def test_as_many_sets_of_parents_as_may_be_are_looked_at(monkeypatch, most, sets):
    rules = Rules.of(NAMES, max_parents=most)
    monkeypatch.setattr(module, "MOST_SETS", sets)
    refuse_many(rules)
    monkeypatch.setattr(module, "MOST_SETS", sets - 1)
    with pytest.raises(ValueError, match=f"would look at {sets} sets of parents, .* at most {sets - 1}: name fewer"):
        refuse_many(rules)


def test_a_search_that_there_is_not_is_refused():
    assert mixed_strategy("tree") is by_tree
    with pytest.raises(ValueError, match="no search 'pc' with numbers as nodes; there are climb, tree, exact"):
        mixed_strategy("pc")
