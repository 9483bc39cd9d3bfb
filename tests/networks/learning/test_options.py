"""What `learn_network` cannot be asked is refused before any row is counted, with what can."""

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf

ROWS = pd.DataFrame({"a": list("xyxyxyyx"), "b": list("xyxyyyyx"), "c": list("uvwuvwuv")})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": "a"}, r"columns must be a list of names: \['a'\]"),
        ({"columns": []}, "name one or more distinct columns, not none"),
        ({"columns": ["a", "a"]}, "distinct columns, not 'a', 'a'"),
        ({"columns": ["a", "d"]}, "the table has no column 'd'"),
        ({"require": [3]}, r"require must be a list of arcs \(parent, child\); 3 is not one"),
        ({"require": [("a", "b"), ("b", "c"), ("c", "a")]}, "a cycle: a -> b -> c -> a"),
        ({"require": [("a", "a")]}, "an arc runs between two columns"),
        ({"require": [("a", "d")]}, "there is no column 'd'"),
        ({"forbid": ("a", "b")}, "forbid must be a list of arcs"),
        ({"tiers": ["a", "b"]}, "tiers must be a list of lists of columns"),
        ({"tiers": "a"}, "tiers must be a list of lists of columns"),
        ({"tiers": [1]}, "tiers must be a list of lists of columns"),
        ({"max_parents": 1.5}, "max_parents must be a whole number, not 1.5"),
        ({"max_parents": "2"}, "max_parents must be a whole number, not '2'"),
        ({"bootstrap": 1.5}, "bootstrap must be a whole number, not 1.5"),
        ({"bootstrap": -1}, "bootstrap must be at least 0, not -1"),
        ({"states": {"a": []}}, "the states of 'a' must be a list of one or more distinct values"),
        ({"states": {"a": ["x", "x", "y"]}}, "the states of 'a' must be a list of one or more distinct values"),
        ({"states": {"a": "xy"}}, "the states of 'a' must be a list of one or more distinct values"),
        ({"states": {"d": ["x"]}}, "the table has no column 'd'"),
        ({"weight": np.zeros(8)}, "all weights are zero"),
        ({"weight": np.full(8, 1e300)}, "too large to be summed"),
        ({"weight": np.full(8, 1e308), "score": "k2"}, "too large to be summed"),
        ({"weight": "heavy"}, "one finite number of at least 0 for each of 8 rows"),
        ({"weight": [1, 2]}, "one finite number of at least 0 for each of 8 rows"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(options, words):
    with pytest.raises(ValueError, match=words):
        bf.learn_network(ROWS, **options)


def test_em_is_true_or_says_how():
    with pytest.raises(TypeError, match=r"em must be True, False or bf\.EM"):
        bf.learn_network(ROWS, em="yes")
    with pytest.raises(TypeError, match=r"em must be True, False or bf\.EM"):
        bf.fit_network([("a", "b")], ROWS, em="yes")


def test_a_table_without_rows_is_called_so():
    with pytest.raises(ValueError, match="the table has no rows"):
        bf.learn_network(ROWS[:0])


def test_names_that_are_numbers_are_names_everywhere():
    rows = pd.DataFrame(np.array(ROWS), columns=[0, 1, 2])
    rules = {"require": [(0, 1)], "forbid": [(1, 2)], "tiers": [[0], [1, 2]], "start": [(0, 2)]}
    found = bf.learn_network(rows, [0, 1, 2], states={2: ["u", "v", "w", "z"]}, alpha={0: 2.0}, **rules)
    written = {"require": [("0", "1")], "forbid": [("1", "2")], "tiers": [["0"], ["1", "2"]], "start": [("0", "2")]}
    same = bf.learn_network(rows.rename(columns=str), states={"2": ["u", "v", "w", "z"]}, alpha={"0": 2.0}, **written)
    assert (str(found), found.network.states("2")) == (str(same), ("u", "v", "w", "z"))
    assert found.network.table("0") == same.network.table("0")


def test_weights_of_any_usual_size_give_finite_scores():
    for size in (1e-300, 1e-5, 1e15, 1e90):
        for score in ("bic", "aic", "bdeu", "k2"):
            assert np.isfinite(bf.learn_network(ROWS, score=score, weight=np.full(8, size)).score)


@pytest.mark.parametrize("search", ["climb", "tree", "exact", "pc", "hybrid"])
def test_columns_of_one_value_and_one_row_are_learned_from(search):
    found = bf.learn_network(ROWS.assign(same="x"), search=search)
    assert not any("same" in arc for arc in found.dag.edges)
    assert "same has one value in all rows" in str(found)
    assert not bf.learn_network(ROWS[:1], search=search, bootstrap=2).dag.edges


def test_a_column_that_names_rows_is_said_to():
    table = {"id": [f"r{i}" for i in range(40)], "a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10}
    assert "id is different in every row, so it names rows: leave it out" in str(bf.learn_network(table))
    assert "names rows" not in str(bf.learn_network({name: column[:6] for name, column in table.items()}))


def test_rows_that_repeat_are_weights():
    many = pd.concat([ROWS] * 30)
    heavy = bf.learn_network(ROWS, weight=np.full(8, 30.0))
    assert bf.learn_network(many).score == pytest.approx(heavy.score, rel=1e-12)
