"""A measure of answers: a number with its interval, which is what is shown and saved of it; `measures` computes them.

>>> in_print(Measure(0.9, 0.85, 0.95))
('0.900', '0.850 to 0.950')
"""

from dataclasses import dataclass, field

import numpy as np

from bayesfold.data.frame import Floats

INTERVAL = "95 % interval"
NO_ROWS = np.empty(0)


@dataclass(frozen=True)
class Measure:
    """A number and its interval (NaN: it has none); what each row adds, of which it is the mean; and fold by fold."""

    value: float
    low: float = np.nan
    high: float = np.nan
    rows: Floats = field(default_factory=lambda: NO_ROWS, repr=False, compare=False)
    by_fold: Floats = field(default_factory=lambda: NO_ROWS, repr=False, compare=False)

    @property
    def interval(self) -> str:
        """The interval in print."""
        return f"{self.low:.3f} to {self.high:.3f}" if self.low == self.low else "-"

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval does not hold 0."""
        return bool(self.low > 0 or self.high < 0)


def in_print(measure: Measure, sign: str = "") -> tuple[str, str]:
    """A number and its interval."""
    return (f"{measure.value:{sign}.3f}" if measure.value == measure.value else "-"), measure.interval
