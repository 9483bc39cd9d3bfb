"""Trees of cliques for expected counts: which cliques, how they are joined, where families lie, how large they are."""

from itertools import product

import numpy as np
import pytest

from bayesfold.networks.inference.problem import TooLarge
from bayesfold.networks.learning import clique_tree
from bayesfold.networks.learning.clique_tree import (
    CliqueTree,
    eliminate,
    find_smallest,
    join_cliques,
    map_onto,
    stride_of,
)

CARDS = (2, 3, 2, 4, 3)
PARENTS = ((), (0,), (0,), (1, 2), ())
"""A loop of four and one alone."""


def tables(cards, parents, seed=0):
    draw = np.random.default_rng(seed)
    return [draw.dirichlet(np.ones(c), [cards[p] for p in above]) for c, above in zip(cards, parents, strict=True)]


def test_the_smallest_table_goes_first_and_no_clique_lies_within_another():
    families = [(*above, v) for v, above in enumerate(PARENTS)]
    assert eliminate(CARDS, families) == [(4,), (0, 1, 2), (1, 2, 3)]
    assert eliminate((2, 2, 2), [(0,), (0, 1), (1, 2)]) == [(0, 1), (1, 2)]
    # a ring of four: one chord is filled in
    assert eliminate((2, 9, 2, 9), [(0, 1), (1, 2), (2, 3), (3, 0)]) == [(0, 1, 2), (0, 2, 3)]
    assert eliminate((9, 2, 9, 2), [(0, 1), (1, 2), (2, 3), (3, 0)]) == [(0, 1, 3), (1, 2, 3)]


def test_cliques_are_joined_where_they_share_most():
    cliques = [(0, 1), (1, 2, 3), (2, 3, 4), (0, 5), (6,)]
    order, parent = join_cliques(cliques)
    assert sorted(order) == sorted(cliques)
    assert order[-1] == (0, 1)
    assert parent[-1] == -1
    assert all(p > c for c, p in enumerate(parent[:-1])), "children stand before parents"
    joined = {clique: order[p] for clique, p in zip(order[:-1], parent[:-1], strict=True)}
    assert joined[2, 3, 4] == (1, 2, 3)
    assert joined[1, 2, 3] == joined[0, 5] == (0, 1)


@pytest.mark.parametrize("seed", range(5))
def test_what_two_cliques_share_is_shared_by_all_between_them(seed):
    draw = np.random.default_rng(seed)
    cards = draw.integers(1, 4, 8).tolist()
    parents = [
        tuple(sorted(draw.choice(v, min(v, int(draw.integers(0, 4))), replace=False).tolist())) for v in range(8)
    ]
    tree = CliqueTree.of(cards, parents)
    for v in range(8):
        holding = [c for c, clique in enumerate(tree.cliques) if v in clique]
        tops = [c for c in holding if tree.parent[c] < 0 or v not in tree.cliques[tree.parent[c]]]
        assert len(tops) == 1
        assert set(tree.families[v]) <= set(tree.cliques[tree.homes[v]])
    whole = np.array(1.0)
    for v, table in enumerate(tables(cards, parents, seed)):
        family = (*parents[v], v)
        order = sorted(range(len(family)), key=lambda k: family[k])
        whole = whole * table.transpose(order).reshape([cards[u] if u in family else 1 for u in range(8)])
    flat = tree.product(tables(cards, parents, seed))
    for cell in product(*map(range, cards)):
        value = 1.0
        for c, clique in enumerate(tree.cliques):
            at = np.ravel_multi_index([cell[v] for v in clique], [cards[v] for v in clique])
            value *= flat[tree.starts[c, 0] + at]
        assert value == pytest.approx(whole[cell])


def test_places_are_those_of_the_states():
    assert stride_of(CARDS, (0, 1, 3), 0) == 12
    assert stride_of(CARDS, (0, 1, 3), 1) == 4
    assert stride_of(CARDS, (0, 1, 3), 3) == 1
    found = map_onto(CARDS, (0, 1, 3), (0, 3)).reshape(2, 3, 4)
    assert all(found[i, j, k] == 4 * i + k for i, j, k in product(range(2), range(3), range(4)))
    assert map_onto(CARDS, (1,), ()).tolist() == [0, 0, 0]
    cliques, sizes = [(0, 1, 2), (1, 2), (1, 2, 3)], [12, 6, 24]
    assert [find_smallest(cliques, sizes, inside) for inside in ((1,), (0,), (3, 1), (1, 2))] == [1, 0, 2, 1]


def test_tables_of_sixteen_rows_have_as_many_bytes_as_they_may(monkeypatch):
    entries = 3 + 2 * 3 * 2 + 3 * 2 * 4
    monkeypatch.setattr(clique_tree, "MOST_BYTES", 8.0 * 16 * entries)
    tree = CliqueTree.of(CARDS, PARENTS)
    assert tree.starts[-1, 0] == entries
    monkeypatch.setattr(clique_tree, "MOST_BYTES", 8.0 * 16 * entries - 1)
    with pytest.raises(TooLarge) as error:
        CliqueTree.of(CARDS, PARENTS)
    assert (error.value.size, error.value.limit) == (8.0 * 16 * entries, 8.0 * 16 * entries - 1)


@pytest.mark.parametrize("at_once", [1, 16, 20, 1 << 11])
def test_expected_counts_are_sums_over_all_that_rows_may_be(monkeypatch, at_once):
    monkeypatch.setattr(clique_tree, "ROWS", at_once)
    draw = np.random.default_rng(0)
    codes = np.array([draw.integers(-1, c, 37) for c in CARDS], np.int32).T.copy()
    weight, given = draw.random(37), tables(CARDS, PARENTS)
    counts, logs = CliqueTree.of(CARDS, PARENTS).expect(given, codes, weight)
    expected = [np.zeros(table.shape) for table in given]
    for row, w, log in zip(codes, weight, logs, strict=True):
        worlds, shares = [], []
        for world in product(*(range(c) if seen < 0 else [seen] for c, seen in zip(CARDS, row, strict=True))):
            p = np.prod([given[v][(*(world[u] for u in PARENTS[v]), world[v])] for v in range(5)])
            worlds.append(world)
            shares.append(p)
        assert log == pytest.approx(np.log(sum(shares)))
        for world, p in zip(worlds, shares, strict=True):
            for v in range(5):
                expected[v][(*(world[u] for u in PARENTS[v]), world[v])] += w * p / sum(shares)
    for mine, other in zip(counts, expected, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-12)
