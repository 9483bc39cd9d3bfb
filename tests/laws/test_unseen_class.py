"""What is left to classes never seen is a function of the tally and the setting, however rows were learned."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf

LABELS = [*"abcdefgh"]
KINDS = [
    (bf.NaiveBayes, {"families": {"x": "categorical"}, "missing_as": "skip"}),
    (bf.BayesClassifier, {"structure": "naive"}),
]
every = pytest.mark.parametrize(("kind", "options"), KINDS, ids=[kind.__name__ for kind, _ in KINDS])
labels = st.lists(st.sampled_from(LABELS), min_size=2, max_size=14)


def table(y):
    """One column that depends on the label a little."""
    return {"x": ["odd" if (ord(c) + i // 3) % 2 else "even" for i, c in enumerate(y)]}


def by_hand(*parts):
    """N1 / N of all labels, half a row away from both ends."""
    seen = Counter(c for y in parts for c in y)
    rows, once = sum(seen.values()), Fraction(sum(n == 1 for n in seen.values()))
    half = Fraction(1, 2)
    return float(min(max(once, half), rows - half) / rows)


def learned(kind, options, y):
    """A first model of two rows of each of two classes, then of y: small tables teach the pool nothing."""
    first = [*"abab"]
    clf = kind(unseen_class="good-turing", **options).partial_fit(table(first), first, classes=LABELS[:2])
    return clf.partial_fit(table(y), y), first


@every
@given(one=labels, two=labels)
def test_more_rows_and_fewer_rows(kind, options, one, two):
    clf, first = learned(kind, options, one)
    assert clf.unseen_share_ == by_hand(first, one)
    clf.partial_fit(table(two), two)
    assert clf.unseen_share_ == by_hand(first, one, two)
    clf.forget(table(one), one)
    assert clf.unseen_share_ == by_hand(first, two)


@every
@given(one=labels, two=labels)
def test_two_models_rows(kind, options, one, two):
    first, start = learned(kind, options, one)
    second = first.blank().partial_fit(table(two), two)
    assert second.unseen_share_ == by_hand(two)
    assert (first + second).unseen_share_ == (second + first).unseen_share_ == by_hand(start, one, two)


@every
@given(y=labels, factor=st.floats(0.01, 1.0))
def test_rows_that_weigh_less_were_still_seen(kind, options, y, factor):
    clf, first = learned(kind, options, y)
    assert clf.decay(factor).unseen_share_ == by_hand(first, y)


@every
@given(y=labels, setting=st.one_of(st.just("good-turing"), st.floats(0.001, 0.999)))
def test_a_file(kind, options, y, setting):
    clf = learned(kind, options, y)[0].set_params(unseen_class=setting)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.bayes"
        clf.save(path)
        back = bf.load(path)
    assert back.unseen_class == setting
    assert back.unseen_share_ == clf.unseen_share_
    np.testing.assert_array_equal(back.predict_proba(table(y), unseen=True), clf.predict_proba(table(y), unseen=True))


@given(one=labels, two=labels)
def test_rows_in_one_table_or_in_two(one, two):
    clf, first = learned(*KINDS[0], [*one, *two])
    again = learned(*KINDS[0], one)[0].partial_fit(table(two), two)
    assert clf.unseen_share_ == again.unseen_share_ == by_hand(first, one, two)


@given(y=labels, share=st.floats(1e-6, 1 - 1e-6), cost=st.floats(0.0, 2.0))
def test_a_share_never_changes_which_class_is_decided_and_never_rejects_less(y, share, cost):
    kind, options = KINDS[0]
    X = table(y)
    plain = kind(**options, reject_cost=cost).fit(X, y)
    told = kind(**options, reject_cost=cost, unseen_class=share).fit(X, y)
    before, after = plain.predict(X), told.predict(X)
    assert (before[after != "reject"] == after[after != "reject"]).all()
    if cost < 1:  # a reject that costs more than any mistake is never taken
        assert ((after == "reject") >= (before == "reject")).all()
    else:
        assert not (after == "reject").any()
