"""The statistic of a network: families counted as by hand, states found, and tables that cannot be learned from."""

import numpy as np
import pytest

from bayesfold.data.frame import Frame
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning import counts as module
from bayesfold.networks.learning.counts import (
    check_weights,
    count_table,
    encode_whole_rows,
    find_states,
    find_whole_rows,
    read_family,
    refuse_states,
)

DAG = Dag(("a", "b", "rows"), ((), (0,), (1, 0)))
AXES = {"a": ("x", "y"), "b": (0, 1, 2), "rows": (True, False)}


@pytest.mark.parametrize("weighted", [True, False])
def test_families_are_counted_where_they_have_no_hole(weighted):
    draw = np.random.default_rng(0)
    table = {v: [AXES[v][i] if i >= 0 else None for i in draw.integers(-1, len(AXES[v]), 80)] for v in AXES}
    weight = draw.choice([0.0, 0.5, 2.0], 80) if weighted else None
    tally, batch = count_table(table, DAG, AXES, weight)
    assert batch.rows == (80 if weight is None else (weight > 0).sum())
    for node, name in enumerate(DAG.names):
        family = [*(DAG.names[p] for p in DAG.parents[node]), name]
        expected = np.zeros([len(AXES[v]) for v in family])
        for i in range(80):
            cell = [table[v][i] for v in family]
            if None not in cell:
                place = tuple(AXES[v].index(s) for v, s in zip(family, cell, strict=True))
                expected[place] += 1.0 if weight is None else weight[i]
        np.testing.assert_allclose(read_family(tally, DAG, node), expected)


def test_states_are_those_known_or_shown():
    table = {"a": ["y", "x", None], "b": [2, 1, 2]}
    assert find_states(table, ["a", "b"], {}) == {"a": ("x", "y"), "b": (1, 2)}
    assert find_states(table, ["b", "a"], {"a": ("z", "x", "y")}) == {"b": (1, 2), "a": ("z", "x", "y")}
    assert find_states(None, ["a"], {"a": ("z",), "b": ()}) == {"a": ("z",)}
    with pytest.raises(ValueError, match="the table has no column 'c', and nothing else says its states"):
        find_states(table, ["a", "c"], {})
    with pytest.raises(ValueError, match="the column 'a' has no value at all"):
        find_states({"a": [None, None]}, ["a"], {})


def test_columns_that_are_no_categories_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_NUMBERS", 3)
    monkeypatch.setattr(module, "MOST_STATES", 5)
    refuse_states("a", (0.5, 1.5, 2.5, 3.0, 4.0))
    with pytest.raises(ValueError, match="'a' has 4 different numbers: cut it into intervals first"):
        refuse_states("a", (0.5, 1.5, 2.5, 3.5))
    with pytest.raises(ValueError, match="'a' has 6 different values, so it names rows"):
        refuse_states("a", (1, 2, 3, 4, 5, 6))
    refuse_states("a", (1, 2, 3, 4, 5))


def test_whole_rows_are_found_and_holes_are_named():
    frame = Frame.of({"a": ["x", None, "y"], "b": np.array([0.0, 1.0, np.nan]), "c": ["", "u", "v"]})
    assert find_whole_rows(frame, ["a"]).tolist() == [True, False, True]
    assert find_whole_rows(frame, ["a", "b"]).tolist() == [True, False, False]
    assert find_whole_rows(frame, ["c"]).tolist() == [False, True, True]
    assert find_whole_rows(frame, []).tolist() == [True, True, True]
    with pytest.raises(ValueError, match="row 1 has no value of 'a'"):
        encode_whole_rows(frame, {"a": ("x", "y")})
    assert encode_whole_rows(Frame.of({"b": [2, 0], "a": ["y", "x"]}), {"a": ("x", "y"), "b": (0, 1, 2)}).tolist() == [
        [1, 0],
        [2, 0],
    ]
    with pytest.raises(ValueError, match="the table has no rows"):
        encode_whole_rows(Frame.of({"a": []}), {"a": ("x",)})


@pytest.mark.parametrize("weight", [[1.0, -1.0], [1.0, np.nan], [1.0, np.inf], [1.0], [[1.0, 1.0]], ["a", "b"]])
def test_weights_are_a_number_for_each_row(weight):
    with pytest.raises(ValueError, match="weight must be one finite number of at least 0 for each of 2 rows"):
        check_weights(weight, 2)


def test_weights_may_be_nothing_and_not_too_large():
    assert check_weights([0.0, 2.5], 2).tolist() == [0.0, 2.5]
    assert check_weights([5e99, 5e99], 2).tolist() == [5e99, 5e99]
    with pytest.raises(ValueError, match="too large to be summed"):
        check_weights([6e99, 0.0], 2)
    assert check_weights([], 0).tolist() == []
