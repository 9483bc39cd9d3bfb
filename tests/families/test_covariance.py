"""Normal classes with covariance: the formula, its options, and tables that have no inverse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.families import _covariance as covariance
from bayesfold.families._covariance import NOISE, Shrinkage, fit, log_density

from .moments import KINDS, SHRINKAGES, close, degenerate, posterior, summed, table


@pytest.mark.parametrize("shrinkage", SHRINKAGES)
def test_the_formula(shrinkage):
    X, y, draw = table(1)
    asked, classes = draw.normal(size=(5, 4)), [X[y == c] for c in range(3)]
    scatter = [(x - x.mean(0)).T @ (x - x.mean(0)) for x in classes]
    tied = sum(scatter) / (len(X) - 3 * shrinkage.ddof)
    diagonal = np.diag(np.diag(tied))
    found = log_density(fit(summed(X, y), shrinkage), asked)
    for c, x in enumerate(classes):
        own = (scatter[c] + shrinkage.pseudo_rows * tied) / (len(x) - shrinkage.ddof + shrinkage.pseudo_rows)
        mixed = (1 - shrinkage.tied) * own + shrinkage.tied * tied
        if shrinkage.independent:
            mixed = np.diag(np.diag(mixed))
        S = (1 - shrinkage.diagonal) * mixed + shrinkage.diagonal * diagonal
        far = asked - x.mean(0)
        squares = (far * np.linalg.solve(S, far.T).T).sum(1)
        close(found[:, c], -0.5 * (4 * np.log(2 * np.pi) + np.linalg.slogdet(S)[1] + squares))


def test_the_default_is_maximum_likelihood():
    X, y, _ = table(2)
    normals = fit(summed(X, y), Shrinkage())
    best = log_density(normals, X)[np.arange(len(X)), y].sum()
    for other in (Shrinkage(ddof=1), Shrinkage(tied=0.05), Shrinkage(diagonal=0.05), Shrinkage(pseudo_rows=0.5)):
        assert log_density(fit(summed(X, y), other), X)[np.arange(len(X)), y].sum() < best - 1e-4


def test_a_class_without_rows_has_the_mean_of_all_rows_and_the_tied_covariance():
    X, y, _ = table(3, classes=2)
    normals = fit(summed(X, y), Shrinkage())
    np.testing.assert_allclose(normals.mean[2], X.mean(0))
    tied = fit(summed(X, y), Shrinkage(tied=1.0))
    np.testing.assert_allclose(normals.constant[2], tied.constant[0])


def test_a_column_that_is_constant_within_classes_has_a_1024th_of_its_variance():
    X, y = np.array([[-1.0, 5.0], [-1.0, 3.0], [1.0, 3.0], [1.0, 5.0]]), np.array([0, 0, 1, 1])
    assert covariance.scale_of_columns(summed(X, y, classes=2)).tolist() == [1 / 1024, 1.0]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tied": 1.5}, "tied is a share from 0 to 1, not 1.5"),
        ({"diagonal": -0.1}, "diagonal is a share"),
        ({"tied": float("nan")}, "tied is a share"),
        ({"pseudo_rows": -1}, "0 or more, not -1"),
        ({"ddof": 2}, "ddof is 0"),
    ],
)
def test_options_out_of_range_are_refused(options, says):
    with pytest.raises(ValueError, match=says):
        Shrinkage(**options)


@pytest.mark.parametrize("shrinkage", SHRINKAGES)
def test_without_any_row_all_classes_say_the_same(shrinkage):
    moments = summed(np.empty((0, 2)), np.empty(0, int))
    found = log_density(fit(moments, shrinkage), np.array([[0.0, 1.0], [5.0, -3.0]]))
    assert np.isfinite(found).all()
    assert np.ptp(found, axis=1).max() == 0


def test_a_constant_column_says_nothing():
    X, y, _ = table(12)
    more = np.column_stack([X, np.full(len(X), 7.0)])
    asked = np.column_stack([X, np.linspace(-100, 100, len(X))])
    for shrinkage in SHRINKAGES:
        close(
            posterior(log_density(fit(summed(more, y), shrinkage), asked)),
            posterior(log_density(fit(summed(X, y), shrinkage), X)),
        )


@pytest.mark.parametrize("shrinkage", SHRINKAGES)
def test_the_pieces_that_rows_are_worked_on_in_do_not_matter(shrinkage, monkeypatch):
    X, y, _ = table(4)
    normals = fit(summed(X, y), shrinkage)
    whole = log_density(normals, X)
    monkeypatch.setattr(covariance, "PIECE", 12)
    close(log_density(normals, X), whole, 1e-11)


@given(seed=st.integers(0, 10**6), kind=st.sampled_from(KINDS))
def test_a_weight_is_so_many_copies(seed, kind):
    X, y, draw = table(seed, 50, 3, kind=kind)
    times = draw.integers(1, 4, len(X))
    copied = summed(np.repeat(X, times, axis=0), np.repeat(y, times))
    for shrinkage in SHRINKAGES:
        once = log_density(fit(summed(X, y, times * 1.0), shrinkage), X)
        close(once, log_density(fit(copied, shrinkage), X))


@pytest.mark.parametrize("factor", [1e-6, 1e6, 1e150])
@pytest.mark.parametrize("kind", KINDS)
def test_no_unit_matters(kind, factor):
    X, y, _ = table(9, kind=kind)
    units = np.array([factor, 1.0, 1.0, 1.0])
    for shrinkage in SHRINKAGES:
        one, other = fit(summed(X, y), shrinkage), fit(summed(X * units, y), shrinkage)
        close(posterior(log_density(one, X)), posterior(log_density(other, X * units)))


@pytest.mark.parametrize(("X", "y"), degenerate())
@pytest.mark.parametrize("shrinkage", SHRINKAGES)
def test_every_table_has_finite_densities(X, y, shrinkage):
    far = np.full((1, X.shape[1]), 1e300)
    found = log_density(fit(summed(X, y), shrinkage), np.vstack([X, X + 1, far, -far]))
    assert np.isfinite(found).all()
    assert np.isfinite(posterior(found)).all()


@pytest.mark.parametrize("independent", [False, True])
def test_a_share_of_the_largest_variance_is_rounding(independent):
    variances = 1_000 * np.array([NOISE / 2, NOISE * 2, 1.0])
    values, _ = Shrinkage(independent=independent).eigen(np.diag(variances))
    np.testing.assert_allclose(values, [0.0, *variances[1:]])


def test_sums_that_no_rows_have_still_make_a_density():
    """An edited file may hold them."""
    W, half = covariance.whiten(np.array([[1.0, 5.0], [5.0, 1.0]]), Shrinkage(diagonal=0.1))
    assert np.isfinite(W).all()
    assert np.isfinite(half)
