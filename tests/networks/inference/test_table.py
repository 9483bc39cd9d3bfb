"""Tables of evidence: what the kernels rely on is checked, rows with the same holes are neighbours."""

import itertools

import numpy as np
import pytest

from bayesfold.networks.inference import InferenceProblem
from bayesfold.networks.inference.table import EvidenceTable, scale_below_one

from . import brute


def problem():
    return brute.case(np.random.default_rng(3)).problem


def test_codes_and_likelihoods_are_taken_as_they_are():
    p = problem()
    assert isinstance(p, InferenceProblem)
    n = len(p.cards)
    codes = np.full((3, n), -1)
    codes[1] = np.array(p.cards) - 1
    plain = EvidenceTable.of(codes, {}, p)
    assert plain.codes.tolist() == codes.tolist()
    assert (plain.soft, plain.weights.size, plain.lossy) == ((), 0, False)
    v = int(np.argmax(p.cards))
    weights, own = np.full((3, p.cards[v]), 0.25), slice(p.states[v], p.states[v + 1])
    soft = EvidenceTable.of(codes, {v: weights}, p)
    assert soft.soft == (v,)
    assert soft.weights.shape == (3, p.states[-1])
    assert (soft.weights[:, own] == 0.5).all()
    assert soft.weights.sum() == 3 * (p.states[-1] - 0.5 * p.cards[v])
    assert not soft.lossy
    tiny = weights.copy()
    tiny[1, 0], tiny[1, -1] = 5e-324 * 3, 1e300
    assert EvidenceTable.of(codes, {v: tiny}, p).lossy


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_likelihoods_are_finite_and_none_below_zero(bad):
    p = problem()
    weights = np.ones((2, p.cards[0]))
    weights[1, 0] = bad
    with pytest.raises(ValueError, match="the likelihood of variable 0 has an entry that is negative or not finite"):
        EvidenceTable.of(np.full((2, len(p.cards)), -1), {0: weights}, p)


def test_codes_that_are_no_states_are_named_by_row():
    p = problem()
    n = len(p.cards)
    for code in (p.cards[1], -2):
        codes = np.full((4, n), -1)
        codes[2, 1] = code
        with pytest.raises(
            ValueError, match=f"row 2 says {code} for variable 1, whose states are 0 to {p.cards[1] - 1}"
        ):
            EvidenceTable.of(codes, {}, p)
    with pytest.raises(ValueError, match="a column for each of"):
        EvidenceTable.of(np.zeros((2, n + 1)), {}, p)
    with pytest.raises(ValueError, match="a column for each of"):
        EvidenceTable.of(np.zeros(n), {}, p)
    assert len(EvidenceTable.of(np.zeros((0, n)), {}, p).codes) == 0


@pytest.mark.parametrize("columns", [3, 8, 9, 64, 65, 130])
def test_rows_with_the_same_holes_are_neighbours(columns):
    draw = np.random.default_rng(columns)
    patterns = draw.random((4, columns)) < 0.5
    patterns[1] = patterns[0]
    patterns[1, -1] ^= True
    which = draw.integers(0, 4, 40)
    order = EvidenceTable(np.where(patterns[which], 0, -1), (), np.empty((0, 0))).by_pattern()
    assert sorted(order.tolist()) == list(range(40))
    shown = [patterns[which[i]].tobytes() for i in order]
    changes = sum(a != b for a, b in itertools.pairwise(shown))
    assert changes == len({*shown}) - 1


def test_likelihoods_over_a_power_of_two():
    scaled, exponent = scale_below_one(np.array([[4.0, 1.0], [0.25, 0.125], [0.0, 0.0]]))
    assert scaled.tolist() == [[0.5, 0.125], [0.5, 0.25], [0.0, 0.0]]
    assert exponent.tolist() == [[3], [-1], [0]]
