"""Bits do not depend on the number of threads."""

import numpy as np
import pandas as pd
import pytest

import bayesfold.data.sparse
import bayesfold.data.text.tokenizer
import bayesfold.runtime.threads
import bayesfold.tally.counter
from bayesfold import NaiveBayes, TextClassifier
from bayesfold.runtime.threads import BLOCK

ROWS = 3 * BLOCK + 1234


@pytest.fixture
def threads(monkeypatch):
    """A way to pretend that this machine has so many cores."""

    def set_to(number):
        for module in (
            bayesfold.runtime.threads,
            bayesfold.tally.counter,
            bayesfold.data.sparse,
            bayesfold.data.text.tokenizer,
        ):
            monkeypatch.setattr(module, "workers", lambda: number, raising=False)
        bayesfold.runtime.threads._pools.clear()

    yield set_to
    bayesfold.runtime.threads._pools.clear()


def table():
    draw = np.random.default_rng(7)
    x = draw.normal(1e6, 1.0, ROWS)
    holes = np.where(draw.random(ROWS) < 0.1, np.nan, draw.normal(0.0, 3.0, ROWS))
    late = draw.normal(5.0, 1.0, ROWS)
    late[-1] = np.nan  # only the last block has a hole
    colour = np.array(["red", "green", "blue", ""])[draw.integers(0, 4, ROWS)]
    X = pd.DataFrame({"x": x, "holes": holes, "late": late, "colour": colour, "rooms": draw.poisson(3.0, ROWS)})
    return X, draw.integers(0, 3, ROWS), draw.random(ROWS) + 0.5


FAMILIES = {"x": "gaussian", "holes": "gaussian", "late": "gaussian", "colour": "categorical", "rooms": "poisson"}


@pytest.mark.parametrize("weighted", [False, True])
def test_a_table_of_several_blocks_is_counted_and_scored_to_the_same_bits(threads, weighted):
    X, y, weight = table()
    found = []
    for number in (1, 4):
        threads(number)
        clf = NaiveBayes(families=FAMILIES).fit(X, y, sample_weight=weight if weighted else None)
        clf.partial_fit(X[: BLOCK + 5], y[: BLOCK + 5])
        tally = clf.model_.tally
        found.append((tally.counts, tally.weights, tally.sums, clf.predict_proba(X), clf.predict_joint_log_proba(X)))
    for one, four in zip(*found, strict=True):
        np.testing.assert_array_equal(one, four)


def test_a_matrix_of_several_blocks_is_counted_and_scored_to_the_same_bits(threads):
    draw = np.random.default_rng(8)
    X, y = draw.normal(100.0, 1.0, (ROWS, 5)), draw.integers(0, 4, ROWS)
    X[2 * BLOCK + 1, 3] = np.nan
    found = []
    for number in (1, 4):
        threads(number)
        clf = NaiveBayes(numeric="gaussian").fit(X, y)
        held_out = clf.leave_one_out(X, y)
        found.append((clf.model_.tally.counts, clf.model_.tally.sums, clf.predict_proba(X), held_out))
    for one, four in zip(*found, strict=True):
        np.testing.assert_array_equal(one, four)


def test_codes_of_several_blocks_are_counted_to_the_same_numbers(threads):
    draw = np.random.default_rng(9)
    X, y = draw.integers(0, 7, (ROWS, 6)), draw.integers(0, 3, ROWS)
    found = []
    for number in (1, 4):
        threads(number)
        clf = NaiveBayes(numeric="categorical").fit(X, y)
        found.append((clf.model_.tally.counts, clf.predict_proba(X)))
    for one, four in zip(*found, strict=True):
        np.testing.assert_array_equal(one, four)


def test_a_hole_in_one_block_does_not_move_the_sums_of_another(threads):
    """A number too large to square is clipped, wherever and whenever it is met."""
    threads(1)
    X = np.zeros((2 * BLOCK, 2))
    X[1:BLOCK:2, 0] = 1e151
    X[BLOCK + 1 :: 2, 0] = 1e151
    y = np.zeros(len(X), int)
    y[0] = y[BLOCK] = 1
    plain = NaiveBayes(numeric="gaussian", families={"x0": "gaussian", "x1": "gaussian"}).fit(X, y)
    X[0, 1] = np.nan
    holed = NaiveBayes(numeric="gaussian", families={"x0": "gaussian", "x1": "gaussian"}).fit(X, y)
    x0 = [t.model_.tally for t in (plain, holed)]
    clique = next(c for c in x0[0].layout.cliques if c.terms == ("x0",))
    start = x0[0].layout.offsets[clique][1]
    np.testing.assert_array_equal(*(t.sums[:, start : start + 6] for t in x0))


@pytest.mark.parametrize("options", [{}, {"norm": "l2", "tf": "log"}, {"hashed": 2**8}, {"ngram_range": (1, 2)}])
def test_text_is_read_counted_and_scored_to_the_same_bits(threads, monkeypatch, options):
    monkeypatch.setattr(bayesfold.data.text.tokenizer, "WORTH_A_THREAD", 1_000)
    monkeypatch.setattr(bayesfold.data.sparse, "ENOUGH", 1_000)
    draw = np.random.default_rng(9)
    words = np.array([f"{'é' * (i % 3)}w{i}" for i in range(500)])
    docs = [" ".join(words[(500 * draw.random(20) ** 3).astype(int)]) for _ in range(3_000)]
    y, weight = draw.integers(0, 5, 3_000), draw.random(3_000) + 0.5
    found = []
    for number in (1, 2, 5):
        threads(number)
        clf = TextClassifier(model="multinomial", alpha=1.0, weights=None, **options)
        clf.fit(docs[:2_000], y[:2_000], sample_weight=weight[:2_000]).partial_fit(docs[2_000:], y[2_000:])
        tally, terms = clf.model_.tally, list(clf.schema_.features[0].vocabulary)
        found.append((terms, tally.counts, tally.weights, tally.sums, clf.predict_joint_log_proba(docs)))
    for one, *more in zip(*found, strict=True):
        for other in more:
            np.testing.assert_array_equal(one, other)
