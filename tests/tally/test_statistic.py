"""Layouts are known before anything is counted, and what would not fit is refused before it is allocated."""

import numpy as np
import pytest

from bayesfold.data.encodings import Categories, Counts, Real
from bayesfold.data.schema import Schema
from bayesfold.tally import layout
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally

SCHEMA = Schema(
    Categories("y", ("no", "yes")), (Categories("a", ("u", "v")), Real("x"), Counts("words", ("w1", "w2", "w3")))
)
CLIQUES = (Clique(("y",)), Clique(("a", "y")), Clique(("y",), ("x",), 2), Clique(("y",), ("words",), 1))


def test_a_layout_is_known_before_anything_is_counted():
    layout = Layout(SCHEMA, CLIQUES)
    assert [layout.shape(c) for c in CLIQUES] == [(3,), (3, 3), (3,), (3,)]
    assert [layout.sums_in_cell(c) for c in CLIQUES] == [0, 0, 2, 3]
    assert [layout.offsets[c] for c in CLIQUES] == [(0, 0), (3, 0), (12, 0), (15, 6)]
    assert layout.size == (18, 15)


def test_a_table_is_a_view_with_an_axis_a_key():
    tally = Tally.zero(SCHEMA, CLIQUES)
    tally.table("a", "y")[1, 2] = 7
    assert tally.table("a", "y").tolist() == [[0, 0, 0], [0, 0, 7], [0, 0, 0]]
    assert tally.table("y").tolist() == [0, 0, 0]
    assert tally.counts.sum() == 7


def test_tables_that_would_not_fit_are_refused_with_their_size_and_what_to_do():
    huge = Schema(Categories("y", tuple(range(3000))), (Categories("a", tuple(range(400_000))),))
    with pytest.raises(
        ValueError, match=r"would need 8\.94 GiB \(limit 4\); the largest is over a x y\. Leave that column out"
    ):
        Tally.zero(huge, (Clique(("y",)), Clique(("a", "y"))))


def test_the_limit_is_in_bytes_of_counts_and_sums(monkeypatch):
    cells, sums = Layout(SCHEMA, CLIQUES).size
    monkeypatch.setattr(layout, "MOST_BYTES", 8 * cells + 16 * sums)
    assert Tally.zero(SCHEMA, CLIQUES).counts.shape == (cells,)
    monkeypatch.setattr(layout, "MOST_BYTES", 8 * cells + 16 * sums - 1)
    with pytest.raises(ValueError, match="would need"):
        Tally.zero(SCHEMA, CLIQUES)


def counted(value):
    tally = Tally.zero(SCHEMA, CLIQUES)
    tally.counts[:] = value
    tally.sums[0] = 0.5 * value
    return tally


def test_a_cell_that_loses_its_last_row_sums_to_exactly_zero():
    """The low halves and roundings of what came and went do not stay behind."""
    many, same = counted(3), counted(3)
    many.sums[0] += 1e-9
    less = many - same
    assert not less.counts.any()
    assert not less.sums.any()


def test_a_weighted_tally_carries_row_counts_beside_its_weights():
    half = counted(4) * 0.5
    assert half.weighted
    assert half.counts.tolist() == [4] * 18
    assert half.weights[0].tolist() == [2.0] * 18
    both = half + counted(4)
    assert both.counts.tolist() == [8] * 18
    assert both.weights.sum(0).tolist() == [6.0] * 18


def test_tallies_of_different_tables_do_not_add():
    """Two schemas may agree where the tables behind them do not: sums must not land in one another's cells."""
    first = Tally.zero(SCHEMA, CLIQUES[:3])
    second = Tally.zero(SCHEMA, (*CLIQUES[:2], Clique(("y",), ("x",), 1)))
    second.sums[:] = 1.0
    before = first.sums.copy()
    with pytest.raises(ValueError, match=r"x|clique|table|layout"):
        first + second
    np.testing.assert_array_equal(first.sums, before)


def test_a_copy_owns_its_numbers():
    tally = counted(1)
    other = tally.copy()
    other.counts[0] = 99
    other.sums[0, 0] = 99
    assert tally.counts[0] == 1
    assert tally.sums[0, 0] == 0.5


def test_moving_to_the_same_schema_costs_nothing():
    tally = counted(1)
    assert tally.on(SCHEMA) is tally
