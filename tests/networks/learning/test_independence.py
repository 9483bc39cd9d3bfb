"""Tests of independence: against scipy's, stratum by stratum, and within what there is room for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency
from tests.kernels.reference import uncompiled
from tests.kernels.structure.test_families import drawn

from bayesfold.networks.learning import independence, scores
from bayesfold.networks.learning.independence import IndependenceTests
from bayesfold.networks.learning.scores import LocalScores

CARDS = [2, 3, 2, 4, 2]


def by_scipy(codes, x, y, given):
    """G and its degrees of freedom, summed over strata; levels that a stratum lacks are left out of its table."""
    strata = np.zeros(codes.shape[1])
    if given:
        strata = np.unique(codes[list(given)].T, axis=0, return_inverse=True)[1].ravel()
    total, freedom = 0.0, 0
    for s in np.unique(strata):
        table = np.zeros((CARDS[x], CARDS[y]))
        np.add.at(table, (codes[x][strata == s], codes[y][strata == s]), 1)
        table = table[table.any(1)][:, table.any(0)]
        if min(table.shape) > 1:
            found = chi2_contingency(table, lambda_="log-likelihood")
            total, freedom = total + found[0], freedom + found[2]
    return total, freedom


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10_000), rows=st.sampled_from([5, 60, 500]), size=st.integers(0, 3))
def test_it_is_scipys_test_in_each_stratum(seed, rows, size):
    draw = np.random.default_rng(seed)
    codes = drawn(draw, rows, CARDS)
    x, y, *others = draw.permutation(5).tolist()
    tests = IndependenceTests(LocalScores(codes, CARDS, "bic"))
    g, freedom = by_scipy(codes, x, y, others[:size])
    assert tests.statistic(x, y, others[:size]) == (pytest.approx(g, rel=1e-9, abs=1e-9), freedom)
    p = tests.p_value(x, y, others[:size])
    assert p == pytest.approx(chi2.sf(g, freedom), rel=1e-7) if freedom else np.isnan(p)
    assert tests.tests == 2


def test_little_room_and_weights_change_nothing(monkeypatch):
    codes = drawn(np.random.default_rng(2), 400, CARDS)
    plain = IndependenceTests(LocalScores(codes, CARDS, "bic")).statistic(0, 3, (1, 2, 4))
    once = IndependenceTests(LocalScores(codes, CARDS, "bic", weight=np.ones(400))).statistic(0, 3, (1, 2, 4))
    monkeypatch.setattr(scores, "CELLS", 20)
    small = IndependenceTests(LocalScores(codes, CARDS, "bic")).statistic(0, 3, (1, 2, 4))
    assert plain[0] == pytest.approx(small[0])
    assert plain[0] == pytest.approx(once[0])
    assert plain[1] == small[1] == once[1]


def test_compiled_and_plain_agree(monkeypatch):
    codes = drawn(np.random.default_rng(3), 50, CARDS)
    expected = IndependenceTests(LocalScores(codes, CARDS, "bic")).statistic(0, 3, (1, 2))
    monkeypatch.setattr(scores, "families", uncompiled("families"))
    monkeypatch.setattr(independence, "independence", uncompiled("independence"))
    found = IndependenceTests(LocalScores(codes, CARDS, "bic")).statistic(0, 3, (1, 2))
    assert found == (pytest.approx(expected[0], rel=1e-12), expected[1])
