"""Where numbers fall between cuts: the compiled loop against its own source, and against numpy's search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

NUMBERS = st.sampled_from([-1e300, -2.0, -1.0, 0.0, 0.5, 1.0, 3.0, 1e300])


@pytest.mark.parametrize("kind", [np.uint8, np.int32])
@given(
    cuts=st.sets(NUMBERS),
    x=st.lists(NUMBERS | st.sampled_from([np.nan, np.inf, -np.inf])),
    hole=st.sampled_from([0, 9]),
)
def test_numbers_fall_where_numpy_puts_them(kind, cuts, x, hole):
    cuts, x = np.array(sorted(cuts), float), np.array(x, float)
    *_, out, _ = assert_same("cuts", "place", cuts, x, hole, np.zeros(len(x), kind))
    expected = np.where(np.isnan(x), hole, np.searchsorted(cuts, x, side="right") + 1)
    np.testing.assert_array_equal(out, expected)


def entropy(classes):
    """Nats."""
    p = classes[classes > 0] / classes.sum()
    return -(p * np.log(p)).sum()


def best_split(counts):
    """Fayyad and Irani 1993, section 3, term by term: the cut of the largest gain, -1 where it does not pay."""
    n, whole = counts.sum(), counts.sum(axis=0)
    sides = [(counts[:t].sum(axis=0), counts[t:].sum(axis=0)) for t in range(1, len(counts))]
    left = [(a.sum() * entropy(a) + b.sum() * entropy(b)) / n for a, b in sides]
    t = int(np.argmin(left))
    gain = entropy(whole) - left[t]
    k, k1, k2 = ((some > 0).sum() for some in (whole, *sides[t]))
    delta = np.log(3.0**k - 2) - (k * entropy(whole) - k1 * entropy(sides[t][0]) - k2 * entropy(sides[t][1]))
    return t + 1 if gain > (np.log(n - 1) + delta) / n else -1


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_a_split_pays_where_the_description_says_so(classes):
    draw, found = np.random.default_rng(classes), []
    for _ in range(400):
        values = int(draw.integers(3, 9))
        first, second = draw.dirichlet(np.ones(classes), 2)
        turn = np.arange(values)[:, None] < draw.integers(1, values)
        counts = draw.poisson(8 * np.where(turn, first, second)) + 0.01  # of no class none, as no cut is tried there
        cumulated = np.vstack([np.zeros(classes), counts.cumsum(axis=0)])
        *_, split = assert_same("cuts", "paying_split", cumulated, 0, len(counts), np.empty(0))
        (known,) = assert_same("cuts", "products", np.empty(4))[:1]
        assert assert_same("cuts", "paying_split", cumulated, 0, len(counts), known)[-1] == split
        assert split == best_split(counts)
        found.append(split)
    assert 100 < found.count(-1) < 390  # often it pays, and often it does not


@given(weights=st.lists(st.sampled_from([0.1, 1.0, 2.0, 50.0]), min_size=1, max_size=30), bins=st.integers(1, 12))
def test_even_shares_end_where_numpy_finds_them(weights, bins):
    cumulated = np.cumsum(weights)
    _, _, cells, many = assert_same("cuts", "even_shares", cumulated, bins, np.zeros(bins - 1, np.intp))
    wanted = cumulated[-1] * np.arange(1, bins) / bins
    expected = np.unique(np.searchsorted(cumulated, wanted * (1 - 1e-12)) + 1)
    np.testing.assert_array_equal(cells[:many], expected[expected < len(weights)])


def test_a_cut_is_half_way_and_never_at_the_value_below():
    low = np.array([0.0, 1.0, np.nextafter(1.0, 2.0), 1.7e308])
    high = np.array([0.5, 1.0, 1.5, 1.7e308])
    *_, out, _ = assert_same("cuts", "half_way", low, high, np.array([1, 2, 3]), np.zeros(3))
    assert out.tolist() == [0.75, low[2], 1.5 / 2 + 1.7e308 / 2]


@given(ends=st.lists(NUMBERS | st.sampled_from([5e-324, 1e-323, 1.0 + 2**-51]), min_size=2, max_size=2, unique=True))
@pytest.mark.parametrize("bins", [2, 5, 512])
def test_even_widths_are_those_of_numpy(bins, ends):
    low, high = sorted(ends)
    *_, out, many = assert_same("cuts", "even_widths", low, high, np.zeros(bins - 1))
    expected = np.unique(2 * np.linspace(low / 2, high / 2, bins + 1)[1:-1])
    np.testing.assert_array_equal(out[:many], expected[(expected > low) & (expected <= high)])
