"""The axes of numbers: means and deviations of weighted rows, and finite scores of ranks whatever rows weigh."""

from contextlib import nullcontext
from statistics import NormalDist

import numpy as np
import pytest

from bayesfold import GaussianBayes
from bayesfold.data.encodings import Real
from bayesfold.estimators.rows import ColumnWarning
from bayesfold.learning.gaussian_vector import KNOTS, Known, normal_scores, scaled


@pytest.mark.parametrize("weight", [[1e17, 1.0, 1.0], [1.0, 1.0, 1e17], [1.0, 1e17, 1.0], [1e300, 1e-300, 1.0]])
def test_a_row_that_leaves_others_no_share_leaves_them_a_score(weight: list[float]) -> None:
    scores = normal_scores(np.array([1.0, 2.0, 3.0]), np.array(weight))
    assert np.isfinite(scores).all()
    assert (np.diff(scores[1]) >= 0).all()


def test_scores_are_those_of_the_middle_of_equal_values() -> None:
    """Four rows: shares 1/8, (1 + 2/2)/4 and 7/8."""
    scores = normal_scores(np.array([5.0, 7.0, 7.0, 9.0]), np.ones(4))
    expected = [(5.0, 1 / 8), (7.0, 1 / 2), (9.0, 7 / 8)]
    np.testing.assert_allclose(scores.T, [(x, NormalDist().inv_cdf(share)) for x, share in expected], atol=1e-12)


def test_of_many_values_so_many_are_knots_and_the_ends_are_among_them() -> None:
    x = np.arange(1_000.0)
    knots = normal_scores(x, np.ones(1_000))
    assert knots.shape == (2, KNOTS)
    assert knots[0, [0, -1]].tolist() == [0.0, 999.0]


@pytest.mark.parametrize("by_rank", [False, True])
@pytest.mark.parametrize("unit", [0.001, 1.0, 40.0])
def test_a_weight_is_so_many_rows_in_any_unit(unit: float, by_rank: bool) -> None:
    x, copies = np.array([7.0, 1.0, np.nan, 4.0]), np.array([1, 3, 2, 2])
    weighed = scaled(Real("x"), Known.of(x, copies * unit), by_rank, 5.0)
    copied = scaled(Real("x"), Known.of(x.repeat(copies), None), by_rank, 5.0)
    np.testing.assert_allclose([weighed.centre, weighed.unit], [copied.centre, copied.unit], rtol=1e-12)
    np.testing.assert_allclose(weighed.knots, copied.knots, rtol=1e-12)
    np.testing.assert_array_equal(weighed._knots.T, np.array(weighed.knots).reshape(-1, 2))
    if not by_rank:  # (3 x 1 + 2 x 4 + 7) / 6 = 3, and (3 x 4 + 2 x 1 + 16) / 6 = 5
        np.testing.assert_allclose([weighed.centre, weighed.unit**2], [3.0, 5.0], rtol=1e-12)


def table_of_groups(levels: int, rows: int = 600) -> tuple[dict[str, list[object]], list[str]]:
    """A number, a category of few levels, and one of so many; names of the levels have no order."""
    draw = np.random.default_rng(levels)
    x, group = draw.normal(size=rows), draw.permutation(np.arange(rows) % levels)
    kind = draw.choice(["a", "b"], rows)
    y = np.where(x + (kind == "a") + draw.normal(size=rows) > 0.5, "yes", "no")
    return {"x": x.tolist(), "kind": kind.tolist(), "group": [f"g{k}" for k in group]}, y.tolist()


@pytest.mark.parametrize(("levels", "kept"), [(250, True), (256, False), (100, True)])
def test_levels_of_few_rows_are_no_axes_where_there_would_be_too_many(levels: int, kept: bool) -> None:
    """250 levels and three other axes are 253; 256 levels of 600 rows have 2.3 rows each."""
    X, y = table_of_groups(levels)
    with nullcontext() if kept else pytest.warns(ColumnWarning, match="too many for a covariance"):
        clf = GaussianBayes(families={"group": "categorical"}).fit(X, y)
    why = next(column.why for column in clf.columns_ if column.name == "group")
    assert ("left out" not in why) is kept
    if not kept:
        assert why == f"left out: {levels} values in 600 rows are too many for a covariance"
        without = GaussianBayes().fit({"x": X["x"], "kind": X["kind"]}, y)
        np.testing.assert_allclose(clf.predict_proba(X), without.predict_proba(X), atol=1e-12)


def test_levels_of_enough_rows_stay_however_many_axes_they_make() -> None:
    X, y = table_of_groups(260, rows=780)
    clf = GaussianBayes(families={"group": "categorical"}).fit(X, y)
    assert not any("left out" in column.why for column in clf.columns_)


def test_where_nothing_else_is_left_rare_levels_stay() -> None:
    X, y = table_of_groups(300)
    clf = GaussianBayes(families={"group": "categorical"}).fit({"group": X["group"]}, y)
    assert not any("left out" in column.why for column in clf.columns_)
