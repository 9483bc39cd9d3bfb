"""What to ask next: the missing column whose value is expected to lower the risk of the decision most.

    gain(j) = R(row) - sum over v of P(x_j = v | row) R(row, x_j = v),      R the least conditional risk

P(x_j = v | row) comes from the model's own joints: sum over classes of P(class, row, x_j = v), summed over levels or,
for numbers, over a grid. A pool has posteriors and no joint: there it is the mean of its members', by their weights.
The gain is never below 0: an answer can be ignored.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.models.posterior import log_posterior
from bayesfold.runtime.text_table import html_table, text_table

Row = Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class Questions(Mapping[str, float]):
    """The expected reduction in risk of each missing column, the best first; `risk` is that of the row as it is."""

    risk: float
    gains: Mapping[str, float]

    @property
    def best(self) -> str:
        """The column to ask for."""
        return next(iter(self.gains))

    def __getitem__(self, column: str) -> float:
        return self.gains[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.gains)

    def __len__(self) -> int:
        return len(self.gains)

    def _lines(self) -> list[tuple[str, str, str]]:
        return [(c, f"{g:.4f}", f"{self.risk - g:.4f}") for c, g in self.gains.items()]

    def __str__(self) -> str:
        header = ("to ask", "lowers risk by", "to")
        return f"risk now {self.risk:.4f}\n{text_table(header, self._lines())}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        header = ("to ask", "lowers risk by", "to")
        return html_table(header, self._lines(), caption=f"risk now {self.risk:.4f}")


def what_to_ask(
    row: Row,
    levels: Mapping[str, Sequence[Any]],
    grids: Mapping[str, Floats],
    score: Callable[[Sequence[Row]], Floats],
    least_risk: Callable[[Floats], Floats],
    evidence: Callable[[Sequence[Row], str], tuple[Floats, Floats]],
) -> Questions:
    """The expected gain of each column in `levels` or `grids`; `score` gives log joints, `least_risk` posteriors' R.

    `evidence` gives the weights of the models that read a column, and log P(row) of each, [model, row].
    """
    now = float(least_risk(log_posterior(score([row]), logs=False))[0])
    gains: dict[str, float] = {}
    for column in (*levels, *grids):
        values = levels[column] if column in levels else grids[column].tolist()
        rows = [{**row, column: v} for v in values]
        joints = score(rows)
        weights, height = evidence(rows, column)
        step = np.gradient(grids[column]) if column in grids and len(values) > 1 else np.ones(len(values))
        height = height + np.log(step)
        chance = weights @ np.exp(height - np.logaddexp.reduce(height, axis=1)[:, None]) / weights.sum()
        after = log_posterior(joints, logs=False)
        # what is believed now, as the mean of what would be believed: the same grid on both sides keeps the gain >= 0
        before = float(least_risk((chance @ after)[None])[0])
        gain = max(before - float(chance @ least_risk(after)), 0.0)
        # in a pool and in a vector a missing cell is not a mean over its values: the share of the risk carries over
        gains[column] = gain * now / before if now > 0 and before > 0 else gain
    return Questions(now, dict(sorted(gains.items(), key=lambda item: -item[1])))
