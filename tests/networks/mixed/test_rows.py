"""Rows as dicts and as tables are the same rows."""

import numpy as np
import pytest
from tests.networks.mixed.brute_force import random_network

from bayesfold.networks.mixed.network import LinearGaussian, MixedNetwork
from bayesfold.networks.mixed.rows import encode, find_patterns


def test_a_dict_is_the_table_of_one_row():
    net = random_network(2, categories=2, numbers=2)
    c, x = net.categories[0], net.numbers[0]
    for row in ({c: net.states(c)[1], x: 2}, {x: 2.5}, {c: net.states(c)[0], x: None}, {x: np.float64(1), "other": 3}):
        alone, table = encode(net.kinds, row), encode(net.kinds, {v: [value] for v, value in row.items()})
        for one, other in zip(alone, table, strict=True):
            np.testing.assert_array_equal(one, other)
    assert (encode(net.kinds, {})[0] == -1).all()
    assert len(net.posteriors({})[x]) == 1
    with pytest.raises(ValueError, match="none of the columns"):
        encode(net.kinds, {"other": 3})
    with pytest.raises(ValueError, match="is a number, not 'tall'"):
        encode(net.kinds, {x: "tall"})
    with pytest.raises(ValueError, match="has no state"):
        encode(net.kinds, {c: "tall"})


def test_a_node_may_be_named_by_a_number_in_a_row_too():
    tables = {"s": {"f": 0.5, "m": 0.5}, 1: {"f": LinearGaussian(165, 6), "m": LinearGaussian(178, 7)}}
    net = MixedNetwork.from_edges(
        [("s", 1), ("s", 2)], tables={**tables, 2: {"f": {0: 0.9, 1: 0.1}, "m": {0: 0.2, 1: 0.8}}}
    )
    by_text, table = {"1": 190.0, "2": 1, "other": 3}, {1: [190.0], 2: [1]}
    for row in ({1: 190.0, 2: 1}, {1: 190.0, "2": 1}, {"1": 190.0, 2: 1, "other": 3}):
        for other in (by_text, table):
            np.testing.assert_array_equal(net.predict_proba(row, "s"), net.predict_proba(other, "s"))
            assert net.log_likelihood(row) == net.log_likelihood(other)
    with pytest.raises(ValueError, match="two variables are written '1'"):
        net.predict_proba({1: 190.0, "1": 180.0}, "s")


def test_every_row_is_in_one_pattern():
    draw = np.random.default_rng(0)
    codes, values = draw.integers(-1, 2, (50, 3)).astype(np.int32), np.where(draw.random((50, 3)) < 0.5, np.nan, 1.0)
    codes[:, 2], values[:, :2] = -1, np.nan
    found = list(find_patterns(codes, values))
    assert sorted(np.concatenate([rows for _, rows in found]).tolist()) == list(range(50))
    for seen, rows in found:
        shown = (codes[rows] >= 0) | ~np.isnan(values[rows])
        assert (shown == np.isin(range(3), seen)).all()
