"""Counting: every clique of a batch, in one panel or in several, against GROUP BY written out."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes
from bayesfold.data.encodings import Categories, Counts, Real
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.runtime.threads import BLOCK
from bayesfold.tally.counter import add_rows, count, count_alike
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally

SCHEMA = Schema(
    Categories("y", ("p", "q")),
    (
        Categories("a", ("u", "v")),
        Categories("b", ("u", "v", "w")),
        Real("x"),
        Real("z"),
        Counts("words", ("w1", "w2")),
    ),
)
CLIQUES = (
    Clique(("y",)),
    Clique(("a", "y")),
    Clique(("b", "y")),
    Clique(("y",), ("x",), 2),
    Clique(("y",), ("z",), 1),
    Clique(("y",), ("words",), 1),
    Clique(("a", "b", "y")),  # a key more than naive Bayes needs
    Clique(("a", "y"), ("x",), 2),
)
CELLS = {
    "a": st.sampled_from([None, "u", "v"]),
    "b": st.sampled_from([None, "u", "v", "w"]),
    "x": st.none() | st.integers(-20, 20).map(float),
    "z": st.none() | st.integers(-20, 20).map(float),
    "w1": st.integers(0, 3).map(float),
    "w2": st.integers(0, 3).map(float),
}
TABLES = st.lists(
    st.tuples(st.sampled_from("pq"), st.fixed_dictionaries(CELLS), st.sampled_from([1.0, 0.5, 2.0])), max_size=12
)


def encoded(rows, weighted=False):
    columns = {n: np.array([np.nan if r[n] is None else r[n] for _, r, _ in rows]) for n in ("x", "z", "w1", "w2")}
    columns |= {n: [r[n] for _, r, _ in rows] for n in "ab"}
    weight = np.array([w for *_, w in rows], float) if weighted else None
    return SCHEMA.encode(Frame.of(columns), np.array([y for y, *_ in rows], "U1"), weight)


def group_by(rows, clique):
    """COUNT(*), SUM(w), SUM(w t^1..order) GROUP BY keys, in plain Python."""
    found = {}
    for y, row, w in rows:
        slots = [SCHEMA.columns[k].slot.get(y if k == "y" else row[k], 0) for k in clique.keys]
        terms = [row[t] for t in clique.terms if t != "words"] + (
            [row["w1"], row["w2"]] if "words" in clique.terms else []
        )
        if None in terms:
            continue
        cell = found.setdefault(tuple(slots), [0, 0.0, np.zeros(len(terms) * clique.order)])
        cell[0] += 1
        cell[1] += w
        cell[2] += w * np.array([t**k for t in terms for k in range(1, clique.order + 1)])
    return found


@given(rows=TABLES.filter(bool), weighted=st.booleans())
def test_a_count_is_a_group_by(rows, weighted):
    tally = count(SCHEMA, CLIQUES, encoded(rows, weighted))
    assert tally.weighted is weighted
    for clique in CLIQUES:
        cells, sums = tally.layout.offsets[clique]
        shape, within = tally.layout.shape(clique), tally.layout.sums_in_cell(clique)
        expected = group_by(rows if weighted else [(y, r, 1.0) for y, r, _ in rows], clique)
        for i, place in enumerate(np.ndindex(shape)):
            n, w, total = expected.get(place, [0, 0.0, np.zeros(within)])
            assert tally.counts[cells + i] == n
            if weighted:
                assert tally.weights[0, cells + i] == pytest.approx(w)
            np.testing.assert_allclose(
                tally.sums[:, sums + i * within : sums + (i + 1) * within].sum(0), total, atol=1e-9
            )


LEVELS = {"a": 2, "b": 3, "c": 19, "d": 300, "e": 1}
NUMBERS = ("x", "z", "t")
LONG = Schema(
    Categories("y", ("p", "q", "r")),
    (
        *(Categories(name, tuple(f"{name}{k}" for k in range(many))) for name, many in LEVELS.items()),
        *map(Real, NUMBERS),
        Counts("words", ("w1", "w2")),
    ),
)
OF_LONG = (
    Clique(("y",)),
    *(Clique((name, "y")) for name in LEVELS),
    *(Clique((one, other, "y")) for one, other in combinations("abce", 2)),
    Clique(("d", "a", "y")),
    Clique(("a", "b", "c", "y")),
    Clique(("y",), ("x",), 2),
    Clique(("y",), ("z",), 1),
    Clique(("y",), ("t",), 2),
    Clique(("y",), ("words",), 1),
    Clique(("a", "y"), ("x",), 2),
)


def by_slots(slots, numbers, weight, clique, shape, within):
    """The same as `group_by` of many rows: slots by key, numbers by term, all at once."""
    cell = np.ravel_multi_index([slots[key] for key in clique.keys], shape)
    terms = [numbers[n] for n in (("w1", "w2") if "words" in clique.terms else clique.terms)]
    there = np.all([~np.isnan(t) for t in terms], axis=0) if terms else np.ones(len(cell), bool)
    powers = [t[there] ** k for t in terms for k in range(1, clique.order + 1)]
    size, cell, weight = int(np.prod(shape)), cell[there], weight[there]
    sums = [np.bincount(cell, weight * power, size) for power in powers]
    return np.bincount(cell, None, size), np.bincount(cell, weight, size), np.reshape(sums, (within, size)).T


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 128, 1_000, 4_097, 70_001])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("holes", [False, True])
def test_a_count_of_many_rows_is_a_group_by(rows, weighted, holes):
    """In words of 64 rows, in blocks, by turns or all at once: however many rows it takes to be counted so."""
    draw = np.random.default_rng(rows)
    weight = draw.uniform(0.5, 2.0, rows) if weighted else np.ones(rows)
    slots = {name: draw.integers(0 if holes else 1, many + 1, rows) for name, many in LEVELS.items()}
    slots["y"] = draw.integers(1, 4, rows)
    numbers = {n: draw.normal(3.0, 2.0, rows) for n in NUMBERS} | {
        w: draw.integers(0, 3, rows) * 1.0 for w in ("w1", "w2")
    }
    if holes:
        for n in ("x", "t"):
            numbers[n][draw.random(rows) < 0.2] = np.nan
    names = {name: np.array([None, *LONG.columns[name].levels], object)[slots[name]] for name in (*LEVELS, "y")}
    table = Frame.of({n: v for n, v in names.items() if n != "y"} | numbers)
    tally = count(LONG, OF_LONG, LONG.encode(table, names["y"].astype("U1"), weight if weighted else None))
    for clique in OF_LONG:
        cells, sums = tally.layout.offsets[clique]
        shape, within = tally.layout.shape(clique), tally.layout.sums_in_cell(clique)
        n, w, totals = by_slots(slots, numbers, weight, clique, shape, within)
        np.testing.assert_array_equal(tally.counts[cells : cells + len(n)], n, err_msg=str(clique))
        if weighted:
            np.testing.assert_allclose(tally.weights[:, cells : cells + len(n)].sum(0), w, rtol=1e-11)
        found = tally.sums[:, sums : sums + totals.size].sum(0).reshape(totals.shape)
        np.testing.assert_allclose(found, totals, rtol=1e-10, atol=1e-9, err_msg=str(clique))


@given(rows=TABLES.filter(bool), more=TABLES.filter(bool), weighted=st.booleans())
def test_other_rows_counted_alike_are_a_count_of_them(rows, more, weighted):
    tally = count(SCHEMA, CLIQUES, encoded(rows))
    alike, alone = count_alike(tally.layout, encoded(more, weighted)), count(SCHEMA, CLIQUES, encoded(more, weighted))
    assert alike.layout is tally.layout
    for array in ("counts", "weights", "sums"):
        np.testing.assert_array_equal(getattr(alike, array), getattr(alone, array))


@given(rows=TABLES.filter(bool), more=TABLES.filter(bool))
def test_rows_add_to_a_weighted_tally_that_holds_rows(rows, more):
    """Rows without weights weigh 1 there."""
    tally = count(SCHEMA, CLIQUES, encoded(rows, weighted=True))
    add_rows(tally, encoded(more))
    both = count(SCHEMA, CLIQUES, encoded([*rows, *((y, r, 1.0) for y, r, _ in more)], weighted=True))
    np.testing.assert_array_equal(tally.counts, both.counts)
    np.testing.assert_allclose(tally.weights.sum(0), both.weights.sum(0))
    np.testing.assert_allclose(tally.sums.sum(0), both.sums.sum(0), atol=1e-9)


def test_no_rows_count_to_nothing():
    tally = count(
        SCHEMA, CLIQUES, encoded([("p", {"a": "u", "b": "w", "x": 1.0, "z": 2.0, "w1": 1.0, "w2": 0.0}, 1.0)])
    )
    nothing = count(
        SCHEMA,
        CLIQUES,
        encoded([("p", dict.fromkeys(CELLS, 0.0) | {"a": None, "b": None}, 1.0)]).take(np.array([], int)),
    )
    assert tally.counts.sum() == 8
    assert nothing.counts.sum() == 0


def test_rows_without_labels_cannot_be_counted():
    schema = Schema(Categories("y", ("p",)), (Real("x"),))
    with pytest.raises(ValueError, match="these rows have no labels"):
        count(schema, (Clique(("y",)), Clique(("y",), ("x",), 2)), schema.encode(Frame.of({"x": [1.0]})))


def test_a_code_off_its_axis_is_refused_by_row_and_column():
    schema = Schema(Categories("y", ("p",)), (Categories("x0", (0, 1)), Categories("x1", (0, 1, 2))))
    frame = Frame(["x0", "x1"], 3, {}, np.array([[0, 2], [1, 0], [0, 3]]))
    with pytest.raises(ValueError, match="column 'x1' has the code 3 in row 2; its codes are 0 to 2"):
        count(
            schema,
            (Clique(("y",)), Clique(("x0", "y")), Clique(("x1", "y"))),
            schema.encode(frame, np.array(["p", "p", "p"])),
        )


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_a_count_that_is_none_is_refused_by_row_and_column(value):
    schema = Schema(Categories("y", ("p",)), (Counts("words", ("w1", "w2")),))
    frame = Frame.of({"w1": np.array([1.0, 1.0]), "w2": np.array([2.0, value])})
    with pytest.raises(ValueError, match=r"counts must be finite numbers of at least 0; row 1, column (1|'w2') is not"):
        count(schema, (Clique(("y",)), Clique(("y",), ("words",), 1)), schema.encode(frame, np.array(["p", "p"])))


def test_many_classes_and_many_levels_are_counted_exactly():
    draw = np.random.default_rng(0)
    x, y = draw.integers(0, 700, 20_000), draw.integers(0, 90, 20_000)
    schema = Schema(Categories("y", tuple(range(90))), (Categories("x", tuple(range(700))),))
    tally = count(schema, (Clique(("y",)), Clique(("x", "y"))), schema.encode(Frame.of({"x": x}), y))
    expected = np.zeros((701, 91), int)
    np.add.at(expected, (x + 1, y + 1), 1)
    np.testing.assert_array_equal(tally.table("x", "y"), expected)


def test_an_empty_tally_of_a_layout_is_what_a_count_adds_to():
    zero = Tally.zero(SCHEMA, CLIQUES)
    batch = encoded([("q", {"a": "v", "b": None, "x": 3.0, "z": None, "w1": 1.0, "w2": 0.0}, 1.0)])
    add_rows(zero, batch)
    np.testing.assert_array_equal(zero.counts, count(SCHEMA, CLIQUES, batch).counts)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("cliques", [(Clique(("a", "y")),), (Clique(("a", "y")), Clique(("y",)))])
def test_the_class_may_stand_anywhere_or_nowhere(cliques, weighted):
    rows = [("p", dict.fromkeys(CELLS, 1.0) | {"a": a, "b": "u"}, 2.0) for a in "uvu"]
    tally = count(SCHEMA, cliques, encoded(rows, weighted))
    assert tally.table("a", "y").tolist() == [[0, 0, 0], [0, 2, 0], [0, 1, 0]]
    for clique in cliques:
        assert tally.cells(tally.layout.span([clique])).weight.sum() == (6.0 if weighted else 3)


def test_sums_that_a_double_cannot_hold_are_refused_with_the_column():
    X = pd.DataFrame({"small": [1.0, 2.0, 3.0, 4.0] * 5, "vast": [1e160, 2e160, -1e170, 3.0] * 5})
    y = [0, 1] * 10
    with pytest.raises(ValueError, match="column 'vast' times the rows' weights"):
        NaiveBayes(numeric="gaussian").fit(X, y, sample_weight=np.full(20, 1e12))
    assert np.isfinite(NaiveBayes(numeric="gaussian").fit(X, y).predict_proba(X)).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("few", [0, 10**6])
def test_one_column_of_numbers_alone_is_summed_with_its_weights(weighted, few):
    draw = np.random.default_rng(0)
    x, y, weight = draw.normal(size=500), draw.choice([*"pq"], 500), draw.uniform(0.5, 2, 500) if weighted else None
    schema = Schema(Categories("y", ("p", "q")), (Real("x"),))
    tally = Tally.zero(schema, (Clique(("y",)), Clique(("y",), ("x",), 2)), weighted)
    add_rows(tally, schema.encode(Frame.of({"x": x}), y, weight), few)
    cells = tally.cells(tally.layout.span([Clique(("y",), ("x",), 2)]))
    w = np.ones(500) if weight is None else weight
    for k, label in enumerate("pq"):
        own = y == label
        assert cells.weight[0, k + 1] == pytest.approx(w[own].sum(), rel=1e-12)
        expected = [(w * x)[own].sum(), (w * x * x)[own].sum()]
        np.testing.assert_allclose((cells.high + cells.low)[0, k + 1], expected, rtol=1e-12)


def test_rows_of_weights_far_apart_come_block_by_block_to_the_same_bits_and_leave_the_light_ones():
    draw = np.random.default_rng(5)
    rows = BLOCK + 5_000
    weight = np.round(draw.exponential(size=rows), 2) + 0.01
    heavy = np.array([5, BLOCK + 7])
    weight[heavy] = 1e12, 1e15
    schema = Schema(Categories("y", ("p", "q")), (Real("x"),))
    frame = Frame.of({"x": draw.normal(size=rows)})
    batch = schema.encode(frame, np.array(["p", "q"])[draw.integers(0, 2, rows)], weight)
    cliques = (Clique(("y",)), Clique(("y",), ("x",), 2))
    whole, blocks = count(schema, cliques, batch), Tally.zero(schema, cliques, weighted=True)
    for begin in (0, BLOCK):
        add_rows(blocks, batch.take(np.arange(begin, min(begin + BLOCK, rows))), few=0)
    np.testing.assert_array_equal(whole.weights, blocks.weights)
    np.testing.assert_array_equal(whole.sums, blocks.sums)
    light = count(schema, cliques, batch.take(np.delete(np.arange(rows), heavy)))
    left = whole - count(schema, cliques, batch.take(heavy))
    np.testing.assert_allclose(left.weights.sum(0), light.weights.sum(0), rtol=1e-12)
    np.testing.assert_allclose(left.sums.sum(0), light.sums.sum(0), rtol=1e-9)
