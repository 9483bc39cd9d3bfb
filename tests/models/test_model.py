"""A model is its tally: what it holds, what it refuses, and what it does not share."""

import numpy as np
import pytest

from bayesfold import BayesClassifier, NaiveBayes
from bayesfold.families.categorical import Categorical
from bayesfold.families.gaussian import Gaussian
from bayesfold.families.poisson import Poisson

X = {"c": [*"abcab"], "x": [1.0, 2.0, 4.0, 3.0, 5.0]}
Y = [*"pqqpq"]


def fitted(**families):
    return NaiveBayes(families={"c": "categorical", "x": "gaussian"} | families).fit(X, Y)


def test_a_model_knows_its_classes_and_how_many_rows_each_has():
    model = fitted().model_
    assert model.classes == ("p", "q")
    assert model.class_counts().tolist() == [2, 3]
    assert model.class_weights().tolist() == [2.0, 3.0]
    assert model.names == ("c", "x")
    model.decay(0.5)
    assert model.class_counts().tolist() == [2, 3]
    assert model.class_weights().tolist() == [1.0, 1.5]


def test_models_of_different_densities_do_not_merge():
    with pytest.raises(ValueError, match=r"column 'x'.*gaussian.*poisson"):
        fitted() + fitted(x=Poisson())


def test_models_of_different_smoothing_merge_with_the_settings_of_the_first():
    smooth, plain = fitted(c=Categorical(5.0), x=Gaussian(3.0)), fitted()
    twice = NaiveBayes(families={"c": Categorical(5.0), "x": Gaussian(3.0)}).fit(X, Y).partial_fit(X, Y)
    np.testing.assert_allclose((smooth + plain).predict_proba(X), twice.predict_proba(X), rtol=1e-12)


def test_models_of_different_exponents_merge_with_the_exponents_of_the_first():
    """Exponents that were given are a setting, like smoothing: what was counted does not know of them."""
    halved = NaiveBayes(families={"c": "categorical", "x": "gaussian"}, weights={"x": 0.5}).fit(X, Y)
    twice = NaiveBayes(families={"c": "categorical", "x": "gaussian"}, weights={"x": 0.5}).fit(X, Y).partial_fit(X, Y)
    np.testing.assert_allclose((halved + fitted()).predict_proba(X), twice.predict_proba(X), rtol=1e-12)


def test_merging_leaves_both_models_as_they_were():
    a, b = fitted(), fitted()
    before = a.predict_proba(X)
    both = a + b
    both.partial_fit(X, [*"rrrrr"])
    np.testing.assert_array_equal(a.predict_proba(X), before)
    np.testing.assert_array_equal(b.predict_proba(X), before)
    assert a.classes_.tolist() == ["p", "q"]
    assert both.classes_.tolist() == ["p", "q", "r"]


def test_only_a_classifier_of_the_same_kind_merges():
    with pytest.raises(TypeError, match="unsupported operand"):
        fitted() + 1


def test_a_decayed_model_asks_for_the_weight_of_what_it_should_forget():
    clf = fitted().decay(0.5)
    with pytest.raises(ValueError, match=r"give sample_weight=factor \*\* age; nothing was forgotten"):
        clf.forget(X, Y)
    clf.forget(X, Y, sample_weight=[0.5] * 5, keep_levels=True)
    assert clf.model_.class_counts().tolist() == [0, 0]


def test_a_model_merged_with_a_decayed_one_has_decayed():
    both = fitted() + fitted().decay(0.5)
    with pytest.raises(ValueError, match=r"give sample_weight=factor \*\* age"):
        both.forget(X, Y)
    both.forget(X, Y, sample_weight=[0.5] * 5)
    assert both.model_.class_weights().tolist() == [2.0, 3.0]


@pytest.mark.parametrize("make", [fitted, lambda: BayesClassifier().fit(X, Y)], ids=["a model", "a pool"])
@pytest.mark.parametrize("faded", [False, True])
def test_a_blank_model_has_not_decayed_whatever_it_was_made_of(make, faded):
    """Only of a decayed model it must be said what the rows weigh that it should forget."""
    clf = make().decay(0.5) if faded else make()
    fresh = clf.blank().partial_fit(X, Y)
    first = {name: column[:1] for name, column in X.items()}
    assert fresh.forget(first, Y[:1]).model_.class_counts().tolist() == [1, 3]
    if faded:
        with pytest.raises(ValueError, match="this model has decayed"):
            clf.forget(first, Y[:1])


def test_what_was_answered_before_a_change_is_not_answered_after_it():
    """Tables made for scoring are dropped by every change."""
    changes = [
        lambda c: c.partial_fit(X, [*"ppppp"]),
        lambda c: c.partial_fit({"c": "a", "x": 9.0}, "p"),
        lambda c: c.forget({"c": ["a"], "x": [1.0]}, ["p"]),
        lambda c: c.decay(0.1).partial_fit(X, [*"ppppp"]),
    ]
    for change in changes:
        asked, fresh = fitted(), fitted()
        before = asked.predict_proba(X)
        asked.predict_proba({"c": "a"})
        asked.leave_one_out(X, Y)
        change(asked)
        change(fresh)
        np.testing.assert_array_equal(asked.predict_proba(X), fresh.predict_proba(X))
        np.testing.assert_allclose(asked.predict_proba({"c": "a"}), fresh.predict_proba({"c": "a"}), rtol=1e-12)
        assert np.abs(asked.predict_proba(X) - before).max() > 1e-3


def test_rows_that_weigh_more_than_the_model_holds_are_refused():
    clf = NaiveBayes(families={"c": "categorical", "x": "gaussian"}).fit(X, Y, sample_weight=[0.5] * 5)
    counts = clf.model_.tally.counts.copy()
    with pytest.raises(ValueError, match="weigh more than what the model holds"):
        clf.forget(X, Y, sample_weight=[2.0] * 5)
    np.testing.assert_array_equal(clf.model_.tally.counts, counts)


def test_forgetting_a_mistyped_number_leaves_no_trace():
    """A number a million times too large, learned and taken out again, must not blur the variance of the rest."""
    wrong = {"c": ["a"], "x": [-999_999.0]}
    clf = fitted().partial_fit(wrong, ["p"]).forget(wrong, ["p"])
    np.testing.assert_allclose(clf.predict_log_proba(X), fitted().predict_log_proba(X), rtol=1e-9)


@pytest.mark.parametrize("rows", [200, 5_000])
def test_forgetting_a_mistyped_number_leaves_no_trace_in_a_larger_table(rows):
    draw = np.random.default_rng(1)
    table, labels = {"x": draw.normal(0, 1, rows)}, np.arange(rows) % 2
    spoilt = {"x": table["x"].copy()}
    spoilt["x"][rows // 2] = -999_999.0
    row = slice(rows // 2, rows // 2 + 1)
    clf = NaiveBayes(numeric="gaussian").fit(spoilt, labels).forget({"x": spoilt["x"][row]}, labels[row])
    rest = np.arange(rows) != rows // 2
    expected = NaiveBayes(numeric="gaussian").fit({"x": table["x"][rest]}, labels[rest])
    asked = {"x": np.linspace(-3, 3, 20)}
    np.testing.assert_allclose(clf.predict_log_proba(asked), expected.predict_log_proba(asked), rtol=1e-6, atol=1e-8)
    held_out = NaiveBayes(numeric="gaussian").fit(spoilt, labels).leave_one_out(spoilt, labels)
    assert np.isfinite(held_out).all()


def test_given_priors_and_a_class_that_joins_late_are_refused_before_anything_changes():
    clf = NaiveBayes(priors={"p": 0.5, "q": 0.5}).fit(X, Y)
    before = clf.predict_proba(X)
    with pytest.raises(ValueError, match=r"'r'.*priors|priors.*'r'"):
        clf.partial_fit(X, [*"rrrrr"])
    np.testing.assert_array_equal(clf.predict_proba(X), before)
    assert clf.classes_.tolist() == ["p", "q"]


def test_two_models_on_one_tally_keep_to_their_own_exponents():
    """What is worked out once for a layout must not outlive the graph it was worked out for."""
    from bayesfold.data.graph import Mixture
    from bayesfold.learning.exponents import powered
    from bayesfold.models.model import Model

    plain = fitted().model_
    batch = plain.schema.encode_row({"c": "a", "x": 2.5})
    expected = plain.contributions(batch)
    powers = dict.fromkeys(plain.schema.columns, 1.0) | {"x": 0.5}
    halved = Model(Mixture((powered(plain.mixture.networks[0], powers),)), plain.families, plain.tally)
    np.testing.assert_allclose(halved.contributions(batch)[:, 2], expected[:, 2] / 2)
    np.testing.assert_allclose(plain.contributions(batch), expected)
