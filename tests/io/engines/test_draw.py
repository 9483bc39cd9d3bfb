"""A sample by content: the same whatever the order, in proportion to all rows, and without missing a frequent row."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from bayesfold.io.engines._draw import HASH, KEPT, TIMES, draw_rows, is_representative, largest_hash, spread_evenly


def groups(times, seed=0):
    """Groups of equal rows of these sizes, by hashes that look drawn."""
    hashes = np.random.default_rng(seed).integers(-(2**63), 2**63, len(times))
    return pa.table({HASH: hashes, TIMES: np.asarray(times, np.int64), "row": np.arange(len(times))})


def test_it_does_not_depend_on_the_order_of_groups():
    some = groups(np.arange(1, 501))
    other = some.take(np.random.default_rng(1).permutation(500))
    rows = int(some.column(TIMES).to_numpy().sum())
    assert draw_rows(some, rows, 1_000, 1.0).equals(draw_rows(other, rows, 1_000, 1.0))


def test_where_all_groups_are_known_each_has_its_share():
    some = groups([900_000, 90_000, 9_000, 1_000])
    found = np.bincount(draw_rows(some, 1_000_000, 10_000, 1.0).column("row").to_numpy())
    np.testing.assert_allclose(found, [9_000, 900, 90, 10], atol=1)


def test_equal_rows_do_not_stand_side_by_side():
    found = draw_rows(groups([500, 500]), 1_000, 1_000, 1.0).column("row").to_numpy()
    assert 300 < np.count_nonzero(np.diff(found)) < 900


def test_a_frequent_row_is_in_whatever_its_hash_and_others_stand_for_those_that_are_not():
    """A third of all rows are equal; of the others, each there once, the hash lets in one of ten."""
    rows, most = 150_000, 5_000
    light = groups(np.ones(100_000, int))
    share = KEPT * most / 100_001
    taken = light.filter(pc.less_equal(light.column(HASH), largest_hash(share)))
    frequent = pa.table({HASH: [2**63 - 1], TIMES: [50_000], "row": [-1]})
    not_so_frequent = pa.table({HASH: [2**63 - 2], TIMES: [3], "row": [-2]})  # a candidate that is no such row
    found = draw_rows(pa.concat_tables([taken, frequent, not_so_frequent]), rows, most, share).column("row").to_numpy()
    assert len(found) == most
    assert abs(np.count_nonzero(found == -1) / most - 1 / 3) < 0.01
    assert -2 not in found
    assert len(np.unique(found[found >= 0])) == np.count_nonzero(found >= 0)  # nobody is there twice


def test_groups_stand_for_all_rows_where_they_are_many_and_as_many_rows_as_their_hashes_should_have():
    for times, stand in ((100, True), (101, True), (98, True), (103, False), (97, False), (190, False), (10, False)):
        some = groups([times] * 50)
        assert is_representative(some, 10_000 * 5, 50, 0.1) == stand, times
        assert not is_representative(some, 10_000 * 5, 51, 0.1)


@pytest.mark.parametrize(("times", "always"), [(4, True), (3, False)])
def test_a_group_is_heavy_from_a_256th_of_all_rows_on(times, always):
    rows = 1024
    groups = pa.table({HASH: [2**62, -(2**63)], TIMES: [times, rows - times], "a": ["x", "y"]})
    found = draw_rows(groups, rows, 512, 0.5).column("a").to_pylist()
    assert ("x" in found) is always, "its hash is none of the lowest half"
    assert len(found) == 512


@pytest.mark.parametrize(("rows", "drawn"), [(10, 10), (11, 10)])
def test_no_more_rows_than_may_be_are_all_there(rows, drawn):
    groups = pa.table({HASH: [5, -7, 6], TIMES: [1, rows - 2, 1], "a": ["x", "y", "z"]})
    found = draw_rows(groups, rows, 10, 1.0)
    assert found.column_names == ["a"]
    assert found.num_rows == drawn


@pytest.mark.parametrize(
    ("groups", "rows", "enough"),
    [(10, 98, True), (10, 102, True), (10, 97, False), (10, 103, False), (9, 100, False), (11, 100, True)],
)
def test_groups_are_as_many_rows_as_they_should_be_but_for_a_fiftieth(groups, rows, enough):
    times = [1] * (groups - 1) + [rows - groups + 1]
    table = pa.table({HASH: list(range(groups)), TIMES: times})
    assert bool(is_representative(table, 1_000, 10, 0.1)) is enough


@pytest.mark.parametrize(
    ("share", "largest"), [(1.0, 2**63 - 1), (0.5, 0), (0.25, -(2**62)), (2.0**-64, 1 - 2**63), (0.75, 2**62)]
)
def test_the_lowest_hashes_are_a_share_of_all(share, largest):
    assert largest_hash(share) == largest


@pytest.mark.parametrize(
    ("weights", "many", "drawn"),
    [([1, 1, 1, 1], 4, [1, 1, 1, 1]), ([1, 1, 1, 1], 2, [0, 1, 0, 1]), ([0, 5, 0], 3, [0, 3, 0])],
)
def test_draws_are_spread_over_weights(weights, many, drawn):
    assert spread_evenly(np.array(weights, float), many).tolist() == drawn
