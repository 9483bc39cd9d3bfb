"""Columns that tell no more than chance are found, and only where there are many."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from bayesfold import BayesClassifier, NaiveBayes
from bayesfold.data.frame import Frame
from bayesfold.learning import discover, screen
from bayesfold.learning.discover import BY_CHANCE
from bayesfold.learning.screen import (
    FEW,
    any_of,
    beyond,
    chance,
    deviates,
    fifths,
    largest_kept,
    log_tail,
    means_apart,
    spreads_apart,
    squares,
    surprise,
    tables,
    tells_nothing,
    too_few,
)


def table(x, y):
    n = np.zeros((x.max() + 1, y.max() + 1))
    np.add.at(n, (x, y), 1.0)
    return n


def tails(how, tables):
    return np.array([chance(s) for s in any_of(how(tables))])


def nothing(numbers, codes, own, weight, copies):
    return tells_nothing(surprise(numbers, codes, own, weight, copies), len(own))


@pytest.mark.parametrize(("levels", "classes", "rows"), [(5, 2, 60), (5, 24, 60), (12, 3, 40), (2, 2, 200)])
def test_chance_is_as_probable_as_is_said(levels, classes, rows):
    """Also where most cells are empty, as with 24 classes of 60 rows."""
    draw = np.random.default_rng(levels)
    x, y = draw.integers(0, levels, rows), draw.choice(classes, rows, p=draw.dirichlet(np.full(classes, 5.0)))
    found = tails(squares, np.array([table(x, draw.permutation(y)) for _ in range(2_000)]))
    assert (found < 0.1).mean() == pytest.approx(0.1, abs=0.05)
    assert (found < 0.001).mean() < 0.005


@pytest.mark.parametrize("how", [means_apart, spreads_apart])
@pytest.mark.parametrize(("classes", "rows"), [(2, 30), (3, 60), (8, 60)])
def test_means_of_noise_lie_as_far_apart_as_is_said(classes, rows, how):
    draw = np.random.default_rng(rows)
    x, y = np.arange(rows) % 5, draw.integers(0, classes, rows)
    found = tails(how, np.array([table(x, draw.permutation(y)) for _ in range(2_000)]))
    assert (found < 0.1).mean() == pytest.approx(0.1, abs=0.05)
    assert (found < 0.001).mean() < 0.005


def test_noise_goes_and_what_tells_stays():
    draw = np.random.default_rng(1)
    y = draw.integers(0, 3, 120)
    numbers = {f"n{j}": draw.normal(size=120) for j in range(60)}
    codes = {f"c{j}": draw.integers(0, 4, 120) for j in range(60)}
    numbers["tells"] = np.where(draw.random(120) < 0.3, np.nan, y + draw.normal(size=120))
    numbers["its holes tell"] = np.where(y == 1, np.nan, 1.0)
    codes["tells too"] = np.where(draw.random(120) < 0.6, y, draw.integers(0, 3, 120))
    silent = nothing(numbers, codes, y, None, False)
    kept = {*numbers, *codes} - silent
    assert kept >= {"tells", "its holes tell", "tells too"}
    assert len(kept) < 10


def test_where_columns_are_few_none_goes():
    draw = np.random.default_rng(2)
    y = np.arange(40) % 2
    few = {f"n{j}": draw.normal(size=40) for j in range(FEW)}
    assert nothing(few, {}, y, None, False) == set()
    more = few | {"one more": draw.normal(size=40)}
    assert nothing(more, {}, y, None, False) != set()
    many_rows = {name: np.tile(x, 10) for name, x in more.items()}
    assert nothing(many_rows, {}, np.tile(y, 10), None, False) == set()


def test_of_one_class_or_hardly_a_row_nothing_goes():
    columns = {f"n{j}": np.arange(6.0) for j in range(30)}
    assert nothing(columns, {}, np.zeros(6, np.intp), None, False) == set()
    assert nothing(columns, {}, np.arange(6) % 2, None, False) == set()


def test_copies_are_rows_and_other_weights_have_no_size():
    draw = np.random.default_rng(3)
    y, times = np.arange(60) % 2, draw.integers(1, 4, 60)
    columns = {f"n{j}": draw.normal(size=60) + (0.25 * j / 10) * y for j in range(40)}
    rows = np.repeat(np.arange(60), times)
    repeated = {name: fifths(x[:, None])[rows, 0] for name, x in columns.items()}
    codes = {name: fifths(x[:, None])[:, 0] for name, x in columns.items()}
    assert nothing({}, repeated, y[rows], None, False) == nothing({}, codes, y, times.astype(float), True)
    by_weight = [nothing(columns, {}, y, times * scale, False) for scale in (1.0, 1e-3, 1e200)]
    assert by_weight[0] == by_weight[1] == by_weight[2]


def test_neither_order_nor_names_matter():
    draw = np.random.default_rng(4)
    y = draw.integers(0, 3, 80)
    columns = {f"n{j}": draw.normal(size=80) + 0.02 * j * y for j in range(50)}
    silent = nothing(columns, {}, y, None, False)
    order = draw.permutation(80)
    turned = {name: columns[name][order] for name in reversed(columns)}
    assert nothing(turned, {}, (2 - y)[order], None, False) == silent


def test_parts_of_a_table_are_screened_where_it_is(monkeypatch):
    """Otherwise weights would be fitted on parts that read other columns than those that are kept."""
    seen = []
    monkeypatch.setattr(discover, "surprise", lambda *given: seen.append(len(given[2])) or {})
    _, X, y = wide(24 * 16, 6, noise=20)
    BayesClassifier(structure="naive").fit(X, y)
    assert seen == []
    BayesClassifier(structure="naive").fit(X[:-1], y[:-1])
    assert len(seen) == 5  # the table, and without each of four folds


def test_the_most_telling_columns_come_first():
    assert beyond({"a": 3.0, "b": 40.0, "c": -8.0, "d": 39.0}, 2) == {"a", "c"}
    draw = np.random.default_rng(5)
    y = draw.integers(0, 2, 2_000)
    columns = {f"n{j}": draw.normal(size=2_000) + 0.4 * j * y for j in range(8)}
    found = surprise(columns, {}, y, None, False)
    assert sorted(found, key=found.__getitem__) == list(columns)  # also where any chance is below the least number


def test_columns_that_depend_on_each_other_are_the_most_telling(monkeypatch):
    monkeypatch.setattr(discover, "DEEP", 2)
    _, X, y = wide(200, 3, noise=30)
    clf = BayesClassifier().fit(X, y)
    naive, kdb = (clf.model_.members[part].mixture.networks[0] for part in ("naive", "kdb"))
    assert len(naive) >= 5
    assert len(kdb) == 3


def test_the_best_column_is_always_kept():
    assert largest_kept(np.array([0.9, 0.4, 0.8])) == 0.4


def wide(rows, seed, noise=60):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, rows)
    own = {f"x{j}": y * 1.2 + draw.normal(size=rows) for j in range(4)}
    more = {f"noise {j}": draw.normal(size=rows) for j in range(noise)}
    return pd.DataFrame(own), pd.DataFrame({**own, **more}), np.array(["no", "yes"])[y]


@pytest.mark.filterwarnings("error")
def test_the_pool_leaves_them_out_says_so_and_does_not_warn():
    _, X, y = wide(60, 0)
    clf = BayesClassifier(structure="naive").fit(X, y)
    out = {c.name for c in clf.columns_ if c.why == BY_CHANCE}
    assert len(out) > 50
    assert not out & {"x0", "x1", "x2", "x3"}
    assert out.isdisjoint(clf.schema_.sources)
    assert not any(c.why == BY_CHANCE for c in NaiveBayes().fit(X, y).columns_)


def test_a_declared_column_stays():
    _, X, y = wide(60, 0)
    clf = BayesClassifier(structure="naive", families={"noise 7": "gaussian"}).fit(X, y)
    assert "noise 7" in clf.schema_.sources


@pytest.mark.parametrize("seed", [1, 2])
def test_columns_of_noise_cost_little(seed):
    """With them all, the pool was .1 to 2 nats worse: k-dependence found parents in noise."""
    few, many, y = wide(60, seed)
    few_new, many_new, truth = wide(1_000, 100 + seed)
    own = np.searchsorted(np.unique(y), truth)
    loss = [
        -BayesClassifier().fit(X, y).predict_log_proba(new)[np.arange(1_000), own].mean()
        for X, new in ((few, few_new), (many, many_new))
    ]
    assert loss[1] < loss[0] + 0.06


def test_a_large_table_is_screened_on_some_of_its_rows_whatever_holds_its_columns(monkeypatch):
    monkeypatch.setattr(discover, "CUTTING", 100)
    draw = np.random.default_rng(2)
    y = draw.choice([*"pq"], 400)
    columns = {f"n{j}": draw.normal(size=400) for j in range(30)} | {"telling": np.where(y == "p", "a", "b").tolist()}
    columns |= {f"c{j}": draw.choice([*"uvw"], 400).tolist() for j in range(10)}
    read = Frame.of(columns)
    options = discover.screened(read, Frame.of({"y": y.tolist()}).coded("y"), None, discover.Options(), 400)
    assert "telling" not in options.silent
    assert len(options.silent) > 30


@pytest.mark.parametrize("x", [[0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 2, 2]])
@pytest.mark.parametrize("y", [[0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 2, 2]])
def test_mean_and_variance_are_those_of_all_shuffles(x, y):
    """Haldane 1940 against the 5,040 orders of seven rows."""
    x = np.array(x)

    def statistic(labels):
        n = table(x, np.array(labels))
        expected = n.sum(1, keepdims=True) * n.sum(0) / n.sum()
        return ((n - expected) ** 2 / expected).sum()

    every = np.array([statistic(labels) for labels in permutations(y)])
    of_all = deviates(np.array([statistic(y)]), np.array([every.mean()]), np.array([every.var()]))
    np.testing.assert_allclose(squares(table(x, np.array(y))[None]), of_all, rtol=1e-9)


def test_classes_that_differ_by_their_spread_alone_are_told_apart():
    """Twenty normals of which one class is twice as wide: a hundred rows keep nearly all of them."""
    draw = np.random.default_rng(0)
    y = np.arange(100) % 2
    wide = {f"n{j}": draw.normal(size=100) * (1.0 + y) for j in range(20)}
    assert len(nothing(wide, {}, y, None, False)) <= 2
    assert len(nothing(wide | {f"noise{j}": draw.normal(size=100) for j in range(60)}, {}, y, None, False)) > 55


def test_where_nearly_all_columns_tell_weak_ones_are_kept():
    chances = np.array([0.001] * 17 + [0.12, 0.3, 0.8])
    assert largest_kept(chances) == 0.3
    assert largest_kept(np.append(chances, np.linspace(0.01, 1, 200))) < 0.12


@pytest.mark.parametrize("apart", [means_apart, spreads_apart])
def test_of_one_score_or_hardly_a_row_nothing_is_surprising(apart):
    """Beside columns that tell, all at once: what one has does not hang on the others."""
    alone = [[0.0, 0.0], [9.0, 7.0], [0.0, 0.0]]
    few = [[3.0, 0.0], [1.0, 0.0], [0.0, 3.0]]
    enough = [[3.0, 1.0], [1.0, 0.0], [0.0, 3.0]]
    one_class = [[3.0, 0.0], [9.0, 0.0], [5.0, 0.0]]
    tells = [[90.0, 1.0], [20.0, 80.0], [1.0, 9.0]]
    found = apart(np.array([alone, few, enough, one_class, np.zeros((3, 2)), tells]))
    np.testing.assert_array_equal(found[[0, 1, 3, 4]], -8.0)
    assert -8 < found[2] < 3 < found[5]
    for one, n in zip(found, [alone, few, enough, one_class, np.zeros((3, 2)), tells], strict=True):
        assert apart(np.array([n])) == pytest.approx(one)


@pytest.mark.parametrize(
    ("columns", "rows", "few"), [(FEW, 1, True), (FEW + 1, 16 * (FEW + 1), True), (FEW + 1, 16 * (FEW + 1) - 1, False)]
)
def test_columns_are_few_by_themselves_or_for_the_rows(columns, rows, few):
    assert too_few(columns, rows) is few


def test_columns_are_looked_at_in_any_number_at_once(monkeypatch):
    draw = np.random.default_rng(0)
    y = draw.integers(0, 3, 30)
    columns = {f"n{j}": draw.normal(size=30) for j in range(7)}
    codes = {"c": draw.integers(0, 4, 30), "d": y}
    whole = surprise(columns, codes, y, None, False)
    assert list(whole) == [*columns, *codes]
    for entries in (1, 60, 90, 210):
        monkeypatch.setattr(screen, "ENTRIES", entries)
        assert surprise(columns, codes, y, None, False) == pytest.approx(whole)


@pytest.mark.parametrize(("rows", "asked"), [(7, False), (8, True)])
def test_so_few_rows_say_nothing(rows, asked):
    own, columns = np.arange(rows) % 2, {"a": np.arange(rows) * 1.0}
    assert bool(surprise(columns, {}, own, None, False)) is asked
    copies = np.full(4, rows / 4)
    assert bool(surprise({"a": np.arange(4.0)}, {}, np.arange(4) % 2, copies, True)) is asked
    assert surprise({"a": np.arange(16.0)}, {}, np.arange(16) % 2, np.tile([1.0, 0.0], 8), True) == {}, (
        "of the rows that weigh something all are of one class"
    )


def test_fifths_hold_as_many_rows_each_and_holes_are_a_level():
    x = np.column_stack([np.arange(10.0)[::-1], np.repeat([1.0, 2.0], 5), np.full(10, np.nan), np.arange(10.0)])
    x[[1, 4, 5, 7, 9], 3] = np.nan
    found = fifths(x)
    assert found[:, 0].tolist() == [4, 4, 3, 3, 2, 2, 1, 1, 0, 0]
    assert len(set(found[:5, 1])) == len(set(found[5:, 1])) == 1
    assert (found[:5, 1] < found[5:, 1]).all()
    assert (found[:, 2] == 5).all()
    holes = np.isnan(x[:, 3])
    assert (found[holes, 3] == 5).all()
    np.testing.assert_array_equal(found[~holes, 3], fifths(x[~holes, 3][:, None])[:, 0])


def test_tables_are_weights_of_levels_and_classes():
    levels, own, w = np.array([[0, 2], [1, 0], [0, 2]]), np.array([2, 0, 2]), np.array([1.0, 2.0, 4.0])
    n = tables(levels, own, w)
    assert n.shape == (2, 3, 3)
    expected = np.zeros((2, 3, 3))
    expected[0, 0, 2], expected[0, 1, 0], expected[1, 2, 2], expected[1, 0, 0] = 5.0, 2.0, 5.0, 2.0
    np.testing.assert_array_equal(n, expected)


@pytest.mark.parametrize("z", [-5.0, 0.0, 3.0, 36.99, 37.0, 38.0, 60.0])
def test_tails_are_those_of_the_normal_distribution(z):
    assert log_tail(z) == pytest.approx(norm.logsf(z), rel=1e-5)
    assert any_of(np.array([z]), np.array([z - 1])) == pytest.approx([-norm.logsf(z) - np.log(2)], rel=1e-5)


def test_as_surprising_columns_are_kept_by_name():
    assert beyond({"b": 1.0, "a": 1.0, "c": 2.0}, 2) == {"b"}
    assert beyond({"b": 1.0, "a": 1.0}, 0) == {"a", "b"}
    assert beyond({"b": 1.0}, 1) == set()


def test_as_many_are_kept_as_leave_a_tenth_to_chance():
    # one looks like chance, so four tell nothing; of ordered ones the k-th may be at most k / 40
    chances = np.array([0.025, 0.05, 0.0751, 0.1, 0.51])
    assert largest_kept(chances) == 0.1
    assert largest_kept(np.array([0.025, 0.0501, 0.0751, 0.1001, 0.51])) == 0.025
    assert largest_kept(np.array([0.0251, 0.0501, 0.0751, 0.1001, 0.51])) == 0.0251
    assert largest_kept(np.array([0.5, 0.5])) == 0.5
    assert largest_kept(np.full(40, 1e-9)) == 1e-9
