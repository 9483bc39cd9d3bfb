"""Densities of many columns on few rows: a choice has to earn more than noise would give."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold import NaiveBayes
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Frame
from bayesfold.learning import number_selection
from bayesfold.learning.discover import discover
from bayesfold.learning.number_candidates import Sample, family_of, read_number
from bayesfold.learning.number_selection import CandidateAnswers, error, first_least, strictness, sums_behind
from bayesfold.learning.one_column import Options
from bayesfold.learning.weights import log_loss


def wide(seed, rows=150, columns=100, telling=4):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(rows, columns))
    odds = 0.9 * x[:, :telling].sum(1)
    return x, (draw.random(rows) < 1 / (1 + np.exp(-odds))).astype(int)


def test_on_a_wide_table_choices_that_noise_would_make_are_not_made(monkeypatch):
    def loss():
        found = []
        for seed in range(2):
            (x, y), (new, truth) = wide(seed), wide(seed + 100, 2_000)
            found.append(log_loss(NaiveBayes().fit(x, y).predict_log_proba(new), truth))
        return np.mean(found)

    earned = loss()
    monkeypatch.setattr(number_selection, "strictness", lambda columns, changes, rows: 0.0)
    assert earned < loss() - 0.1


@pytest.mark.parametrize(("columns", "rows"), [(5, 1_000), (50, 1_000), (500, 1_000)])
def test_more_columns_must_earn_more(columns, rows):
    assert strictness(columns, 4 * columns, rows) < strictness(2 * columns, 8 * columns, rows)
    assert strictness(columns, 4 * columns, rows) < strictness(columns, 4 * columns, rows // 2)
    assert strictness(1, 0, rows) == 0.0


def sample(weight=None, copies=False, rows=200):
    return Sample(Frame((), rows, {}), np.arange(rows), np.ones(rows, np.int32), weight, 3, copies)


def test_the_error_of_a_difference_is_that_of_the_rows():
    draw = np.random.default_rng(0)
    new, old, own = draw.normal(size=(200, 3)), draw.normal(size=(200, 3)), draw.integers(0, 3, 200)

    def losses(logits):
        return -(logits - np.log(np.exp(logits).sum(1, keepdims=True)))[np.arange(200), own]

    apart = losses(new) - losses(old)
    plain = apart.std() / np.sqrt(200)
    assert error(new, old, own, sample()) == pytest.approx(plain)
    assert error(new, new, own, sample()) == 0.0
    assert error(new, old, own, sample(draw.choice([1.0, 20.0], 200))) > plain
    twice = np.repeat(np.arange(200), 2)
    copied = error(new[twice], old[twice], own[twice], sample(rows=400))
    assert copied == pytest.approx(plain / np.sqrt(2))
    assert error(new, old, own, sample(np.full(200, 2.0), copies=True)) == pytest.approx(copied)
    assert error(new, old, own, sample(np.full(200, 2.0))) == pytest.approx(plain)


@pytest.mark.parametrize(
    ("weight", "evidence"),
    [
        ([20.0, 10.0], [1.2, 0.6]),  # (20 + 10)^2 / (20^2 + 10^2) = 1.8 rows
        ([0.0, 5.0, 5.0], [0.0, 1.0, 1.0]),
        ([0.0, 0.0], [0.0, 0.0]),
        ([], []),
    ],
)
def test_weights_are_as_much_evidence_as_rows_of_equal_weight_and_copies_as_many_rows(weight, evidence):
    w = np.array(weight)
    np.testing.assert_allclose(sample(w, rows=len(w)).evidence, evidence, rtol=1e-12)
    np.testing.assert_array_equal(sample(w, copies=True, rows=len(w)).evidence, w)
    np.testing.assert_array_equal(sample(rows=len(w)).evidence, np.ones(len(w)))


def test_a_later_item_must_be_better_by_more_than_its_noise():
    assert first_least([3.0, 2.0], float, 0.1, lambda new, old: 0.8) == 2.0
    assert first_least([3.0, 2.0], float, 0.1, lambda new, old: 1.0) == 3.0


def test_integers_that_floats_confuse_are_levels_of_their_own():
    x = np.array([2**53 + 1, 2**53 + 2, 2**53 + 3, 2**63 - 1] * 20)
    y = np.array([0, 1, 0, 1] * 20)
    clf = bf.NaiveBayes().fit({"code": x, "unsigned": x.astype(np.uint64) + 2**63}, y)
    assert clf.score({"code": x, "unsigned": x.astype(np.uint64) + 2**63}, y) == 1.0
    assert clf.schema_.columns["code"].levels == (2**53 + 1, 2**53 + 2, 2**53 + 3, 2**63 - 1)


@pytest.mark.parametrize(
    ("by_folds", "folded", "entries", "asked"),
    [
        (False, 5_000, 3_000, 334),  # two classes, three candidates and one that is given: 375 rows, every third
        (False, 5_000, 1, 250),  # 256 at least: every fourth
        (False, 5_000, 1 << 23, 1_000),
        (True, 999, 1, 250),  # more rows than folds are for
        (True, 1_000, 1, 1_000),  # on folds all are asked
    ],
)
def test_of_many_rows_some_are_asked(by_folds, folded, entries, asked, monkeypatch):
    monkeypatch.setattr(number_selection, "ENTRIES", entries)
    monkeypatch.setattr(number_selection, "FOLDED", folded)
    draw = np.random.default_rng(0)
    labels = draw.integers(1, 3, 1_000).astype(np.int32)
    rows = Sample.of(
        Frame.of({"a": draw.normal(size=1_000) + labels, "b": draw.normal(size=1_000)}), labels, None, 2, 1_000
    )
    read = {
        name: [read_number(name, how, frozenset(), family_of(how, 1.0), rows) for how in ("gaussian", "mdl", "kde")]
        for name in "ab"
    }
    answers, rest, left = number_selection.hold_rows_out(
        Categories("y", ("p", "q")), {"a": read["a"]}, read["b"][:1], rows, by_folds
    )
    assert len(left.rows) == len(rest) == asked
    assert set(answers.keys) == {"a:gaussian", "a:mdl", "a:kde"}
    assert answers["a:gaussian"].shape == (asked, 2)
    alone = answers.losses_alone(np.log([0.5, 0.5]), left.labels.astype(np.intp) - 1, None)
    assert max(alone.values()) < np.log(2), "a tells the class"


def test_a_histogram_is_kept_for_the_same_classes_weights_and_markers_alone():
    frame, column = Frame.of({"x": [1.0, 2.0, 2.0, 9.0]}), Real("x")
    labels = np.array([1, 2, 2, 1], np.int32)
    one = Sample.of(frame, labels, None, 2, 100)
    kept = one.histogram(column)
    assert Sample.of(frame, labels.copy(), None, 2, 100).histogram(column) is kept
    assert Sample.of(frame, labels[::-1].copy(), None, 2, 100).histogram(column).table.tolist() == kept.table.tolist()
    others = [
        Sample.of(frame, np.array([2, 2, 2, 1], np.int32), None, 2, 100).histogram(column),
        Sample.of(frame, labels, np.array([1.0, 2.0, 1.0, 1.0]), 2, 100, copies=True).histogram(column),
        one.histogram(Real("x", missing=frozenset([9.0]))),
        one.take(np.arange(3)).histogram(column),
    ]
    assert [other.table.tolist() for other in others] == [
        [[0, 0, 1], [0, 0, 2], [0, 1, 0]],
        [[0, 1, 0], [0, 0, 3], [0, 1, 0]],
        [[0, 1, 0], [0, 0, 2]],
        [[0, 1, 0], [0, 0, 2]],
    ]


@pytest.mark.parametrize("together", [True, False])
def test_other_columns_are_scored_only_where_they_are_compared_with(together, monkeypatch):
    """Of columns that are compared alone the others say nothing, so nothing of them is worked out."""
    draw = np.random.default_rng(0)
    own = draw.integers(0, 2, 80)
    frame = Frame.of({"x": draw.normal(size=80) + own, "n": draw.poisson(2 + own), "word": [*map(str, own)]})
    scored = []
    naive = number_selection.naive
    monkeypatch.setattr(number_selection, "naive", lambda *given: scored.append(len(given[2])) or naive(*given))
    discover(frame, Frame.of({"y": own}).coded("y"), Options(together=together))
    assert {*scored} == {1 if together else 0}


@pytest.mark.parametrize("many", [1, 2, 3, 4, 5, 9, 10, 26])
def test_sums_behind_each_item(many):
    items = [np.array([2.0**k, -(2.0**k)]) for k in range(many)]
    found = [total.tolist() for total in sums_behind(items)]
    expected = [[2.0**many - 2.0 ** (k + 1), -(2.0**many) + 2.0 ** (k + 1)] for k in range(many)]
    assert found == expected
    lost = [np.array([0.0, -np.inf]), np.array([-np.inf, 1.0]), np.array([2.0, 3.0])]
    assert [total.tolist() for total in sums_behind(lost)] == [[-np.inf, 4.0], [2.0, 3.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("items", "gain", "noise", "best"),
    [
        ([3.0, 2.5], 0.5, 0.0, 3.0),  # by more than the gain
        ([3.0, 2.5], 0.25, 0.0, 2.5),
        ([3.0, 2.5], 0.25, 0.25, 3.0),  # and more than the gain and the noise together
        ([3.0, 2.5], 0.25, 0.125, 2.5),
        ([3.0, 2.0, 1.5], 0.5, 0.0, 2.0),  # than the best so far, not the first
        ([3.0, 2.75, 2.25], 0.5, 0.0, 2.25),
        ([3.0, np.nan, np.inf], 0.0, 0.0, 3.0),
    ],
)
def test_a_later_item_must_be_better_by_more_than_is_said(items, gain, noise, best):
    asked = []
    found = first_least(items, float, gain, lambda new, old: asked.append((new, old)) or noise)
    assert found == best
    assert all(new < old - gain for new, old in asked), "noise is worked out where it matters"


@pytest.mark.parametrize(
    ("columns", "changes", "rows", "errors"),
    [
        (10, 0, 100, 0.0),
        (10, 1, 100, 0.0),
        (10, 50, 100, 0.1),
        (100, 50, 100, 1.0),
        (200, 50, 100, 1.0),
        (1, 2, 0, 1.0),
    ],
)
def test_a_change_must_be_better_by_what_the_best_of_many_seems_to_be(columns, changes, rows, errors):
    expected = errors * np.sqrt(2 * np.log(max(changes, 1)))
    assert strictness(columns, changes, rows) == pytest.approx(expected)


@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 0.5])])
def test_a_candidate_alone_is_judged_with_the_prior(weight):
    draw = np.random.default_rng(0)
    said, prior, own = draw.normal(size=(2, 3, 2)), np.log([0.25, 0.75]), np.array([0, 1, 1])
    answers = CandidateAnswers(("a:mdl", "a:gaussian"), said)
    for key, values in zip(answers.keys, said, strict=True):
        logits = values + prior
        losses = np.logaddexp.reduce(logits, axis=1) - logits[np.arange(3), own]
        assert answers.losses_alone(prior, own, weight)[key] == pytest.approx(np.average(losses, weights=weight))
        assert (answers[key] == values).all()
