"""The weigher against scipy's optimisers, its leave-one-out against refits, and inputs that could break it."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

from bayesfold.learning import newton
from bayesfold.learning.weights import Problem, best_pool, log_loss, pool, temperature

SETTINGS = [
    {"start": 1.0, "ridge": 1.0},
    {"start": 1.0, "ridge": 0.1, "bias_ridge": 0.5},
    {"start": 0.25, "ridge": 10.0, "bias_ridge": 10.0, "nonnegative": True},
    {"start": 0.0, "ridge": 0.3, "nonnegative": True},
    {"start": 0.5, "ridge": 3.0, "bias_ridge": np.inf},
    {"start": 0.5, "ridge": 0.3, "bias_ridge": np.inf, "nonnegative": True},
    {"start": np.array([1.0, 0.0, 0.5, 2.0]), "ridge": np.array([1.0, 3.0, 0.1, np.inf])},
]


def problem(seed, rows=60, parts=4, classes=3):
    """Parts that know something about the class, one that is misled, one that is noise."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, classes, rows)
    told = np.eye(classes)[y]
    strength = np.array([2.0, 0.7, 0.0, -0.5])[:parts]
    T = strength[None, :, None] * told[:, None] + draw.normal(size=(rows, parts, classes))
    return T - logsumexp(T, axis=2, keepdims=True), y, draw


def objective(T, y, weight, start, ridge, bias_ridge, w):
    """As the module states it, to be maximised."""
    parts = T.shape[1]
    start, ridge = np.broadcast_to(start, parts), np.broadcast_to(ridge, parts)
    logits = np.einsum("q,iqc->ic", w[:parts], T) + w[parts:]
    fit = weight @ (logits[np.arange(len(y)), y] - logsumexp(logits, axis=1))
    pulled = np.isfinite(ridge)
    pull = 0.5 * (ridge[pulled] * (w[:parts] - start)[pulled] ** 2).sum()
    return fit - pull - (0.5 * bias_ridge * (w[parts:] ** 2).sum() if np.isfinite(bias_ridge) else 0.0)


def by_scipy(T, y, weight=None, start=1.0, ridge=1.0, bias_ridge=1.0, nonnegative=False):
    """Weights and bias by a general optimiser."""
    parts, classes = T.shape[1:]
    weight = np.ones(len(y)) if weight is None else weight
    first = np.concatenate([np.broadcast_to(start, parts), np.zeros(classes)])
    fixed = np.concatenate([np.isinf(np.broadcast_to(ridge, parts)), np.full(classes, np.isinf(bias_ridge))])
    least = np.concatenate([np.full(parts, 0.0 if nonnegative else -np.inf), np.full(classes, -np.inf)])
    bounds = [(x, x) if f else (low, np.inf) for x, f, low in zip(first, fixed, least, strict=True)]
    found = minimize(
        lambda w: -objective(T, y, weight, start, ridge, bias_ridge, w),
        np.maximum(first, least),
        bounds=bounds,
        method="L-BFGS-B",
        jac="3-point",
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 5000, "maxfun": 10**6},
    )
    return found.x[:parts], found.x[parts:]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_and_bias_are_scipys(options, seed, weighted):
    T, y, draw = problem(seed)
    weight = draw.uniform(0.2, 3.0, len(y)) if weighted else None
    found = pool(T, y, weight, **options)
    weights, bias = by_scipy(T, y, weight, **options)
    np.testing.assert_allclose(found.weights, weights, atol=2e-6)
    np.testing.assert_allclose(found.bias, bias, atol=2e-6)


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_no_step_in_any_direction_is_better(options):
    """A sharper test than an optimiser's: the objective's slope at the answer, in every direction that is allowed."""
    T, y, _ = problem(7, rows=200)
    found = pool(T, y, **options)
    w = np.concatenate([found.weights, found.bias])
    ridge, bias_ridge = np.broadcast_to(options["ridge"], 4), options.get("bias_ridge", 1.0)
    pulls = np.concatenate([ridge, np.full(3, bias_ridge)])
    ones, start = np.ones(len(y)), options["start"]
    for i in np.flatnonzero(np.isfinite(pulls)):
        step = 1e-4 * np.eye(7)[i]
        up, down = (objective(T, y, ones, start, ridge, bias_ridge, w + s) for s in (step, -step))
        slope = (up - down) / 2e-4
        if options.get("nonnegative") and i < 4 and w[i] == 0:
            assert slope < 1e-4
        else:
            assert abs(slope) < 1e-4 * max(1, pulls[i])


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_a_weight_of_two_is_two_copies(options):
    T, y, draw = problem(2)
    copies = draw.integers(1, 4, len(y))
    weighted, copied = (
        pool(T, y, copies.astype(float), **options, gone=np.ones(len(y))),
        pool(T.repeat(copies, 0), y.repeat(copies), **options),
    )
    np.testing.assert_allclose(weighted.weights, copied.weights, atol=1e-8)
    np.testing.assert_allclose(weighted.bias, copied.bias, atol=1e-8)
    np.testing.assert_allclose(weighted.held_out.repeat(copies, 0), copied.held_out, atol=1e-6)
    assert weighted.loss == pytest.approx(copied.loss, abs=1e-8)


def test_nonnegative_weights_are_and_a_misled_part_gets_none():
    T, y, _ = problem(3, rows=300)
    free, held = (pool(T, y, start=0.0, ridge=0.1, nonnegative=n) for n in (False, True))
    assert free.weights[3] < -0.1
    assert held.weights[3] == 0
    assert (held.weights >= 0).all()


def test_an_infinite_ridge_keeps_the_start():
    T, y, _ = problem(4)
    found = pool(T, y, start=0.7, ridge=np.inf, bias_ridge=np.inf)
    np.testing.assert_array_equal(found.weights, np.full(4, 0.7))
    np.testing.assert_array_equal(found.bias, np.zeros(3))
    np.testing.assert_allclose(found.held_out, 0.7 * T.sum(1), rtol=1e-12)


@pytest.mark.parametrize("nonnegative", [False, True])
@pytest.mark.parametrize(("rows", "ridge"), [(40, 1.0), (40, 10.0), (150, 0.3)])
def test_the_closed_form_is_close_to_fits_without_the_row(rows, ridge, nonnegative):
    T, y, _ = problem(5, rows=rows)
    options = {"start": 0.5, "ridge": ridge, "nonnegative": nonnegative}
    found, every = pool(T, y, **options), np.arange(rows)
    literal = []
    for i in every:
        without = pool(T[every != i], y[every != i], asked=0, **options)
        literal.append(without.logits(T[i : i + 1])[0])
    exact, ours, fitted = (
        x - logsumexp(x, axis=1, keepdims=True) for x in (np.array(literal), found.held_out, found.logits(T))
    )
    moved = np.abs(exact - fitted).max()
    assert moved > 0.01
    assert np.abs(ours - exact).max() < 0.25 * moved
    assert np.corrcoef((ours - fitted).ravel(), (exact - fitted).ravel())[0, 1] > 0.99
    assert found.loss == pytest.approx(log_loss(exact, y), abs=5e-3)
    assert found.loss > log_loss(fitted, y)


def test_a_few_rows_are_left_out_as_if_all_were():
    T, y, _ = problem(6)
    every, some, none = (pool(T, y, asked=n) for n in (None, 7, 0))
    step = -(-len(y) // 7)
    np.testing.assert_allclose(some.held_out, every.held_out[::step][:7], rtol=1e-12)
    assert some.loss == pytest.approx(log_loss(some.held_out, y[::step][:7]))
    assert len(none.held_out) == 0
    assert np.isnan(none.loss)


def test_the_ridge_with_the_least_held_out_loss_is_taken():
    T, y, _ = problem(8, rows=50)
    ridges = (100.0, 10.0, 1.0, 0.1)
    each = {r: pool(T, y, ridge=r).loss for r in ridges}
    best = best_pool(T, y, ridges=ridges)
    assert best.ridge == min(each, key=each.__getitem__)
    assert best.loss == pytest.approx(min(each.values()), abs=1e-7)


@pytest.mark.parametrize("seed", range(8))
def test_in_a_hurry_the_first_ridge_that_is_no_better_ends_the_search(seed):
    T, y, _ = problem(seed, rows=50)
    ridges = (100.0, 10.0, 1.0, 0.1)
    losses = [pool(T, y, ridge=r).loss for r in ridges]
    worse = [b >= a for a, b in pairwise(losses)]
    first = worse.index(True) if any(worse) else len(ridges) - 1
    assert best_pool(T, y, ridges=ridges, hurried=True).ridge == ridges[first]


@pytest.mark.parametrize("true", [0.3, 1.0, 2.5])
def test_the_temperature_is_found_again(true):
    draw = np.random.default_rng(9)
    logits = draw.normal(size=(20_000, 3)) * 2
    p = np.exp(true * logits - logsumexp(true * logits, axis=1, keepdims=True))
    y = (draw.random((20_000, 1)) > p.cumsum(1)).sum(1)
    assert temperature(logits, y) == pytest.approx(true, rel=0.06)


def test_the_temperature_is_the_best_of_a_fine_grid():
    T, y, _ = problem(10, rows=400)
    joint = 3 * T.sum(1)

    def pulled(t):
        return len(y) * log_loss(t * joint, y) + 0.5 * (t - 1) ** 2

    grid = np.linspace(0, 2, 4001)
    assert temperature(joint, y) == pytest.approx(grid[np.argmin([pulled(t) for t in grid])], abs=6e-4)


def test_scores_that_mislead_get_the_temperature_zero():
    T, y, _ = problem(11, rows=400)
    assert temperature(-T[:, 0], y) == 0.0


def degenerate():
    T, y, _ = problem(12)
    yield pytest.param(T, np.zeros_like(y), id="one class shown")
    yield pytest.param(T, y % 2, id="a class without rows")
    yield pytest.param(T[:, :, :1], np.zeros_like(y), id="one class")
    yield pytest.param(T[:1], y[:1], id="one row")
    yield pytest.param(T[:, :0], y, id="no part")
    yield pytest.param(np.zeros_like(T), y, id="parts that say nothing")
    yield pytest.param(np.broadcast_to(T[:1], T.shape).copy(), y, id="parts that always say the same")
    yield pytest.param(np.repeat(T[:, :1], 4, axis=1), y, id="four times one part")
    yield pytest.param(1e4 * T, y, id="huge")
    yield pytest.param(1e-9 * T, y, id="tiny")
    yield pytest.param(-700.0 * (np.eye(3)[y][:, None] == 0) + 0 * T, y, id="sure and right")
    yield pytest.param(-700.0 * np.eye(3)[y][:, None] + 0 * T, y, id="sure and wrong")
    yield pytest.param(np.where(np.arange(len(y))[:, None, None] == 0, -700.0 * np.eye(3)[y][:, None], T), y, id="once")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("nonnegative", [False, True])
@pytest.mark.parametrize(("T", "y"), degenerate())
def test_whatever_is_said_the_answer_is_finite_and_no_worse_than_the_start(T, y, nonnegative):
    found = pool(T, y, start=0.5, ridge=1.0, nonnegative=nonnegative)
    parts = T.shape[1]
    for part in (found.weights, found.bias, found.held_out, found.loss, found.logits(T)):
        assert np.isfinite(part).all()
    arguments = T, y, np.ones(len(y)), 0.5, 1.0, 1.0
    first = np.concatenate([np.full(parts, 0.5), np.zeros(T.shape[2])])
    reached = objective(*arguments, np.concatenate([found.weights, found.bias]))
    assert reached >= objective(*arguments, first) - 1e-9
    assert np.isfinite(temperature(T.sum(1), y))


@pytest.mark.parametrize(("T", "y"), degenerate())
def test_whatever_is_said_it_is_the_best_answer(T, y):
    found = pool(T, y, start=0.5, ridge=1.0)
    arguments = T, y, np.ones(len(y)), 0.5, 1.0, 1.0
    reached = objective(*arguments, np.concatenate([found.weights, found.bias]))
    best = objective(*arguments, np.concatenate(by_scipy(T, y, start=0.5, ridge=1.0)))
    assert reached >= best - 1e-5 * max(1.0, abs(best))


def test_a_weight_at_its_bound_stays_there_when_a_row_is_left_out():
    """Then the row is judged as if the part did not exist, wherever the slope would lead."""
    T, y, _ = problem(3)
    told = {"weight": None, "start": 0.5, "ridge": 1.0, "bias_ridge": 1.0, "nonnegative": True}
    whole, less = Problem(T, y, **told), Problem(T[:, 1:], y, **told)
    w = np.array([0.0, 0.3, 0.2, 0.1, 0.0, 0.0, 0.0])
    here, there = whole.at(w), less.at(w[1:])
    assert here.gradient[0] < 0  # it would gain by moving
    rows, gone = np.arange(len(y)), np.ones(len(y))
    np.testing.assert_allclose(whole.left_out(w, here, rows, gone), less.left_out(w[1:], there, rows, gone), rtol=1e-9)


def test_of_many_classes_only_the_likely_ones_move_and_that_is_nearly_all(monkeypatch):
    """Ninety classes of which each row is likely to be one of a few: the others change no held-out answer by 1e-4."""
    r = np.random.default_rng(0)
    y = r.integers(0, 90, 300)
    T = r.normal(size=(300, 3, 90))
    T[np.arange(300), :, y] += 3
    few = pool(T, y, ridge=1.0)
    monkeypatch.setattr(newton, "LIKELY", 90)
    every = pool(T, y, ridge=1.0)
    np.testing.assert_allclose(few.held_out, every.held_out, atol=1e-4)
    assert not np.array_equal(few.held_out, every.held_out)
    assert few.loss == pytest.approx(every.loss, rel=1e-5)


def test_a_part_that_says_more_than_floats_can_square_is_weighed_without_a_warning():
    T, y, draw = problem(3)
    T[::7, 1] = draw.choice([-1e300, -1e308], T[::7, 1].shape)
    weight = draw.choice([1e-9, 1.0, 1e9], len(y))
    weighed = best_pool(T, y, weight)
    assert np.isfinite(weighed.weights).all()
    assert np.isfinite(weighed.held_out).all()


def test_what_is_said_beyond_reach_still_tells_which_class_is_likelier():
    T = np.array([[[-1e300, -3e300]], [[-3e300, -1e300]], [[0.0, -1.0]], [[-1.0, 0.0]]])
    y = np.array([0, 1, 0, 1])
    near = Problem(T, y, None, start=1.0, ridge=1.0, bias_ridge=np.inf, nonnegative=False)
    assert near.at(near.start).value == pytest.approx(2 * np.log1p(np.exp(-1.0)))


@pytest.mark.parametrize("nonnegative", [False, True])
def test_parts_that_are_far_too_sure_take_few_steps(nonnegative, monkeypatch):
    """Where every posterior is 0 or 1 the second derivatives vanish, and steps of Newton's from there lead anywhere."""
    T, y, draw = problem(5, rows=300, parts=4, classes=5)
    T = np.concatenate([T * 500.0, draw.standard_cauchy((300, 12, 5)) * 100.0], axis=1)
    looked, at = [], Problem.at
    monkeypatch.setattr(Problem, "at", lambda self, w: looked.append(w) or at(self, w))
    found = pool(T, y, ridge=10.0, nonnegative=nonnegative)
    assert len(looked) < 60
    solved = Problem(T, y, None, 1.0, 10.0, 1.0, nonnegative)
    w = np.concatenate([found.weights, found.bias])
    here = at(solved, w)
    on = solved.moving(w, here)
    assert here.gradient[on] @ np.linalg.solve(here.H[np.ix_(on, on)], here.gradient[on]) < 1e-6 * here.value
