"""Lines from sums, against least squares of the rows themselves."""

import numpy as np
import pytest

from bayesfold.networks.mixed.regression import (
    FLOOR,
    GroupSums,
    least_squares,
    local_score,
    log_likelihood,
    solve_lines,
)


def rows_of(seed, groups, numbers, many=30):
    draw = np.random.default_rng(seed)
    group = draw.integers(0, groups, many)
    x = draw.normal(2.0, 3.0, (many, numbers)) + group[:, None]
    weight = draw.uniform(0.5, 2.0, many)
    y = 1.0 + x @ np.arange(1, numbers + 1) * (1 + group) + draw.normal(0, 0.5, many)
    return group, np.column_stack([y, x]), weight


def sums_of(group, rows, weight, groups):
    first = np.array([(weight[group == g, None] * rows[group == g]).sum(0) for g in range(groups)])
    second = np.array([(rows[group == g].T * weight[group == g]) @ rows[group == g] for g in range(groups)])
    return GroupSums(np.bincount(group, weight, groups), first, second)


@pytest.mark.parametrize("numbers", [0, 1, 3])
@pytest.mark.parametrize("groups", [1, 3])
def test_lines_are_those_of_weighted_least_squares(groups, numbers):
    group, rows, weight = rows_of(groups + numbers, groups, numbers, 60)
    sums = sums_of(group, rows, weight, groups)
    means, slopes, variance = least_squares(sums)
    total = 0.0
    for g in range(groups):
        own, w = rows[group == g], weight[group == g]
        np.testing.assert_allclose(means[g], np.average(own, axis=0, weights=w), rtol=1e-10)
        design = np.column_stack([np.ones(len(own)), own[:, 1:]]) * np.sqrt(w)[:, None]
        expected, *_ = np.linalg.lstsq(design, own[:, 0] * np.sqrt(w), rcond=None)
        np.testing.assert_allclose(slopes[g], expected[1:], rtol=1e-7)
        left = own[:, 0] * np.sqrt(w) - design @ expected
        np.testing.assert_allclose(variance[g], left @ left / w.sum(), rtol=1e-7)
        total -= 0.5 * (w.sum() * np.log(2 * np.pi * variance[g]) + w.sum())
    assert log_likelihood(sums) == pytest.approx(total, rel=1e-9)
    price = groups * (numbers + 2)
    assert local_score("bic", sums, 60.0) == pytest.approx(total - price * np.log(60.0) / 2)
    assert local_score("aic", sums, 60.0) == pytest.approx(total - price)
    assert local_score("bic", sums, 0.5) == pytest.approx(total), "of no row nothing is paid"


def test_rows_of_prior_draw_each_group_to_what_all_have_within():
    group, rows, weight = rows_of(5, 3, 2, 40)
    sums = sums_of(group, rows, weight, 3)
    within = sums.scatter.sum(0) / sums.weight.sum()
    _, slopes, variance = least_squares(sums, 4.0)
    for g in range(3):
        both = sums.scatter[g] + 4.0 * within
        expected = np.linalg.solve(both[1:, 1:], both[1:, 0])
        np.testing.assert_allclose(slopes[g], expected, rtol=1e-9)
        left = both[0, 0] - expected @ both[1:, 0]
        np.testing.assert_allclose(variance[g], left / (sums.weight[g] + 4.0), rtol=1e-9)


@pytest.mark.parametrize("prior", [0.0, 0.5, 3.0])
def test_a_group_without_rows_has_what_all_rows_have(prior):
    group, rows, weight = rows_of(2, 2, 2)
    sums = sums_of(group, rows, weight, 3)
    means, slopes, variance = least_squares(sums, prior)
    np.testing.assert_allclose(means[2], np.average(rows, axis=0, weights=weight))
    within = sums.scatter[:2].sum(0) / sums.weight.sum()
    expected = np.linalg.solve(within[1:, 1:], within[1:, 0])
    np.testing.assert_allclose(slopes[2], expected, rtol=1e-8)
    np.testing.assert_allclose(variance[2], within[0, 0] - expected @ within[1:, 0], rtol=1e-8)


def test_parents_that_repeat_each_other_share_their_slope_and_one_that_is_constant_has_none():
    x = np.array([1.0, 2.0, 4.0, 7.0])
    rows = np.column_stack([3 * x, x, x, np.full(4, 5.0)])
    sums = sums_of(np.zeros(4, int), rows, np.ones(4), 1)
    slopes, left = solve_lines(sums.scatter)
    np.testing.assert_allclose(slopes, [[1.5, 1.5, 0.0]], atol=1e-9)
    assert left[0] >= 0
    _, _, variance = least_squares(sums)
    assert variance[0] == pytest.approx(max(FLOOR * np.var(3 * x), left[0] / 4))
    assert sums.of([0, 2]).first.tolist() == [[3 * x.sum(), x.sum()]]
    assert sums.of([2, 0]).second.tolist() == [[[x @ x, 3 * x @ x], [3 * x @ x, 9 * x @ x]]]


def test_the_variance_of_a_number_that_has_none_is_one():
    rows = np.column_stack([np.full(5, 7.0), np.arange(5.0)])
    assert sums_of(np.zeros(5, int), rows, np.ones(5), 1).variance == 1.0
    rows[0, 0] = 8.0
    assert sums_of(np.zeros(5, int), rows, np.ones(5), 1).variance == pytest.approx(0.16)


def test_a_group_of_few_rows_has_the_spread_of_the_others():
    draw = np.random.default_rng(3)
    group = np.repeat([0, 1, 2], [20, 3, 2])
    x = draw.normal(size=25)
    rows = np.column_stack([2 * x + draw.normal(size=25), x])
    sums = sums_of(group, rows, np.ones(25), 3)
    _, left = solve_lines(sums.scatter)
    assert left[2] == pytest.approx(0.0, abs=1e-9), "two points lie on a line"
    pooled = (left[0] + left[1]) / 23
    variance = np.array([left[0] / 20, left[1] / 3, pooled])
    n = np.array([20, 3, 2])
    expected = -0.5 * (n * np.log(2 * np.pi * variance) + left / variance).sum()
    assert log_likelihood(sums) == pytest.approx(expected)
    poor = sums_of(group[20:] - 1, rows[20:], np.ones(5), 2)
    alone = GroupSums(poor.weight[1:], poor.first[1:], poor.second[1:])
    assert log_likelihood(alone) == pytest.approx(-np.log(2 * np.pi * alone.variance))
