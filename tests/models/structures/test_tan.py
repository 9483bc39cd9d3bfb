"""The tree of TAN: the one of greatest weight, from the first column, against all trees."""

from itertools import product

import numpy as np
import pytest

from bayesfold.models.structures.tan import maximum_spanning_tree


def is_tree(parent):
    """Whether every node leads to node 0."""
    for child in parent:
        seen = set()
        while child != 0 and child not in seen:
            seen.add(child)
            child = parent[child]
        if child != 0:
            return False
    return True


@pytest.mark.parametrize("n", [5, 1, 2, 3, 4])
def test_no_tree_weighs_more(n):
    for seed in range(8):
        shared = np.random.default_rng(seed).random((n, n))
        shared = shared + shared.T
        found = maximum_spanning_tree(shared)
        assert set(found) == set(range(1, n))
        assert is_tree(found)
        trees = [dict(zip(range(1, n), up, strict=True)) for up in product(range(n), repeat=n - 1)]
        best = max(sum(shared[p, c] for c, p in tree.items()) for tree in trees if is_tree(tree))
        assert sum(shared[p, c] for c, p in found.items()) == pytest.approx(best)


def test_columns_that_share_nothing_hang_on_the_first():
    assert maximum_spanning_tree(np.zeros((4, 4))) == {1: 0, 2: 0, 3: 0}
    assert maximum_spanning_tree(np.zeros((0, 0))) == {}
    chain = np.array([[0, 1, 0, 0], [1, 0, 5, 0], [0, 5, 0, 3], [0, 0, 3, 0]], float)
    assert maximum_spanning_tree(chain) == {1: 0, 2: 1, 3: 2}
