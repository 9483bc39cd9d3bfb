"""Parent sets and orders: the compiled kernel against its own source."""

import numpy as np
import pytest
from tests.kernels.reference import uncompiled

from bayesfold.networks.learning import exact, scores
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.scores import LocalScores

from .test_families import drawn


@pytest.mark.parametrize("kind", ["bic", "bdeu", "left_out"])
@pytest.mark.parametrize("rules", [Rules.of("abcd"), Rules.of("abcd", [("d", "a")], [("b", "c")], [["a"], ["b"]], 2)])
def test_compiled_and_plain_agree(monkeypatch, kind, rules):
    cards = [2, 3, 2, 2]
    codes = drawn(np.random.default_rng(5), 60, cards)
    monkeypatch.setattr(exact, "ROOM", 64)
    links, score = exact.find_best_network(LocalScores(codes, cards, kind), rules)
    monkeypatch.setattr(scores, "families", uncompiled("families"))
    monkeypatch.setattr(exact, "exact", uncompiled("exact"))
    others, expected = exact.find_best_network(LocalScores(codes, cards, kind), rules)
    assert (links == others).all()
    assert score == pytest.approx(expected, rel=1e-12)
