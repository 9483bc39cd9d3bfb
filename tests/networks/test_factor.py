"""The algebra of labelled tables: laws, cells by name, and errors that name what is wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold.networks.factor import Factor, ImpossibleEvidence, multiply
from bayesfold.networks.factor_states import refuse_size

STATES = {"a": ("no", "yes"), "b": (0, 1, 2), "c": ("x",), "d": (True, False)}
CELLS = st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0, 3.0])


@st.composite
def factors(draw):
    """A table over some of the variables, in some order, with zeros."""
    names = draw(st.permutations(list(STATES)))[: draw(st.integers(0, len(STATES)))]
    size = int(np.prod([len(STATES[v]) for v in names]))
    return Factor({v: STATES[v] for v in names}, draw(st.lists(CELLS, min_size=size, max_size=size)))


def same(f, g):
    """The same cells, whatever the order of the axes."""
    assert set(f.axes) == set(g.axes)
    np.testing.assert_allclose(f.values, g.ordered(*f.axes).values, rtol=1e-12, atol=0)


@given(factors(), factors())
def test_products_do_not_depend_on_order(f, g):
    same(f * g, g * f)
    same(f + g, g + f)


@given(factors(), factors(), factors())
def test_products_do_not_depend_on_brackets_and_spread_over_sums(f, g, h):
    same((f * g) * h, f * (g * h))
    same(multiply([f, g, h]), f * g * h)
    same(f * (g + h), f * g + f * h + (f * g * h) * 0.0)


@given(factors(), st.data())
def test_sums_and_maxima_commute_among_themselves(f, data):
    names = data.draw(st.permutations(list(f.axes)))
    one_by_one_sum, one_by_one_max = f, f
    for name in names:
        one_by_one_sum, one_by_one_max = one_by_one_sum.sum(name), one_by_one_max.max(name)
    assert one_by_one_sum.total == pytest.approx(f.total)
    assert one_by_one_max.total == f.values.max()
    same(f.sum(), one_by_one_sum)


@given(factors(), factors())
def test_a_sum_moves_past_factors_without_its_variable(f, g):
    """The step that variable elimination is made of."""
    inner = [v for v in g.axes if v not in f.axes]
    if inner:
        same((f * g).sum(*inner), f * g.sum(*inner))
        same((f * g).max(*inner), f * g.max(*inner))


@given(factors(), factors())
def test_what_was_multiplied_can_be_divided_where_it_is_not_zero(f, g):
    product = f * g
    nonzero = (f * 0.0 + g) * product * 0.0 + g  # g, spread over both
    np.testing.assert_allclose(
        (product / g).ordered(*product.axes).values,
        np.where(nonzero.ordered(*product.axes).values > 0, (f + g * 0.0).ordered(*product.axes).values, 0.0),
    )


@given(factors(), st.data())
def test_condition_then_normalise_is_bayes(f, data):
    """P(rest | v=s) = P(v=s, rest) / P(v=s), and it is the column of P(rest | v)."""
    if not f.axes:
        return
    v = data.draw(st.sampled_from(list(f.axes)))
    s = data.draw(st.sampled_from(f.axes[v]))
    if f.condition({v: s}).total == 0:
        with pytest.raises(ImpossibleEvidence, match=f"{v}={s} has probability 0"):
            f.condition({v: s}).normalise()
        return
    posterior = f.condition({v: s}).normalise()
    assert posterior.total == pytest.approx(1.0)
    np.testing.assert_allclose(posterior.values, f.condition({v: s}).values / f.marginal(v)[s])
    same(posterior, f.normalise(v).condition({v: s}))


@given(factors(), st.data())
def test_a_cell_is_read_by_names_and_the_table_is_a_dict_of_them(f, data):
    if not f.axes:
        assert f.to_dict() == f.total
        return
    states = {v: data.draw(st.sampled_from(s)) for v, s in f.axes.items()}
    nested = f.to_dict()
    for s in states.values():
        nested = nested[s]
    assert f[tuple(states.values())] == f[states] == nested
    assert f[f.argmax()] == f.values.max()


def test_a_table_prints_its_states():
    f = Factor({"a": ("x", "y"), "b": (0, 1), "c": ("<p>", "q")}, np.arange(8) / 4)
    assert str(f).splitlines() == [
        "f(a, b, c)",
        "          c=<p>  c=q",
        "a=x  b=0  0      0.25",
        "a=x  b=1  0.5    0.75",
        "a=y  b=0  1      1.25",
        "a=y  b=1  1.5    1.75",
    ]
    assert ">c=&lt;p&gt;</th>" in f._repr_html_()
    assert f._repr_html_().count("<tr>") == 5
    assert str(f.condition(a="x", b=0, c="q")) == "f( | a=x, b=0, c=q)\n0.25"
    long = Factor({"a": range(100)}, np.ones(100))
    assert str(long).endswith("a=63  1\n... and 36 more rows")
    assert repr(long) == "<Factor f(a): 100>"


def test_axes_meet_by_name_and_states_by_name():
    f = Factor({"a": ("x", "y")}, [1, 2])
    g = Factor({"a": ("y", "x")}, [10, 100])
    assert (f * g).to_dict() == {"x": 100, "y": 20}
    with pytest.raises(ValueError, match="'a' has the states 'x', 'y' in one table and 'x', 'z' in the other"):
        f * Factor({"a": ("x", "z")}, [1, 2])


def test_a_table_cannot_be_changed():
    values = np.ones(2)
    f = Factor({"a": ("x", "y")}, values)
    values[0] = 7
    assert f.total == 2
    with pytest.raises(ValueError, match="read-only"):
        f.values[0] = 3


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda f: f.sum("smoke"), "no variable 'smoke'; did you mean 'smoking'"),
        (lambda f: f.condition(smoking="yess"), "no state 'yess'; did you mean 'yes'.* its states are 'yes', 'no'"),
        (lambda f: f["yes"], "needs 2 states, not 1"),
        (lambda f: f[{"smoking": "yes"}], "also needs the state of 'age'"),
        (lambda f: f.ordered("age"), "name each of 'smoking', 'age' once"),
        (lambda f: Factor({"a": ("x", "x")}, [1, 2]), "states of 'a' must be distinct"),
        (lambda f: Factor({"a": ("x", "y")}, [1, 2, 3]), "over a .2. has 2 cells, but 3 values"),
        (
            lambda f: Factor({f"v{i}": (0, 1) for i in range(30)}, []),
            "30 variables would have 1.07e.09 cells .8.59e",
        ),
        (lambda f: f / (f * 0.0), "divided by 0"),
        (lambda f: (f * 0.0).normalise(), "every cell over 'smoking', 'age' is 0"),
        (lambda f: f.condition(age=1) * f.condition(age=2), "cut at age=1 and at age=2"),
    ],
)
def test_errors_name_what_is_wrong(wrong, message):
    f = Factor({"smoking": ("yes", "no"), "age": (1, 2)}, [[1, 2], [3, 4]])
    with pytest.raises((ValueError, KeyError, ZeroDivisionError), match=message):
        wrong(f)


def test_states_are_also_found_by_how_they_are_written():
    f = bf.Factor({"age": (1, 2)}, [3, 4])
    assert f["2"] == 4
    assert f.condition(age="2").given == {"age": 2}


def test_tables_are_equal_by_their_cells():
    f = Factor({"a": ("x", "y"), "b": (0, 1)}, [[1, 2], [3, 4]])
    turned = Factor({"b": (1, 0), "a": ("x", "y")}, [[2, 4], [1, 3]], {"c": 1}, "another name")
    assert f == turned
    assert hash(f) == hash(turned)
    assert len({f, turned}) == 1
    assert f != Factor({"a": ("x", "y"), "b": (0, 1)}, [[1, 2], [3, 5]])
    assert f != Factor({"a": ("x", "y"), "c": (0, 1)}, [[1, 2], [3, 4]])
    assert f != Factor({"a": ("x", "y"), "b": (0, 2)}, [[1, 2], [3, 4]])
    assert f != 4
    assert f.isclose(turned * (1 + 1e-12))
    assert not f.isclose(turned * 1.01)
    holes = Factor({"a": (0, 1)}, [np.nan, 1]), Factor({"a": (1, 0)}, [1, np.nan])
    assert holes[0] == holes[1]
    assert hash(holes[0]) == hash(holes[1])


def test_a_table_as_a_frame():
    f = Factor({"a": ("x", 1), "value": (True, False)}, [[1, 2], [3, 4]])
    assert f.to_frame().to_pydict() == {
        "a": ["x", "x", "1", "1"],
        "value": [True, False, True, False],
        "value_": [1, 2, 3, 4],
    }
    assert f.to_frame().to_pandas()["value_"].sum() == 10
    assert Factor({}, 3.0).to_frame().to_pydict() == {"value": [3.0]}


def test_sizes_beyond_numbers_are_said():
    with pytest.raises(ValueError, match=r"2000 variables would have 1.15e.602 cells"):
        refuse_size({f"v{i}": (0, 1) for i in range(2000)})


def test_numbers_come_one_after_another_or_with_an_axis_for_each_variable():
    axes, cells = {"a": ("x", "y"), "b": (0, 1, 2)}, np.arange(6.0)
    assert Factor(axes, cells) == Factor(axes, cells.reshape(2, 3))
    for turned in (cells.reshape(3, 2), cells.reshape(1, 6), cells.reshape(2, 3, 1)):
        with pytest.raises(ValueError, match=r"a \(2\) x b \(3\) has the shape \(2, 3\), but"):
            Factor(axes, turned)


@pytest.mark.parametrize("other", [np.array([1.0, 2.0]), [1, 2], "2", None, {"x": 1}])
def test_only_a_table_or_one_number_scales_a_table(other):
    f = Factor({"a": ("x", "y"), "b": (0, 1)}, [[1, 2], [3, 4]])
    for verb in (lambda: f * other, lambda: other * f, lambda: f + other, lambda: f / other):
        with pytest.raises(TypeError):
            verb()
    assert (f * np.float64(2)) == (np.int64(2) * f) == (2 * f)


def test_tables_of_any_size_are_normalised():
    for tiny_or_huge in (1e308, 5e-324):
        f = Factor({"a": ("x", "y"), "b": (0, 1)}, [[tiny_or_huge] * 2, [tiny_or_huge] * 2])
        assert f.normalise().values.tolist() == [[0.25] * 2] * 2
        assert f.normalise("a").values.tolist() == [[0.5] * 2] * 2


@pytest.mark.parametrize(("bad", "said"), [(-1.0, "-1"), (np.inf, "inf"), (np.nan, "nan")])
@pytest.mark.parametrize("given", [(), ("a",)])
def test_what_is_no_share_is_not_normalised(bad, said, given):
    f = Factor({"a": ("x", "y"), "b": (0, 1)}, [[1, 2], [bad, 4]])
    with pytest.raises(ValueError, match=f"a=y, b=0 is {said}") as caught:
        f.normalise(*given)
    assert not isinstance(caught.value, ImpossibleEvidence)


def test_a_variable_that_is_named_twice_is_summed_out_once():
    f = Factor({"a": ("x", "y"), "b": (0, 1)}, [[1, 2], [3, 4]])
    assert f.sum("a", "a") == f.sum("a")
    assert f.max("a", "a") == f.max("a")
