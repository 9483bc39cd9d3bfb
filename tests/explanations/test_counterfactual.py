"""The smallest change that flips a decision, beside every change there is."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import bayesfold as bf
from bayesfold.explanations.counterfactual import Change, ChangeSearch, what_would_change

NAMES = [*"abcd"]
DRAW = np.random.default_rng(3)
Y = np.array(["p", "q", "r"])[DRAW.integers(0, 3, 60)]
X = pd.DataFrame({n: np.where(DRAW.random(60) < 0.45, Y, DRAW.choice([*"pqr"], 60)) for n in NAMES})
LOSSES = [None, {"p": {"q": 3, "r": 1}, "q": {"p": 1, "r": 6}, "r": {"p": 2, "q": 1}}]


def fewest(clf, row, wanted=None):
    """The least number of changes that flips the decision, by trying all of them."""
    now = clf.predict(row)[0]
    for size in range(1, 5):
        for columns in combinations(NAMES, size):
            rows = [row | dict(zip(columns, v, strict=True)) for v in product("pqr", repeat=size)]
            found = clf.predict(pd.DataFrame(rows)[NAMES])
            if any(f == wanted if wanted else f not in (now, "reject") for f in found):
                return size
    return None


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("reject", [None, 0.5])
@pytest.mark.parametrize("to", [None, "r"])
def test_no_fewer_changes_flip_the_decision(loss, reject, to):
    clf = bf.NaiveBayes(loss=loss, reject_cost=reject, alpha=0.5).fit(X, Y)
    sizes = set()
    for row in X[:25].to_dict("records"):
        if clf.predict(row)[0] == to:
            continue
        expected = fewest(clf, row, to)
        if expected is None:
            with pytest.raises(ValueError, match="no change"):
                clf.what_would_change(row, to=to)
            continue
        found = clf.what_would_change(row, to=to)
        assert found.smallest
        assert len(found.changes) == expected
        then = row | {name: new for name, _, new in found.changes}
        assert clf.predict(then)[0] == found.after != found.before == clf.predict(row)[0]
        assert to is None or found.after == to
        sizes.add(expected)
    assert len(sizes) > 1


@given(seed=st.integers(0, 10_000), classes=st.integers(2, 4))
def test_where_columns_do_not_add_up_smaller_sets_are_tried(seed, classes):
    draw = np.random.default_rng(seed)
    table = draw.normal(0, 2, (2, 2, 2, 2, classes))  # an arbitrary function of four cells

    def score(rows):
        return np.array([table[tuple(r[n] for n in NAMES)] for r in rows])

    row = dict.fromkeys(NAMES, 0)
    search = ChangeSearch(row, {n: [0, 1] for n in NAMES}, score, lambda j: j.argmax(1), additive=False)
    found = what_would_change(search, int, exact_greedy=True)
    best = table.argmax(-1)
    sizes = [sum(cell) for cell in product([0, 1], repeat=4) if best[cell] != best[0, 0, 0, 0]]
    if not sizes:
        assert found is None
    else:
        assert found.smallest
        assert len(found.changes) == min(sizes)


def test_numbers_move_no_further_than_needed():
    table, y = load_wine(return_X_y=True, as_frame=True)
    table = table[["alcohol", "hue"]]
    clf = bf.NaiveBayes().fit(table, y)
    grid = np.linspace(11, 15, 401).tolist()
    row = {"alcohol": 13.9, "hue": 1.1}
    found = clf.what_would_change(row, fixed=["hue"], values={"alcohol": grid})
    (name, old, new), before = found.changes[0], clf.predict(row)[0]
    assert (name, old) == ("alcohol", 13.9)
    nearer = [v for v in grid if abs(v - old) < abs(new - old) - 1e-9]
    assert (clf.predict(pd.DataFrame({"alcohol": nearer, "hue": 1.1})) == before).all()
    assert str(found).startswith(f"{before} becomes")
    assert "<table>" in found._repr_html_()


def test_whole_numbers_stay_whole_and_one_row_tables_will_do():
    n = DRAW.poisson(np.where(Y == "p", 2, 9))
    clf = bf.NaiveBayes(families={"n": "poisson"}).fit(X.assign(n=n), Y == "p")
    found = clf.what_would_change(X.assign(n=n)[:1], fixed=NAMES)
    assert all(float(new).is_integer() for _, _, new in found.changes)


def test_what_is_wrong_is_said():
    clf = bf.NaiveBayes().fit(X, Y)
    row = X.iloc[0].to_dict()
    for call, words in (
        (lambda: clf.what_would_change(row, to="x"), "'x' is not a class"),
        (lambda: clf.what_would_change(row, to=clf.predict(row)[0]), "already"),
        (lambda: clf.what_would_change(row, fixed=["z"]), "no column 'z'"),
        (lambda: clf.what_would_change(X), "give one row"),
        (lambda: clf.what_would_change(row | {"z": 1}), "this row has 'z'"),
        (lambda: clf.what_would_change(row, fixed=NAMES), "no change"),
        (lambda: clf.what_would_change(row, values={"a": range(200_000)}), "values to try; hold columns fixed"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


@pytest.mark.parametrize("loader", [load_wine, load_breast_cancer, load_iris])
@pytest.mark.parametrize(
    "clf", [bf.NaiveBayes(), bf.NaiveBayes(numeric="gaussian"), bf.NaiveBayes(numeric="mdl"), bf.GaussianBayes()]
)
def test_what_is_proposed_lies_within_what_was_seen(loader, clf):
    """Never -0.5 of malic acid: no value is proposed that no row was near."""
    table, y = loader(return_X_y=True, as_frame=True)
    clf = clone(clf).fit(table, y)
    proposed = 0
    for i in range(0, len(table), len(table) // 12):
        for name, _, new in clf.what_would_change(table.iloc[[i]]).changes:
            assert table[name].min() <= new <= table[name].max()
            proposed += 1
    assert proposed


def test_numbers_of_skewed_columns_are_not_proposed_below_their_least():
    draw = np.random.default_rng(0)
    y = draw.integers(2, size=400)
    table = pd.DataFrame({"dose": draw.exponential(1 + y), "rows": draw.poisson(2 + 3 * y)})
    clf = bf.NaiveBayes(numeric="gaussian").fit(table, y)
    for row in table[:40].to_dict("records"):
        for name, _, new in clf.what_would_change(row).changes:
            assert table[name].min() <= new <= table[name].max()
            assert name == "dose" or float(new).is_integer()


def test_values_are_printed_as_those_of_reasons_are():
    """An empty text is a missing value, and of a long one the beginning is shown."""
    shown = str(Change("p", "q", (("note", "", "x" * 70),), True)).splitlines()[-1].split()
    assert shown == ["note", "-", "x" * 60 + "..."]
