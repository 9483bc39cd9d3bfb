"""Rows without a label, as a saved model remembers them; `em` learns them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Unlabelled:
    """What became of the rows without a label."""

    rows: int
    weight: float = 0.0  # of an unlabelled row, beside 1 for a labelled one
    steps: int = 0
    log_likelihood: tuple[float, ...] = ()  # with the log prior of the smoothing, after each step
    losses: dict[float, float] = field(default_factory=dict)  # held-out log-loss of labelled rows, by weight
