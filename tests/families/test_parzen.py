"""Kernels around landmarks, against sums written out; a row left out, against a table without it."""

from types import SimpleNamespace

import numpy as np
import pytest

from bayesfold.data.landmarks import Landmarks
from bayesfold.data.vector import Scaled
from bayesfold.families.parzen import Parzen
from bayesfold.tally.statistic import Cells

CLASSES = 3


@pytest.fixture
def table():
    draw = np.random.default_rng(0)
    whitening = np.linalg.qr(draw.normal(size=(2, 2)))[0] * [1.0, 3.0]
    places = draw.normal(size=(12, 2))
    landmarks = Landmarks("all", (Scaled("a"), Scaled("b")), places, whitening)
    weight = draw.integers(0, 3, (CLASSES, 12)).astype(float)
    weight[:, 5] = 0.0  # all its rows were forgotten
    return landmarks, weight


def cells_of(landmarks, weight):
    sums = np.concatenate([np.zeros((1, weight.shape[1])), weight])[None]
    mass = sums.sum(2)
    return Cells(np.arange(2), mass.astype(int), mass, np.empty((1, 0)), sums, np.zeros_like(sums), landmarks)


def posterior(landmarks, weight, x, family):
    """P(class | x) with as many pseudo rows of everyone's density in each class, written out."""
    square = (((x - landmarks.places) @ landmarks.whitening) ** 2).sum(1)
    kernel = np.exp(-square / (2 * family.bandwidth**2))
    density = (weight @ kernel + family.m * weight.sum(0) @ kernel / weight.sum()) / (weight.sum(1) + family.m)
    return density / density.sum()


def test_the_density_is_the_mean_of_the_kernels(table):
    family, x = Parzen(0.8, 2.0), np.random.default_rng(1).normal(size=(7, 2))
    said = np.exp(family.log_density(family.fit(cells_of(*table)), x)[:, 1:])
    expected = [posterior(*table, row, family) for row in x]
    np.testing.assert_allclose(said / said.sum(1, keepdims=True), expected, rtol=1e-10)


def test_far_away_the_nearest_landmark_decides(table):
    landmarks, weight = table
    weight[:] = 0.0
    weight[1, 3] = 5.0
    weight[2, 4] = 5.0
    family = Parzen(0.1)
    x = landmarks.places[3] + 50 * (landmarks.places[3] - landmarks.places[4])
    said = family.log_density(family.fit(cells_of(*table)), x[None])[0, 1:]
    assert np.isfinite(said).all()
    assert said.argmax() == 1


@pytest.mark.parametrize("gone", [1.0, 0.25])
def test_a_row_left_out_is_a_table_without_it(table, gone):
    landmarks, weight = table
    family = Parzen(0.5)
    for c, z in np.argwhere(weight)[::3]:
        x = landmarks.places[z : z + 1]
        rest = weight.copy()
        rest[c, z] -= gone
        fresh = family.log_density(family.fit(cells_of(landmarks, rest)), x)[:, 1:]
        out = family.left_out(cells_of(*table), x, np.array([c + 1]), np.array([gone]), np.zeros(1, np.intp))[:, 0, 1:]
        np.testing.assert_allclose(out - out.max(), fresh - fresh.max(), rtol=1e-9, atol=1e-9)


def test_lines_sum_to_the_density_and_credit_the_number_that_differs(table):
    family, x = Parzen(0.8), np.random.default_rng(2).normal(size=(5, 2))
    form = family.fit(cells_of(*table))
    lines = family.lines(form, x)
    np.testing.assert_allclose(lines.sum(1), family.log_density(form, x)[:, 1:], atol=1e-12)
    axes, places = (Scaled("a"), Scaled("b")), np.array([[0.0, 1.0], [4.0, 1.0]])
    landmarks = Landmarks("all", axes, places, np.eye(2))
    only = family.lines(family.fit(cells_of(landmarks, np.array([[5.0, 0.0], [0.0, 5.0]]))), np.array([[0.5, 2.0]]))[0]
    margin = only[:, 0] - only[:, 1]
    assert margin[0] > 1.0  # the first number is near the first class's rows
    assert abs(margin[1]) < 1e-9  # the second tells nothing: both classes have rows at the same


def test_rows_drawn_have_the_mean_and_spread_of_their_group(table):
    landmarks, weight = table
    family = Parzen(0.3, m=0.0)
    group = np.full(4_000, 2)
    drawn = family.sample(family.fit(cells_of(*table)), group, np.random.default_rng(3))
    np.testing.assert_allclose(drawn.mean(0), weight[1] @ landmarks.places / weight[1].sum(), atol=0.1)
    away = (drawn - drawn.mean(0)) @ landmarks.whitening
    centres = (landmarks.places - weight[1] @ landmarks.places / weight[1].sum()) @ landmarks.whitening
    between = (weight[1] @ centres**2) / weight[1].sum()
    np.testing.assert_allclose((away**2).mean(0), between + 0.3**2, rtol=0.1)


def test_vectors_are_drawn_around_landmarks_as_often_as_these_are_of_the_class():
    places = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]])
    landmarks = SimpleNamespace(width=2, whitening=np.eye(2), places=places)
    weight = np.array([[6.0, 2.0, 0.0], [0.0, 0.0, 4.0]])
    near = SimpleNamespace(landmarks=landmarks, bandwidth=0.5, weight=weight, m=3.0, total=weight.sum(1))
    group = np.repeat([1, 2], 4_000)
    drawn = Parzen().sample(SimpleNamespace(density=near), group, np.random.default_rng(0))
    nearest = ((drawn[:, None] - places) ** 2).sum(2).argmin(1)
    for c in (0, 1):
        share = weight[c] + 3.0 * weight.sum(0) / weight.sum()
        found = np.bincount(nearest[group == c + 1], minlength=3) / 4_000
        np.testing.assert_allclose(found, share / share.sum(), atol=0.03)
    assert (drawn - places[nearest]).std(0) == pytest.approx([0.5, 0.5], rel=0.05)
