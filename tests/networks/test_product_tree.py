"""All but one, compared with multiplying them again."""

import numpy as np
import pytest

from bayesfold.networks.product_tree import ProductTree


@pytest.mark.parametrize("messages", [1, 2, 3, 5, 8, 13])
def test_each_product_is_that_of_the_others(messages):
    draw = np.random.default_rng(messages)
    shares = draw.random((messages, 4)) * (draw.random((messages, 4)) > 0.2)  # a message of 0 stays 0 where it speaks
    with np.errstate(divide="ignore"):
        logs = np.log(shares)
    tree = ProductTree(np.zeros((messages, 4)))
    before = tree.copy()
    for place in draw.permutation(messages):
        tree.put(int(place), logs[place])
    np.testing.assert_allclose(np.exp(tree.whole), shares.prod(0), rtol=1e-12)
    for place in range(messages):
        np.testing.assert_allclose(np.exp(tree.without(place)), np.delete(shares, place, 0).prod(0), rtol=1e-12)
    np.testing.assert_array_equal(before.whole, 0.0)


def test_leaving_one_out_of_many_adds_few_rows():
    tree = ProductTree(np.zeros((3_000, 2)))
    read = []

    class Watched(np.ndarray):
        def __getitem__(self, key):
            read.append(key)
            return super().__getitem__(key)

    tree.nodes = tree.nodes.view(Watched)
    tree.put(1_234, np.ones(2))
    tree.without(1_234)
    assert len(read) < 50
