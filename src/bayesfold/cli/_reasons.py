"""Explanations in a terminal: one table per row, with bars."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.cli._names import resolve_name
from bayesfold.cli._rows import warn_of
from bayesfold.cli._tables import Table
from bayesfold.cli._words import bar, is_terminal, note, remark, say, table, title
from bayesfold.data.frame import Frame
from bayesfold.explanations.counterfactual import Change
from bayesfold.explanations.explanation import NEXT_TO_NOTHING, Explanation, Explanations, meaning
from bayesfold.explanations.explanation import in_print as in_words
from bayesfold.explanations.next_question import Questions
from bayesfold.explanations.requests import explain_rows as explained_by
from bayesfold.explanations.requests import find_change, rank_questions
from bayesfold.io.unseen import Unseen
from bayesfold.learning.trained import Trained


@dataclass(frozen=True)
class Told:
    """A row's number in the file, why it is answered so, and what would change that; a text says why not."""

    row: int
    why: Explanation
    change: Change | str | None = None
    ask: Questions | str | None = None


def places(table_: Table, picked: Sequence[int], first: int) -> NDArray[np.intp]:
    """The rows to explain, as places in the table."""
    if not picked:
        return np.arange(min(first, table_.rows))
    beyond = [n for n in picked if n > table_.rows]
    if beyond:
        raise ValueError(f"there is no row {beyond[0]:,}; {table_.label} has {table_.rows:,}")
    return np.array(picked, np.intp) - 1


def numbers(place: NDArray[np.intp] | None) -> list[int]:
    """Rows as people number them."""
    return [] if place is None else (place + 1).tolist()


def frame(trained: Trained, table_: Table, place: NDArray[np.intp] | None) -> Frame:
    """The rows as the model reads them."""
    warn_of(Unseen(trained.model_.schema).see(table_.frame(trained)))
    return (table_ if place is None else table_.taken(place)).frame(trained)


def explained(trained: Trained, rows: Frame, of: str | None, against: str | None) -> Explanations:
    """The explanation of each row; classes are given as they are written."""
    classes = trained.model_.classes
    a, b = (None if c is None else resolve_name("class", c, classes) for c in (of, against))
    return explained_by(trained, rows, a, b)


def more(trained: Trained, rows: Frame, i: int, change: bool, ask: bool) -> Iterator[Any]:
    """What would change row i's decision, and what to ask; where there is no answer, why not."""
    mask = np.arange(rows.rows) == i
    for wanted, question in (
        (change, lambda one: find_change(trained, one, None, (), None)),
        (ask, lambda one: rank_questions(trained, one)),
    ):
        if not wanted:
            yield None
            continue
        try:
            yield question(rows.take(mask))
        except ValueError as error:
            yield str(error)


def show(told: Told) -> None:
    """One row: what is decided, one line per part, the sum."""
    why = told.why
    title(f"row {told.row}: {why.caption}")
    said = [r for r in why.reasons if not meaning(r.part) or abs(r.contribution) >= NEXT_TO_NOTHING]
    most = max((abs(r.contribution) for r in said), default=1.0) or 1.0
    bars = [bar(r.contribution / most) if is_terminal() else "" for r in said]
    lines = [(r.part, in_words(r.value), f"{r.contribution:+.3f}") for r in said]
    table(("part", "value", "log-odds"), [*lines, ("sum", "", f"{why.log_odds:+.3f}")], bars=bars)
    for answer in (told.change, told.ask):
        if answer is not None:
            say(f"\n{answer}")


def show_notes(told: Sequence[Told]) -> None:
    """What the lines of these rows mean, once."""
    notes = dict.fromkeys(text for row in told for text in row.why._notes())
    if notes:
        say()
    for one in notes:
        note(f"({one})")


def show_importance(why: Explanations) -> None:
    """How far each part moves the log-odds."""
    found = {p: m for p, m in why.importance().items() if not meaning(p) or m >= NEXT_TO_NOTHING}
    most = max(found.values(), default=1.0) or 1.0
    bars = [bar(m / most) if is_terminal() else "" for m in found.values()]
    table(("part", "mean |log-odds|"), [(part, f"{m:.3f}") for part, m in found.items()], bars=bars)
    remark(f"mean over {len(why):,} rows")


def as_json(told: Told) -> dict[str, Any]:
    """One row for machines."""
    why = told.why
    found: dict[str, Any] = {
        "row": told.row,
        "predicted": why.label,
        "decision": why.decision,
        "against": why.against,
        "log_odds": why.log_odds,
        "reasons": [{"part": r.part, "value": r.value, "log_odds": r.contribution} for r in why.reasons],
    }
    if isinstance(told.change, Change):
        steps = [{"column": c, "is": old, "would_be": new} for c, old, new in told.change.changes]
        found["change"] = {"to": told.change.after, "changes": steps, "smallest": told.change.smallest}
    elif told.change is not None:
        found["change"] = None
    if told.ask is not None:
        found["ask"] = dict(told.ask) if isinstance(told.ask, Questions) else {}
    return found
