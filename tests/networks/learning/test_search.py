"""How a search goes on and ends: where climbs begin, what is kept of each stage, how many restarts may be in vain."""

import numpy as np
import pytest

from bayesfold.networks.learning import search as module
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.search import DRIFTS, LEAST, Search, list_starts, restart, search
from bayesfold.networks.learning.tree import find_tree


class Again:
    """A climber whose restarts are in vain, or not, as was said before: how many of each lot were before the first."""

    def __init__(self, *vain):
        self.vain, self.lots = list(vain), []
        self.kernel, self.best_links, self.score = self, np.zeros((2, 2), bool), -1.0

    def again(self, chances):
        self.lots.append(chances.shape)
        tries = len(chances)
        return self.vain.pop(0) if self.vain else tries


def found(arcs=0, nodes=2):
    links = np.zeros((nodes, nodes), bool)
    links.ravel()[1 : 1 + arcs] = True
    return Search(links, np.zeros((nodes, nodes)))


def restarts(climber, best, most, together=4):
    restart(climber, best, np.random.default_rng(0), most)
    return [shape[0] for shape in climber.lots]


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(module, "TOGETHER", 4)


def test_restarts_end_when_so_many_in_a_row_were_in_vain():
    assert restarts(Again(), found(), 10) == [4, 4, 2]
    assert restarts(Again(), found(), 4) == [4]
    # the third restart of the first lot gains, so that it was in vain twice and the count begins anew
    assert restarts(Again(2), found(), 5) == [4, 4, 1]
    assert restarts(Again(4, 1), found(), 6) == [4, 2, 4, 2]
    assert restarts(Again(), found(nodes=9), 3) == [4, 4, 1], "one for each node, at least"


def test_a_restart_that_gains_is_a_stage_and_one_in_vain_is_none():
    best, heard = found(), []
    best.watch = lambda stage, score: heard.append((stage, score))
    restarts(Again(4, 3), best, 5)
    assert best.path == heard == [], "of lots of four and of one, four and one were in vain"
    restarts(Again(3), best, 5)
    assert best.path == heard == [("restart", -1.0)]
    assert best.score == -1.0


def test_a_restart_draws_a_chance_for_each_arc():
    climber = Again()
    restarts(climber, found(arcs=3, nodes=3), 2)
    assert climber.lots == [(3, DRIFTS, 3)]
    climber = Again()
    restarts(climber, found(), 2)
    assert climber.lots == [(2, DRIFTS, 1)]


class Standing:
    """A climber that only knows what an arc would gain."""

    def __init__(self, gain):
        self.gain, self.ties, self.stood = gain, np.zeros(gain.shape), []

    def stand_at(self, links):
        self.stood.append(links.copy())

    def gains(self):
        return self.gain


GAIN = np.array([[0, 5.0, 3.0, -9.0], [5.0, 0, 1.0, -2.0], [3.0, 1.0, 0, 4.0], [-9.0, -2.0, 4.0, 0]])


def test_climbs_begin_at_what_was_given_at_a_tree_and_twice_at_nothing():
    rules = Rules.of("abcd", require=[("a", "b")])
    given = np.zeros((4, 4), bool)
    given[2, 3] = True
    climber = Standing(GAIN)
    starts = list_starts(climber, rules, given, np.random.default_rng(0))
    seen = [(start.copy(), climber.ties.copy()) for start in starts]
    assert np.argwhere(seen[0][0]).tolist() == [[0, 1], [2, 3]]
    assert (seen[1][0] == find_tree(GAIN, rules, LEAST)).all()
    assert np.argwhere(seen[2][0]).tolist() == np.argwhere(seen[3][0]).tolist() == [[0, 1]]
    assert len(climber.stood) == 1, "gains are those beside what is required"
    noise = seen[0][1]
    assert ((noise >= 0) & (noise < LEAST)).all()
    assert len(np.unique(noise)) == 16
    assert (seen[1][1] == noise).all()
    assert (seen[3][1] == noise).all()
    ties = seen[2][1]
    # the gains of each column sum to 8, 6, 8 and 4: from the least to the most, 3, 1, 0, 2
    rank = np.array([2, 1, 3, 0])
    np.testing.assert_allclose(ties, ((rank[:, None] - rank[None, :] + 4) * LEAST + noise) / 16)
    assert ((ties > 0) & (ties < LEAST)).all(), "less than a gain"
    assert len(list(list_starts(climber, rules, None, np.random.default_rng(0)))) == 3


def scored(rows=200, columns=3, seed=0):
    draw = np.random.default_rng(seed)
    first = draw.integers(0, 2, rows)
    codes = [first, first ^ (draw.random(rows) < 0.2), *(draw.integers(0, 2, rows) for _ in range(columns - 2))]
    return LocalScores(np.array(codes, np.uint16), [2] * columns, "bic")


def test_the_first_stage_is_what_the_rules_require():
    heard = []
    free = search(scored(), Rules.of("abc"), None, np.random.default_rng(0), lambda *stage: heard.append(stage))
    assert [stage for stage, _ in free.path] == ["no arcs", "start 1"]
    assert free.path == heard
    assert free.path[0][1] < free.path[1][1] == free.score
    assert free.links.sum() == 1
    must = search(scored(), Rules.of("abc", require=[("a", "c")]), None, np.random.default_rng(0))
    assert must.path[0][0] == "required arcs"
    assert must.links[0, 2]
    # gains say what taking out or adding an arc would do
    scores = scored()
    assert free.gains[0, 1] + free.gains[1, 0] != 0
    u, v = np.argwhere(free.links)[0].tolist()
    assert free.gains[u, v] == pytest.approx(scores.of(v, frozenset()) - scores.of(v, frozenset({u})))
    assert free.gains[2, v] == pytest.approx(scores.of(v, frozenset({u, 2})) - scores.of(v, frozenset({u})))
    assert not free.interrupted


@pytest.mark.parametrize(("columns", "rows", "most"), [(25, 10, 90), (26, 10, 30), (26, 1_999, 30), (26, 2_000, 90)])
def test_restarts_are_more_where_they_cost_little(monkeypatch, columns, rows, most):
    seen = []
    monkeypatch.setattr(module, "restart", lambda climber, best, draw, most: seen.append(most))
    names = [f"v{i}" for i in range(columns)]
    search(scored(rows, columns), Rules.of(names, max_parents=1), None, np.random.default_rng(0))
    assert seen == [most]


@pytest.mark.parametrize("climbs", [0, 1])
def test_an_interruption_gives_the_best_once_a_climb_has_ended(monkeypatch, climbs):
    starts = module.list_starts

    def stop(*given):
        for k, start in enumerate(starts(*given)):
            if k == climbs:
                raise KeyboardInterrupt
            yield start

    monkeypatch.setattr(module, "list_starts", stop)
    if not climbs:
        with pytest.raises(KeyboardInterrupt):
            search(scored(), Rules.of("abc"), None, np.random.default_rng(0))
        return
    found = search(scored(), Rules.of("abc"), None, np.random.default_rng(0))
    assert found.interrupted
    assert [stage for stage, _ in found.path] == ["no arcs", "start 1"]
    assert found.gains.any()
