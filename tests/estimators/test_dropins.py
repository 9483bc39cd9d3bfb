"""The drop-ins beside scikit-learn's own classes: parameters, attributes, numbers, and what a fold adds to them."""

import inspect
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, csr_matrix
from sklearn import naive_bayes as peers
from sklearn.base import clone

import bayesfold

NAMES = ("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB")
SPARSE = ("BernoulliNB", "ComplementNB", "MultinomialNB")
ROWS, WIDTH, CLASSES = 150, 6, 3
ATTRIBUTES = {
    "BernoulliNB": ("class_count_", "class_log_prior_", "feature_count_", "feature_log_prob_"),
    "CategoricalNB": ("class_count_", "class_log_prior_", "category_count_", "feature_log_prob_", "n_categories_"),
    "ComplementNB": ("class_count_", "class_log_prior_", "feature_count_", "feature_all_", "feature_log_prob_"),
    "GaussianNB": ("class_count_", "class_prior_", "theta_", "var_", "epsilon_"),
    "MultinomialNB": ("class_count_", "class_log_prior_", "feature_count_", "feature_log_prob_"),
}
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "BernoulliNB": [{}, {"alpha": 0.3}, {"binarize": 1.0}, {"fit_prior": False}, {"class_prior": [0.2, 0.3, 0.5]}],
    "CategoricalNB": [
        {},
        {"alpha": 0.3},
        {"min_categories": 7},
        {"min_categories": [4, 5, 6, 7, 8, 9]},
        {"fit_prior": False},
    ],
    "ComplementNB": [
        {},
        {"alpha": 0.3},
        {"norm": True},
        {"alpha": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]},
        {"norm": True, "alpha": 2},
    ],
    "GaussianNB": [{}, {"var_smoothing": 0.1}, {"priors": [0.2, 0.3, 0.5]}],
    "MultinomialNB": [{}, {"alpha": 0.3}, {"alpha": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, {"class_prior": [0.2, 0.3, 0.5]}],
}
EVERY_SETTING = [(name, setting) for name in NAMES for setting in SETTINGS[name]]


def data(name: str, seed: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
    """Numbers, codes or counts that say something about the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, CLASSES, ROWS)
    if name == "GaussianNB":
        return rng.normal(size=(ROWS, WIDTH)) * (1 + y[:, None]) + y[:, None], y
    if name == "CategoricalNB":
        return (rng.integers(0, 3, (ROWS, WIDTH)) + y[:, None] * rng.integers(0, 2, (ROWS, WIDTH))), y
    return rng.poisson(0.5 + 0.5 * ((np.arange(WIDTH) + y[:, None]) % CLASSES)), y


def ours(name: str, **setting: Any) -> Any:
    return getattr(bayesfold, name)(**setting)


def peer(name: str, **setting: Any) -> Any:
    return getattr(peers, name)(**setting)


def same(a: Any, b: Any, **close: Any) -> None:
    """Equal, also when they are lists of arrays."""
    if isinstance(a, list):
        for x, y in zip(a, b, strict=True):
            same(x, y, **close)
    else:
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, **close)


def tally_of(clf: Any) -> tuple[Any, ...]:
    """Every number a model has learned."""
    t = clf.model_.tally
    return tuple(part.copy() for part in (t.counts, t.weights, t.sums))


def unchanged(clf: Any, before: tuple[Any, ...]) -> None:
    for old, new in zip(before, tally_of(clf), strict=True):
        np.testing.assert_array_equal(old, new)


# scikit-learn's contract


@pytest.mark.parametrize("name", NAMES)
def test_parameters_and_defaults(name: str) -> None:
    mine, theirs = (inspect.signature(kind.__init__).parameters for kind in (type(ours(name)), type(peer(name))))
    extra = dict.fromkeys(("loss", "reject_cost", "reject_label"))
    assert {k: p.default for k, p in mine.items()} == {k: p.default for k, p in theirs.items()} | extra
    assert all(mine[k].kind is inspect.Parameter.KEYWORD_ONLY for k in extra)
    for verb in ("fit", "partial_fit"):
        a, b = (list(inspect.signature(getattr(kind, verb)).parameters) for kind in (ours(name), peer(name)))
        assert a == b


@pytest.mark.parametrize(("name", "setting"), EVERY_SETTING)
@pytest.mark.parametrize("weighted", [False, True])
def test_numbers(name: str, setting: dict[str, Any], weighted: bool) -> None:
    X, y = data(name)
    weight = np.random.default_rng(1).random(ROWS) + 0.1 if weighted else None
    for matrix in [X, *([csr_array(X), csr_matrix(X), coo_array(X)] if name in SPARSE else [])]:
        a = ours(name, **setting).fit(matrix, y, sample_weight=weight)
        b = peer(name, **setting).fit(matrix, y, sample_weight=weight)
        if weighted and name == "GaussianNB":  # our epsilon_ is of weighted rows, theirs of rows: make it the same
            a.set_params(var_smoothing=a.var_smoothing * b.epsilon_ / a.epsilon_).fit(matrix, y, sample_weight=weight)
        for verb in ("predict_proba", "predict_log_proba", "predict_joint_log_proba"):
            np.testing.assert_allclose(getattr(a, verb)(matrix), getattr(b, verb)(matrix), rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(a.predict(matrix), b.predict(matrix))
        for attribute in ATTRIBUTES[name]:
            same(getattr(a, attribute), getattr(b, attribute), rtol=1e-9, atol=1e-12)
        same(a.classes_, b.classes_)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "labels", [["x", "y", "z"], [3, 1, 2], [0.0, 1.0, 5.0], np.array([7, 8, 9], np.int16), [True, False, True]]
)
def test_labels_of_every_kind(name: str, labels: Any) -> None:
    X, y = data(name)
    y = np.asarray(labels)[y]
    a, b = ours(name).fit(X, y), peer(name).fit(X, y)
    same_kind = a.classes_.dtype == b.classes_.dtype and a.predict(X).dtype == b.predict(X).dtype
    assert same_kind
    np.testing.assert_array_equal(a.classes_, b.classes_)
    np.testing.assert_array_equal(a.predict(X), b.predict(X))


@pytest.mark.parametrize("name", NAMES)
def test_equal_labels_of_different_types_do_not_mix(name: str) -> None:
    X, y = data(name)
    for labels in ((y > 0).astype(np.int64), y > 0, (y > 0).astype(np.float64)):
        assert ours(name).fit(X, labels).classes_.dtype == labels.dtype


@pytest.mark.parametrize("name", NAMES)
def test_frames_and_names(name: str) -> None:
    X, y = data(name)
    columns = [f"c{j}" for j in range(WIDTH)]
    frame = pd.DataFrame(X, columns=columns)
    clf = ours(name).fit(frame, y)
    expected = clf.predict_proba(frame)
    assert clf.feature_names_in_.tolist() == columns
    np.testing.assert_allclose(expected, ours(name).fit(X, y).predict_proba(X), rtol=1e-13)
    table = pa.table(dict(zip(columns, X.T, strict=True)))
    for other in (pl.DataFrame(X, schema=columns), table, table.select(columns[::-1]), frame.to_dict("records")):
        np.testing.assert_allclose(clf.predict_proba(other), expected, rtol=1e-13)
        np.testing.assert_allclose(ours(name).fit(other, y).predict_proba(other), expected, rtol=1e-13)
    np.testing.assert_allclose(clf.predict_proba(frame.to_dict("records")[0]), expected[:1], rtol=1e-13)
    assert type(clf.predict_proba(frame, as_frame=True)) is pd.DataFrame
    with pytest.warns(UserWarning, match="X does not have valid feature names, but"):
        clf.predict(X)
    with pytest.raises(ValueError, match="feature names should match those that were passed during fit"):
        clf.predict(frame[columns[::-1]])
    with pytest.raises(ValueError, match=f"X has 2 features, but {name} is expecting {WIDTH}"):
        ours(name).fit(X, y).predict(X[:, :2])
    assert not hasattr(clf.fit(X, y), "feature_names_in_")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused_in_scikit_learns_words(name: str, bad: float) -> None:
    X, y = data(name)
    spoilt = X.astype(np.float64)
    spoilt[4, 1] = bad
    clf, other = ours(name).fit(X, y), peer(name).fit(X, y)
    for verb, *args in (("fit", y), ("predict",), ("predict_proba",)):
        with pytest.raises(ValueError, match="Input X contains") as theirs:
            getattr(clone(other) if verb == "fit" else other, verb)(spoilt, *args)
        with pytest.raises(ValueError, match="Input X contains") as mine:
            getattr(clone(clf) if verb == "fit" else clf, verb)(spoilt, *args)
        assert str(mine.value) == str(theirs.value)
    for verb in ("partial_fit", "forget", "leave_one_out"):
        before = tally_of(clf)
        with pytest.raises(ValueError, match="Input X contains"):
            getattr(clf, verb)(spoilt, y)
        unchanged(clf, before)


@pytest.mark.parametrize("name", SPARSE)
def test_sparse_that_is_not_finite_or_negative_is_refused(name: str) -> None:
    X, y = data(name)
    clf = ours(name).fit(X, y)
    for bad in (np.nan, np.inf):
        spoilt = csr_array(X.astype(np.float64))
        spoilt.data[5] = bad
        for verb, *args in (("fit", y), ("predict",), ("partial_fit", y)):
            with pytest.raises(ValueError, match="Input X contains"):
                getattr(clone(clf) if verb == "fit" else clf, verb)(spoilt, *args)


@pytest.mark.parametrize("name", ["CategoricalNB", "ComplementNB", "MultinomialNB"])
def test_negative_numbers_are_refused_in_scikit_learns_words(name: str) -> None:
    X, y = data(name)
    clf = ours(name).fit(X, y)
    for worst in (-1, -7):
        spoilt = X.copy()
        spoilt[3, 2] = worst
        before = tally_of(clf)
        for verb in ("fit", "partial_fit"):
            with pytest.raises(ValueError, match=rf"Negative values in data passed to {name} \(input X\)"):
                getattr(clone(clf) if verb == "fit" else clf, verb)(spoilt, y)
        unchanged(clf, before)


@pytest.mark.parametrize("name", NAMES)
def test_partial_fit_wants_the_classes_once(name: str) -> None:
    X, y = data(name)
    with pytest.raises(ValueError, match=r"classes must be passed on the first call to partial_fit\."):
        ours(name).partial_fit(X, y)
    clf = ours(name).partial_fit(X, y, classes=[2, 0, 1])
    clf.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="is not the same as on last call to partial_fit"):
        clf.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(
        ValueError, match=r"The target label\(s\) \[9\] in y do not exist in the initial classes \[0 1 2\]"
    ):
        clf.partial_fit(X, np.where(y == 1, 9, y))


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_validated_in_scikit_learns_words(name: str) -> None:
    X, y = data(name)
    wrong = {"var_smoothing": -1.0} if name == "GaussianNB" else {"alpha": -1.0}
    for verb, more in (("fit", {}), ("partial_fit", {"classes": [0, 1, 2]})):
        with pytest.raises(ValueError, match="parameter of") as theirs:
            getattr(peer(name, **wrong), verb)(X, y, **more)
        with pytest.raises(ValueError, match="parameter of") as mine:
            getattr(ours(name, **wrong), verb)(X, y, **more)
        assert str(mine.value) == str(theirs.value)
        assert type(mine.value) is type(theirs.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_class_without_rows_is_impossible(name: str) -> None:
    X, y = data(name)
    few = y < 2
    a = ours(name).partial_fit(X[few], y[few], classes=[0, 1, 2])
    b = peer(name).partial_fit(X[few], y[few], classes=[0, 1, 2])
    far = np.minimum(X, 2) if name == "CategoricalNB" else X * 50
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(a.predict_proba(far), b.predict_proba(far), rtol=1e-7, atol=1e-12)
        expected = b.predict_joint_log_proba(far)
    if name != "GaussianNB":  # there theirs has the variance epsilon and overflows
        np.testing.assert_allclose(a.predict_joint_log_proba(far), expected, rtol=1e-9)
    if name != "ComplementNB":
        assert (a.predict_joint_log_proba(X)[:, 2] == -np.inf).all()
        assert (a.predict_proba(X)[:, 2] == 0).all()
    for attribute in ATTRIBUTES[name]:
        same(getattr(a, attribute), getattr(b, attribute), rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_a_prior_of_zero_is_impossible(name: str) -> None:
    X, y = data(name)
    prior = {"priors" if name == "GaussianNB" else "class_prior": [0.5, 0.5, 0.0]}
    clf = ours(name, **prior).fit(X, y)
    if name != "ComplementNB":  # which does not use it
        assert (clf.predict(X * 9) < 2).all()
        assert (clf.predict_proba(X)[:, 2] == 0).all()


def test_alpha_zero_is_never_nan() -> None:
    for name in ("BernoulliNB", "CategoricalNB", "ComplementNB", "MultinomialNB"):
        X, y = np.eye(4, dtype=np.int64), np.array([0, 0, 1, 2])
        clf = ours(name, alpha=0).fit(X, y)
        for rows in (X, 1 - X, np.zeros_like(X), np.ones_like(X)):
            p = clf.predict_proba(rows)
            assert np.isfinite(p).all()
            np.testing.assert_allclose(p.sum(1), 1)
        assert np.isfinite(clf.leave_one_out(X, y)[y < 1]).all()


@pytest.mark.parametrize(
    "dtype", [np.uint8, np.int8, np.uint16, np.int16, np.int32, np.uint32, np.int64, np.float32, bool]
)
@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_every_width(name: str, dtype: Any) -> None:
    X, y = data(name)
    X = X > 0.5 if dtype is bool else np.abs(X).astype(dtype)
    a, b = ours(name).fit(X, y), peer(name).fit(X, y)
    np.testing.assert_allclose(
        a.predict_proba(X), b.predict_proba(X), rtol=2e-4 if dtype is np.float32 else 1e-7, atol=1e-6
    )
    for other in (np.asfortranarray(X), X[::-1][::-1], X.astype(X.dtype.newbyteorder())):
        np.testing.assert_allclose(ours(name).fit(other, y).predict_proba(other), a.predict_proba(X), rtol=1e-9)
    if name in SPARSE:
        sparse = csr_array(X)
        sparse.indices, sparse.indptr = sparse.indices.astype(np.int64), sparse.indptr.astype(np.int64)
        np.testing.assert_allclose(ours(name).fit(sparse, y).predict_proba(sparse), a.predict_proba(X), rtol=1e-9)


def test_attributes_keep_the_width_of_the_first_rows() -> None:
    X, y = data("GaussianNB")
    clf = bayesfold.GaussianNB().fit(X.astype(np.float32), y).partial_fit(X, y)
    assert {getattr(clf, name).dtype for name in ("theta_", "var_", "class_prior_", "class_count_")} == {
        np.dtype(np.float32)
    }
    assert clf.fit(X, y).theta_.dtype == np.float64


def test_codes_are_counted_where_they_stand() -> None:
    X, y = data("CategoricalNB")
    X = X.astype(np.uint8)
    clf = bayesfold.CategoricalNB().fit(X, y)
    panel = clf.model_.schema.encode(clf._read(X, reset=False)).codes[0]
    assert panel.values.dtype == np.uint8
    assert np.shares_memory(panel.values, X)


def test_a_code_that_comes_late_is_counted() -> None:
    X = np.zeros((70_000, 2), np.int64)
    X[-1, 1] = 4
    y = np.arange(70_000) % 2
    clf = bayesfold.CategoricalNB().fit(X, y)
    assert clf.n_categories_.tolist() == [1, 5]
    assert clf.category_count_[1][1].tolist() == [34_999, 0, 0, 0, 1]


def test_categories_grow_and_unseen_ones_say_nothing() -> None:
    X, y = data("CategoricalNB")
    clf = bayesfold.CategoricalNB().fit(X, y)
    prior = np.exp(clf.class_log_prior_)
    np.testing.assert_allclose(clf.predict_proba(np.full((1, WIDTH), 99)), prior[None])
    clf.partial_fit(np.full((1, WIDTH), 6), [1])
    assert clf.n_categories_.tolist() == [7] * WIDTH
    whole = bayesfold.CategoricalNB().fit(np.vstack([X, np.full((1, WIDTH), 6)]), np.r_[y, 1])
    np.testing.assert_allclose(clf.predict_proba(X), whole.predict_proba(X), rtol=1e-12)
    with pytest.raises(ValueError, match=r"column 'x0' has the code 9000000000.*OrdinalEncoder"):
        bayesfold.CategoricalNB().fit(np.array([[9_000_000_000]]), [0])


# what a fold adds


@pytest.mark.parametrize(("name", "setting"), EVERY_SETTING)
@pytest.mark.parametrize("weighted", [False, True])
def test_pieces_equal_the_whole(name: str, setting: dict[str, Any], weighted: bool) -> None:
    X, y = data(name)
    weight = np.random.default_rng(1).random(ROWS) + 0.1 if weighted else None
    order = np.argsort(y, kind="stable")  # sorted by class: the hardest order for an online update
    X, y = X[order], y[order]
    whole = ours(name, **setting).fit(X, y, sample_weight=weight)
    pieces, parts = ours(name, **setting), []
    for rows in np.array_split(np.arange(ROWS), 7):
        w = None if weight is None else weight[rows]
        pieces.partial_fit(X[rows], y[rows], classes=[0, 1, 2], sample_weight=w)
        parts.append(ours(name, **setting).partial_fit(X[rows], y[rows], classes=[0, 1, 2], sample_weight=w))
    merged = parts[0]
    for part in parts[1:]:
        merged = merged + part
    again = ours(name, **setting).partial_fit(X, y, classes=[0, 1, 2], sample_weight=weight)
    again.partial_fit(X[:20], y[:20], sample_weight=None if weight is None else weight[:20])
    again.forget(X[:20], y[:20], sample_weight=None if weight is None else weight[:20])
    for clf in (pieces, merged, again):
        np.testing.assert_allclose(clf.predict_proba(X), whole.predict_proba(X), rtol=1e-8, atol=1e-12)
        for attribute in ATTRIBUTES[name]:
            same(getattr(clf, attribute), getattr(whole, attribute), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("name", "setting"), EVERY_SETTING)
def test_leaving_out_equals_fitting_again_without(name: str, setting: dict[str, Any]) -> None:
    X, y = data(name)
    X, y = X[:40], y[:40]
    setting = (
        {"var_smoothing": 0.0, **setting} if name == "GaussianNB" and setting != {"var_smoothing": 0.1} else setting
    )
    clf = ours(name, **setting).fit(X, y)
    one = clf.leave_one_out(X, y)
    fold = np.arange(40) % 4
    folds = clf.leave_folds_out(X, y, fold)
    for i in range(40):
        for left, row in ((one, np.arange(40) != i), (folds, fold != fold[i])):
            rest = clone(clf).partial_fit(X[row], y[row], classes=[0, 1, 2])
            if name == "CategoricalNB":  # the codes stay known
                rest = clone(clf).partial_fit(X, y, classes=[0, 1, 2]).forget(X[~row], y[~row])
            if setting == {"var_smoothing": 0.1}:  # epsilon is held
                rest.var_smoothing = clf.epsilon_ / (rest.epsilon_ / rest.var_smoothing)
                rest._updated()
            np.testing.assert_allclose(left[i], rest.predict_log_proba(X[i : i + 1])[0], rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_folds_go_by_content(name: str) -> None:
    X, y = data(name)
    clf = ours(name).fit(np.vstack([X, X]), np.r_[y, y])
    twice = clf.leave_folds_out(np.vstack([X, X]), np.r_[y, y], folds=5)
    np.testing.assert_array_equal(twice[:ROWS], twice[ROWS:])
    if name in SPARSE:
        np.testing.assert_allclose(clf.leave_folds_out(csr_array(np.vstack([X, X])), np.r_[y, y], folds=5), twice)
    with pytest.raises(ValueError, match="there are 150 rows but 2 folds"):
        clf.leave_folds_out(X, y, [0, 1])


@pytest.mark.parametrize("name", NAMES)
def test_decay_is_a_weight(name: str) -> None:
    X, y = data(name)
    decayed = ours(name).fit(X[:90], y[:90]).decay(0.5).partial_fit(X[90:], y[90:])
    weighted = ours(name).fit(X, y, sample_weight=np.r_[np.full(90, 0.5), np.ones(60)])
    np.testing.assert_allclose(decayed.predict_proba(X), weighted.predict_proba(X), rtol=1e-7, atol=1e-12)
    with pytest.raises(ValueError, match=r"factor=1.5 must be above 0 and at most 1"):
        decayed.decay(1.5)


@pytest.mark.parametrize("name", NAMES)
def test_samples_can_be_learned_again(name: str) -> None:
    X, y = data(name)
    clf = ours(name).fit(X, np.asarray(["a", "b", "c"])[y])
    columns, labels = clf.sample(4000, random_state=0)
    assert labels.dtype == clf.classes_.dtype
    assert sorted(columns, key=lambda c: int(c[1:])) == [f"x{j}" for j in range(WIDTH)]
    drawn = np.column_stack([columns[f"x{j}"] for j in range(WIDTH)])
    again = ours(name).fit(drawn.astype(X.dtype), labels)
    if name != "ComplementNB":
        np.testing.assert_allclose(again.predict_proba(X), clf.predict_proba(X), atol=0.35)
    np.testing.assert_array_equal(clf.sample(5, random_state=1)[1], clf.sample(5, random_state=1)[1])


@pytest.mark.parametrize("name", NAMES)
def test_a_failed_forget_changes_nothing(name: str) -> None:
    X, y = data(name)
    clf = ours(name).fit(X, y)
    before, expected = tally_of(clf), clf.predict_proba(X)
    with pytest.raises(ValueError, match=r"row \d+ was not learned|was not learned by this model"):
        clf.forget(np.vstack([X, X]), np.r_[y, y])
    with pytest.raises(ValueError, match="has the class 9, which this model has not learned"):
        clf.forget(X[:1], [9])
    with pytest.raises(ValueError, match="there are 2 rows but 1 labels"):
        clf.forget(X[:2], y[:1])
    with pytest.raises(ValueError, match="features"):
        clf.forget(X[:, :2], y)
    unchanged(clf, before)
    np.testing.assert_array_equal(clf.predict_proba(X), expected)


@pytest.mark.parametrize("name", NAMES)
def test_a_failed_partial_fit_changes_nothing(name: str) -> None:
    X, y = data(name)
    clf = ours(name).fit(X, y)
    before, expected = tally_of(clf), clf.predict_proba(X)
    failures: list[tuple[Any, Any, dict[str, Any]]] = [
        (X, np.where(y == 1, 9, y), {}),
        (X[:, :2], y, {}),
        (X, y[:3], {}),
        (X, y, {"sample_weight": np.full(ROWS, -1.0)}),
        (X, y, {"sample_weight": np.zeros(ROWS)}),
        (X, y, {"classes": [0, 1]}),
    ]
    for table, labels, more in failures:
        with pytest.raises(ValueError, match=r"\w"):
            clf.partial_fit(table, labels, **more)
        unchanged(clf, before)
    wrong = {"priors": [1.0]} if name == "GaussianNB" else {"alpha": [1.0]}
    clf.set_params(**wrong)
    with pytest.raises(ValueError, match=r"\w"):
        clf.partial_fit(X, y)
    unchanged(clf, before)
    np.testing.assert_array_equal(clf.predict_proba(X), expected)


def test_different_kinds_do_not_merge() -> None:
    X, y = data("MultinomialNB")
    with pytest.raises(TypeError):
        bayesfold.MultinomialNB().fit(X, y) + bayesfold.ComplementNB().fit(X, y)
    with pytest.raises(ValueError, match=r"columns|two ways|width"):
        bayesfold.MultinomialNB().fit(X, y) + bayesfold.MultinomialNB().fit(X[:, :3], y)


def test_merging_unites_classes_and_codes() -> None:
    X, y = data("CategoricalNB")
    a, b = (bayesfold.CategoricalNB(fit_prior=False).fit(X[rows], y[rows]) for rows in (y < 2, y > 0))
    both = a + b
    assert both.classes_.tolist() == [0, 1, 2]
    assert both.class_count_.sum() == (y < 2).sum() + (y > 0).sum()
    np.testing.assert_allclose(np.exp(both.class_log_prior_), 1 / 3)
    assert np.isfinite(both.predict_log_proba(X)).all()
