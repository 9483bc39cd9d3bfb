"""AODE, TAN, KDB and GaussianBayes end to end: scikit-learn's checks, options, words and holes, the group's verbs."""

import pickle
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesfold import AODE, KDB, TAN, GaussianBayes

pytestmark = pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
TABLES = [AODE, TAN, KDB]
EVERY = [*TABLES, GaussianBayes]
VARIANTS = [
    AODE(),
    AODE(alpha=1.0),
    AODE(n=2),
    AODE(combine="pool"),
    AODE(weights="information"),
    AODE(calibration="temperature"),
    TAN(),
    TAN(alpha=0.5),
    TAN(weights="auto"),
    TAN(weights="information"),
    KDB(1),
    KDB(2, weights="auto"),
    KDB(2, calibration="temperature"),
    KDB(0),
    GaussianBayes(),
    GaussianBayes(covariance="full", shrinkage=0),
    GaussianBayes(covariance="diagonal", shrinkage=0.1),
    GaussianBayes(numeric="ranks", calibration="temperature"),
]


def rows(n=90, seed=0):
    """Words, numbers, truth values, holes in some columns; two columns matter only together."""
    draw = np.random.default_rng(seed)
    a, b = draw.integers(0, 2, n), draw.integers(0, 2, n)
    y = np.where(draw.random(n) < 0.9, a ^ b, draw.integers(0, 3, n))
    X = pd.DataFrame(
        {
            "left": np.array(["in", "out"], object)[a],
            "right": np.array(["up", "down"], object)[b],
            "mass": (draw.normal(size=n) + y).round(2),
            "age": draw.integers(1, 80, n).astype(float),
            "colour": draw.choice(np.array(["red", "green", "blue", "?"], object), n),
        }
    )
    X.loc[draw.random(n) < 0.1, "left"] = None
    X.loc[draw.random(n) < 0.1, "mass"] = np.nan
    return X, np.array(["no", "yes", "maybe"])[y]


X, Y = rows()
NEW, _ = rows(30, 1)


@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
@parametrize_with_checks([AODE(), TAN(), KDB(), GaussianBayes()])
def test_check(estimator, check):
    if "sample_weight_equivalence" in str(check):  # a row of weight 2 is twice the row: that is what counts are
        estimator.set_params(weights_are="counts")
    check(estimator)


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_copies_answer_the_same(clf):
    params = clf.get_params()
    fitted = clone(clf).fit(X, Y)
    answer = fitted.predict_proba(NEW)
    assert fitted.get_params() == params
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(NEW), answer)
    np.testing.assert_array_equal(clone(fitted).fit(X, Y).predict_proba(NEW), answer)
    np.testing.assert_allclose(answer.sum(1), 1.0, rtol=1e-12)
    assert (answer >= 0).all()


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_dict_rows_are_rows_of_a_table(clf):
    fitted = clone(clf).fit(X, Y)
    table = fitted.predict_joint_log_proba(NEW)
    for i, row in enumerate(NEW.to_dict("records")):
        np.testing.assert_allclose(fitted.predict_joint_log_proba(row)[0], table[i], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_a_row_with_nothing_observed_gets_the_prior(clf):
    fitted = clone(clf).set_params(prior_alpha=2.0).fit(X, Y)
    n = np.array([(fitted.classes_[k] == Y).sum() for k in range(3)])
    prior = (n + 2) / (n.sum() + 6)
    empty = pd.DataFrame({name: [None] for name in X}).astype({"mass": float, "age": float})
    strange = empty.assign(left="sideways", right="sideways", colour="sideways")
    for nothing in (empty, strange):
        np.testing.assert_allclose(fitted.predict_proba(nothing)[0], prior, rtol=1e-9)
    np.testing.assert_allclose(fitted.predict_proba({})[0], prior, rtol=1e-9)


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_contributions_sum_to_the_log_joint(clf):
    fitted = clone(clf).fit(X, Y)
    batch = fitted.schema_.encode(fitted._read(NEW, reset=False))
    lines = fitted.model_.contributions(batch)
    assert lines.shape[1] == len(fitted.model_.parts)
    np.testing.assert_allclose(lines.sum(1), fitted.predict_joint_log_proba(NEW), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_learning_and_forgetting_return_to_the_same_answers(clf):
    fitted = clone(clf).fit(X, Y)
    before = fitted.predict_proba(NEW)
    more, labels = rows(25, 2)
    more["colour"] = more["colour"].where(more["colour"] != "red", "mauve")  # a level that comes late
    labels[:3] = "never"  # and a class
    fitted.partial_fit(more, labels)
    assert fitted.classes_.tolist().count("never") == 1
    assert np.abs(fitted.predict_proba(NEW)[:, : before.shape[1]] - before).max() > 1e-3
    fitted.forget(more, labels)
    assert np.isfinite(fitted.predict_log_proba(NEW)).all()
    same_schema = clone(clf).fit(X, Y).partial_fit(X[:9], Y[:9]).forget(X[:9], Y[:9])
    np.testing.assert_allclose(same_schema.predict_proba(NEW), before, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_two_halves_merge_to_the_whole(clf):
    whole = clone(clf).fit(X, Y)
    first, second = (deepcopy(whole) for _ in range(2))
    first.forget(X[40:], Y[40:])
    second.forget(X[:40], Y[:40])
    for merged in (first.merge(second), first + second):
        np.testing.assert_allclose(merged.predict_proba(NEW), whole.predict_proba(NEW), rtol=1e-8, atol=1e-12)
    assert np.abs(first.predict_proba(NEW) - whole.predict_proba(NEW)).max() > 1e-3


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_decay_makes_old_rows_lighter(clf):
    whole = clone(clf).fit(X, Y)
    before = whole.predict_proba(NEW)
    decayed = deepcopy(whole).decay(0.5)
    weighted = deepcopy(whole)
    weighted.forget(X, Y, keep_levels=True)
    weighted.partial_fit(X, Y, sample_weight=np.full(len(Y), 0.5))
    np.testing.assert_allclose(decayed.predict_proba(NEW), weighted.predict_proba(NEW), rtol=1e-8, atol=1e-12)
    assert np.abs(decayed.predict_proba(NEW) - before).max() > 1e-6


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_whole_weights_are_copies_once_the_choices_are_made(clf):
    """Weights of 2 and 3 and copies of rows are the same statistic."""
    copies = np.random.default_rng(3).integers(1, 4, len(Y))
    whole = clone(clf).fit(X, Y)
    weighted, copied = (deepcopy(whole).forget(X, Y, keep_levels=True) for _ in range(2))
    weighted.partial_fit(X, Y, sample_weight=copies.astype(float))
    copied.partial_fit(X.loc[X.index.repeat(copies)], Y.repeat(copies))
    np.testing.assert_allclose(weighted.predict_proba(NEW), copied.predict_proba(NEW), rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_rows_that_were_not_learned_are_refused_and_nothing_changes(clf):
    fitted = clone(clf).fit(X, Y)
    before = fitted.predict_proba(NEW)
    with pytest.raises(ValueError, match="not learned"):
        fitted.forget(pd.concat([X, X]), [*Y, *Y])
    np.testing.assert_array_equal(fitted.predict_proba(NEW), before)


@pytest.mark.parametrize("clf", VARIANTS, ids=repr)
def test_leaving_folds_out_is_a_fit_of_the_others_with_the_same_choices(clf):
    fitted = clone(clf).fit(X, Y)
    fold = np.arange(len(Y)) % 3
    found = fitted.leave_folds_out(X, Y, fold)
    for f in range(3):
        rest = deepcopy(fitted).forget(X[fold == f], Y[fold == f])
        np.testing.assert_allclose(found[fold == f], rest.predict_log_proba(X[fold == f]), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("calibration", [None, "temperature"])
def test_a_number_at_the_mean_is_a_number(calibration):
    wide, narrow = np.arange(-8.0, 9.0), np.arange(-8.0, 9.0) / 16
    x, y = np.concatenate([wide, narrow])[:, None], [*"p" * 17, *"q" * 17]
    clf = GaussianBayes(covariance="full", shrinkage=0.1, calibration=calibration).fit(x, y)
    near, at, beyond = clf.predict_proba([[-1e-9], [0.0], [1e-9]])
    assert np.abs(at - near).max() < 1e-6
    assert np.abs(at - beyond).max() < 1e-6
    assert np.abs(at - 0.5).max() > 1e-2
    np.testing.assert_allclose(clf.predict_proba([[np.nan]])[0], 0.5, rtol=1e-12)


# options --------------------------------------------------------------------------------------------------------------

CHANGES = {
    "alpha": 3.0,
    "prior_alpha": 50.0,
    "numeric": "equal_width",
    "families": {"age": "categorical"},
    "missing": "?",
    "missing_as": "value",
    "priors": {"no": 0.8, "yes": 0.1, "maybe": 0.1},
    "class_weight": {"yes": 3.0},
    "weights": "information",
    "calibration": "temperature",
    "combine": "pool",
    "minimum": 30.0,
    "n": 2,
    "k": 1,
    "selective": True,
    "subsumption": 1.0,
    "covariance": "tied",
    "shrinkage": 0.77,
    "loss": {
        "no": {"no": 0, "yes": 9, "maybe": 9},
        "yes": {"no": 1, "yes": 0, "maybe": 1},
        "maybe": {"no": 1, "yes": 1, "maybe": 0},
    },
    "reject_cost": 0.01,
    "reject_label": "unsure",
    "weights_are": "counts",
    "unseen_class": 0.3,
}
WITH = {"reject_label": {"reject_cost": 0.01}, "missing_as": {"missing_as": "skip"}}
WRONG = {
    "alpha": [-1.0, "much", None],
    "prior_alpha": [-1.0, "much"],
    "numeric": ["histogram"],
    "families": [{"age": "cauchy"}, {"nobody": "gaussian"}],
    "missing_as": ["ignore"],
    "priors": [{"no": 1.0}, [0.5, 0.5, 0.5]],
    "class_weight": ["unbalanced", {"nobody": 2.0}],
    "weights": ["best"],
    "calibration": ["isotonic-ish"],
    "combine": ["median"],
    "n": [0, 3, "two"],
    "k": [-1, 1.5],
    "covariance": ["spherical"],
    "shrinkage": [-0.1, 1.5, "some"],
    "unseen_class": [0.0, 1.0, "turing"],
}
OPTIONS = [(e, o) for e in EVERY for o in sorted(e().get_params())]


@pytest.mark.parametrize(("estimator", "option"), OPTIONS)
def test_every_option_changes_an_output(estimator, option):
    if option == "schema":
        other = GaussianBayes(numeric="ranks") if estimator is GaussianBayes else estimator(numeric="equal_width")
        changed = {"schema": other.fit(X.assign(age=X["age"] ** 2), Y).schema_}
    else:
        value = "ranks" if (estimator, option) == (GaussianBayes, "numeric") else CHANGES[option]
        changed = {option: value}
    if option == "weights_are":
        weight = np.random.default_rng(0).integers(1, 9, len(Y)).astype(float)
        both = (estimator(weights_are=word).fit(X, Y, weight) for word in ("importance", "counts"))
        left_out = [clf.leave_one_out(X, Y, weight) for clf in both]
        assert np.abs(left_out[0] - left_out[1]).max() > 1e-6
        return
    common = {"numeric": "raw"} if changed == {"numeric": "ranks"} else WITH.get(option, {})
    default, other = (estimator(**options).fit(X, Y) for options in (common, common | changed))
    if option in ("loss", "reject_cost", "reject_label"):
        assert (default.predict(X) != other.predict(X)).any()
    elif option == "unseen_class":  # what is said of known classes stays
        assert (default.predict_proba(X, unseen=True)[:, -1] == 0.0).all()
        assert (other.predict_proba(X, unseen=True)[:, -1] == 0.3).all()
    else:
        assert np.abs(default.predict_proba(X) - other.predict_proba(X)).max() > 1e-6


@pytest.mark.parametrize(
    ("estimator", "option", "value"), [(e, o, v) for e, o in OPTIONS for v in WRONG.get(o, [])], ids=str
)
def test_a_wrong_value_is_refused_by_name(estimator, option, value):
    clf = estimator(**{option: value})
    with pytest.raises(ValueError, match=option.removesuffix("_alpha") + "|column|nobody|cauchy"):
        clf.fit(X, Y)
    assert not hasattr(clf, "model_")


def test_fitted_weights_and_given_ones_exclude_each_other():
    with pytest.raises(ValueError, match="leave weights out"):
        AODE(combine="pool", weights="information").fit(X, Y)


@pytest.mark.parametrize("estimator", TABLES)
def test_two_columns_that_matter_only_together_are_understood(estimator):
    draw = np.random.default_rng(4)
    bits = draw.integers(0, 2, (400, 3))
    y = bits[:, 0] ^ bits[:, 1]
    words = np.array(["no", "yes"])[bits]
    assert estimator().fit(words, y).score(words, y) == 1.0


# peers ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize(
    ("covariance", "peer"),
    [
        ("full", QuadraticDiscriminantAnalysis(tol=0)),
        ("tied", LinearDiscriminantAnalysis(tol=1e-12)),
        ("diagonal", GaussianNB(var_smoothing=0)),
    ],
)
def test_gaussian_bayes_is_discriminant_analysis(load, covariance, peer):
    data, y = load(return_X_y=True)
    clf = GaussianBayes(covariance=covariance, shrinkage=0, prior_alpha=0).fit(data, y)
    np.testing.assert_allclose(clf.predict_proba(data), peer.fit(data, y).predict_proba(data), rtol=0, atol=1e-8)
    again = GaussianBayes(covariance=covariance, shrinkage=0, prior_alpha=0).partial_fit(data[::2], y[::2])
    again.partial_fit(data[1::2], y[1::2])
    np.testing.assert_allclose(again.predict_proba(data), clf.predict_proba(data), rtol=0, atol=1e-8)
