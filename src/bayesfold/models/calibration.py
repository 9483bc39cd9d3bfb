"""What held-out scores teach about a model as a whole: an exponent on its joint probability, and a bias for a class.

>>> Calibration(0.5, (("no", 0.0), ("yes", 1.0))).of(np.log([[0.2, 0.6]]), ("no", "yes")).round(3)
array([[-0.805,  0.745]])
"""

from dataclasses import dataclass, replace

import numpy as np

from bayesfold.data.frame import Floats, Level


@dataclass(frozen=True)
class Calibration:
    """log joint -> exponent * log joint + bias; a class that has no bias here has 0."""

    exponent: float = 1.0
    bias: tuple[tuple[Level, float], ...] = ()

    def bias_of(self, classes: tuple[Level, ...]) -> Floats:
        """The bias of each class."""
        known = dict(self.bias)
        return np.array([known.get(c, 0.0) for c in classes])

    def among(self, classes: tuple[Level, ...]) -> "Calibration":
        """This calibration where there are only these classes."""
        return replace(self, bias=tuple(pair for pair in self.bias if pair[0] in classes))

    def of(self, log_joint: Floats, classes: tuple[Level, ...]) -> Floats:
        """The calibrated log joint."""
        return self.exponent * log_joint + self.bias_of(classes)


NONE = Calibration()
"""Leaves the posterior as it is."""
