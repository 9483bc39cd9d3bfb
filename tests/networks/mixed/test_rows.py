"""Rows as dicts and as tables are the same rows."""

import numpy as np
import pytest
from tests.networks.mixed.brute_force import random_network

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


def test_every_row_is_in_one_pattern():
    draw = np.random.default_rng(0)
    codes, values = draw.integers(-1, 2, (50, 3)).astype(np.int32), np.where(draw.random((50, 3)) < 0.5, np.nan, 1.0)
    codes[:, 2], values[:, :2] = -1, np.nan
    found = list(find_patterns(codes, values))
    assert sorted(np.concatenate([rows for _, rows in found]).tolist()) == list(range(50))
    for seen, rows in found:
        shown = (codes[rows] >= 0) | ~np.isnan(values[rows])
        assert (shown == np.isin(range(3), seen)).all()
