"""Expected counts of cliques: the compiled kernel against its own source."""

import numpy as np
from tests.kernels.reference import assert_same
from tests.networks.graphs import random_network

from bayesfold.networks.learning.clique_tree import LANES, CliqueTree


def test_compiled_and_plain_agree():
    for seed in range(3):
        draw = np.random.default_rng(seed)
        net = random_network(draw, 5)
        tree = CliqueTree.of([len(net.states(v)) for v in net.nodes], net.dag.parents)
        base = tree.product([net.tables[v] for v in net.nodes])
        cards = np.array(tree.cards, np.intp)
        codes = np.where(draw.random((20, 5)) < 0.4, -1, draw.integers(0, cards, (20, 5))).astype(np.int32)
        entries, messages = (int(x) for x in tree.starts[-1, :2])
        scratch = [np.zeros((size, LANES)) for size in (entries, messages, messages, 4)]
        assert_same(
            "expected", "fold", codes, draw.random(20), 1, 20, cards, tree.home, tree.starts, tree.parent, tree.down,
            tree.up, base, *scratch, np.zeros(entries), np.zeros(20), rtol=1e-10,
        )  # fmt: skip
