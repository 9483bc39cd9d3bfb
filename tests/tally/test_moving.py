"""A tally on other axes is a count of the same rows on these, whatever was appended, inserted or turned round."""

import numpy as np
import pytest

from bayesfold.data.encodings import Categories, Counts, Real
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally

A, B, Y = ("u", "v"), ("r", "s", "t"), ("p", "q")
NUMBERS = (Real("x"), Real("z"), Counts("words", ("w1", "w2")))
CLIQUES = (
    Clique(("y",)),
    Clique(("a", "y")),
    Clique(("b", "y")),
    Clique(("a", "b", "y")),
    Clique(("y",), ("x",), 2),
    Clique(("y",), ("z",), 1),
    Clique(("a", "y"), ("x",), 2),
    Clique(("y",), ("words",), 1),
)
GROWN = {
    "a class before": ((*A, "w"), B, ("c", *Y)),
    "nothing": (A, B, Y),
    "behind the first": ((*A, "w", "k"), B, Y),
    "behind the second": (A, (*B, "w"), Y),
    "behind both": ((*A, "w"), (*B, "w", "k"), Y),
    "before others": (("k", *A), B, Y),
    "between others": (A, ("r", "k", "s", "t"), Y),
    "a class behind": (A, B, (*Y, "z")),
    "another order": (A[::-1], B[::-1], Y[::-1]),
}
CHOICES = {
    "all": CLIQUES,
    "tables of one column": CLIQUES[:3],
    "the first column leads": (CLIQUES[1], CLIQUES[3]),
    "sums": CLIQUES[4:6],
    "sums in each slot": (CLIQUES[0], CLIQUES[6]),
    "sums behind a table": (CLIQUES[1], CLIQUES[4], CLIQUES[7]),
}


def schema_of(a, b, y):
    return Schema(Categories("y", y), (Categories("a", a), Categories("b", b), *NUMBERS))


def rows_of(seed, rows=40):
    draw = np.random.default_rng(seed)
    columns = {"a": draw.choice([*A, None], rows).tolist(), "b": draw.choice([*B, None], rows).tolist()}
    columns |= {name: np.where(draw.random(rows) < 0.1, np.nan, draw.normal(size=rows)) for name in "xz"}
    columns |= {name: draw.integers(0, 3, rows) * 1.0 for name in ("w1", "w2")}
    return Frame.of(columns), draw.choice(Y, rows), draw.uniform(0.5, 2.0, rows)


def counted(schema, cliques, seed, weighted):
    frame, labels, weight = rows_of(seed)
    return count(schema, cliques, schema.encode(frame, labels, weight if weighted else None))


def assert_same(found, expected):
    assert found.layout.cliques == expected.layout.cliques
    assert found.weighted is expected.weighted
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_allclose(found.weights.sum(0), expected.weights.sum(0), rtol=1e-12)
    np.testing.assert_allclose(found.sums.sum(0), expected.sums.sum(0), rtol=1e-12, atol=1e-12)
    for clique in found.layout.cliques:  # as whoever scores reads them
        one, other = (t.cells(t.layout.span([clique])) for t in (found, expected))
        np.testing.assert_array_equal(one.count, other.count)
        np.testing.assert_allclose(one.high + one.low, other.high + other.low, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("grown", GROWN)
@pytest.mark.parametrize("chosen", CHOICES)
def test_moved_counts_are_counts_of_the_rows_there(chosen, grown, weighted):
    small, large, cliques = schema_of(A, B, Y), schema_of(*GROWN[grown]), CHOICES[chosen]
    tally = counted(small, cliques, 0, weighted)
    before = tally.copy()
    assert_same(tally.on(large), counted(large, cliques, 0, weighted))
    assert_same(tally.on(large).on(large), counted(large, cliques, 0, weighted))
    assert_same(tally.on(large, cliques[::-1]), counted(large, cliques[::-1], 0, weighted))
    assert_same(tally, before)


@pytest.mark.parametrize("weighted", [(False, True), (True, False), (True, True), (False, False)])
@pytest.mark.parametrize("grown", GROWN)
@pytest.mark.parametrize("turned", [False, True])
def test_a_sum_is_on_the_axes_of_both_and_a_difference_is_what_was_added_to(turned, grown, weighted):
    """The other's tables may stand in another order."""
    mine = counted(schema_of(A, B, Y), CLIQUES, 0, weighted[0])
    theirs = counted(schema_of(*GROWN[grown]), CLIQUES[::-1] if turned else CLIQUES, 1, weighted[1])
    both = mine + theirs
    any_weighs = any(weighted)
    expected = counted(both.schema, CLIQUES, 0, any_weighs)
    expected.add(counted(both.schema, CLIQUES, 1, any_weighs))
    if any_weighs and not all(weighted):  # rows without weights weigh 1
        light = [counted(both.schema, CLIQUES, seed, weighs) for seed, weighs in zip((0, 1), weighted, strict=True)]
        expected = light[0]
        expected.add(light[1])
        total = sum(t.weights.sum(0) if t.weighted else t.counts for t in (mine.on(both.schema), light[1]))
        np.testing.assert_allclose(both.weights.sum(0), total, rtol=1e-12)
    assert_same(both, expected)
    left = both - theirs
    np.testing.assert_array_equal(left.counts, mine.on(both.schema).counts)
    np.testing.assert_allclose(left.sums.sum(0), mine.on(both.schema).sums.sum(0), rtol=1e-9, atol=1e-12)
    assert not left.sums[:, np.repeat(left.counts == 0, left._sums_per_cell)].any()


def test_a_table_that_was_not_counted_is_none():
    tally = counted(schema_of(A, B, Y), CLIQUES[:2], 0, False)
    with pytest.raises(ValueError, match="nothing was counted over"):
        tally.on(tally.schema, CLIQUES[:3])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("wanted", [(0, 3, 6), (7, 5, 1), (6, 4)])
def test_tables_of_several_tallies_stand_side_by_side_with_their_sums(wanted, weighted):
    schema = schema_of(A, B, Y)
    parts = [counted(schema, CLIQUES[:5], 0, weighted), counted(schema, CLIQUES[4:], 0, weighted)]
    cliques = tuple(CLIQUES[i] for i in wanted)
    assert_same(Tally.side_by_side(Layout(schema, cliques), parts), counted(schema, cliques, 0, weighted))
