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
from bayesfold.explanations import counterfactual
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


def drawn(seed, classes, columns=4, additive=True, wanted=None, limit=-np.inf):
    """A row whose columns may become 1 or 2, and log joints by what they are: sums of parts, or anything at all."""
    draw = np.random.default_rng(seed)
    parts, prior = draw.normal(size=(columns, 3, classes)), draw.normal(size=classes)
    names = [f"x{j}" for j in range(columns)]

    def score(rows):
        if additive:
            return np.array([prior + sum(parts[j, row[n]] for j, n in enumerate(names)) for row in rows])
        return np.array([np.random.default_rng([seed, *(row[n] for n in names)]).normal(size=classes) for row in rows])

    def decide(joints):
        sure = np.log(np.exp(joints).max(1) / np.exp(joints).sum(1))
        return np.where(sure >= limit, joints.argmax(1), -1)

    row = dict.fromkeys(names, 0)
    return ChangeSearch(row, dict.fromkeys(names, (0, 1, 2)), score, decide, additive, wanted)


def least(search):
    """The fewest changes that flip the decision."""
    now = search.decide(search.score([search.row]))[0]
    for size in range(1, len(search.row) + 1):
        for columns in combinations(search.row, size):
            rows = [search.row | dict(zip(columns, v, strict=True)) for v in product((1, 2), repeat=size)]
            if search.flips(search.score(rows), now).any():
                return size
    return None


@pytest.mark.parametrize("additive", [True, False])
@pytest.mark.parametrize("piece", [1, 3, 1_000])
def test_the_smallest_change_is_found_however_many_rows_are_scored_at_once(monkeypatch, additive, piece):
    monkeypatch.setattr(counterfactual, "PIECE", piece)
    sizes = set()
    for seed in range(30):
        for wanted, limit in ((None, -np.inf), (2, -np.inf), (None, np.log(0.5))):
            search = drawn(seed, 3, additive=additive, wanted=wanted, limit=limit)
            now = int(search.decide(search.score([search.row]))[0])
            if now == wanted:
                with pytest.raises(ValueError, match=f"the row is decided {now} already"):
                    what_would_change(search, lambda code: code, False)
                continue
            expected = least(search)
            found = what_would_change(search, lambda code: code, False)
            assert (found is None) is (expected is None)
            if found is None:
                continue
            sizes.add(expected)
            assert found.smallest
            assert len(found.changes) == expected
            then = search.row | {name: new for name, _, new in found.changes}
            assert search.decide(search.score([then]))[0] == found.after != found.before == now
            assert all(old == 0 for _, old, _ in found.changes)
            assert found.after == (found.after if wanted is None else wanted) >= 0
    assert len(sizes) >= 2


@pytest.mark.parametrize(("tries", "smallest"), [(8, False), (32, True)])
def test_sets_are_tried_as_long_as_they_are_few(monkeypatch, tries, smallest):
    """Of four columns that may become two things each there are 8 sets of one, 24 of two and 32 of three changes."""

    def score(rows):
        return np.array([[3.5, sum(map(bool, row.values()))] for row in rows], float)

    search = ChangeSearch(
        dict.fromkeys("abcd", 0), dict.fromkeys("abcd", (1, 2)), score, lambda joints: joints.argmax(1), False
    )
    monkeypatch.setattr(counterfactual, "MOST_TRIES", tries)
    found = what_would_change(search, lambda code: code, False)
    assert len(found.changes) == 4
    assert found.smallest is smallest
    monkeypatch.setattr(counterfactual, "MOST_TRIES", 31)
    assert not what_would_change(search, lambda code: code, False).smallest


def test_columns_that_cannot_change_are_left_alone_and_numbers_move_as_little_as_they_must():
    asked = []

    def score(rows):
        asked.append(len(rows))
        return np.array([[0.0, row["x"] + row["y"] - 4.5] for row in rows])

    options = {"x": (9, 5, 0, -7, 7), "y": (0,), "z": (True, "a")}
    row = {"x": 0, "y": 0, "z": False}
    search = ChangeSearch(row, options, score, lambda joints: joints.argmax(1), True)
    found = what_would_change(search, lambda code: code, True)
    assert found.changes == (("x", 0, 5),)
    assert asked[:2] == [1, 6], "the row itself, and each thing that it is not already"
    fixed = ChangeSearch(row, {"y": (0,)}, score, lambda joints: joints.argmax(1), True)
    assert what_would_change(fixed, lambda code: code, True) is None
    truth = ChangeSearch(row | {"x": False}, {"x": (True, 9)}, score, lambda joints: joints.argmax(1), True)
    assert what_would_change(truth, lambda code: code, True).changes == (("x", False, 9),)
