"""Why a row is decided as it is: what the prior and each column add to the log-odds between two classes.

    log P(a, row) - log P(b, row) = sum over parts of (what the part says of a - what it says of b)

The parts are the model's own terms, so they sum to its log-odds and no order of the columns matters. A column that
depends on others besides the class is credited with what it adds once those are known, and two columns that share a
covariance with half of it each: conventions, which every explanation that needs them states. Whatever is not a sum over
columns has a line of its own. In a block of counts each column that is not zero has a line, measured from a row in
which the whole block is zero; that row's own share stays with the block.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Counts
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.own_names import OwnLine
from bayesfold.data.schema import Schema
from bayesfold.data.sparse import entries
from bayesfold.data.vector import Vector
from bayesfold.explanations.candidate_values import members
from bayesfold.explanations.terms import said
from bayesfold.models.credit import OFFSET, SPREAD
from bayesfold.models.model import Model
from bayesfold.models.pool import CAP
from bayesfold.models.scoring.mixture import AVERAGING, MISSING_PARENTS
from bayesfold.runtime.text_table import html_table, text_table

Codes = NDArray[np.intp]
MOST_ENTRIES = 1 << 14
SHOWN_ROWS = 5
SHARED = "columns depend on each other here, and how they share what they say together is a convention: "
PARENTS = "a column is credited with what it adds once its parents, the columns it depends on, are known"
HALVES = "two columns that vary together have half each of what that says"
MEANINGS = {
    OFFSET: "what rows left out taught of a class as a whole, whatever the columns show",
    SPREAD: "rows of one class are more spread out than those of another, so any single value is less likely there",
    AVERAGING: "what a mean over networks adds to the networks' mean of each column",
    MISSING_PARENTS: "a column that others depend on is missing, so its values are summed over",
    CAP: "no model of a pool may rule a class out, however sure it is",
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
        lines = [(r.part, in_print(r.value), f"{r.contribution:+.3f}") for r in shown[:MOST_LINES]]
        if rest := shown[MOST_LINES:]:
            lines.append((f"{len(rest):,} more parts", "", f"{sum(r.contribution for r in rest):+.3f}"))
        return [*lines, ("sum", "", f"{self.log_odds:+.3f}")]

    def _aside(self, part: str) -> bool:
        """Whether a line is shown only if it says something."""
        return part in self.asides or meaning(part) != ""

    def _notes(self) -> list[str]:
        """The convention, and what the lines mean that are no column's."""
        shown = [name for name, *_ in self._lines()]
        lacking = [f"{a}: what is said of any text, whatever its terms" for a in sorted(self.asides) if a in shown]
        return [
            *filter(None, [self.note]),
            *lacking,
            *(f"{r.part}: {meaning(r.part)}" for r in self.reasons if r.part in shown and meaning(r.part)),
        ]

    def __str__(self) -> str:
        return "\n".join((self.caption, text_table(("part", "value", "log-odds"), self._lines()), *self._notes()))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(("part", "value", "log-odds"), self._lines(), caption=self.caption) + "".join(
            f"<p>{escape(note)}</p>" for note in self._notes()
        )


@dataclass(frozen=True)
class Words:
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
    words: Words
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
        found: dict[str, list[Any]] = {
            name: [] for name in ("row", "decision", "against", "part", "value", "contribution")
        }
        for i, one in enumerate(self):
            for reason in one.reasons:
                value = None if reason.value is None else in_print(reason.value)
                line = (i, str(one.decision), str(one.against), reason.part, value, reason.contribution)
                for name, cell in zip(found, line, strict=True):
                    found[name].append(cell)
        return found

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


def meaning(part: str) -> str:
    """What a line means that is no column's; empty for a column's and for the prior's."""
    return MEANINGS.get(part.kind, "") if isinstance(part, OwnLine) else ""


def explain(
    model: Model, batch: Batch, frame: Frame, decision: Codes, against: Codes | None, labels: NDArray[Any]
) -> Explanations:
    """Explanations of rows: why each one's `decision` rather than `against` (None: the most probable other class)."""
    parts = model.contributions(batch)
    rows = np.arange(batch.rows)
    if against is None:
        others = parts.sum(axis=1)
        others[rows, decision] = -np.inf
        against = others.argmax(axis=1)
    margins = parts[rows, :, decision] - parts[rows, :, against]
    words = empty()
    for column in model.schema.features:
        if isinstance(column, Counts):
            base, own = split(model, batch, frame, column, decision, against)
            margins[:, model.parts.index(column.name)] = base
            words = joined(words, own)
    asides: set[str] = set()
    for source, own_terms in said(model, batch, frame, decision, against):
        place = model.parts.index(source)
        asides.add(source)
        margins[:, place] -= np.bincount(own_terms[0], own_terms[3], batch.rows)
        words = joined(words, Words(*own_terms))
    cells = cells_of(model.schema, frame)
    note = convention(model)
    aside = frozenset(asides)
    return Explanations(model.classes, model.parts, margins, decision, against, labels, cells, words, note, aside)


def convention(model: Any) -> str:
    """How columns that say something together share it, if there are any."""
    ways = [PARENTS] if any(has_parents(one) for one in members(model)) else []
    ways += [HALVES] if any(isinstance(c, Vector) for c in model.schema.features) else []
    return SHARED + "; ".join(ways) if ways else ""


def has_parents(model: Model) -> bool:
    """Whether a column depends on another."""
    own = {model.schema.target.name}
    return any(not set(node.parents) <= own for network in model.mixture.networks for node in network)


def split(
    model: Model, batch: Batch, frame: Frame, column: Counts, decision: Codes, against: Codes
) -> tuple[Floats, Words]:
    """A block's margin in a row where it is all zero, and what each of its cells that is not zero adds to that.

    A block's log density is linear in its cells: each is asked about alone.
    """
    from scipy.sparse import csr_array  # it is slow to load, and most tables do without

    place = model.parts.index(column.name)

    def margin(some: Codes, block: Any) -> Floats:
        panels = tuple(replace(p, values=block) if p.names == (column.name,) else p for p in batch.take(some).counts)
        parts = model.contributions(replace(batch.take(some), counts=panels), empty_rows=False)[:, place]
        k = np.arange(len(some))
        return np.asarray(parts[k, decision[some]] - parts[k, against[some]])

    everyone = np.arange(batch.rows)
    base = np.concatenate([margin(some, csr_array((len(some), column.width))) for some in pieces(everyone)])
    found, raw = [empty()], frame.matrix_of(column.sources)
    for span, row, source, value in entries(batch.column(column.name)):
        for some in pieces(np.flatnonzero(value)):
            rows = (row[some] + span.start).astype(np.intp)
            alone = csr_array((value[some], source[some], np.arange(len(some) + 1)), (len(some), column.width))
            names = np.asarray(column.sources, object)[source[some]]
            cells = np.asarray(raw[rows, source[some]], np.float64).ravel()
            found.append(Words(rows, names, cells, margin(rows, alone) - base[rows]))
    return base, Words(*(np.concatenate(part) for part in zip(*map(fields, found), strict=True)))


def pieces(rows: Codes) -> list[Codes]:
    """Rows in pieces that are asked about at once."""
    return [rows[begin : begin + MOST_ENTRIES] for begin in range(0, len(rows), MOST_ENTRIES)]


def joined(some: Words, more: Words) -> Words:
    """Both records' cells."""
    return Words(*(np.concatenate(pair) for pair in zip(fields(some), fields(more), strict=True)))


def fields(words: Words) -> tuple[Any, ...]:
    """A record's arrays, in order."""
    return words.rows, words.names, words.values, words.margins


def empty() -> Words:
    """No cells."""
    return Words(np.empty(0, np.intp), np.empty(0, object), np.empty(0), np.empty(0))


def cells_of(schema: Schema, frame: Frame) -> dict[str, list[Any]]:
    """The raw cells of each source column that has a line of its own."""
    counts = {source for c in schema.features if isinstance(c, Counts) for source in c.sources}
    return {source: frame.column(source).tolist() for source in schema.sources if source not in counts}


def in_print(value: Any, digits: int = 6) -> str:
    """A raw value in a table."""
    if value is None or value != value or value == "":
        return "-"
    if isinstance(value, str) and len(value) > LONGEST:
        return value[:LONGEST] + "..."
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)
