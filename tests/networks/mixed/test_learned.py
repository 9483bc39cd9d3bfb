"""Lines learned from rows are those of least squares, and what was learned can be forgotten, merged, faded."""

import numpy as np
import pytest
from tests.networks.mixed.brute_force import random_network

import bayesfold as bf
from bayesfold.networks.mixed.network import MixedNetwork


def part(rows, which):
    """Some of the rows."""
    return {v: column[which] for v, column in rows.items()}


def bare(net):
    """The same graph without tables."""
    return MixedNetwork.from_edges(net.edges, net.nodes, numbers=net.numbers)


def same(one, other, tolerance=1e-9):
    """Whether two networks have the same tables and lines."""
    for v in one.nodes:
        if v in one.categories:
            np.testing.assert_allclose(one.table(v).values, other.table(v).values, rtol=tolerance)
            continue
        mine, theirs = one.tables[v], other.tables[v]
        for name in ("intercept", "slopes", "sd"):
            np.testing.assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_lines_are_those_of_least_squares(seed, weighted):
    net = random_network(seed, categories=2, numbers=3)
    rows = net.sample(800, seed)
    draw = np.random.default_rng(seed)
    weight = draw.integers(0, 4, 800).astype(float) if weighted else None
    found = bare(net).fit(rows, method="mle", weight=weight)
    w = np.ones(800) if weight is None else weight
    for v in net.numbers:
        above = [u for u in net.parents(v) if u in net.numbers]
        groups = [u for u in net.parents(v) if u in net.categories]
        for states, line in found.lines(v).items():
            some = np.all([rows[u] == s for u, s in zip(groups, states, strict=True)] or [np.ones(800, bool)], axis=0)
            if w[some].sum() < 2 * len(above) + 4:
                continue
            x = np.column_stack([np.ones(some.sum()), *(rows[u][some] for u in above)])
            root = np.sqrt(w[some])
            b = np.linalg.lstsq(x * root[:, None], rows[v][some] * root, rcond=None)[0]
            left = w[some] @ (rows[v][some] - x @ b) ** 2 / w[some].sum()
            np.testing.assert_allclose([line.intercept, *line.slopes.values()], b, rtol=1e-8, atol=1e-8)
            assert line.sd == pytest.approx(np.sqrt(left), rel=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_learning_in_parts_forgetting_and_merging_equal_a_fit_of_the_rows(seed):
    net = random_network(seed, categories=2, numbers=3)
    rows = net.sample(900, seed)
    rows["x0"] = rows["x0"] * 1e-3 + 5e4  # far from 0, in a small unit
    first, second = part(rows, slice(0, 500)), part(rows, slice(500, None))
    states = {v: net.states(v) for v in net.categories}
    start = MixedNetwork.from_edges(net.edges, net.nodes, states=states, numbers=net.numbers)
    whole, one, two = start.fit(rows), start.fit(first), start.fit(second)
    same(one.partial_fit(second), whole, 1e-8)
    same(whole.forget(second), one, 1e-8)
    same(one.merge(two), whole, 1e-8)
    same(two.merge(one), whole, 1e-8)
    weight = np.r_[np.full(500, 0.5), np.ones(400)]
    same(one.decay(0.5).partial_fit(second), start.fit(rows, weight=weight), 1e-8)
    same(one.decay(0.5).partial_fit(second).forget(first, weight=np.full(500, 0.5)), two, 1e-7)


@pytest.mark.parametrize("rows", [300, 20_000])
def test_a_row_far_out_leaves_nothing_behind(rows):
    draw = np.random.default_rng(0)
    x = draw.normal(size=rows)
    some = {"x": x, "y": 2 * x + draw.normal(size=rows) * 0.1}
    odd = {"x": [1e9], "y": [-1e9]}
    bare = MixedNetwork.from_edges([("x", "y")], numbers="xy")
    full = bare.fit({v: np.append(column, odd[v]) for v, column in some.items()})
    same(full.forget(odd), bare.fit(some), 1e-9)
    same(full.forget(odd, weight=[1.0]), bare.fit(some), 1e-9)


def test_rows_with_a_hole_are_left_out_of_the_family_that_has_it():
    net = random_network(4, categories=2, numbers=3, density=0.9)
    rows = {v: column.astype(object) for v, column in net.sample(600, 4).items()}
    draw = np.random.default_rng(0)
    for column in rows.values():
        column[draw.random(600) < 0.2] = None
    found = bare(net).fit(rows)
    for v in net.nodes:
        family = [*net.parents(v), v]
        whole = np.all([[x is not None for x in rows[u]] for u in family], axis=0)
        alone = MixedNetwork.from_edges(
            [(u, v) for u in family[:-1]], family, numbers=[u for u in family if u in net.numbers]
        )
        some = {u: np.array(list(rows[u][whole]), float if u in net.numbers else object) for u in family}
        expected = alone.fit(some).tables[v]
        if v in net.categories:
            np.testing.assert_allclose(found.tables[v], expected)
        else:
            np.testing.assert_allclose(found.tables[v].slopes, expected.slopes, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(found.tables[v].sd, expected.sd, rtol=1e-9)


def test_rows_that_were_not_learned_are_not_forgotten():
    rows = {"sex": ["f", "m"] * 20, "height": list(np.random.default_rng(0).normal(170, 8, 40))}
    net = MixedNetwork.from_edges([("sex", "height")], numbers=["height"]).fit(rows)
    with pytest.raises(ValueError, match="no numbers have the sums that would be left of 'height'"):
        net.forget({"sex": ["f"], "height": [900.0]})
    with pytest.raises(ValueError, match="was not learned"):
        net.forget({"sex": ["f"] * 30, "height": [170.0] * 30})
    with pytest.raises(ValueError, match="no row shows 'height'"):
        net.forget(rows)
    with pytest.raises(ValueError, match="keeps no counts"):
        net.do(sex="f").forget(rows)


def test_degenerate_rows_are_learned_with_finite_lines():
    draw = np.random.default_rng(1)
    x = draw.normal(size=60)
    rows = {
        "kind": ["often"] * 59 + ["once"],
        "x": x,
        "twice": 2 * x + 1,  # collinear parents, and no variance left
        "flat": np.full(60, 7.5),
        "y": x + draw.normal(size=60) * 0.1,
    }
    edges = [("x", "twice"), ("x", "y"), ("twice", "y"), ("kind", "y"), ("kind", "flat"), ("flat", "y")]
    for method in ("lambda", "mle", "bdeu"):
        net = MixedNetwork.from_edges(
            edges, states={"kind": ("often", "once", "never")}, numbers=["x", "twice", "flat", "y"]
        ).fit(rows, method=method)
        for v in net.numbers:
            for line in net.lines(v).values():
                assert np.isfinite([line.intercept, np.log(line.sd), *line.slopes.values()]).all()
        assert np.isfinite(net.log_likelihood(rows))
        assert np.isfinite(net.log_likelihood({**rows, "twice": np.full(60, np.nan)}))
        assert net.query("kind | flat=7.5, y=0.2, x=0.1").total == pytest.approx(1)
        assert net.lines("twice")[()].slopes["x"] == pytest.approx(2)
        often, never = net.lines("y")[("often",)], net.lines("y")[("never",)]
        # who was never seen is like the others: in them x and what repeats it say together what x says
        assert often.slopes["x"] + 2 * often.slopes["twice"] == pytest.approx(1, abs=0.05)
        assert never.slopes["x"] + 2 * never.slopes["twice"] == pytest.approx(1, abs=0.05)
    one_row = MixedNetwork.from_edges([], ["a"], numbers=["a"]).fit({"a": [3.0]})
    assert one_row.query("a").mean == 3


def test_what_cannot_be_learned_is_said():
    with pytest.raises(ValueError, match="no row shows 'b' together with all its parents"):
        MixedNetwork.from_edges([("a", "b")], numbers="ab").fit({"a": [1.0, None], "b": [None, 2.0]})
    with pytest.raises(ValueError, match="the table has no column 'b'"):
        MixedNetwork.from_edges([("a", "b")], numbers="ab").fit({"a": [1.0]})
    with pytest.raises(ValueError, match="inf"):
        MixedNetwork.from_edges([("a", "b")], numbers="ab").fit({"a": [1.0, 2.0], "b": [1.0, np.inf]})
    with pytest.raises(ValueError, match="'c' is a category and cannot depend on the number 'a'"):
        MixedNetwork.from_edges([("a", "c")], numbers="a")


def test_rows_of_weight_zero_are_forgotten_whether_they_were_learned_or_not():
    rows = {"x": np.array([1.0, 2.0, 4.0, 3.0, 7.0, 6.0, 5.0]), "y": np.array([2.0, 1.0, 5.0, 3.0, 4.0, 4.0, 4.0])}
    weight = np.array([1.0, 2.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    plain = MixedNetwork.from_edges([("x", "y")], numbers=["x", "y"])
    learned = plain.fit(part(rows, slice(4)), weight=weight[:4])
    same(learned.forget(part(rows, slice(2, 7)), weight[2:]), plain.fit(part(rows, slice(2)), weight=weight[:2]))


@pytest.mark.parametrize(("scale", "words"), [(1e200, "cannot be summed"), (1e-200, "whose square is 0")])
def test_numbers_whose_squares_are_no_numbers_are_refused(scale, words):
    """They ended in an error of Python's own, or were taken to be certain."""
    x = np.linspace(-1, 1, 30)
    table = {"u": x * scale, "v": x**2}
    for learn in (bf.fit_network, lambda edges, rows, **how: bf.learn_network(rows, **how)):
        with pytest.raises(ValueError, match=f"the numbers of 'u' .*{words}"):
            learn([("u", "v")], table, numbers=["u", "v"])
