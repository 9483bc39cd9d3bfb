"""Tables by the names of their columns."""

from bayesfold.tally import clique_index
from bayesfold.tally.clique_index import Clique, PairsWith, pairs_with


def test_tables_of_pairs_are_made_once_and_not_kept_for_ever(monkeypatch):
    monkeypatch.setattr(clique_index, "MOST_PAIRS", 2)
    pairs = PairsWith("a", "y")
    assert pairs["b"] == Clique(("a", "b", "y"))
    assert pairs["b"] is pairs["b"]
    assert [pairs[name].keys[1] for name in "cde"] == ["c", "d", "e"]
    assert len(pairs) <= 2
    assert pairs_with("a", "y") is pairs_with("a", "y")
