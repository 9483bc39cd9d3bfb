"""What an answer is made of: one row's reasons, those of many rows, and their means."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Level
from bayesfold.data.own_names import OwnLine
from bayesfold.models.credit import OFFSET, SPREAD
from bayesfold.models.pool import CAP
from bayesfold.models.scoring.mixture import AVERAGING, MISSING_PARENTS
from bayesfold.runtime.messages import digits
from bayesfold.runtime.text_table import html_table, text_table

Codes = NDArray[np.intp]


SHOWN_ROWS = 5


MEANINGS = {
    OFFSET: "a constant for each class, fitted to held-out rows; it does not depend on the columns",
    SPREAD: "rows of one class are more spread out than those of another, or fewer are near, so such values are less "
    "likely there",
    AVERAGING: "a mean of the networks' probabilities is not a sum over columns; this is the difference",
    MISSING_PARENTS: "a column that others depend on is missing, so its values are summed out",
    CAP: "no model of the ensemble may rule out a class completely",
}
"""The lines that are no column's, in words."""


NEXT_TO_NOTHING = 5e-4


TERM = "the word "
"""Stands before a term that is called like a column or a line of ours, where both have a line."""


MOST_LINES = 50


LONGEST = 60


@dataclass(frozen=True)
class Reason:
    """A part, the raw value of its cell (None: missing, or no cell), and what it adds to the log-odds."""

    part: str
    value: Any
    contribution: float


@dataclass(frozen=True)
class Explanation:
    """One row: why `decision` and not `against`, the weightiest reasons first behind the prior."""

    decision: Level
    against: Level
    label: Any
    reasons: tuple[Reason, ...]
    note: str = ""
    asides: frozenset[str] = frozenset()  # texts, whose terms have lines: what the terms say that are not there

    @property
    def log_odds(self) -> float:
        """log P(decision | row) - log P(against | row)."""
        return float(sum(reason.contribution for reason in self.reasons))

    @property
    def caption(self) -> str:
        """What is explained, in words."""
        odds = f"log-odds {self.log_odds:+.3f}, {np.exp(min(abs(self.log_odds), 700)):.3g} to 1"
        more, less = (self.decision, self.against) if self.log_odds >= 0 else (self.against, self.decision)
        own = "" if self.label == self.decision else f" (predicted: {self.label})"
        return f"{self.decision} against {self.against}{own}: {odds} for {more} over {less}"

    def _lines(self) -> list[tuple[str, str, str]]:
        shown = [r for r in self.reasons if not self._aside(r.part) or abs(r.contribution) >= NEXT_TO_NOTHING]
        lines = [(r.part, print_value(r.value), f"{r.contribution:+.3f}") for r in shown[:MOST_LINES]]
        if rest := shown[MOST_LINES:]:
            lines.append((f"{len(rest):,} more parts", "", f"{sum(r.contribution for r in rest):+.3f}"))
        return [*lines, ("sum", "", f"{self.log_odds:+.3f}")]

    def _aside(self, part: str) -> bool:
        """Whether a line is shown only if it says something."""
        return part in self.asides or meaning_of(part) != ""

    def _notes(self) -> list[str]:
        """The convention, and what the lines mean that are no column's."""
        shown = [name for name, *_ in self._lines()]
        lacking = [f"{a}: what is said of any text, whatever its terms" for a in sorted(self.asides) if a in shown]
        return [
            *filter(None, [self.note]),
            *lacking,
            *(f"{r.part}: {meaning_of(r.part)}" for r in self.reasons if r.part in shown and meaning_of(r.part)),
        ]

    def __str__(self) -> str:
        return "\n".join((self.caption, text_table(("part", "value", "log-odds"), self._lines()), *self._notes()))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(("part", "value", "log-odds"), self._lines(), caption=self.caption) + "".join(
            f"<p>{escape(note)}</p>" for note in self._notes()
        )


@dataclass(frozen=True)
class CountCells:
    """Non-zero cells of blocks of counts: row, name and value of each, and what it adds to the log-odds."""

    rows: Codes
    names: NDArray[Any]
    values: Floats
    margins: Floats


@dataclass(frozen=True, repr=False)
class Explanations(Sequence[Explanation]):
    """Explanations of rows, one each: `margins` is [row, part], and a row's sum (with its words) is its log-odds."""

    classes: tuple[Level, ...]
    parts: tuple[str, ...]
    margins: Floats
    decision: Codes
    against: Codes
    labels: NDArray[Any]
    cells: Mapping[str, Sequence[Any]]
    words: CountCells
    note: str = ""
    asides: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.margins)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        i = range(len(self))[row]
        given = [
            Reason(part, self.cells[part][i] if part in self.cells else None, float(m))
            for part, m in zip(self.parts, self.margins[i], strict=True)
        ]
        mine = np.flatnonzero(self.words.rows == i)
        w = self.words
        given += [Reason(str(w.names[k]), w.values[k].item(), float(w.margins[k])) for k in mine]
        reasons = (given[0], *sorted(given[1:], key=lambda reason: -abs(reason.contribution)))
        a, b = self.decision[i], self.against[i]
        return Explanation(self.classes[a], self.classes[b], self.labels[i], reasons, self.note, self.asides)

    def __iter__(self) -> Iterator[Explanation]:
        return (self[i] for i in range(len(self)))

    @property
    def log_odds(self) -> Floats:
        """log P(decision | row) - log P(against | row) of each row."""
        own = np.bincount(self.words.rows, self.words.margins, len(self)) if len(self.words.rows) else 0.0
        return np.asarray(self.margins.sum(axis=1) + own)

    def importance(self) -> "Importance":
        """How far each part moves the log-odds, up or down: its mean over the rows."""
        mean = dict(zip(self.parts, np.abs(self.margins).mean(axis=0).tolist(), strict=True))
        terms = [TERM + str(name) if name in mean else str(name) for name in self.words.names]
        names, place = np.unique(np.array(terms, str), return_inverse=True)
        totals = np.bincount(place, np.abs(self.words.margins), len(names)) / len(self)
        mean |= dict(zip(names.tolist(), totals.tolist(), strict=True))
        return Importance(dict(sorted(mean.items(), key=lambda item: -item[1])))

    def columns(self) -> dict[str, list[Any]]:
        """One line per row and part: row, decision, against, part, value, contribution."""
        columns: dict[str, list[Any]] = {
            name: [] for name in ("row", "decision", "against", "part", "value", "contribution")
        }
        for i, one in enumerate(self):
            for reason in one.reasons:
                value = None if reason.value is None else print_value(reason.value)
                line = (i, str(one.decision), str(one.against), reason.part, value, reason.contribution)
                for name, cell in zip(columns, line, strict=True):
                    columns[name].append(cell)
        return columns

    def to_frame(self, backend: Any = "pandas") -> Any:
        """`columns` as a data frame of that library."""
        import narwhals as nw  # only who wants a frame waits for it

        return nw.from_dict(self.columns(), backend=backend).to_native()

    def __str__(self) -> str:
        shown = "\n\n".join(str(one) for one in self[:SHOWN_ROWS])
        more = len(self) - SHOWN_ROWS
        return f"{shown}\n\nand {more:,} more rows" if more > 0 else shown

    __repr__ = __str__

    def _repr_html_(self) -> str:
        more = len(self) - SHOWN_ROWS
        tail = f"<p>and {more:,} more rows</p>" if more > 0 else ""
        return "".join(one._repr_html_() for one in self[:SHOWN_ROWS]) + tail


@dataclass(frozen=True, repr=False)
class Importance(Mapping[str, float]):
    """Mean absolute log-odds of each part, the weightiest first."""

    mean: Mapping[str, float]

    def __getitem__(self, part: str) -> float:
        return self.mean[part]

    def __iter__(self) -> Iterator[str]:
        return iter(self.mean)

    def __len__(self) -> int:
        return len(self.mean)

    def __str__(self) -> str:
        return text_table(("part", "mean |log-odds|"), [(part, f"{m:.3f}") for part, m in self.mean.items()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(("part", "mean |log-odds|"), [(part, f"{m:.3f}") for part, m in self.mean.items()])


def meaning_of(part: str) -> str:
    """What a line means that is no column's; empty for a column's and for the prior's."""
    return MEANINGS.get(part.kind, "") if isinstance(part, OwnLine) else ""


def no_cells() -> CountCells:
    """A record without cells."""
    return CountCells(np.empty(0, np.intp), np.empty(0, object), np.empty(0), np.empty(0))


def is_missing(value: Any) -> bool:
    """Whether a raw value says nothing, as cells of frames and of files do."""
    return bool(value is None or value != value or value == "")


def print_value(value: Any, most: int = 6) -> str:
    """A raw value as a table shows it: "-" where it is missing, its beginning where it is long."""
    if is_missing(value):
        return "-"
    if isinstance(value, str) and len(value) > LONGEST:
        return value[:LONGEST] + "..."
    return digits(value, most) if isinstance(value, float) else str(value)
