"""What became of each part of a pool: what it got by itself on rows it had not seen, its weight, what it chose."""

from dataclasses import dataclass

import numpy as np

from bayesfold.runtime.text_table import html_table, text_table


@dataclass(frozen=True)
class PartLine:
    """One part: its held-out log-loss and accuracy by itself, its weight, how long it took, what became of it."""

    name: str
    loss: float
    accuracy: float
    weight: float
    seconds: float
    what: str


@dataclass(frozen=True)
class Report:
    """What was tried, what each part got, and what they got together on rows they had not seen."""

    lines: tuple[PartLine, ...]
    loss: float
    accuracy: float
    rows: int
    held_out: str

    def _cells(self) -> list[tuple[str, ...]]:
        def number(x: float) -> str:
            return "" if np.isnan(x) else f"{x:.4f}"

        found = [
            (p.name, number(p.loss), number(p.accuracy), number(p.weight), f"{p.seconds:.1f}", p.what)
            for p in self.lines
        ]
        took = sum(p.seconds for p in self.lines)
        return [*found, ("together", number(self.loss), number(self.accuracy), "", f"{took:.1f}", self.held_out)]

    HEADER = ("part", "log-loss", "accuracy", "weight", "seconds", "what")

    def __str__(self) -> str:
        return text_table(self.HEADER, self._cells())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self.HEADER, self._cells())
