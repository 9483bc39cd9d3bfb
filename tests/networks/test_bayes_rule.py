"""Bayes' rule in three forms that agree, and the joint distribution counted from any table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf


@pytest.mark.parametrize("classes", [1, 2, 3, 5])
@pytest.mark.parametrize("observations", [1, 2, 4])
def test_arrays_dicts_and_factors_agree_with_the_formula(classes, observations):
    draw = np.random.default_rng(classes * observations)
    prior, likelihood = draw.dirichlet(np.ones(classes)), draw.uniform(0.01, 0.99, (classes, observations))
    names, seen = "abcde"[:classes], tuple(f"o{k}" for k in range(observations))
    expected = prior[:, None] * likelihood / (prior @ likelihood)
    np.testing.assert_allclose(bf.bayes_rule(prior, likelihood), expected)
    np.testing.assert_allclose(bf.bayes_rule(prior, likelihood[:, 0]), expected[:, 0])
    np.testing.assert_allclose(bf.total_probability(prior, likelihood), prior @ likelihood)
    named = dict(zip(names, prior, strict=True))
    rows = {name: dict(zip(seen, row, strict=True)) for name, row in zip(names, likelihood, strict=True)}
    found = bf.bayes_rule(named, rows)
    assert list(found) == list(names)
    np.testing.assert_allclose([list(row.values()) for row in found.values()], expected)
    of_one = bf.bayes_rule(named, {name: row["o0"] for name, row in rows.items()})
    assert of_one == pytest.approx(dict(zip(names, expected[:, 0], strict=True)))
    assert bf.total_probability(named, rows) == pytest.approx(dict(zip(seen, prior @ likelihood, strict=True)))
    p = bf.Factor({"ill": names}, prior)
    q = bf.Factor({"ill": names, "fever": seen}, likelihood)
    posterior = bf.bayes_rule(p, q)
    np.testing.assert_allclose(posterior.values, expected)
    np.testing.assert_allclose(bf.bayes_rule(p, q.condition(fever="o0")).values, expected[:, 0])
    np.testing.assert_allclose(posterior.values, (p * q).normalise("fever").values)
    np.testing.assert_allclose(bf.total_probability(p, q).values, prior @ likelihood)


@given(st.floats(0.01, 0.99), st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0.01, 0.99)), max_size=4))
def test_odds_multiply_as_posteriors_follow_each_other(p, tests):
    belief = [p, 1 - p]
    for ill, well in tests:
        belief = bf.bayes_rule(belief, [ill, well])
    after = bf.posterior_odds(bf.odds(p), *(ill / well for ill, well in tests))
    assert after == pytest.approx(belief[0] / belief[1], rel=1e-9)


def test_likelihoods_are_matched_by_class_name():
    assert bf.bayes_rule({"a": 0.5, "b": 0.5}, {"b": 0.2, "a": 0.6}) == pytest.approx({"a": 0.75, "b": 0.25})
    assert bf.odds(1.0) == np.inf


def test_observations_stand_in_the_order_of_the_first_class():
    told = {"a": {"x": 0.2, "y": 0.8}, "b": {"y": 0.4, "x": 0.6}}
    found = bf.bayes_rule({"a": 0.5, "b": 0.5}, told)
    assert [*found["b"]] == ["x", "y"]
    assert found["a"] == pytest.approx({"x": 0.25, "y": 2 / 3})


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: bf.bayes_rule({"flu": 0.5, "cold": 0.5}, {"flu": 0.0, "cold": 0.0}),
            bf.ImpossibleEvidence,
            "'flu', 'cold'",
        ),
        (
            lambda: bf.bayes_rule(
                {"flu": 1.0, "cold": 0.0}, {"flu": {"x": 0.0, "y": 1.0}, "cold": {"x": 1.0, "y": 0.0}}
            ),
            bf.ImpossibleEvidence,
            "observation=x has probability 0",
        ),
        (
            lambda: bf.bayes_rule({"flu": 0.5, "cold": 0.5}, {"flu": 0.1, "colt": 0.1}),
            ValueError,
            "did you mean 'cold'",
        ),
        (lambda: bf.bayes_rule({"flu": 0.5, "cold": 0.5}, {"flu": 0.1}), ValueError, "says nothing about 'cold'"),
        (
            lambda: bf.bayes_rule(
                {"flu": 0.5, "cold": 0.5}, {"flu": {"x": 0.2, "y": 0.8}, "cold": {"x": 0.5, "y": 0.4, "z": 0.1}}
            ),
            ValueError,
            "no observation 'z'",
        ),
        (
            lambda: bf.bayes_rule(
                {"flu": 0.5, "cold": 0.5}, {"flu": {"x": 0.2, "y": 0.7, "z": 0.1}, "cold": {"x": 0.5, "y": 0.5}}
            ),
            ValueError,
            "no observation 'z'",
        ),
        (lambda: bf.bayes_rule([0.5, 0.6], [1, 1]), ValueError, "the prior sums to 1.1, not to 1"),
        (lambda: bf.bayes_rule([0.5, 0.5], [1, -1]), ValueError, "likelihood of 1 is -1"),
        (lambda: bf.bayes_rule([0.5, 0.5], [1, 1, 1]), ValueError, r"got \(2,\) and \(3,\)"),
        (lambda: bf.bayes_rule([0.5, 0.5], {"a": 1}), TypeError, "both as dicts"),
        (lambda: bf.bayes_rule(bf.Factor({"a": (0, 1)}, [0.5, 0.5]), [1, 1]), TypeError, "both as factors"),
        (
            lambda: bf.bayes_rule(bf.Factor({"a": (0, 1)}, [0.5, 0.5]), bf.Factor({"b": (0, 1)}, [1, 1])),
            ValueError,
            "does not depend on 'a'",
        ),
        (lambda: bf.odds(1.5), ValueError, "between 0 and 1"),
        (lambda: bf.posterior_odds(-1), ValueError, "0 or more"),
        (lambda: bf.posterior_odds(np.inf, 0.0), bf.ImpossibleEvidence, "both cannot happen"),
    ],
)
def test_errors_name_what_is_wrong(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


DATA = {"sky": ["blue", "grey", None, "grey", "blue", "grey"], "rain": [0, 1, 1, 0, 0, 1], "wind": [2, 2, 1, 1, 2, 2]}


@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame, lambda d: pd.DataFrame(d).to_dict("records")])
def test_a_joint_distribution_is_counted_from_any_table(form):
    found = bf.joint(form(DATA), ["wind", "sky", "rain"])
    assert dict(found.axes) == {"wind": (1, 2), "sky": ("blue", "grey"), "rain": (0, 1)}
    assert found.to_dict() == {
        1: {"blue": {0: 0, 1: 0}, "grey": {0: 0.2, 1: 0}},
        2: {"blue": {0: 0.4, 1: 0}, "grey": {0: 0, 1: 0.4}},
    }
    assert bf.joint(form(DATA), ["rain"]).values.tolist() == [0.5, 0.5]


def test_smoothing_adds_to_every_cell():
    assert bf.joint(DATA, ["sky"], alpha=1.0).values == pytest.approx([3 / 7, 4 / 7])


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(ValueError, match="no column 'skye'; did you mean 'sky'"):
        bf.joint(DATA, ["skye"])
    with pytest.raises(ValueError, match="distinct columns"):
        bf.joint(DATA, ["sky", "sky"])
    with pytest.raises(ValueError, match="no row has a value in each of 'a', 'b'"):
        bf.joint({"a": ["x", None], "b": [None, 1]}, ["a", "b"])


def test_products_too_small_for_a_number_still_have_a_ratio():
    np.testing.assert_allclose(bf.bayes_rule([1e-200, 1 - 1e-200], [1e-200, 0.0]), [1, 0])
    np.testing.assert_allclose(bf.bayes_rule([1e-200, 1 - 1e-200], [0.75, 0.25e-200]), [0.75, 0.25])
    np.testing.assert_allclose(bf.bayes_rule([0.5, 0.5], [[1e-310, 0.5], [3e-310, 0.5]])[:, 0], [0.25, 0.75])


def test_a_series_and_a_data_frame_are_read_by_their_labels():
    prior, ill = pd.Series({"ill": 0.2, "well": 0.8}), pd.Series({"well": 0.1, "ill": 0.9})
    assert bf.total_probability(prior, ill) == pytest.approx(0.26)
    assert bf.bayes_rule(prior, ill) == bf.bayes_rule(dict(prior), dict(ill))
    by_test = pd.DataFrame({"positive": {"well": 0.1, "ill": 0.9}, "negative": {"ill": 0.1, "well": 0.9}})
    assert bf.bayes_rule(prior, by_test) == bf.bayes_rule(dict(prior), by_test.to_dict(orient="index"))
    assert bf.bayes_rule(pd.Series([0.2, 0.8]), pd.Series([0.9, 0.1])).tolist() == pytest.approx([9 / 13, 4 / 13])


@pytest.mark.parametrize(
    ("likelihood", "why"),
    [
        ({"a": {"x": 0.1, "y": 0.9}, "b": 0.3}, "every class a dict"),
        ({"a": 0.3, "b": {"x": 1.0}}, "every class a dict"),
    ],
)
def test_one_observation_or_several_for_all_classes(likelihood, why):
    with pytest.raises(TypeError, match=why):
        bf.bayes_rule({"a": 0.5, "b": 0.5}, likelihood)


def test_no_class_is_refused():
    with pytest.raises(ValueError, match="the prior names no class"):
        bf.bayes_rule({}, {})


@pytest.mark.parametrize("alpha", [-1, float("nan"), float("inf")])
def test_what_is_added_to_counts_is_a_number_of_at_least_0(alpha):
    with pytest.raises(ValueError, match="alpha is added to every count"):
        bf.joint({"a": [1, 1, 2]}, ["a"], alpha=alpha)


def test_one_column_needs_no_list():
    assert bf.joint({"age": [1, 1, 2]}, "age") == bf.joint({"age": [1, 1, 2]}, ["age"])


@pytest.mark.parametrize("far", [1e200, 1e-200])
def test_ratios_that_cancel_each_other_do_so_in_any_order(far):
    assert bf.posterior_odds(3.0, far, far, 1 / far, 1 / far) == pytest.approx(3.0)
    assert bf.posterior_odds(3.0, 1 / far, 1 / far, far, far) == pytest.approx(3.0)
    assert bf.posterior_odds(1.0, far, far) == (np.inf if far > 1 else 0.0)
    assert bf.posterior_odds(0.0, far) == 0.0
    assert bf.posterior_odds(np.inf, far) == np.inf


@pytest.mark.parametrize("alpha", [1e101, 1e308])
def test_what_is_added_to_counts_can_be_summed(alpha):
    with pytest.raises(ValueError, match=r"alpha is added to every count.* at most 1e\+100"):
        bf.joint(DATA, ["sky"], alpha=alpha)
    assert bf.joint(DATA, ["sky"], alpha=1e100).values == pytest.approx([0.5, 0.5])
