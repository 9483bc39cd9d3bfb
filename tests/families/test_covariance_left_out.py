"""Leaving rows out against fitting the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.families._covariance import FLOOR, Shrinkage, fit, log_density, scale_of_columns
from bayesfold.families._covariance_left_out import RowsLeftOut, find_lone_rows, left_out

from .moments import KINDS, SHRINKAGES, close, degenerate, posterior, summed, table


def refitted(X, y, weight, shrinkage, classes=3):
    """What `left_out` claims, by leaving each row out and starting over, and how many digits that leaves."""
    held, found, rounding = scale_of_columns(summed(X, y, weight, classes), shrinkage.ddof), [], []
    for i in range(len(X)):
        rest = np.where(np.arange(len(X)) == i, 0.0, weight)
        some = rest > 0
        normals = fit(summed(X[some], y[some], rest[some], classes), shrinkage, held)
        found.append(log_density(normals, X[i : i + 1])[0])
        variance = 1 / (normals.whitening**2).sum(1)
        smallest = np.where(variance > 2 * FLOOR, variance, np.inf).min()
        rounding.append(2.0**-52 * variance.max() / smallest)
    return np.array(found), np.array(rounding)[:, None]


@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(1, 25),
    columns=st.integers(1, 5),
    kind=st.sampled_from(KINDS),
    weights=st.sampled_from([[1.0], [0.25, 0.5, 1.0, 2.0, 3.7], None]),
)
def test_a_row_left_out_is_a_row_never_seen(seed, rows, columns, kind, weights):
    X, y, draw = table(seed, rows, columns, kind=kind)
    weight = draw.uniform(0.1, 2, rows) if weights is None else draw.choice(weights, rows)
    for shrinkage in SHRINKAGES:
        found = left_out(summed(X, y, weight), shrinkage, X, y, weight)
        expected, rounding = refitted(X, y, weight, shrinkage)
        close(found, expected, np.maximum(1e-8, rounding))


@pytest.mark.parametrize("seed", range(6))
def test_without_the_only_row_of_a_direction_nothing_varies_in_it(seed):
    """Two columns are equal but in one row, by a thousandth: what is left of that direction is rounding."""
    X, y, _ = table(seed, rows=20, columns=3, kind="repeated")
    y[:] = 1
    X[3, 0] += 1e-3
    found = left_out(summed(X, y), Shrinkage(), X, y, np.ones(20))
    expected, _ = refitted(X, y, np.ones(20), Shrinkage())
    close(found[3, 1], expected[3, 1], 1e-4)


def test_leaving_out_differs_from_scoring():
    X, y, _ = table(5)
    moments, own = summed(X, y), (np.arange(len(X)), y)
    for shrinkage in SHRINKAGES:
        lost = log_density(fit(moments, shrinkage), X) - left_out(moments, shrinkage, X, y, np.ones(len(X)))
        assert (lost[own] > 0).mean() > 0.8


def test_the_only_row_of_a_class_does_not_score_itself():
    X, y, _ = table(6, classes=2)
    X, y = np.vstack([X, [[50.0, -50.0, 50.0, -50.0]]]), np.append(y, 2)
    for shrinkage in SHRINKAGES:
        found = left_out(summed(X, y), shrinkage, X, y, np.ones(len(X)))
        assert find_lone_rows(summed(X, y), y, np.ones(len(X))).tolist() == [False] * (len(X) - 1) + [True]
        rest = fit(summed(X[:-1], y[:-1]), shrinkage, scale_of_columns(summed(X, y), shrinkage.ddof))
        np.testing.assert_allclose(rest.mean[2], X[:-1].mean(0))
        close(found[-1], log_density(rest, X[-1:])[0])


def test_a_row_of_many_copies_is_not_alone():
    X, y, weight = np.eye(3), np.arange(3), np.array([1.0, 2.0, 0.5])
    assert find_lone_rows(summed(X, y, weight), y, np.minimum(weight, 1.0)).tolist() == [True, False, True]
    assert find_lone_rows(summed(X, y, weight), y, weight).all()


def test_several_shrinkages_at_once_are_each_by_itself():
    X, y, draw = table(7)
    weight = draw.choice([0.5, 1.0, 3.0], len(X))
    moments, diagonal = summed(X, y, weight), (0.0, 0.2, 1.0)
    rows = RowsLeftOut(moments, X, y, weight)
    for tied in (0.0, 0.4, 1.0):
        for value, found in zip(diagonal, rows.under(tied, diagonal), strict=True):
            shrinkage = Shrinkage(tied, value, pseudo_rows=4.0)
            close(found, left_out(moments, shrinkage, X, y, weight), 1e-11)


@pytest.mark.slow
def test_more_weights_than_levels_share_their_divisors():
    X, y, draw = table(8, rows=400)
    weight = draw.uniform(0.01, 1, len(X))
    for shrinkage in SHRINKAGES:
        found = left_out(summed(X, y, weight), shrinkage, X, y, weight)
        close(found, refitted(X, y, weight, shrinkage)[0], 1e-3)


def test_a_choice_may_tell_fewer_weights_apart():
    X, y, draw = table(8, rows=400)
    weight = draw.uniform(0.01, 1, len(X))
    sums = summed(X, y, weight)
    for tied in (0.0, 0.1, 0.5, 1.0):
        few, many = (RowsLeftOut(sums, X, y, weight, levels=n).under(tied, (0.01, 0.1, 0.3)) for n in (8, 64))
        close(few, many, 1e-2)
        assert (few != many).any()


def test_a_row_without_weight_leaves_nothing():
    X, y, _ = table(13)
    weight = np.append(np.ones(len(X) - 1), 0.0)
    for shrinkage in SHRINKAGES:
        moments = summed(X, y, weight)
        close(left_out(moments, shrinkage, X, y, weight)[-1], log_density(fit(moments, shrinkage), X[-1:])[0])


@given(seed=st.integers(0, 10**6), kind=st.sampled_from(KINDS))
def test_of_many_copies_one_is_left_out(seed, kind):
    X, y, draw = table(seed, 50, 3, kind=kind)
    times = draw.integers(1, 4, len(X))
    many, labels, first = np.repeat(X, times, axis=0), np.repeat(y, times), np.cumsum(times) - times
    for shrinkage in SHRINKAGES:
        once = left_out(summed(X, y, times * 1.0), shrinkage, X, y, np.ones(len(X)))
        close(once, left_out(summed(many, labels), shrinkage, many, labels, np.ones(len(many)))[first])


@pytest.mark.parametrize("factor", [1e-6, 1e6, 1e150])
@pytest.mark.parametrize("kind", KINDS)
def test_no_unit_matters(kind, factor):
    X, y, _ = table(9, kind=kind)
    many, weight = X * np.array([factor, 1.0, 1.0, 1.0]), np.ones(len(X))
    for shrinkage in SHRINKAGES:
        one, other = summed(X, y), summed(many, y)
        close(posterior(left_out(one, shrinkage, X, y, weight)), posterior(left_out(other, shrinkage, many, y, weight)))


@pytest.mark.parametrize(("X", "y"), degenerate())
@pytest.mark.parametrize("shrinkage", SHRINKAGES)
def test_every_table_has_finite_densities(X, y, shrinkage):
    found = left_out(summed(X, y), shrinkage, X, y, np.ones(len(X)))
    assert np.isfinite(found).all()
    assert np.isfinite(posterior(found)).all()
