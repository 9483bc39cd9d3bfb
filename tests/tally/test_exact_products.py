"""Sums of products without rounding equal those of fractions, with weights and whatever the sizes of the numbers."""

from fractions import Fraction

import numpy as np
import pytest

from bayesfold.tally.exact_products import sum_products


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rows", [1, 2, 7, 1_000])
def test_sums_are_those_of_fractions(rows, weighted):
    draw = np.random.default_rng(rows)
    x = draw.normal(size=(rows, 3)) * 10.0 ** draw.integers(-6, 7, (rows, 3))
    weight = draw.random(rows) if weighted else None
    high, low = sum_products(x, weight)
    w = [Fraction(1)] * rows if weight is None else [Fraction(float(v)) for v in weight]
    exact = [[Fraction(float(v)) for v in row] for row in x]
    terms = [[a * b for a in row for b in row] if products else row for products in (False, True) for row in exact]
    for k in range(3):
        check(sum(w[i] * terms[i][k] for i in range(rows)), high[k], low[k], np.abs(x[:, k]).sum())
    for k in range(9):
        size = np.abs(x[:, k // 3] * x[:, k % 3]).sum()
        check(sum(w[i] * terms[rows + i][k] for i in range(rows)), high[3 + k], low[3 + k], size)


def check(exact, high, low, size):
    """The pair is the sum to far more digits than one double has."""
    assert abs(float(exact - Fraction(float(high)) - Fraction(float(low)))) <= 2.0**-90 * size
