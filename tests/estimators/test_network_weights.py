"""The unit of weights makes no network that classifies surer: what it chooses counts rows, what it sums are weights."""

import numpy as np
import pytest

import bayesfold as bf

ROWS = 300
COLUMNS = ("n", *(f"c{j}" for j in range(4)))
WAYS = {
    "bic": {},
    "bdeu": {"learn": {"score": "bdeu"}},
    "conditional": {"learn": {"search": "conditional"}},
    "given arcs": {"structure": [*(("class", name) for name in COLUMNS), ("c0", "c1"), ("c2", "c3")]},
    "backoff": {"structure": [("class", "c0"), ("class", "c1"), ("c0", "c1")], "tables": {"method": "backoff"}},
}


def table(rows, seed):
    """A column of numbers and four of words, of which one tells something, and two classes."""
    draw = np.random.default_rng(seed)
    own = draw.integers(0, 2, rows)
    columns = {"n": draw.normal(size=rows)} | {name: draw.choice([*"uvwxyz"], rows) for name in COLUMNS[1:]}
    columns["c0"] = np.where((own == 1) & (draw.random(rows) < 0.6), "u", columns["c0"])
    return columns, np.array([*"pq"])[own]


def some(columns, rows):
    return {name: cells[rows] for name, cells in columns.items()}


@pytest.mark.parametrize("how", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("unit", [0.01, 100.0, 4096.0])
def test_equal_weights_change_nothing(how, unit):
    x, y = table(ROWS, 0)
    plain, weighed = (bf.NetworkClassifier(**how).fit(x, y, w) for w in (None, np.full(ROWS, unit)))
    assert weighed.network_.edges == plain.network_.edges
    assert weighed.cuts_ == plain.cuts_
    np.testing.assert_allclose(weighed.predict_proba(x), plain.predict_proba(x), rtol=1e-9)


def test_the_unit_of_uneven_weights_changes_nothing():
    x, y = table(ROWS, 1)
    weight = np.random.default_rng(2).uniform(0.5, 2.0, ROWS)
    one, other = (bf.NetworkClassifier().fit(x, y, unit * weight) for unit in (1.0, 4096.0))
    assert other.network_.edges == one.network_.edges
    np.testing.assert_allclose(other.predict_proba(x), one.predict_proba(x), rtol=1e-9)
    assert one.learned_.rows == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
    for name, cells in one.learned_.network.tables.items():  # the arcs and the tables are of as many rows
        np.testing.assert_allclose(one.network_.tables[name], cells, rtol=1e-9)


@pytest.mark.parametrize("how", WAYS.values(), ids=WAYS)
def test_weights_of_a_survey_make_new_rows_no_surprise(how):
    """Each row stands for thousands of people, some for more; log(2) is what guessing costs."""
    (x, y), (new, truth) = table(ROWS, 3), table(2_000, 4)
    weight = np.random.default_rng(5).uniform(2_000, 9_000, ROWS)
    p = bf.NetworkClassifier(**how).fit(x, y, weight).predict_proba(new)
    assert -np.log(p[np.arange(len(truth)), (truth == "q").astype(int)]).mean() < 0.7


def test_numbers_that_are_given_are_in_the_unit_of_the_weights():
    x, y = {"a": [*"uuv"]}, [*"ppq"]
    clf = bf.NetworkClassifier([("class", "a")], tables={"alpha": 1.0}).fit(x, y, np.full(3, 100.0))
    np.testing.assert_allclose(clf.network_.tables["class"], [201 / 302, 101 / 302])
    clf = bf.NetworkClassifier([("class", "a")]).fit(x, y, np.full(3, 100.0))
    np.testing.assert_allclose(clf.network_.tables["class"], [3 / 5, 2 / 5])


def test_what_is_learned_later_is_added_to_the_pseudo_rows_of_the_first():
    """Forgetting, learning on and merging are sums of weights as they were given."""
    x, y = table(ROWS, 6)
    del x["n"]  # cuts would differ
    weight = np.random.default_rng(7).uniform(1_000, 9_000, ROWS)
    first, rest = slice(0, 200), slice(200, None)
    clf = bf.NetworkClassifier().fit(some(x, first), y[first], weight[first])
    start, alpha = clf.network_, clf.network_.learned.estimate.alpha
    assert alpha == pytest.approx((weight[first] ** 2).sum() / weight[first].sum())
    expected = start.fit(x | {"class": y}, weight=weight, alpha=alpha).tables
    more = clf.partial_fit(some(x, rest), y[rest], sample_weight=weight[rest])
    for name, cells in more.network_.tables.items():
        np.testing.assert_allclose(cells, expected[name], rtol=1e-12)
    less = more.forget(some(x, rest), y[rest], weight[rest])
    for name, cells in less.network_.tables.items():
        np.testing.assert_allclose(cells, start.tables[name], rtol=1e-12)
    other = bf.NetworkClassifier(start, tables={"alpha": 1.0}).fit(some(x, rest), y[rest], weight[rest])
    for name, cells in less.merge(other).network_.tables.items():
        np.testing.assert_allclose(cells, expected[name], rtol=1e-12)


def test_what_weights_are_is_one_of_two_words():
    with pytest.raises(ValueError, match="weights_are='copies' is not one of 'importance', 'counts'"):
        bf.NetworkClassifier(weights_are="copies").fit(*table(20, 8))
