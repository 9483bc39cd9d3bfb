"""Evidence so improbable that a product of its tables underflows: the tables magnified, and by how much.

Only the table of an observed variable can be small everywhere, and it is never one that a query leaves out; so scaling
it changes no posterior, and the log of the scale goes back into the probability of the evidence.
"""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.frame import Floats
from bayesfold.networks.inference.problem import Problem

SMALL = 1e-8


def magnified(
    problem: Problem, evidence: Mapping[int, int], likelihood: Mapping[int, ArrayLike]
) -> tuple[Problem, dict[int, Floats], float] | None:
    """The problem and the likelihoods with the largest entry that agrees with the evidence in [0.5, 1), and the log
    of what was divided out; None if none of them is small, so that it cannot have been an underflow.
    """
    tables, exponents = list(problem.tables), 0
    for v in evidence:
        agrees = tuple(evidence.get(u, slice(None)) for u in problem.families[v])
        part, exponent = unit(problem.tables[v][agrees])
        if exponent:
            tables[v] = tables[v].copy()
            tables[v][agrees] = part
            exponents += exponent
    soft = {}
    for v, weights in likelihood.items():
        soft[v], exponent = unit(np.asarray(weights, np.float64))
        exponents += exponent
    if exponents == 0:
        return None
    return Problem(problem.cards, problem.parents, tuple(tables)), soft, exponents * math.log(2.0)


def unit(values: Floats) -> tuple[Floats, int]:
    """Values over a power of two, if their largest is small: the rounding stays as it was.

    >>> unit(np.array([0.0, 2.0**-100]))
    (array([0. , 0.5]), -99)
    """
    largest = float(np.max(values))
    exponent = math.frexp(largest)[1] if 0.0 < largest < SMALL else 0
    return np.ldexp(values, -exponent), exponent
