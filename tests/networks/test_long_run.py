"""Rare steps and very many of them: compared with fractions, which lose nothing."""

from fractions import Fraction

import numpy as np
import pytest

from bayesfold.networks.long_run import expected_steps, many_steps, share_of_time


def random_chain(draw, size):
    """Steps of very different chances, and the same as fractions, of which each row sums to exactly 1."""
    rare = 10.0 ** draw.integers(-30, 1, (size, size)) * draw.uniform(1, 9, (size, size))
    exact = [[Fraction(float(x)) for x in row] for row in rare]
    exact = [[x / sum(row) for x in row] for row in exact]
    return np.array(exact, float), exact


def solve(system, right):
    """Gauss's elimination of fractions."""
    rows = [[*row, r] for row, r in zip(system, right, strict=True)]
    for i in range(len(rows)):
        pivot = next(j for j in range(i, len(rows)) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(len(rows)):
            if j != i and rows[j][i]:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("seed", range(20))
def test_shares_of_time_and_expected_steps_are_right_to_the_last_digits(seed):
    draw = np.random.default_rng(seed)
    size = int(draw.integers(1, 7))
    matrix, exact = random_chain(draw, size)
    steps = [[exact[j][i] - (i == j) for j in range(size)] for i in range(size - 1)]
    shares = solve([*steps, [Fraction(1)] * size], [Fraction(0)] * (size - 1) + [Fraction(1)])
    np.testing.assert_allclose(share_of_time(matrix), np.array(shares, float), rtol=1e-12)
    if size > 1:  # until the last state is reached
        inner = range(size - 1)
        times = solve([[(i == j) - exact[i][j] for j in inner] for i in inner], [Fraction(1)] * (size - 1))
        found = expected_steps(matrix[:-1, :-1], matrix[:-1, -1])
        np.testing.assert_allclose(found, np.array(times, float), rtol=1e-12)


def test_rows_sum_to_one_after_any_number_of_steps():
    matrix, _ = random_chain(np.random.default_rng(0), 5)
    np.testing.assert_allclose(many_steps(matrix, 3), matrix @ matrix @ matrix, rtol=1e-12)
    np.testing.assert_array_equal(many_steps(matrix, 0), np.eye(5))
    for power in (12, 18, 40):
        np.testing.assert_allclose(many_steps(matrix, 10**power).sum(1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(many_steps(matrix, 10**60)[2], share_of_time(matrix), rtol=1e-9)
