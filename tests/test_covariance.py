"""Normal classes with covariance: the formula, leaving rows out, and tables that have no inverse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import covariance
from bayesfold.covariance import Moments, Shrinkage, fit, grid, left_out, log_density, scale

SHRINKAGES = [
    Shrinkage(),
    Shrinkage(ddof=1),
    Shrinkage(tied=1.0),
    Shrinkage(tied=1.0, ddof=1),
    Shrinkage(pseudo_rows=4.0),
    Shrinkage(tied=0.5, diagonal=0.1),
    Shrinkage(tied=0.1, diagonal=0.01, pseudo_rows=4.0),
    Shrinkage(tied=0.3, pseudo_rows=1.5, ddof=1),
    Shrinkage(tied=0.3, diagonal=1.0),
    Shrinkage(independent=True),
    Shrinkage(tied=0.3, diagonal=0.2, pseudo_rows=2.0, ddof=1, independent=True),
]


def summed(X, y, weight=None, classes=3):
    weight = np.ones(len(X)) if weight is None else weight
    each = weight * (y == np.arange(classes)[:, None])
    return Moments(each.sum(1), each @ X, np.einsum("ci,ij,ik->cjk", each, X, X))


def table(seed, rows=40, columns=4, classes=3, kind="normal"):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, classes, rows)
    X = draw.normal(size=(rows, columns)) @ np.tri(columns) + draw.normal(size=(classes, columns))[y]
    if kind == "rounded":
        X = np.round(X)
    elif kind == "repeated":
        X[:, 0] = 2 * X[:, -1]
    elif kind == "constant":
        X[:, 0] = 0.3
    elif kind == "one-hot":
        X = np.eye(columns)[draw.integers(0, columns, rows)]
    return X, y, draw


def posterior(log_p):
    p = np.exp(log_p - log_p.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def refitted(X, y, weight, shrinkage, classes=3):
    """What `left_out` claims, by leaving each row out and starting over, and how many digits that leaves."""
    held, found, rounding = scale(summed(X, y, weight, classes), shrinkage.ddof), [], []
    for i in range(len(X)):
        rest = weight - np.minimum(weight, 1.0) * (np.arange(len(X)) == i)
        some = rest > 0
        normals = fit(summed(X[some], y[some], rest[some], classes), shrinkage, held)
        found.append(log_density(normals, X[i : i + 1])[0])
        variance = 1 / (normals.whitening**2).sum(1)
        smallest = np.where(variance > 2 * covariance.FLOOR, variance, np.inf).min()
        rounding.append(2.0**-52 * variance.max() / smallest)
    return np.array(found), np.array(rounding)[:, None]


def close(found, expected, tolerance=1e-8):
    wrong = np.abs(np.asarray(found) - expected) / (1 + np.abs(expected))
    assert (wrong <= tolerance).all(), f"wrong by {wrong.max()} at {np.argwhere(wrong > tolerance)[0]}"


# ------------------------------------------------------------------------------------------------------------- formula


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


@pytest.mark.parametrize("shrinkage", SHRINKAGES)
def test_the_pieces_that_rows_are_worked_on_in_do_not_matter(shrinkage, monkeypatch):
    X, y, _ = table(4)
    whole = log_density(fit(summed(X, y), shrinkage), X), left_out(summed(X, y), shrinkage, X, y, np.ones(len(X)))
    monkeypatch.setattr(covariance, "PIECE", 12)
    parts = log_density(fit(summed(X, y), shrinkage), X), left_out(summed(X, y), shrinkage, X, y, np.ones(len(X)))
    close(parts, whole, 1e-11)


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


# -------------------------------------------------------------------------------------------------------- leave one out


@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(1, 25),
    columns=st.integers(1, 5),
    kind=st.sampled_from(["normal", "rounded", "repeated", "constant", "one-hot"]),
    weights=st.sampled_from([[1.0], [0.25, 0.5, 1.0, 2.0, 3.7], None]),
)
def test_a_row_left_out_is_a_row_never_seen(seed, rows, columns, kind, weights):
    X, y, draw = table(seed, rows, columns, kind=kind)
    weight = draw.uniform(0.1, 2, rows) if weights is None else draw.choice(weights, rows)
    for shrinkage in SHRINKAGES:
        found = left_out(summed(X, y, weight), shrinkage, X, y, weight)
        expected, rounding = refitted(X, y, weight, shrinkage)
        close(found, expected, np.maximum(1e-8, rounding))


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
        rest = fit(summed(X[:-1], y[:-1]), shrinkage, scale(summed(X, y), shrinkage.ddof))
        np.testing.assert_allclose(rest.mean[2], X[:-1].mean(0))
        close(found[-1], log_density(rest, X[-1:])[0])


def test_a_grid_is_each_of_its_pairs():
    X, y, draw = table(7)
    weight = draw.choice([0.5, 1.0, 3.0], len(X))
    moments = summed(X, y, weight)
    pairs = list(grid(moments, X, y, weight, tied=(0.0, 0.4, 1.0), diagonal=(0.0, 0.2, 1.0)))
    assert [(s.tied, s.diagonal) for s, _ in pairs] == [(t, d) for t in (0.0, 0.4, 1.0) for d in (0.0, 0.2, 1.0)]
    for shrinkage, found in pairs:
        assert shrinkage.pseudo_rows == 4
        close(found, left_out(moments, shrinkage, X, y, weight), 1e-11)


def test_more_weights_than_levels_share_their_divisors():
    X, y, draw = table(8, rows=400)
    weight = draw.uniform(0.01, 1, len(X))
    for shrinkage in SHRINKAGES:
        found = left_out(summed(X, y, weight), shrinkage, X, y, weight)
        close(found, refitted(X, y, weight, shrinkage)[0], 1e-3)


# -------------------------------------------------------------------------------------------------- weights and units


@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["normal", "rounded", "repeated", "one-hot"]))
def test_a_weight_is_so_many_copies(seed, kind):
    X, y, draw = table(seed, 50, 3, kind=kind)
    times = draw.integers(1, 4, len(X))
    many, labels = np.repeat(X, times, axis=0), np.repeat(y, times)
    first = np.cumsum(times) - times
    for shrinkage in SHRINKAGES:
        weighted, copied = summed(X, y, times * 1.0), summed(many, labels)
        close(log_density(fit(weighted, shrinkage), X), log_density(fit(copied, shrinkage), X))
        close(
            left_out(weighted, shrinkage, X, y, times * 1.0),
            left_out(copied, shrinkage, many, labels, np.ones(len(many)))[first],
        )


@pytest.mark.parametrize("factor", [1e-6, 1e6, 1e150])
@pytest.mark.parametrize("kind", ["normal", "rounded", "repeated", "constant", "one-hot"])
def test_no_unit_matters(kind, factor):
    X, y, _ = table(9, kind=kind)
    units = np.array([factor, 1.0, 1.0, 1.0])
    for shrinkage in SHRINKAGES:
        one, other = summed(X, y), summed(X * units, y)
        weight = np.ones(len(X))
        close(posterior(log_density(fit(one, shrinkage), X)), posterior(log_density(fit(other, shrinkage), X * units)))
        close(
            posterior(left_out(one, shrinkage, X, y, weight)),
            posterior(left_out(other, shrinkage, X * units, y, weight)),
        )


# ---------------------------------------------------------------------------------------------------------- degenerate


def degenerate():
    wide, y, _ = table(10, rows=12, columns=30)
    X, z, _ = table(11, rows=12)
    yield pytest.param(wide, y, id="more columns than rows")
    yield pytest.param(np.zeros((6, 3)), np.array([0, 0, 1, 1, 2, 2]), id="all zero")
    yield pytest.param(np.full((6, 3), 1e5), np.array([0, 0, 1, 1, 2, 2]), id="all equal, far from the origin")
    yield pytest.param(np.repeat(X[:3], 4, axis=0), np.repeat([0, 1, 2], 4), id="equal within classes")
    yield pytest.param(X[:3], np.arange(3), id="a row a class")
    yield pytest.param(X[:1], np.array([1]), id="one row")
    yield pytest.param(X, np.ones(12, int), id="one class")
    yield pytest.param(np.eye(4)[z], z, id="columns that are the class")
    yield pytest.param(X * [1e140, 1e-140, 1.0, 0.0], z, id="huge and tiny")
    yield pytest.param(np.vstack([X, np.full((1, 4), 1e120)]), np.append(z, 0), id="one row far away")


@pytest.mark.parametrize(("X", "y"), degenerate())
@pytest.mark.parametrize("shrinkage", SHRINKAGES)
def test_every_table_has_finite_densities(X, y, shrinkage):
    moments = summed(X, y)
    asked = np.vstack([X, X + 1, np.full((1, X.shape[1]), 1e300), np.full((1, X.shape[1]), -1e300)])
    assert np.isfinite(log_density(fit(moments, shrinkage), asked)).all()
    found = left_out(moments, shrinkage, X, y, np.ones(len(X)))
    assert np.isfinite(found).all()
    assert np.isfinite(posterior(found)).all()


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


def test_a_row_without_weight_leaves_nothing():
    X, y, _ = table(13)
    weight = np.append(np.ones(len(X) - 1), 0.0)
    for shrinkage in SHRINKAGES:
        moments = summed(X, y, weight)
        close(left_out(moments, shrinkage, X, y, weight)[-1], log_density(fit(moments, shrinkage), X[-1:])[0])
