"""Tests of conditional independence: the G-test of two columns in every stratum of some others.

>>> codes = np.array([[0, 0, 1, 1] * 10, [0, 1, 0, 1] * 10, [0, 0, 1, 1] * 10], np.uint16)
>>> tests = IndependenceTests(LocalScores(codes, [2, 2, 2], "bic"))
>>> tests.p_value(0, 1), tests.p_value(0, 2) < 1e-10, tests.p_value(0, 2, (2,))
(1.0, True, nan)
"""

from collections.abc import Sequence

import numpy as np

from bayesfold.kernels.structure import independence
from bayesfold.networks.learning.scores import CELLS, LocalScores


class IndependenceTests:
    """Tests over the columns of a table of codes."""

    def __init__(self, scores: LocalScores) -> None:
        self.kernel, self.tests = scores.kernel, 0
        *_, second, most = sorted([1, *scores.cards])
        self._scratch = np.empty(max(CELLS, second * most)), np.empty(2 * most), np.empty(2)

    def statistic(self, x: int, y: int, given: Sequence[int] = ()) -> tuple[float, int]:
        """G and its degrees of freedom."""
        self.tests += 1
        independence.g_test(self.kernel, x, y, np.array(given, np.intp), *self._scratch)
        *_, g_and_freedom = self._scratch
        return float(g_and_freedom[0]), int(g_and_freedom[1])

    def p_value(self, x: int, y: int, given: Sequence[int] = ()) -> float:
        """How often independent columns would look as dependent as these; NaN where nothing can be told."""
        from scipy.special import chdtrc  # other searches do without, and it takes a while to load

        g, freedom = self.statistic(x, y, given)
        return float(chdtrc(freedom, g)) if freedom else float("nan")
