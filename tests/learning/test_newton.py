"""The weigher's problem: derivatives against differences, and each row left out against a problem without it."""

import numpy as np
import pytest

from bayesfold.learning import newton as module
from bayesfold.learning.newton import Problem, weighed, within_reach


def problem(rows=40, parts=2, classes=3, seed=0, weighted=True, start=0.5, ridge=2.0, bias=3.0, nonnegative=False):
    draw = np.random.default_rng(seed)
    T, y = np.log(draw.dirichlet(np.ones(classes), (rows, parts))), draw.integers(0, classes, rows)
    return Problem(T, y, draw.uniform(0.5, 2.0, rows) if weighted else None, start, ridge, bias, nonnegative)


def by_hand(p, w):
    """What is minimised: the weighted loss of the rows and the pull to the start."""
    logits = weighed(p.T, w[: p.parts]) + w[p.parts :]
    logs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    free = ~p.fixed
    pulled = 0.5 * (p.ridge[free] * (w - p.start)[free] ** 2).sum()
    return pulled - (p.weight * logs[np.arange(p.rows), p.y]).sum()


@pytest.mark.parametrize("rows", [150, 40, 64, 65, 130])
@pytest.mark.parametrize("weighted", [True, False])
def test_value_and_derivatives_however_many_rows_are_summed_at_once(rows, weighted, monkeypatch):
    monkeypatch.setattr(module, "TOGETHER", 1)
    monkeypatch.setattr(module, "A_HESSIAN", 0)
    p = problem(rows, weighted=weighted)
    w = np.random.default_rng(1).normal(size=5)
    here = p.at(w)
    assert here.value == pytest.approx(by_hand(p, w))
    steps = 1e-6 * np.eye(5)
    slope = [(by_hand(p, w + s) - by_hand(p, w - s)) / 2e-6 for s in steps]
    np.testing.assert_allclose(here.gradient, slope, rtol=1e-6, atol=1e-6)
    bend = [(p.at(w + s).gradient - p.at(w - s).gradient) / 2e-6 for s in steps]
    np.testing.assert_allclose(here.H, bend, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(here.H, here.H.T)
    np.testing.assert_allclose(here.P.sum(1), 1.0)
    monkeypatch.setattr(module, "TOGETHER", 1 << 17)
    whole = p.at(w)
    np.testing.assert_allclose(whole.gradient, here.gradient)
    np.testing.assert_allclose(whole.H, here.H)
    np.testing.assert_array_equal(whole.P, here.P)


def test_a_step_leads_to_the_least_value():
    p, w = problem(), None
    w = p.start
    for _ in range(8):
        w = w - p.step(w, p.at(w))
    here = p.at(w)
    np.testing.assert_allclose(here.gradient, 0.0, atol=1e-9)
    assert all(by_hand(p, w + d) > by_hand(p, w) for d in np.random.default_rng(2).normal(0, 0.1, (20, 5)))


def test_weights_that_may_not_move_stay_where_they_are():
    p = problem(bias=np.inf)
    assert p.fixed.tolist() == [False, False, True, True, True]
    w = np.array([0.3, 0.4, 9.0, 9.0, 9.0])
    assert p.inside(w).tolist() == [0.3, 0.4, 0.0, 0.0, 0.0]
    assert p.moving(w, p.at(p.inside(w))).tolist() == [0, 1]
    assert p.step(p.inside(w), p.at(p.inside(w)))[2:].tolist() == [0.0, 0.0, 0.0]
    free = problem()
    assert free.inside(w) is w
    assert free.moving(w, free.at(w)).tolist() == [0, 1, 2, 3, 4]
    other = p.with_ridge(5.0, 7.0)
    assert other.ridge.tolist() == [5.0, 5.0, 7.0, 7.0, 7.0]
    assert not other.bounded
    assert p.bounded


def test_weights_that_may_not_be_negative_stop_at_zero():
    p = problem(nonnegative=True)
    w = np.array([-0.5, 0.4, -1.0, 0.0, 1.0])
    assert p.inside(w).tolist() == [0.0, 0.4, -1.0, 0.0, 1.0]
    down = np.array([0.0, 0.0, 0.0, 0.0, 0.0])
    here = p.at(down)
    moving = p.moving(down, here)
    assert moving.tolist() == [i for i in range(5) if i >= 2 or here.gradient[i] < 0]
    up = module.Here(0.0, np.array([1.0, -1.0, 1.0, 1.0, 1.0]), here.H, here.P)
    assert p.moving(down, up).tolist() == [1, 2, 3, 4]
    assert p.moving(np.array([0.1, 0.0, 0.0, 0.0, 0.0]), up).tolist() == [0, 1, 2, 3, 4]
    step = p.step(down, up)
    assert step[0] == 0.0
    on = [1, 2, 3, 4]
    np.testing.assert_allclose(step[on], np.linalg.solve(here.H[np.ix_(on, on)], up.gradient[on]))


def one_step_without(p, w, here, row, gone, on):
    """The logits of a row after one step of the problem without what is gone of it."""
    J = np.concatenate([p.T[row], np.eye(p.classes)])[on]  # [weight, class]
    P = here.P[row]
    A, g = np.diag(P) - np.outer(P, P), P - np.eye(p.classes)[p.y[row]]
    H = here.H[np.ix_(on, on)] - gone * J @ A @ J.T
    return weighed(p.T[row : row + 1], w[: p.parts])[0] + w[p.parts :] + J.T @ np.linalg.solve(H, gone * J @ g)


@pytest.mark.parametrize("nonnegative", [False, True])
@pytest.mark.parametrize("bias", [3.0, np.inf])
@pytest.mark.parametrize("entries", [1 << 21, 20])
def test_a_row_left_out_is_answered_by_one_step_of_the_problem_without_it(entries, bias, nonnegative, monkeypatch):
    monkeypatch.setattr(module, "ENTRIES", entries)
    p = problem(parts=3, bias=bias, nonnegative=nonnegative)
    w = p.inside(np.array([0.0, 0.4, 0.3, 0.1, -0.1, 0.0]))
    here, rows = p.at(w), np.array([3, 0, 17, 39])
    gone = np.where(np.arange(40) % 2, p.weight, 0.5 * p.weight)
    found = p.left_out(w, here, rows, gone)
    on = [i for i in p.moving(w, here) if p.free[i] or w[i] > 0]
    expected = [one_step_without(p, w, here, row, gone[row], on) for row in rows]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_of_many_classes_those_move_that_are_likely_and_the_rows_own(monkeypatch):
    p = problem(rows=60, parts=2, classes=5)
    w = np.array([0.5, 0.4, 0.1, -0.1, 0.2, 0.0, 0.0])
    here, rows = p.at(w), np.arange(10)
    exact = p.left_out(w, here, rows, p.weight)
    plain = weighed(p.T[rows], w[:2]) + w[2:]
    inverse = np.linalg.inv(here.H)
    T = np.ascontiguousarray(np.moveaxis(p.T[rows], 2, 1))
    monkeypatch.setattr(module, "LIKELY", 5)
    moved = p._moved_by_likely(T, rows, inverse, p.weight[rows], here.P[rows])
    np.testing.assert_allclose(plain + moved, exact, rtol=1e-6, atol=1e-7)
    monkeypatch.setattr(module, "LIKELY", 4)
    near = p.left_out(w, here, rows, p.weight)
    assert (near != exact).any()
    assert np.abs(near - exact).max() < 0.3 * np.abs(plain - exact).max()


def test_what_says_too_much_is_brought_within_reach_and_the_rest_stays():
    T = np.log(np.random.default_rng(0).dirichlet([1, 1], (3, 2)))
    assert within_reach(T) is T
    assert within_reach(T[:0]).shape == (0, 2, 2)
    for far in (2e100, -2e100):
        loud = T.copy()
        loud[0, 0] = [0.0, far]
        found = within_reach(loud)
        assert np.ptp(found[0, 0]) == 1e100
        np.testing.assert_allclose(found[1, 0] - found[1, 0].max(), T[1, 0] - T[1, 0].max())
    edge = np.array([[[1e100, 0.0]]])
    assert within_reach(edge) is edge
    assert within_reach(-edge) is not None
