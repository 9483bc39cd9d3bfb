"""Kernels on a grid: a sum over rows in plain Python, what a density must be, and scipy's kernels on a fine grid."""

import math

import numpy as np
import pytest
from scipy.stats import gaussian_kde

from bayesfold import NaiveBayes
from bayesfold.data.encodings import Binned, Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.families.kde import REACH, Kde
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique

CUTS = tuple(np.arange(0.5, 19.0).tolist())  # cell k holds the whole number k
DRAW = np.random.default_rng(1)
X = np.clip(np.concatenate([DRAW.normal(5, 2, 40), DRAW.normal(12, 3, 25), [19.0]]).round(), 0, 19)
Y = np.array([*"p" * 40, *"q" * 25, "r"])


def cells_of(x=X, y=Y, weight=None, cuts=CUTS):
    """The statistic of a binned column."""
    schema = Schema(Categories("y", ("p", "q", "r")), (Binned("x", cuts, family="kde"),))
    tally = count(schema, (Clique(("x", "y")),), schema.encode(Frame.of({"x": x}), y, weight))
    return tally.cells(tally.layout.span(tally.layout.cliques))


def density(family, cells):
    """[cell, class]: probabilities of the cells."""
    return np.exp(family.fit(cells).table[1:-1, 1:])


def by_rows(x, weight, bandwidth, cells=20):
    """Each row's kernel, cut at its reach and at the grid's ends and rescaled there, row by row."""
    total = [0.0] * cells
    for row, w in zip(x, weight, strict=True):
        reach = min(math.ceil(REACH * bandwidth), cells - 1)
        own = [math.exp(-0.5 * ((k - row) / bandwidth) ** 2) if abs(k - row) <= reach else 0.0 for k in range(cells)]
        for k, part in enumerate(own):
            total[k] += w * part / sum(own)
    return total


@pytest.mark.parametrize("m", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("width", [0.5, 1.0, 2.0])
def test_a_sum_over_rows(m, width):
    cells = cells_of()
    family = Kde(m, width).hold(cells)
    by_class = [by_rows(X[c == Y], np.ones((c == Y).sum()), family.bandwidth[0, 1 + k]) for k, c in enumerate("pqr")]
    whole = np.sum(by_class, axis=0)
    share = (whole + 1 / 20) / (len(X) + 1)
    expected = [(f + m * share) / ((c == Y).sum() + m) for f, c in zip(np.array(by_class), "pqr", strict=True)]
    np.testing.assert_allclose(density(family, cells), np.transpose(expected), rtol=1e-10)


def test_probabilities_sum_to_one_and_none_is_zero():
    found = density(Kde(), cells_of())
    np.testing.assert_allclose(found.sum(0), 1.0, rtol=1e-12)
    assert found.min() > 0


def test_a_class_without_rows_has_the_whole_columns_density():
    keep = Y != "r"
    found = density(Kde(), cells_of(X[keep], Y[keep]))
    np.testing.assert_allclose(found[:, 2].sum(), 1.0, rtol=1e-12)
    n = np.array([(c == Y).sum() for c in "pq"])
    mixed = (found[:, :2] * n).sum(1) / n.sum()
    assert np.abs(found[:, 2] - mixed).max() < 0.02


def test_weights_are_copies():
    copies = np.random.default_rng(2).integers(1, 4, len(X))
    weighted, copied = (cells_of(X, Y, copies.astype(float)), cells_of(X.repeat(copies), Y.repeat(copies)))
    np.testing.assert_allclose(density(Kde(), weighted), density(Kde(), copied), rtol=1e-10)


def test_silverman():
    (found,) = Kde().hold(cells_of()).bandwidth
    for k, c in enumerate("pq"):
        x = X[c == Y]
        spread = min(
            x.std(), (np.quantile(x, 0.75, method="inverted_cdf") - np.quantile(x, 0.25, method="inverted_cdf")) / 1.34
        )
        assert found[1 + k] == pytest.approx(0.9 * spread * len(x) ** -0.2, rel=1e-12)


def test_a_class_of_one_row_spreads_as_wide_as_the_column():
    assert Kde().hold(cells_of()).bandwidth[0, 3] == pytest.approx(0.9 * X.std(), rel=1e-12)


def test_a_constant_column_has_the_least_bandwidth():
    assert Kde().hold(cells_of(np.full(9, 4.0), [*"pqr"] * 3)).bandwidth.tolist() == [[0.3] * 4]


@pytest.mark.parametrize("width", [0.01, 1.0, 7.0, 1000.0])
def test_spreading_keeps_every_row(width):
    found = density(Kde(m=0.0, width=width), cells_of())
    np.testing.assert_allclose(found.sum(0), 1.0, rtol=1e-12)


def test_one_cell():
    assert density(Kde(), cells_of(cuts=())).tolist() == [[1.0, 1.0, 1.0]]


@pytest.mark.parametrize("weight", [None, np.linspace(0.5, 2.0, len(X))])
def test_a_row_left_out_is_a_density_of_the_others_under_the_same_bandwidths(weight):
    cells = cells_of(weight=weight)
    family = Kde().hold(cells)
    group = np.array(["pqr".index(c) + 1 for c in Y])
    gone = np.ones(len(X)) if weight is None else weight
    found = family.left_out(cells, X.astype(np.intp)[:, None] + 1, group, gone, np.zeros(1, np.intp))
    for i in (0, 7, 50, 65):
        others = np.arange(len(X)) != i
        rest = cells_of(X[others], Y[others], None if weight is None else weight[others])
        np.testing.assert_allclose(found[i, 0, 1:], family.fit(rest).table[int(X[i]) + 1, 1:], rtol=1e-9)


def test_on_a_fine_grid_it_is_scipys_kernel_density():
    draw = np.random.default_rng(4)
    x = draw.normal(size=3_000)
    grid = np.linspace(-6, 6, 1_201)
    cells = cells_of(x, np.repeat("p", 3_000), cuts=tuple(grid.tolist()))
    family = Kde(m=1e-9).hold(cells)
    found = density(family, cells)[1:-1, 0] / np.diff(grid)
    bandwidth = family.bandwidth[0, 1] * (grid[1] - grid[0])
    peer = gaussian_kde(x, bandwidth / x.std(ddof=1))
    middle = (grid[:-1] + grid[1:]) / 2
    np.testing.assert_allclose(found, peer(middle), atol=2e-3)


def test_two_humps_are_seen_where_a_normal_sees_one():
    draw = np.random.default_rng(5)
    humps = np.concatenate([draw.normal(-4, 0.7, 300), draw.normal(4, 0.7, 300)])
    x, y = np.concatenate([humps, draw.normal(0, 0.7, 600)]), np.repeat(["humps", "middle"], 600)
    kde, normal = (NaiveBayes(numeric=n).fit({"x": x}, y) for n in ("kde", "gaussian"))
    assert kde.score({"x": x}, y) > 0.99
    assert kde.predict({"x": [-4.0, 0.0, 4.0]}).tolist() == ["humps", "middle", "humps"]
    assert kde.predict_proba({"x": [0.0]})[0, 1] > normal.predict_proba({"x": [0.0]})[0, 1]


def test_beyond_the_grid_and_missing():
    clf = NaiveBayes(numeric="kde").fit({"x": X}, Y)
    far = clf.predict_joint_log_proba({"x": [-1e9, 1e9, np.nan]})
    assert np.isfinite(far).all()
    np.testing.assert_allclose(far[2], clf.model_.log_prior(), rtol=1e-12)


def test_the_bandwidth_stays_while_rows_are_left_out():
    clf = NaiveBayes(numeric="kde").fit({"x": X}, Y)
    left_out = clf.leave_one_out({"x": X}, Y)
    assert np.isfinite(left_out).all()
    own = np.searchsorted([*"pqr"], Y)
    at = np.arange(len(X)), own
    assert (left_out[at] <= clf.predict_log_proba({"x": X})[at] + 1e-12).all()
