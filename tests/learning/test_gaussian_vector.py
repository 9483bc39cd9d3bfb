"""The axes of numbers: means and deviations of weighted rows, and finite scores of ranks whatever rows weigh."""

from contextlib import nullcontext
from statistics import NormalDist

import numpy as np
import pytest

from bayesfold import BayesClassifier, GaussianBayes
from bayesfold.data.coded import Coded
from bayesfold.data.encodings import Real
from bayesfold.data.vector import OneHot
from bayesfold.estimators.rows import ColumnWarning
from bayesfold.learning.gaussian_vector import (
    KNOTS,
    STEPS,
    Known,
    is_flagged,
    is_own_level,
    normal_scores,
    scaled,
    shares_of,
)
from bayesfold.learning.holes import STRENGTHS, speaks, strength
from bayesfold.learning.one_column import Options


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


@pytest.mark.parametrize("weight", [None, np.array([0.1, 0.7, 1e-3, 3.3, 0.1, 2.2, 0.3])])
def test_shares_of_levels_sum_to_one_whatever_the_order_of_rows(weight: np.ndarray | None) -> None:
    slots = np.array([0, 1, 2, 1, 4, 1, 0], np.uint8)
    shares = shares_of(slots, 5, weight)
    n = np.bincount(slots, weight, 5)[1:]
    np.testing.assert_allclose(shares[1:], n / n.sum(), atol=5 / STEPS)
    assert shares.sum() == 1.0
    assert ((shares > 0) == [False, True, True, False, True]).all()
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(7)
        assert shares_of(slots[order], 5, None if weight is None else weight[order]).tobytes() == shares.tobytes()


def test_no_level_that_a_row_shows_has_no_share_and_none_has_all() -> None:
    shares = shares_of(np.array([1, 2]), 3, np.array([1e300, 1e-300]))
    assert shares.tolist() == [0.0, 1 - 1 / STEPS, 1 / STEPS]
    assert not shares_of(np.array([0, 0]), 3, None)[1:].any()


def axis_of(column: list[object], labels: list[str], **options: object) -> OneHot:
    clf = BayesClassifier(structure="gaussian", families={"c": "categorical"}, **options)
    x = np.random.default_rng(0).normal(size=len(labels))
    clf.fit({"x": x.tolist(), "c": column}, labels)
    return next(axis for axis in clf.schema_.features[0].axes if isinstance(axis, OneHot))


def test_a_missing_category_is_a_level_unless_a_class_shows_none_and_may_miss_alike() -> None:
    labels = ["p"] * 60 + ["q"] * 20
    uvw = ["u" if i % 3 else "v" for i in range(80)]
    told: list[object] = [None if i % 2 and i < 60 else v for i, v in enumerate(uvw)]  # half of p, none of q
    chance: list[object] = [None if i % 20 == 0 and i < 60 else v for i, v in enumerate(uvw)]  # 3 of 60, none of 20
    alike: list[object] = [None if i % 10 == 0 else v for i, v in enumerate(uvw)]
    assert axis_of(told, labels).hole_is_level
    assert not axis_of(chance, labels).hole_is_level
    assert axis_of(alike, labels).hole_is_level
    assert axis_of(chance, labels, missing_as="value").hole_is_level
    for column in (told, chance, alike, uvw):
        assert not axis_of(column, labels, missing_as="skip").hole_is_level
        assert sum(axis_of(column, labels).shares) == 1.0


def test_of_one_level_there_is_only_whether_a_row_shows_it() -> None:
    labels = ["p", "q"] * 20
    assert axis_of(["u" if i % 4 else None for i in range(40)], labels, missing_as="value").shares == ()


@pytest.mark.parametrize("missing_as", ["auto", "value", "skip"])
def test_a_hole_is_an_axis_by_how_far_classes_differ(missing_as: str) -> None:
    """A category's where they do at all, or where no class would be ruled out; a number's where that speaks."""
    rows, found = 400, set()
    for missing in [(0, k) for k in (0, 1, 2, 3, 4, 6, 12, 40, 200, 390)] + [(1, k) for k in (1, 2, 9, 200)]:
        absent = np.concatenate([np.arange(rows) < k for k in missing])
        labels, n = Coded(np.repeat([0, 1], rows).astype(np.int32), ["a", "b"]), np.array([400.0, 400.0])
        m = strength(np.array(missing, float), n)
        known = (absent, labels, None, Options(missing_as=missing_as))
        own = missing_as == "value" or (missing_as == "auto" and (m < STRENGTHS[0] or min(missing) > 0))
        flagged = missing_as == "value" or (missing_as == "auto" and speaks(np.array(missing, float), n))
        assert is_own_level(*known) == (own and any(missing)), missing
        assert is_flagged(*known) == (flagged and any(missing)), missing
        found.add(m)
    assert found == {*STRENGTHS}
