"""Tables as people write them: every way gives the same cells, and what is wrong is named by its row."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.networks.factor import Factor
from bayesfold.networks.tables import SLACK, check_rows, read_table, row_title, states_in

AXES = {"a": ("x", "y"), "b": (0, 1, 2), "c": (True, False)}
CELLS = np.array([[[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]], [[0.4, 0.6], [0.5, 0.5], [1.0, 0.0]]])
BELOW = np.zeros((2, 3, 2))
BELOW[1, 1] = [0.6, -0.6]
NESTED = {
    s: {t: {True: CELLS[i, j, 0], False: CELLS[i, j, 1]} for j, t in enumerate((0, 1, 2))} for i, s in enumerate("xy")
}
PAIRS = {(s, t): dict(inner) for s, row in NESTED.items() for t, inner in row.items()}
LISTS = {s: {t: list(inner.values()) for t, inner in row.items()} for s, row in NESTED.items()}
WAYS = {
    "array": CELLS,
    "lists": CELLS.tolist(),
    "nested": NESTED,
    "by tuples": PAIRS,
    "rows as lists": LISTS,
    "states in another order": {s: {t: {False: r[False], True: r[True]} for t, r in NESTED[s].items()} for s in "yx"},
    "factor": Factor(AXES, CELLS),
    "factor with other axes first": Factor({v: AXES[v] for v in "cab"}, CELLS.transpose(2, 0, 1)),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_write_a_table_gives_the_same_cells(way):
    found = read_table(WAYS[way], "c", ("a", "b"), AXES)
    np.testing.assert_array_equal(found, CELLS)
    assert not found.flags.writeable
    if way not in ("array", "lists", "rows as lists"):
        named = states_in(WAYS[way], "c", ("a", "b"))
        assert {v: {*states} for v, states in named.items()} == {v: {*states} for v, states in AXES.items()}


def test_the_states_that_a_table_names_in_their_order():
    assert states_in(NESTED, "c", ("a", "b")) == AXES
    assert states_in(PAIRS, "c", ("a", "b")) == AXES
    assert states_in(LISTS, "c", ("a", "b")) == {"a": AXES["a"], "b": AXES["b"]}
    assert states_in([0.5, 0.5], "c", ()) == {"c": (0, 1)}
    assert states_in(CELLS, "c", ("a", "b")) == {"a": (0, 1), "b": (0, 1, 2), "c": (0, 1)}
    assert states_in(CELLS, "c", ("a",)) == {}, "an array of another rank says nothing"
    assert states_in(Factor(AXES, CELLS), "c", ("a",)) == {"a": AXES["a"], "c": AXES["c"]}
    pairs = {("x", "y"): {True: 0.5, False: 0.5}, ("z", "y"): {True: 1, False: 0}}
    assert states_in(pairs, "c", ("a",)) == {"a": (("x", "y"), ("z", "y")), "c": (True, False)}, (
        "a state may be a tuple"
    )


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (CELLS[0], ValueError, r"has the shape \(3, 2\); over a x b x c it must be \(2, 3, 2\)"),
        (Factor({"a": ("x", "y")}, [0.5, 0.5]), ValueError, r"must be over 'a', 'b', 'c', not over 'a'"),
        (NESTED | {"y": 0.5}, TypeError, r"needs the states of 'b' as keys, not 0.5"),
        ({("x", 0, 1): [0.5, 0.5]}, ValueError, r"has the key \('x', 0, 1\); its parents are 'a', 'b'"),
        (
            NESTED | {"y": LISTS["y"] | {2: [1.0]}},
            ValueError,
            r"P\(c \| a=y, b=2\) has 1 entries; the states of 'c' are",
        ),
        ({"x": LISTS["x"], "y": {0: [0.4, 0.6]}}, ValueError, r"P\(c \| a=y, b=1\) is not given for c=True"),
        (np.where(CELLS == 0.3, 0.2, CELLS), ValueError, r"P\(c \| a=x, b=2\) sums to 0.9, not to 1: 0.2, 0.7"),
        (
            CELLS + BELOW,
            ValueError,
            r"P\(c \| a=y, b=1\) has the probability -0.1",
        ),
    ],
)
def test_what_is_no_table_is_named(given, error, said):
    with pytest.raises(error, match=said):
        read_table(given, "c", ("a", "b"), AXES)


def test_rows_are_divided_by_their_sums_and_stay_as_they_are_where_they_are_right():
    near = np.array([[0.25, 0.75 + 0.9 * SLACK], [0.1, 0.9]])
    found = check_rows(near, "c", ("a",), AXES)
    np.testing.assert_allclose(found.sum(1), 1.0, rtol=1e-15)
    assert found[0, 0] == 0.25 / near[0].sum()
    assert found[1].tolist() == [0.1, 0.9]
    for off in (1.1 * SLACK, -1.1 * SLACK):
        with pytest.raises(ValueError, match=r"P\(c\) sums to"):
            check_rows(np.array([0.25, 0.75 + off]), "c", (), AXES)
    assert row_title("c", ("a", "b"), AXES, (1, 2)) == "P(c | a=y, b=2)"
    assert row_title("c", (), AXES, ()) == "P(c)"


@pytest.mark.parametrize(
    "twice", [{1: [0.1, 0.9], "1": [0.9, 0.1], 2: [0.5, 0.5]}, {(1,): [0.1, 0.9], 1: [0.9, 0.1], 2: [0.5, 0.5]}]
)
def test_a_row_that_is_given_twice_is_refused(twice):
    with pytest.raises(ValueError, match=r"(P\(b \| a=1\) is given twice|'a' has no state)"):
        bf.BayesianNetwork.from_edges(
            [("a", "b")], states={"a": (1, 2), "b": ("x", "y")}, tables={"a": [0.5, 0.5], "b": twice}
        )


def test_a_row_of_several_parents_that_is_given_twice_is_refused():
    states = dict.fromkeys(("a", "b", "c"), (0, 1))
    both = {(i, j): [0.5, 0.5] for i in (0, 1) for j in (0, 1)} | {0: {0: [0.1, 0.9]}}
    with pytest.raises(ValueError, match=r"P\(c \| a=0, b=0\) is given twice"):
        bf.BayesianNetwork.from_edges(
            [("a", "c"), ("b", "c")], states=states, tables={"a": [0.5, 0.5], "b": [0.5, 0.5], "c": both}
        )


def test_a_line_that_is_given_twice_is_refused():
    line = bf.LinearGaussian
    with pytest.raises(ValueError, match=r"the line of x \| g=1 is given twice"):
        bf.MixedNetwork.from_edges(
            [("g", "x")],
            states={"g": (1, 2)},
            tables={"g": [0.5, 0.5], "x": {1: line(0, 1), "1": line(5, 1), 2: line(0, 1)}},
        )
