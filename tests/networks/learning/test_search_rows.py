"""Rows that lack a value: refused, or left out of the search and counted where a table can."""

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf


def rows_with_holes(seed=0):
    """Three columns that depend on each other in a row, a tenth of the cells missing."""
    draw = np.random.default_rng(seed)
    a = draw.integers(0, 2, 400)
    b = np.where(draw.random(400) < 0.9, a, 1 - a)
    c = np.where(draw.random(400) < 0.9, b, 1 - b)
    table = pd.DataFrame({"a": a, "b": b, "c": c}).astype(str)
    return table.mask(draw.random(table.shape) < 0.1)


def test_holes_are_refused_unless_it_is_said_what_to_do():
    with pytest.raises(ValueError, match="has no value of"):
        bf.learn_network(rows_with_holes())
    with pytest.raises(ValueError, match=", not 'drop'"):
        bf.learn_network(rows_with_holes(), holes="drop")


@pytest.mark.parametrize("weighted", [False, True])
def test_arcs_are_of_whole_rows_and_tables_of_all(weighted):
    table = rows_with_holes()
    weight = np.random.default_rng(1).random(len(table)) if weighted else None
    whole = table.notna().all(axis=1).to_numpy()
    found = bf.learn_network(table, holes="leave_out", weight=weight)
    alone = bf.learn_network(table[whole], weight=None if weight is None else weight[whole])
    assert (found.dag.edges, found.score, found.left_out) == (alone.dag.edges, alone.score, int((~whole).sum()))
    counted = bf.fit_network(found.dag.edges, table, weight=weight)
    for name in table:
        np.testing.assert_allclose(found.network.table(name).values, counted.table(name).values, rtol=1e-12)
    assert f"without {found.left_out} rows that lack a value" in str(found)


def test_a_bootstrap_draws_from_the_rows_that_are_searched():
    found = bf.learn_network(rows_with_holes(), holes="leave_out", bootstrap=5)
    assert found.strengths is not None
    assert found.averaged.forget(rows_with_holes()[:10]) is not None


def test_numbers_as_nodes_leave_rows_out_likewise():
    table = rows_with_holes()
    table["x"] = np.random.default_rng(2).normal(size=len(table)) + (table["a"] == "1")
    table.loc[:5, "x"] = np.nan
    whole = table.notna().all(axis=1)
    found = bf.learn_network(table, holes="leave_out", numbers="gaussian")
    assert found.dag.edges == bf.learn_network(table[whole], numbers="gaussian").dag.edges
    bare = bf.MixedNetwork(found.dag, found.axes)
    assert str(found.network) == str(bare.fit(table))
    with pytest.raises(ValueError, match="has no value of 'x'"):
        bf.learn_network(table[["x"]], numbers="gaussian")


def test_no_row_without_holes_is_refused_with_the_columns_that_have_them():
    with pytest.raises(ValueError, match="'a', 'b' have holes"):
        bf.learn_network({"a": ["x", None], "b": [None, "y"], "c": ["1", "2"]}, holes="leave_out")


def test_em_uses_all_rows():
    table = rows_with_holes()
    assert bf.learn_network(table, holes="leave_out", em=True).left_out == 0
