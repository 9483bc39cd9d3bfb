"""Climbing: the compiled kernel takes the path that its own source takes, and its state is what its arcs say."""

import numpy as np
import pytest
from tests.kernels.reference import uncompiled

from bayesfold.networks.learning import scores, search
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.scores import LocalScores

from .test_families import drawn

CARDS = [2, 3, 2, 2, 3]
RULES = Rules.of("abcde", require=[("a", "b")], forbid=[("c", "d")], tiers=[["a", "c"], ["e"]], max_parents=2)


def walk():
    """A climber that has climbed, wandered and begun again; what it answered on the way."""
    draw = np.random.default_rng(7)
    local = LocalScores(drawn(draw, 300, CARDS), CARDS, "bic")
    climber = search.Climber(local, RULES)
    climber.ties[:] = draw.random((5, 5)) * 1e-6
    climber.stand_at(RULES.required)
    steps = [climber.kernel.climb(), climber.score, climber.kernel.wander(5), climber.score]
    for _ in range(8):
        steps += [climber.kernel.again(draw.random((3, 2, 10))), climber.score, climber.parents.tolist()]
    return local, climber, steps


def test_compiled_and_plain_take_the_same_path(monkeypatch):
    _, _, expected = walk()
    plain = uncompiled("climb")
    monkeypatch.setattr(scores, "families", uncompiled("families"))
    monkeypatch.setattr(search, "climb", plain)
    _, climber, found = walk()
    assert type(climber.kernel) is plain.Climber
    assert [x for x in found if not isinstance(x, float)] == [x for x in expected if not isinstance(x, float)]
    np.testing.assert_allclose(
        [x for x in found if isinstance(x, float)], [x for x in expected if isinstance(x, float)], rtol=1e-12
    )


def test_the_state_is_what_its_arcs_say():
    local, climber, _ = walk()
    for links, gain in ((climber.parents, climber.gain), (climber.best, climber.best_gain)):
        assert links[1, 0] == 1  # required
        assert not links[3, 2]  # forbidden
        assert not links[[0, 2], 4].any()  # against the tiers
        assert links.sum(1).max() <= 2
        for v in range(5):
            score, expected = local.around(v, np.flatnonzero(links[v]), 2)
            may = gain[v] > -1e299
            np.testing.assert_allclose(gain[v][may], expected[may], rtol=1e-9, atol=1e-9)
            assert (may <= (RULES.allowed[:, v] | (links[v] > 0))).all()
            assert np.isfinite(score)
    assert climber.score == pytest.approx(sum(local.of(v, np.flatnonzero(climber.best[v])) for v in range(5)))
