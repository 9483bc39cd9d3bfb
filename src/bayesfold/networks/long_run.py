"""Where a Markov chain ends up: many steps, shares of time, and how long it takes, without a single subtraction.

States are taken out of the chain one by one; what passed through them goes directly. The chance of leaving a state is
the sum of the steps out of it, never 1 minus that of staying, which would lose steps that are rare (Grassmann, Taksar
and Heyman, 1985). Every number is then right to its last digits, however small it is.

>>> rare = np.array([[1 - 1e-20, 1e-20], [3e-20, 1 - 3e-20]])
>>> share_of_time(rare), expected_steps(rare[:1, :1], rare[0, 1:])
(array([0.75, 0.25]), array([1.e+20]))
"""

import numpy as np

from bayesfold.data.frame import Floats


def many_steps(matrix: Floats, steps: int) -> Floats:
    """P(state after so many steps | state now), [now, then]: each row sums to 1 however many steps there are."""
    result, square = np.eye(len(matrix)), matrix
    while steps:
        if steps & 1:
            result = normalise_rows(result @ square)
        steps >>= 1
        square = normalise_rows(square @ square) if steps else square
    return result


def normalise_rows(matrix: Floats) -> Floats:
    """Rows that sum to 1: what rounding adds would be doubled by every square."""
    return np.asarray(matrix / matrix.sum(1, keepdims=True))


def share_of_time(matrix: Floats) -> Floats:
    """pi with pi P = pi, of a chain in which every state reaches every other."""
    through, leaving, _ = take_out(matrix, np.zeros(len(matrix)))
    pi = np.ones(len(matrix))
    for k in range(1, len(pi)):
        pi[k] = pi[:k] @ through[:k, k]
        pi[:k] *= leaving[k]
        pi[: k + 1] /= pi[: k + 1].sum()
    return pi


def expected_steps(matrix: Floats, ending: Floats) -> Floats:
    """Steps until the chain ends, from each state: `ending` is the chance of that in a step, which all states reach."""
    through, leaving, cost = take_out(matrix, ending)
    times = np.zeros(len(matrix))
    for k in range(len(times)):
        times[k] = (cost[k] + through[k, :k] @ times[:k]) / leaving[k]
    return times


def take_out(matrix: Floats, ending: Floats) -> tuple[Floats, Floats, Floats]:
    """Steps when each state was taken out, the last first, the chance of leaving it, and how long a visit takes."""
    through, ending = matrix.copy(), ending.copy()
    leaving, cost = np.ones(len(matrix)), np.ones(len(matrix))
    for k in range(len(matrix) - 1, -1, -1):
        leaving[k] = through[k, :k].sum() + ending[k]
        if k and leaving[k] > 0:
            through[:k, :k] += np.outer(through[:k, k], through[k, :k] / leaving[k])
            ending[:k] += through[:k, k] * (ending[k] / leaving[k])
            cost[:k] += through[:k, k] * (cost[k] / leaving[k])
    return through, leaving, cost
