"""The recommended model on small generated tables: its report, its parts, its limits, and the verbs it lives on."""

import os
import pickle
import tracemalloc
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import estimator_checks_generator

import bayesfold
from bayesfold import BayesClassifier, NaiveBayes
from bayesfold.data.frame import Frame
from bayesfold.learning import discover, exponents
from bayesfold.learning.pool import cost as effort
from bayesfold.learning.pool import recommend, stacking, ways
from bayesfold.learning.pool.recommend import PARTS
from bayesfold.learning.recipe import Recipe
from bayesfold.models.structures.naive import Naive

SOAK = os.environ.get("BAYESFOLD_SOAK") == "1"
pytestmark = pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")


def rows(n=120, seed=0):
    """Words, numbers and holes; two columns matter only together, two numbers only by their product."""
    draw = np.random.default_rng(seed)
    a, b = draw.integers(0, 2, n), draw.integers(0, 3, n)
    u, v = draw.normal(size=(2, n))
    y = np.where(draw.random(n) < 0.15, 2, (a == b % 2) ^ (u * v > 0.5))
    X = pd.DataFrame(
        {
            "a": np.array(["in", "out"], object)[a],
            "b": np.array(["up", "down", "flat"], object)[b],
            "u": u.round(3),
            "v": v.round(3),
            "noise": draw.choice(np.array(["x", "y", "z"], object), n),
        }
    )
    X.loc[draw.random(n) < 0.1, "a"] = None
    X.loc[draw.random(n) < 0.1, "u"] = np.nan
    return X, np.array(["no", "yes", "maybe"])[y]


X, Y = rows()
NEW, TRUTH = rows(200, 1)


@pytest.fixture(scope="module")
def fitted():
    return BayesClassifier().fit(X, Y)


@pytest.fixture
def clf(fitted):
    return deepcopy(fitted)


def near(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-12)


# the report -----------------------------------------------------------------------------------------------------------


def test_the_report_has_a_line_for_each_part_and_one_for_all(fitted):
    report = fitted.report_
    assert tuple(line.name for line in report.lines) == PARTS
    assert PARTS[:4] == tuple(fitted.model_.members)
    assert [line.weight for line in report.lines] == [*fitted.model_.weights, 0.0]  # the last did not earn its place
    assert all(np.isfinite([line.loss, line.accuracy, line.weight]).all() for line in report.lines)
    assert all(line.weight >= 0 for line in report.lines)
    assert report.rows == len(Y)
    printed = str(report).splitlines()
    for name in (*PARTS, "together"):
        assert sum(line.lstrip().startswith(name) for line in printed) == 1
    assert "4 folds" in str(report)
    assert all(name in report._repr_html_() for name in PARTS)


def test_the_pool_is_no_worse_than_its_best_part_on_rows_it_has_not_seen(fitted):
    assert fitted.report_.loss < min(line.loss for line in fitted.report_.lines) + 0.1  # of 120 rows


def test_the_held_out_estimate_is_close_to_the_truth(fitted):
    asked, truth = rows(2_000, 3)
    log_p = fitted.predict_log_proba(asked)
    loss = -log_p[np.arange(len(truth)), np.searchsorted(fitted.classes_, truth)].mean()
    assert fitted.report_.loss == pytest.approx(loss, abs=0.1)


def test_the_report_says_between_what_the_loss_is_and_what_a_guess_would_get(fitted):
    low, high = fitted.report_.interval
    assert low < fitted.report_.loss < high
    assert f"log-loss {low:.3f} to {high:.3f}" in str(fitted.report_)
    assert ("too few rows" in str(fitted.report_)) == (high >= fitted.report_.scores.guess["log-loss"])
    draw = np.random.default_rng(0)
    noise = BayesClassifier().fit(draw.normal(size=(40, 3)), draw.integers(0, 2, 40)).report_
    assert "too few rows to tell it from a guess (0.69" in str(noise)
    alone = replace(noise, scores=None)
    assert alone.caption == alone.held_out
    assert np.isnan(alone.interval).all()


def test_the_answer_is_the_weighed_parts_and_the_bias(fitted):
    pool = fitted.model_
    batch = pool.schema.encode(fitted._read(NEW, reset=False))
    total = np.zeros((len(NEW), 3))
    for weight, member in zip(pool.weights, pool.members.values(), strict=True):
        total += weight * np.log(np.exp(member.log_proba(batch)) + pool.doubt)
    total += [dict(pool.bias)[c] for c in pool.classes]
    near(fitted.predict_log_proba(NEW), total - np.logaddexp.reduce(total, axis=1)[:, None])


# structure=, max_memory=, time_budget= --------------------------------------------------------------------------------


@pytest.mark.parametrize("structure", ["naive", "aode", "kdb", "tan", "gaussian"])
def test_one_part_can_be_forced(structure):
    clf = BayesClassifier(structure=structure).fit(X, Y)
    assert [line.name for line in clf.report_.lines] == [structure]
    assert tuple(clf.model_.members) == (structure,)
    proba = clf.predict_proba(NEW)
    assert np.isfinite(proba).all()
    near(proba.sum(1), 1.0)


def test_a_part_that_is_too_large_is_left_out_with_its_size():
    draw = np.random.default_rng(2)
    wide = pd.DataFrame({f"c{j}": draw.choice([f"v{k}" for k in range(12)], 60) for j in range(12)})
    y = np.where(wide["c0"] < "v5", "p", "q")
    clf = BayesClassifier(max_memory=100_000).fit(wide, y)
    lines = {line.name: line for line in clf.report_.lines}
    assert list(lines) == list(PARTS)
    left_out = [name for name, line in lines.items() if line.what.startswith("left out")]
    assert "aode" in left_out
    assert "naive" not in left_out
    assert "GiB" in lines["aode"].what
    assert np.isnan(lines["aode"].weight)
    assert set(clf.model_.members) == set(PARTS) - set(left_out)
    assert "left out" in str(clf.report_)


def test_no_more_memory_is_taken_than_allowed():
    """Also for what is counted only to find a structure: every pair of columns, here 17 MiB."""
    draw = np.random.default_rng(0)
    y = draw.integers(0, 4, 200)
    wide = pd.DataFrame({f"c{j}": [f"v{k}" for k in 10 * y + draw.integers(0, 10, 200)] for j in range(24)})
    BayesClassifier(structure="naive").fit(wide, y)  # what is imported is no part of it
    most = 2**22
    tracemalloc.start()
    try:
        report = BayesClassifier(max_memory=most).fit(wide, y).report_
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    left_out = {line.name for line in report.lines if "GiB" in line.what}
    assert left_out == {"aode", "kdb", "gaussian"}
    assert peak < 2 * most


def test_where_nothing_fits_the_error_says_how_much_is_needed():
    with pytest.raises(ValueError, match=r"GiB"):
        BayesClassifier(max_memory=10).fit(X, Y)


def test_a_spent_time_budget_leaves_the_later_parts_out():
    clf = BayesClassifier(time_budget=0).fit(X, Y)
    lines = {line.name: line.what for line in clf.report_.lines}
    assert list(lines) == list(PARTS)
    assert tuple(clf.model_.members) == PARTS[:1]
    assert all("time budget" in lines[name] for name in PARTS[1:])
    assert np.isfinite(clf.predict_log_proba(NEW)).all()


# the verbs ------------------------------------------------------------------------------------------------------------


def test_contributions_sum_to_the_log_joint(clf):
    for table in (NEW, X):
        batch = clf.schema_.encode(clf._read(table, reset=False))
        lines = clf.model_.contributions(batch)
        assert lines.shape[1] == len(clf.model_.parts) == len(set(clf.model_.parts))
        np.testing.assert_allclose(lines.sum(1), clf.predict_joint_log_proba(table), rtol=0, atol=1e-9)


def test_no_part_is_surer_than_its_rows_allow(clf):
    """One row more, of any class, would have left as much to every class."""
    assert clf.model_.doubt == pytest.approx(1 / (len(Y) * 3))
    assert clf.reweigh(X, Y).model_.doubt == pytest.approx(1 / (len(Y) * 3))
    copies = BayesClassifier(structure="naive", weights_are="counts").fit(X, Y, sample_weight=np.full(len(Y), 4.0))
    assert copies.model_.doubt == pytest.approx(1 / (4 * len(Y) * 3))
    heavy = BayesClassifier(structure="naive").fit(X, Y, sample_weight=np.full(len(Y), 4.0))
    assert heavy.model_.doubt == pytest.approx(1 / (len(Y) * 3))


def test_the_floor_says_nothing_where_no_part_is_that_sure(clf):
    """Otherwise the lines of the columns would not be what the parts said."""
    clf.model_.doubt = 0.0
    batch = clf.schema_.encode(clf._read(NEW, reset=False))
    lines = clf.model_.contributions(batch)
    floor = lines[:, clf.model_.parts.index("cap on certainty")]
    np.testing.assert_allclose(floor - floor[:, :1], 0.0, atol=1e-9)


def test_a_row_with_nothing_observed_gets_the_prior(clf):
    n = np.array([(c == Y).sum() for c in clf.classes_])
    empty = pd.DataFrame({name: [None] for name in X}).astype({"u": float, "v": float})
    for nothing in (empty, empty.assign(a="sideways", noise="never"), {}):
        near(clf.predict_proba(nothing)[0], (n + 1) / (n.sum() + 3))


def test_dict_rows_are_rows_of_a_table(clf):
    table = clf.predict_joint_log_proba(NEW[:30])
    for i, row in enumerate(NEW[:30].to_dict("records")):
        near(clf.predict_joint_log_proba(row)[0], table[i])


def test_learning_and_forgetting_return_to_the_same_answers(clf):
    before = clf.predict_proba(NEW)
    assert not clf.reweigh_needed_
    clf.partial_fit(X[:40], Y[:40])
    assert clf.reweigh_needed_
    assert np.abs(clf.predict_proba(NEW) - before).max() > 1e-3
    clf.forget(X[:40], Y[:40])
    near(clf.predict_proba(NEW), before)


def test_one_dict_row_is_learned_like_a_table_of_one_row(clf, fitted):
    table = deepcopy(fitted).partial_fit(NEW[:1], TRUTH[:1])
    clf.partial_fit(NEW[:1].to_dict("records")[0], TRUTH[0])
    near(clf.predict_proba(NEW), table.predict_proba(NEW))


def test_new_levels_and_a_new_class_are_welcome(clf):
    late = NEW[:20].assign(noise="late")
    clf.partial_fit(late, ["never"] * 10 + [*TRUTH[10:20]])
    assert "never" in clf.classes_
    proba = clf.predict_proba(pd.concat([NEW, late]))
    assert np.isfinite(proba).all()
    near(proba.sum(1), 1.0)


def test_two_halves_merge_to_the_whole(clf, fitted):
    other = deepcopy(fitted)
    clf.forget(X[70:], Y[70:])
    other.forget(X[:70], Y[:70])
    both = clf.merge(other)
    assert both.reweigh_needed_
    assert both.model_.weights == pytest.approx(fitted.model_.weights)
    near(both.predict_proba(NEW), fitted.predict_proba(NEW))


def test_merged_weights_are_the_mean_by_rows(clf, fitted):
    other = deepcopy(fitted).forget(X[30:], Y[30:])
    other.model_.weights = tuple(2 * w for w in other.model_.weights)
    merged = clf.merge(other)
    expected = [w * (120 + 2 * 30) / 150 for w in fitted.model_.weights]
    assert merged.model_.weights == pytest.approx(expected)


def test_decay(clf, fitted):
    decayed = clf.decay(0.25).predict_proba(NEW)
    weighted = deepcopy(fitted).forget(X, Y, keep_levels=True).partial_fit(X, Y, sample_weight=np.full(len(Y), 0.25))
    near(decayed, weighted.predict_proba(NEW))


def test_leaving_folds_out_is_forgetting_them(clf, fitted):
    fold = np.arange(len(Y)) % 2
    found = clf.leave_folds_out(X, Y, fold)
    for f in (0, 1):
        rest = deepcopy(fitted).forget(X[fold == f], Y[fold == f])
        near(found[fold == f], rest.predict_log_proba(X[fold == f]))


def test_leaving_one_row_out_is_almost_forgetting_it(clf, fitted):
    """Bandwidths and the diagonal that covariances are pulled to are held while a row is out."""
    found = clf.leave_one_out(X, Y)
    for i in (0, 17, 63, 119):
        rest = deepcopy(fitted).forget(X[i : i + 1], Y[i : i + 1])
        np.testing.assert_allclose(found[i], rest.predict_log_proba(X[i : i + 1])[0], atol=5e-3)


def test_reweighing_fits_the_weights_again_and_keeps_everything_else(clf, fitted):
    more, labels = rows(200, 5)
    clf.partial_fit(more, labels)
    both, every = pd.concat([X, more]), np.concatenate([Y, labels])
    cliques, old = clf.model_.tally.layout.cliques, clf.model_.weights
    clf.reweigh(both, every)
    assert not clf.reweigh_needed_
    assert clf.model_.tally.layout.cliques == cliques
    assert clf.model_.weights != old
    assert clf.report_.rows == 320
    assert [line.name for line in clf.report_.lines] == list(PARTS)
    assert np.isnan([clf.report_.loss, clf.report_.accuracy]).all()  # the rows it was weighed on do not judge it
    assert clf.report_.scores is None
    assert "no row was held out" in clf.report_.held_out
    assert clf.score(NEW, TRUTH) > fitted.score(NEW, TRUTH) - 0.05


def test_reweighing_asks_for_rows_that_were_learned(clf):
    before = clf.predict_proba(NEW)
    with pytest.raises(ValueError, match="not learned"):
        clf.reweigh(X.assign(noise="never"), Y)
    np.testing.assert_array_equal(clf.predict_proba(NEW), before)


def test_rows_never_learned_are_refused_and_nothing_changes(clf):
    before = clf.predict_proba(NEW)
    with pytest.raises(ValueError, match="not learned"):
        clf.forget(pd.concat([X, X]), [*Y, *Y])
    np.testing.assert_array_equal(clf.predict_proba(NEW), before)


def test_copies_answer_the_same_whatever_the_order_of_rows(fitted):
    answer = fitted.predict_proba(NEW)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(NEW), answer)
    order = np.random.default_rng(6).permutation(len(Y))
    again = clone(fitted).fit(X.iloc[order], Y[order])
    assert again.model_.weights == pytest.approx(fitted.model_.weights, rel=1e-6, abs=1e-9)
    np.testing.assert_allclose(again.predict_proba(NEW), answer, rtol=0, atol=1e-6)


# options and awkward tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [("structure", "forest"), ("prior_alpha", -1), ("class_weight", "unbalanced"), ("priors", {"no": 1.0})],
)
def test_a_wrong_value_is_refused_by_name(option, value):
    clf = BayesClassifier(**{option: value})
    with pytest.raises(ValueError, match=option):
        clf.fit(X, Y)
    assert not hasattr(clf, "model_")
    assert not hasattr(clf, "report_")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("structure", "naive"),
        ("prior_alpha", 50.0),
        ("families", {"u": "quintiles", "v": "equal_width"}),
        ("missing", "z"),
        ("priors", {"no": 0.1, "yes": 0.1, "maybe": 0.8}),
        ("class_weight", {"maybe": 20.0}),
    ],
)
def test_every_option_changes_the_answers(option, value):
    default, other = (BayesClassifier(**({"structure": "kdb"} | o)).fit(X, Y) for o in ({}, {option: value}))
    assert np.abs(other.predict_proba(NEW) - default.predict_proba(NEW)).max() > 1e-3


def awkward():
    numbers, species = load_iris(return_X_y=True)
    yield pytest.param({"x": [*"abab"]}, [*"pqpq"], id="four rows")
    yield pytest.param({"x": [1.0, 2.0]}, [*"pq"], id="two rows")
    yield pytest.param({"x": [1.0, 2.0, 3.0]}, [*"ppp"], id="one class")
    yield pytest.param({"x": [*"abcabcabcab"]}, [*"ppppppppppq"], id="a class of one row")
    yield pytest.param({"x": [1.0] * 6, "z": [*"abcdef"]}, [*"pqpqpq"], id="constant and identifier")
    yield pytest.param({"x": [None] * 6, "z": [*"aabbab"]}, [*"pqpqpq"], id="a column without a value")
    yield pytest.param({"x": [1e150, -1e150, 1.0, 2.0] * 5}, [*"pqqp" * 5], id="huge numbers")
    yield pytest.param({"x": [True, False, True, None] * 5, "k": [*range(20)]}, [*"pqqp" * 5], id="truth values")
    yield pytest.param(numbers[::10], species[::10], id="numbers alone")


@pytest.mark.parametrize(("table", "labels"), awkward())
def test_awkward_tables_have_finite_answers(table, labels):
    clf = BayesClassifier().fit(table, labels)
    proba = clf.predict_proba(table)
    assert np.isfinite(clf.predict_log_proba(table)).all()
    near(proba.sum(1), 1.0)
    assert str(clf.report_)


def test_weights_are_copies():
    copies = np.random.default_rng(8).integers(1, 4, 60)
    some, labels = X[:60], Y[:60]
    weighted = BayesClassifier(weights_are="counts").fit(some, labels, sample_weight=copies.astype(float))
    copied = BayesClassifier().fit(some.loc[some.index.repeat(copies)], labels.repeat(copies))
    np.testing.assert_allclose(weighted.predict_proba(NEW), copied.predict_proba(NEW), rtol=0, atol=1e-6)


def test_other_class_frequencies_can_be_given_with_the_rows(fitted):
    old, new = np.exp(fitted.model_.log_prior()), np.array([0.2, 0.3, 0.5])
    shifted = fitted.predict_proba(NEW) * new / old
    found = fitted.predict_proba(NEW, priors=dict(zip(fitted.classes_.tolist(), new.tolist(), strict=True)))
    near(found, shifted / shifted.sum(1, keepdims=True))


@pytest.mark.parametrize("structure", PARTS)
def test_weights_are_used(structure):
    weight = np.where(Y == "maybe", 3.0, 1.0)  # many more copies of a few rows would be learned by heart
    plain, heavy = (BayesClassifier(structure=structure).fit(X, Y, sample_weight=w) for w in (None, weight))
    maybe = plain.classes_.tolist().index("maybe")
    assert heavy.predict_proba(NEW)[:, maybe].mean() > plain.predict_proba(NEW)[:, maybe].mean()
    shares = heavy.predict_proba({})[0]
    near(shares[maybe], (weight[Y == "maybe"].sum() + 1) / (weight.sum() + 3))


def test_it_sees_what_naive_bayes_cannot():
    many, labels = rows(400, 9)
    asked, truth = rows(1_000, 10)
    pool, naive = (c.fit(many, labels).score(asked, truth) for c in (BayesClassifier(), NaiveBayes()))
    assert pool > naive + 0.1


CHEAP = {
    "check_classifiers_one_label",
    "check_dict_unchanged",
    "check_dont_overwrite_attributes",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimators_pickle",
    "check_estimators_unfitted",
    "check_fit2d_1sample",
    "check_fit_check_is_fitted",
    "check_get_params_invariance",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
}
"""Of scikit-learn's checks those that a model of four models takes in a second; BAYESFOLD_SOAK=1 runs all."""


@pytest.mark.parametrize(
    ("estimator", "check"),
    [(e, c) for e, c in estimator_checks_generator(BayesClassifier()) if SOAK or c.func.__name__ in CHEAP],
    ids=lambda part: part.func.__name__ if hasattr(part, "func") else "",
)
def test_check(estimator, check):
    if "sample_weight_equivalence" in str(check):  # a row of weight 2 is twice the row: that is what counts are
        estimator.set_params(weights_are="counts")
    check(estimator)


def test_a_budget_without_room_for_folds_has_no_scores():
    hurried = BayesClassifier(time_budget=1e-9).fit(X, Y).report_
    assert "no row was held out" in hurried.held_out
    assert np.isnan(hurried.loss)
    assert np.isfinite([line.weight for line in hurried.lines if not line.what.startswith("left out")]).all()
    words = "4 folds, everything refitted without each; log-loss extrapolated to all rows"
    assert BayesClassifier().fit(X, Y).report_.held_out == words


# wide tables ----------------------------------------------------------------------------------------------------------


def wide(rows=100, columns=12, seed=4):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, rows)
    x = draw.normal(size=(rows, columns))
    x[:, :3] += y[:, None]
    return x, y


def test_parts_that_are_too_much_work_are_left_out_before_they_begin(monkeypatch):
    x, y = wide()
    begun = []
    learn = ways.learn_near
    monkeypatch.setattr(ways, "learn_near", lambda *given: begun.append(given[3]) or learn(*given))
    monkeypatch.setattr(effort, "MOST", 10.0)
    clf = BayesClassifier().fit(x, y)
    lines = {line.name: line for line in clf.report_.lines}
    assert tuple(lines) == PARTS
    assert tuple(clf.model_.members) == ("naive",)
    assert {type(recipe.structure) for recipe in begun} == {Naive}
    assert all(recipe.normal is None for recipe in begun)
    for part in PARTS[1:]:
        assert lines[part].what.startswith("left out: ")
        if part != "parzen":  # it needs the gaussian part
            assert "steps of work for 12 " in lines[part].what
            assert f"structure='{part}' learns it alone" in lines[part].what
        assert np.isnan(lines[part].weight)
        assert tuple(BayesClassifier(structure=part).fit(x, y).model_.members) == (part,)  # as the line says


def test_a_covariance_for_all_classes_is_what_is_left_of_gaussian_bayes_before_it_is_left_out(monkeypatch):
    x, y = wide()
    size = effort.Size(len(y), 2, 12, 12)
    monkeypatch.setattr(effort, "MOST", effort.steps("gaussian", size, one_covariance=True))
    clf = BayesClassifier().fit(x, y)
    assert tuple(clf.model_.members) == ("naive", "gaussian")
    assert clf.model_.members["gaussian"].families["all columns"].shrinkage.tied == 1.0


@pytest.mark.parametrize("table", [(X, Y), wide()], ids=["mixed", "numbers"])
def test_folds_that_repeat_choices_make_the_same_parts_and_say_so(table, monkeypatch):
    """Only the weights between the parts hang on the folds."""
    usual = BayesClassifier().fit(*table)
    recipes = []
    by_folds = stacking.by_folds
    monkeypatch.setattr(stacking, "by_folds", lambda *given: recipes.append(given[0]) or by_folds(*given))
    monkeypatch.setattr(effort, "CHOSEN_ANEW", 0.0)
    clf = BayesClassifier().fit(*table)
    assert "everything refitted without each;" in usual.report_.held_out
    assert "everything refitted without each fold, or the half of the rows that contains it;" in clf.report_.held_out
    rows = usual._read(table[0], reset=False)
    for part, member in clf.model_.members.items():
        batch = member.schema.encode(rows)
        np.testing.assert_array_equal(member.log_proba(batch), usual.model_.members[part].log_proba(batch))
    halves, folds = recipes
    assert halves[0] is halves[1]
    assert len(folds) == 4
    assert all(folds[f] is folds[f % 2] for f in folds)
    for again in (folds[0], folds[1]):
        assert tuple(again) == PARTS
        for part in ("aode", "kdb"):
            assert len(again[part].deeper) == 1
            assert not isinstance(again[part].structure, tuple)
            assert again[part].options.numeric in ("mdl", "quintiles")
            assert again[part].options.missing_as in ("skip", "value")
        assert len(again["gaussian"].normal.tied) == len(again["gaussian"].normal.diagonal) == 1
        numbers = {c.name for c in clf.columns_ if c.why.startswith(discover.BEST)}
        assert set(again["naive"].options.kept) == numbers
    assert clf.report_.loss == pytest.approx(usual.report_.loss, abs=0.1)


def test_a_density_that_rows_no_longer_allow_is_not_kept():
    frame = Frame.of({"x": [0.0, 1.5, 2.5, 3.5] * 10})
    labels = Frame.of({"y": ["a", "a", "b", "b"] * 10}).coded("y")

    def family(kept):
        return discover.discover(frame, labels, discover.Options(kept=kept)).columns[0].family

    assert family({"x": "lognormal"}) == family({})
    assert family({"x": "kde"}) == "kde"


def test_beyond_so_many_columns_all_share_one_exponent(monkeypatch):
    x, y = wide()
    x[::7, 0] = np.nan  # whether it is missing is a column without a say
    monkeypatch.setattr(exponents, "MOST_EXPONENTS", 5)
    clf = BayesClassifier(structure="naive").fit(x, y)
    powers = {node.children[-1]: node.power for node in clf.model_.first.mixture.networks[0]}
    assert powers.pop("x0 is missing") == 0.0
    assert len(set(powers.values())) == 1
    assert "one exponent for all columns" in str(clf.report_)
    monkeypatch.undo()
    clf = BayesClassifier(structure="naive").fit(x, y)
    assert len({node.power for node in clf.model_.first.mixture.networks[0]}) > 2
    assert "one exponent" not in str(clf.report_)


def test_in_a_wide_table_fewer_densities_are_compared(monkeypatch):
    x, y = wide()
    monkeypatch.setattr(discover, "WIDE", 11)
    clf = BayesClassifier(structure="naive").fit(x, y)
    assert {line.why for line in clf.columns_} == {"best held-out density of gaussian, mdl"}
    monkeypatch.setattr(discover, "WIDE", 12)
    clf = BayesClassifier(structure="naive").fit(x, y)
    assert all("kde" in line.why for line in clf.columns_)


def test_a_table_of_two_distinct_rows_is_learned():
    x = {"x": ["a"] * 100 + ["b"] * 100}
    y = ["u"] * 90 + ["v"] * 100 + ["u"] * 10
    proba = BayesClassifier().fit(x, y).predict_proba({"x": ["a", "b"]})
    np.testing.assert_allclose(proba, [[0.9, 0.1], [0.1, 0.9]], atol=0.03)


def test_a_column_of_one_value_and_holes_is_not_said_to_be_left_out():
    y = np.array(["a", "b", "b"] * 20)
    X = pd.DataFrame({"there": np.where(y == "a", np.nan, 3.0), "x": np.cos(np.arange(60)), "one": 1.0})
    with pytest.warns(bayesfold.ColumnWarning) as caught:
        model = bayesfold.BayesClassifier().fit(X, y)
    assert model.score(X, y) == 1
    there, _, one = model.columns_
    assert there.family == "presence"
    assert there.why == "every row that is not empty there has the value 3; whether it is there is read"
    assert not one.family
    assert [str(w.message) for w in caught] == ["columns left out: 'one' (every row has the value 1)"]


def test_each_part_has_its_own_recipe():
    base = Recipe(prior={"p": 0.5}, class_weight="balanced")
    recipes = {part: recommend.recipe_of(part, base) for part in ("naive", "aode", "kdb", "gaussian", "parzen")}
    for recipe in recipes.values():
        assert (recipe.prior, recipe.class_weight, recipe.hurried) == (None, None, True), "the pool applies them"
    assert recipes["gaussian"].calibration == recipes["parzen"].calibration == "temperature"
    assert recipes["gaussian"].normal is not None
    assert recipes["gaussian"].parzen is None
    assert recipes["parzen"].parzen is not None
    assert recipes["parzen"].normal is None
    for part in ("naive", "aode", "kdb"):
        assert (recipes[part].weights, recipes[part].options.alpha, recipes[part].calibration) == ("auto", "auto", None)
    assert not isinstance(recipes["naive"].structure, tuple)
    assert isinstance(recipes["kdb"].structure, tuple)


def test_a_ridge_that_is_repeated_is_the_only_one_that_is_tried(monkeypatch):
    """Without a fold weights are fitted under the ridge that was best without the fold's half."""
    tried = []
    best_pool = exponents.best_pool

    def noted(T, own, weight, ridges, **more):
        tried.append(len(ridges))
        return best_pool(T, own, weight, ridges=ridges, **more)

    monkeypatch.setattr(exponents, "best_pool", noted)
    monkeypatch.setattr(effort, "CHOSEN_ANEW", 0.0)
    x, y = load_iris(return_X_y=True)
    BayesClassifier().fit(x, y)
    parts = 3  # that have weights
    many = len(exponents.COLUMN_RIDGES), len(exponents.NETWORK_RIDGES), len(exponents.COLUMN_RIDGES)
    assert tried == [*many * 3, *[1] * 4 * parts]
