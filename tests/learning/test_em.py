"""Expectation-maximisation against the textbook's, step by step, and what unlabelled rows are good for."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from bayesfold import NaiveBayes
from bayesfold.families.gaussian import Gaussian
from bayesfold.learning import em

NAMES = ("A", "B", "C")
CLASSES = ("p", "q", "r")
LOG_LIKELIHOOD = em.log_likelihood


class SlowEM:
    """Nigam's two steps over raw rows in plain Python."""

    def __init__(self, rows, labels, weights, share, alpha, prior_alpha):
        self.rows, self.labels = rows, labels
        self.weights = [w * (share if y is None else 1.0) for y, w in zip(labels, weights, strict=True)]
        self.alpha, self.prior_alpha = alpha, prior_alpha
        self.classes = sorted({y for y in labels if y is not None})
        self.levels = {n: sorted({row[n] for row in rows} - {None}) for n in NAMES}
        self.maximise([self.hard(y) for y in labels])

    def hard(self, label):
        return [0.0 if label is None else float(label == c) for c in self.classes]

    def maximise(self, shares):
        """Probabilities from shares in classes, an unlabelled row's being 0 at the start."""
        soft = [[w * s for s in share] for w, share in zip(self.weights, shares, strict=True)]
        n = [sum(row[k] for row in soft) for k in range(len(self.classes))]
        self.prior = [(x + self.prior_alpha) / (sum(n) + len(n) * self.prior_alpha) for x in n]
        self.given = {}
        for name in NAMES:
            for k in range(len(self.classes)):
                total = sum(s[k] for row, s in zip(self.rows, soft, strict=True) if row[name] is not None)
                for x in self.levels[name]:
                    seen = sum(s[k] for row, s in zip(self.rows, soft, strict=True) if row[name] == x)
                    below = total + self.alpha * len(self.levels[name])
                    self.given[name, x, k] = (seen + self.alpha) / below

    def joint(self, row):
        known = [(n, x) for n, x in row.items() if x is not None]
        return [
            math.log(self.prior[k]) + sum(math.log(self.given[n, x, k]) for n, x in known)
            for k in range(len(self.classes))
        ]

    def step(self):
        shares = []
        for row, label in zip(self.rows, self.labels, strict=True):
            if label is None:
                p = [math.exp(x) for x in self.joint(row)]
                shares.append([x / sum(p) for x in p])
            else:
                shares.append(self.hard(label))
        self.maximise(shares)

    def log_likelihood(self):
        """With the Dirichlet prior under which Laplace's tables are the most probable."""
        total = self.prior_alpha * sum(map(math.log, self.prior)) + self.alpha * sum(map(math.log, self.given.values()))
        for row, label, w in zip(self.rows, self.labels, self.weights, strict=True):
            said = self.joint(row)
            total += w * (
                said[self.classes.index(label)] if label is not None else math.log(sum(math.exp(x) for x in said))
            )
        return total


ROW = st.fixed_dictionaries(
    {"A": st.sampled_from("uvw"), "B": st.sampled_from([None, "u", "v"]), "C": st.sampled_from(["u", "v", "w", None])}
)
TABLES = st.tuples(
    st.lists(st.tuples(ROW, st.sampled_from(CLASSES)), min_size=3, max_size=8),
    st.lists(st.tuples(ROW, st.none()), min_size=1, max_size=8),
).map(lambda parts: [*parts[0], *parts[1]])
FIXED = {"families": dict.fromkeys(NAMES, "categorical"), "missing_as": "skip"}


def columns_of(rows):
    return {n: [row[n] for row in rows] for n in NAMES}


@given(
    table=TABLES,
    weighted=st.booleans(),
    share=st.sampled_from([0.1, 0.3, 1.0, 2.0]),
    alpha=st.sampled_from([0.2, 1.0, 3.0]),
    prior_alpha=st.sampled_from([0.5, 1.0]),
    shuffled=st.randoms(use_true_random=False),
)
@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
def test_it_is_the_textbooks_em_step_by_step(table, weighted, share, alpha, prior_alpha, shuffled):
    shuffled.shuffle(table)
    rows, labels = (list(part) for part in zip(*table, strict=True))
    weights = [[1.0, 0.5, 2.0][i % 3] for i in range(len(rows))] if weighted else [1.0] * len(rows)
    clf = NaiveBayes(unlabelled=share, alpha=alpha, prior_alpha=prior_alpha, **FIXED)
    clf.fit(columns_of(rows), labels, sample_weight=weights if weighted else None)
    if set(clf.schema_.sources) != set(NAMES):
        return  # a column that is constant among the labelled rows is left out
    slow = SlowEM(rows, labels, weights, share, alpha, prior_alpha)
    history = []
    for _ in range(clf.unlabelled_.steps):
        slow.step()
        history.append(slow.log_likelihood())
    np.testing.assert_allclose(clf.unlabelled_.log_likelihood, history, rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(
        clf.predict_joint_log_proba(columns_of(rows)), [slow.joint(row) for row in rows], rtol=1e-8, atol=1e-8
    )
    slow.step()
    rise = slow.log_likelihood() - history[-1]
    assert rise > -1e-9  # no step lowers it ...
    assert np.diff(history).min(initial=0.0) > -1e-9
    assert clf.unlabelled_.steps == em.MOST_STEPS or rise < 1e-5 * len(rows)  # ... and the last one hardly raised it


def generated(seed, labelled, unlabelled, columns=8):
    """Two classes that columns tell apart given enough rows; all but a few labels are hidden."""
    draw = np.random.default_rng(seed)
    y = np.arange(labelled + unlabelled + 1000) % 2
    p = draw.uniform(0.2, 0.8, columns)
    X = (draw.random((len(y), columns)) < np.where(y[:, None] == 1, p, 1 - p)).astype(str)
    names = [f"c{j}" for j in range(columns)]
    hidden = np.where(np.arange(len(y)) < labelled, y, None)
    some = labelled + unlabelled
    return names, X[:some], hidden[:some], X[some:], y[some:]


@pytest.mark.slow
def test_unlabelled_rows_help_where_they_should():
    losses = []
    for seed in range(8):
        names, X, y, asked, truth = generated(seed, 20, 500)
        few = NaiveBayes().fit(dict(zip(names, X[:20].T, strict=True)), y[:20].astype(int))
        clf = NaiveBayes(unlabelled="em").fit(dict(zip(names, X.T, strict=True)), y)
        table = dict(zip(names, asked.T, strict=True))
        losses.append([-m.predict_log_proba(table)[np.arange(1000), truth].mean() for m in (few, clf)])
        assert clf.unlabelled_.weight == min(clf.unlabelled_.losses, key=clf.unlabelled_.losses.get)
        assert set(clf.unlabelled_.losses) == {0.0, 0.1, 0.3, 1.0}
        assert clf.unlabelled_.rows == 500
    dropped, learned = np.mean(losses, axis=0)
    assert learned < 0.9 * dropped


def test_the_weight_is_zero_where_unlabelled_rows_mislead():
    """The columns' strongest grouping has nothing to do with the class."""
    draw = np.random.default_rng(3)
    y = np.arange(1060) % 2
    group = draw.integers(0, 2, len(y))
    noisy = np.where(draw.random((len(y), 8)) < 0.05, 1 - group[:, None], group[:, None])
    telling = np.where(draw.random((len(y), 2)) < 0.15, 1 - y[:, None], y[:, None])
    columns = {f"c{j}": x.astype(str) for j, x in enumerate(np.column_stack([noisy, telling]).T)}
    clf = NaiveBayes(unlabelled="em").fit(columns, np.where(np.arange(len(y)) < 60, y, None))
    forced = NaiveBayes(unlabelled=1.0).fit(columns, np.where(np.arange(len(y)) < 60, y, None))
    assert clf.unlabelled_.weight == 0.0
    assert clf.score(columns, y) > 0.8 > forced.score(columns, y)


def test_a_weight_of_zero_is_dropping_the_rows():
    names, X, y, asked, _ = generated(1, 30, 50)
    X[40, 0] = "only here"
    columns, few = (dict(zip(names, part.T, strict=True)) for part in (X, X[:30]))
    clf = NaiveBayes(unlabelled=0).fit(columns, y)
    plain = NaiveBayes().fit(few, y[:30])
    table = dict(zip(names, asked.T, strict=True))
    np.testing.assert_array_equal(clf.predict_joint_log_proba(table), plain.predict_joint_log_proba(table))
    np.testing.assert_array_equal(clf.leave_one_out(few, y[:30]), plain.leave_one_out(few, y[:30]))
    assert clf.schema_ == plain.schema_
    clf.forget(few, y[:30])
    assert clf.model_.class_counts().sum() == 0


def test_a_row_of_weight_two_is_two_rows_and_one_of_weight_zero_is_none():
    names, X, y, asked, _ = generated(2, 12, 20)
    weights = [[1, 2, 0, 1][i % 4] for i in range(32)]
    options = {"unlabelled": 0.5, "families": dict.fromkeys(names, "categorical")}
    weighed = NaiveBayes(**options).fit(dict(zip(names, X.T, strict=True)), y, sample_weight=weights)
    again = np.repeat(np.arange(32), weights)
    repeated = NaiveBayes(**options).fit(dict(zip(names, X[again].T, strict=True)), y[again])
    table = dict(zip(names, asked.T, strict=True))
    np.testing.assert_allclose(weighed.predict_proba(table), repeated.predict_proba(table), rtol=1e-9)


@pytest.mark.parametrize("numeric", ["auto", "gaussian", "kde", "mdl", "lognormal", "equal_frequency"])
@pytest.mark.parametrize("alpha", [1.0, "auto"])
def test_mixed_columns_climb(numeric, alpha):
    draw = np.random.default_rng(7)
    y = np.arange(300) % 3
    X = np.exp(draw.normal(size=(300, 2)) + y[:, None])
    X[::11, 1] = np.nan
    columns = {"a": X[:, 0], "b": X[:, 1], "c": np.where(draw.random(300) < 0.3, "u", y.astype(str))}
    hidden = np.where(np.arange(300) < 60, y.astype(float), np.nan)
    clf = NaiveBayes(numeric=numeric, alpha=alpha, unlabelled=0.3).fit(columns, hidden)
    history = clf.unlabelled_.log_likelihood
    assert clf.unlabelled_.steps >= (1 if numeric in ("auto", "kde") else 3)  # kernels are no maximum likelihood
    assert np.diff(history).min(initial=1.0) > 0
    if numeric not in ("auto", "kde"):
        assert history[-1] - history[-2] < 1e-6 * 300  # it ended at the top, not at a fall
    assert clf.score(columns, y) > 0.6
    assert clf.classes_.tolist() == [0.0, 1.0, 2.0]
    np.testing.assert_allclose(clf.model_.class_weights().sum(), 60 + 0.3 * 240, rtol=1e-9)
    row = {n: x[3] for n, x in columns.items()}
    np.testing.assert_allclose(clf.predict_proba(row)[0], clf.predict_proba(columns)[3], rtol=1e-9)
    batch = clf.schema_.encode(clf._read(columns, reset=False))
    np.testing.assert_allclose(clf.model_.contributions(batch).sum(1), clf.model_.log_joint(batch), rtol=1e-9)


@pytest.mark.parametrize("numeric", ["gaussian", "lognormal", "poisson", "mdl", "quintiles"])
@pytest.mark.parametrize("seed", range(5))
def test_no_step_lowers_the_log_likelihood(numeric, seed, monkeypatch):
    """Every value that is computed is seen here, also one that would end the steps."""
    seen = []
    monkeypatch.setattr(em, "log_likelihood", lambda *given: seen.append(LOG_LIKELIHOOD(*given)) or seen[-1])
    draw = np.random.default_rng(seed)
    y = np.arange(80) % 3
    x = draw.poisson(2 + 2 * y) + 1.0
    columns = {"a": x, "b": np.where(draw.random(80) < 0.1, np.nan, x[::-1]), "c": draw.choice([*"uv"], 80)}
    NaiveBayes(numeric=numeric, unlabelled=0.5).fit(columns, np.where(draw.random(80) < 0.3, y, np.nan))
    assert len(seen) > 2
    assert np.diff(seen).min() > -1e-9


def test_maximum_likelihood_of_normal_columns_is_the_textbooks():
    """Means and variances of a mixture of normals, with the labelled rows in it."""
    draw = np.random.default_rng(4)
    x = np.concatenate([draw.normal(0, 1, 60), draw.normal(2, 1.5, 60)])
    y = np.repeat([0.0, 1.0], 60)
    hidden = np.where(np.arange(120) % 4 == 0, y, np.nan)
    known = ~np.isnan(hidden)
    options = {"families": {"x": Gaussian(pseudo_rows=0.0)}, "prior_alpha": 0.0, "unlabelled": 1.0}
    clf = NaiveBayes(**options).fit({"x": x}, hidden)
    r = np.where(known, hidden, 0.0)
    weight = known.astype(float)
    for _ in range(clf.unlabelled_.steps + 1):  # the first round has the labelled rows alone
        shares = np.stack([(1 - r) * weight, r * weight])
        n = shares.sum(1)
        mean = shares @ x / n
        var = (shares * (x - mean[:, None]) ** 2).sum(1) / n
        constant = np.log(n / n.sum()) - 0.5 * np.log(2 * np.pi * var)
        logs = constant[:, None] - (x - mean[:, None]) ** 2 / (2 * var[:, None])
        p = np.exp(logs)
        r, weight = np.where(known, y, p[1] / p.sum(0)), np.ones(120)
    np.testing.assert_allclose(clf.predict_joint_log_proba({"x": x}), logs.T, rtol=1e-8, atol=1e-8)


def test_what_cannot_be_done_is_said_and_changes_nothing():
    names, X, y, _, _ = generated(1, 30, 200)
    columns = dict(zip(names, X.T, strict=True))
    clf = NaiveBayes(unlabelled=1.0).fit(columns, y)
    before = clf.predict_proba(columns)
    few = {n: x[:30] for n, x in columns.items()}
    plain = NaiveBayes(schema=clf.schema_).fit(few, y[:30])
    row = {n: x[0] for n, x in columns.items()}
    tries = {
        "learn more rows": [lambda: clf.partial_fit(few, y[:30]), lambda: clf.partial_fit(row, 1)],
        "forget rows": [lambda: clf.forget(few, y[:30])],
        "leave a row out": [lambda: clf.leave_one_out(few, y[:30])],
        "leave rows out": [lambda: clf.leave_folds_out(few, y[:30], 5)],
        "be merged": [lambda: clf.merge(plain), lambda: plain + clf],
    }
    for what, calls in tries.items():
        for call in calls:
            with pytest.raises(ValueError, match=f"cannot {what}: it has learned rows without labels"):
                call()
    np.testing.assert_array_equal(clf.predict_proba(columns), before)
    np.testing.assert_array_equal(clf.decay(0.5).model_.class_weights() > 0, True)


def test_what_is_refused():
    columns, y = {"a": [*"uvuvu"]}, ["p", "q", None, "p", "q"]
    with pytest.raises(ValueError, match="row 2 has no label"):
        NaiveBayes().fit(columns, y)
    with pytest.raises(ValueError, match="no row has a label"):
        NaiveBayes(unlabelled="em").fit(columns, [None] * 5)
    with pytest.raises(ValueError, match="leave out weights and calibration"):
        NaiveBayes(unlabelled="em", calibration="temperature").fit(columns, y)
    with pytest.raises(ValueError, match="unlabelled='yes' must be None, 'em' or the weight"):
        NaiveBayes(unlabelled="yes").fit(columns, y)
    with pytest.raises(ValueError, match="use fit instead of partial_fit"):
        NaiveBayes(unlabelled="em").partial_fit(columns, y)
    with pytest.raises(ValueError, match="there are 5 rows but 4 labels"):
        NaiveBayes(unlabelled="em").fit(columns, y[:4])


@pytest.mark.parametrize(
    "y",
    [
        [*"pqpq", None, None],
        [*"pqpq", float("nan"), float("nan")],
        np.array([*"pqpq", None, None], object),
        pa.array([*"pqpq", None, None]),
        pa.array([0, 1, 0, 1, None, None]),
        np.array([0, 1, 0, 1, np.nan, np.nan]),
        [0, 1, 0, 1, None, None],
    ],
)
def test_a_missing_label_in_any_form(y):
    columns = {"a": [*"uvuvuv"], "b": [*"stsstt"]}
    clf = NaiveBayes(unlabelled=1.0).fit(columns, y)
    assert len(clf.classes_) == 2
    assert clf.unlabelled_.rows == 2
    assert clf.model_.class_weights().sum() == pytest.approx(6)


def test_without_missing_labels_nothing_is_different():
    columns, y = {"a": [*"uvuvuv"], "b": [*"stsstt"]}, [*"pqpqpq"]
    clf, plain = (NaiveBayes(unlabelled=u).fit(columns, y) for u in ("em", None))
    np.testing.assert_array_equal(clf.predict_proba(columns), plain.predict_proba(columns))
    np.testing.assert_array_equal(clf.leave_one_out(columns, y), plain.leave_one_out(columns, y))
    assert (clf.unlabelled_.rows, plain.unlabelled_) == (0, None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the spread of column")
def test_on_digits_unlabelled_rows_do_not_harm_those_to_come():
    """Most pixels of the edge are 0 in every labelled row, and a few unlabelled rows have one that is not."""
    x, y = load_digits(return_X_y=True)
    x = x[:, 16:40]
    labels = [*y[:60].tolist(), *[None] * 120]

    def loss(clf):
        return -clf.predict_log_proba(x[180:])[np.arange(len(y) - 180), y[180:]].mean()

    clf = NaiveBayes(numeric="gaussian", unlabelled="em").fit(x[:180], labels)
    alone = NaiveBayes(numeric="gaussian").fit(x[:60], y[:60])
    always = NaiveBayes(numeric="gaussian", unlabelled=1.0).fit(x[:180], labels)
    assert loss(clf) < 1.1 * loss(alone)
    assert loss(always) < 3.0 * loss(alone)  # with a say, the flat pixels cost hundreds of nats
    assert [c.name for c in always.columns_ if "no say" in c.why] == [f"x{j}" for j in range(24) if not x[:60, j].any()]


def test_the_share_is_0_where_unlabelled_rows_belong_to_no_class():
    """The columns of unlabelled rows fall in two groups that have nothing to do with the classes."""
    draw = np.random.default_rng(2)
    y = draw.integers(0, 2, 80)
    x = draw.normal(size=(80, 3)) + y[:, None] * [1.5, 0, 0]
    others = draw.normal(size=(400, 3)) + draw.integers(0, 2, 400)[:, None] * [0, 6, 6]
    clf = NaiveBayes(numeric="gaussian", unlabelled="em").fit(np.concatenate([x, others]), [*y.tolist(), *[None] * 400])
    assert clf.unlabelled_.weight == 0
    assert clf.unlabelled_.losses[0.0] < clf.unlabelled_.losses[1.0]
