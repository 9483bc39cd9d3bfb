"""A look at rows that pass: some of them, in their order, spread over all, however they are cut in pieces."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from bayesfold.io.engines import pick_one_of_each, spread_sample, survey_tables

KIND = {"row": pa.int64()}


def pieces(rows, sizes):
    """Tables of so many rows each, in turn, numbered through."""
    begin, k = 0, 0
    while begin < rows:
        end = min(begin + sizes[k % len(sizes)], rows)
        yield pa.table({"row": np.arange(begin, end)})
        begin, k = end, k + 1


def numbers(table):
    return table.column("row").to_numpy()


@pytest.mark.parametrize("sizes", [(1_000, 7, 0, 64), (3,), (10**6,)])
@pytest.mark.parametrize(
    ("rows", "most"), [(10_007, 500), (1_001, 500), (1_000, 500), (501, 500), (500, 500), (3, 500)]
)
def test_so_many_rows_are_held_in_their_order_and_spread_over_all(rows, most, sizes):
    if 0 in sizes:  # an empty piece between others
        tables = [t for piece in pieces(rows, [s for s in sizes if s]) for t in (piece, piece.slice(0, 0))]
    else:
        tables = [*pieces(rows, sizes)]
    look = survey_tables(tables, KIND, most)
    found = numbers(look.sample)
    assert look.rows == rows
    assert len(found) == min(rows, most)
    assert (np.diff(found) > 0).all()
    assert set(found.tolist()) <= set(range(rows))
    if rows >= 2 * most:
        parts = np.bincount(found * 10 // rows, minlength=10)
        assert abs(parts - most / 10).max() <= 3
        for period in (2, 3, 4, 8):  # rows of several classes that take turns
            assert abs(np.bincount(found % period, minlength=period) - most / period).max() <= 0.13 * most


def test_how_rows_come_in_pieces_does_not_matter():
    whole = survey_tables(pieces(5_000, [5_000]), KIND, 5_000, step=4)
    for sizes in ([1], [64, 3], [1_000]):
        assert survey_tables(pieces(5_000, sizes), KIND, 5_000, step=4).sample.equals(whole.sample)
    assert whole.sample.num_rows == 1_250


def test_every_row_is_seen_on_the_way():
    seen = []
    look = survey_tables(pieces(1_000, [70]), KIND, 10, passing=lambda table: seen.extend(numbers(table).tolist()))
    assert seen == [*range(1_000)]
    assert (look.rows, look.sample.num_rows) == (1_000, 10)


def test_of_no_rows_the_columns_are_known():
    look = survey_tables([], {"row": pa.int64(), "word": pa.string()}, 5)
    assert (look.rows, look.sample.num_rows, look.sample.schema.types) == (0, 0, [pa.int64(), pa.string()])


def test_words_of_several_dictionaries_are_held_as_they_are():
    tables = [pa.table({"word": pa.array([f"w{i}-{k % 3}" for k in range(50)]).dictionary_encode()}) for i in range(40)]
    look = survey_tables(tables, {"word": pa.dictionary(pa.int32(), pa.string())}, 100)
    words = look.sample.column("word").to_pylist()
    assert len(words) == 100
    assert len({word.partition("-")[0] for word in words}) == 40


@pytest.mark.parametrize("step", [1, 2, 3, 5, 64])
def test_one_row_of_each_group_is_taken_wherever_a_piece_begins(step):
    whole = pick_one_of_each(0, 1_000, step)
    assert (whole[: 1_000 // step] // step).tolist() == [*range(1_000 // step)]
    assert len(whole) - 1_000 // step in (0, 1)
    for cuts in ([0, 1_000], [0, 1, 2, 500, 1_000], [0, 64, 128, 999, 1_000], [*range(0, 1_001, 50)]):
        found = [b + pick_one_of_each(b, e, step) for b, e in pairwise(cuts)]
        np.testing.assert_array_equal(np.concatenate(found), whole)
    if step > 2:
        assert len(set((whole % step).tolist())) > 1  # not always the same of each group


@pytest.mark.parametrize(("rows", "most"), [(10, 3), (7, 7), (8, 7), (6, 7), (1, 1), (1_000, 999)])
def test_a_sample_has_one_row_of_each_of_equal_parts(rows, most):
    found = numbers(spread_sample(pa.table({"row": np.arange(rows)}), most))
    if rows <= most:
        assert found.tolist() == [*range(rows)]
        return
    ends = [k * rows // most for k in range(most + 1)]
    assert all(begin <= row < end for begin, row, end in zip(ends, found, ends[1:], strict=False))
