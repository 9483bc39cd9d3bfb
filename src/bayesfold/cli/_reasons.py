"""Explanations in a terminal: one table per row, with bars."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.cli._names import resolve_name
from bayesfold.cli._rows import warn_of_unseen
from bayesfold.cli._tables import SourceTable
from bayesfold.cli._words import draw_bar, is_terminal, note, print_table, print_title, remark, say
from bayesfold.data.frame import Frame
from bayesfold.explanations.counterfactual import Change
from bayesfold.explanations.explanation import NEXT_TO_NOTHING, Explanation, Explanations, meaning_of
from bayesfold.explanations.explanation import print_value as in_words
from bayesfold.explanations.next_question import Questions
from bayesfold.explanations.requests import explain_rows as explained_by
from bayesfold.explanations.requests import find_change, rank_questions
from bayesfold.io.unseen import Unseen
from bayesfold.learning.trained import Trained


@dataclass(frozen=True)
class ExplainedRow:
    """A row's number in the file, why it is answered so, and what would change that; a text says why not."""

    row: int
    why: Explanation
    change: Change | str | None = None
    ask: Questions | str | None = None


def pick_rows(table_: SourceTable, picked: Sequence[int], first: int) -> NDArray[np.intp]:
    """The rows to explain, as places in the table."""
    if not picked:
        return np.arange(min(first, table_.rows))
    beyond = [n for n in picked if n > table_.rows]
    if beyond:
        raise ValueError(f"there is no row {beyond[0]:,}; {table_.label} has {table_.rows:,}")
    return np.array(picked, np.intp) - 1


def row_numbers(place: NDArray[np.intp] | None) -> list[int]:
    """Rows as people number them."""
    return [] if place is None else (place + 1).tolist()


def read_frame(trained: Trained, table_: SourceTable, chosen: SourceTable) -> Frame:
    """The rows of a table that were chosen, as the model reads them."""
    warn_of_unseen(Unseen(trained.model_.schema).see(table_.frame(trained)))
    return chosen.frame(trained)


def explain_rows(trained: Trained, rows: Frame, of: str | None, against: str | None) -> Explanations:
    """The explanation of each row; classes are given as they are written."""
    classes = trained.model_.classes
    a, b = (None if c is None else resolve_name("class", c, classes) for c in (of, against))
    return explained_by(trained, rows, a, b)


def answer_further(trained: Trained, rows: Frame, i: int, change: bool, ask: bool) -> Iterator[Any]:
    """What would change row i's decision, and what to ask; None where that is not asked for, else a text why not."""
    mask = np.arange(rows.rows) == i
    for asked_for, question in (
        (change, lambda one: find_change(trained, one, None, (), None)),
        (ask, lambda one: rank_questions(trained, one)),
    ):
        if not asked_for:
            yield None
            continue
        try:
            yield question(rows.take(mask))
        except ValueError as error:
            yield str(error)


def show_row(answer_row: ExplainedRow) -> None:
    """Print one row: the decision, one line per part, the sum."""
    why = answer_row.why
    print_title(f"row {answer_row.row}: {why.caption}")
    said = [r for r in why.reasons if not meaning_of(r.part) or abs(r.contribution) >= NEXT_TO_NOTHING]
    most = max((abs(r.contribution) for r in said), default=1.0) or 1.0
    bars = [draw_bar(r.contribution / most) if is_terminal() else "" for r in said]
    lines = [(r.part, in_words(r.value), f"{r.contribution:+.3f}") for r in said]
    print_table(("part", "value", "log-odds"), [*lines, ("sum", "", f"{why.log_odds:+.3f}")], bars=bars)
    for answer in (answer_row.change, answer_row.ask):
        if answer is not None:
            say(f"\n{answer}")


def show_notes(rows: Sequence[ExplainedRow]) -> None:
    """Print once what the lines of these rows mean."""
    notes = dict.fromkeys(text for row in rows for text in row.why._notes())
    if notes:
        say()
    for one in notes:
        note(f"({one})")


def show_importance(why: Explanations) -> None:
    """Print how far each part moves the log-odds."""
    importance = {p: m for p, m in why.importance().items() if not meaning_of(p) or m >= NEXT_TO_NOTHING}
    most = max(importance.values(), default=1.0) or 1.0
    bars = [draw_bar(m / most) if is_terminal() else "" for m in importance.values()]
    print_table(("part", "mean |log-odds|"), [(part, f"{m:.3f}") for part, m in importance.items()], bars=bars)
    remark(f"mean over {len(why):,} rows")


def row_as_json(row: ExplainedRow) -> dict[str, Any]:
    """One row, for print as JSON."""
    why = row.why
    document: dict[str, Any] = {
        "row": row.row,
        "predicted": why.label,
        "decision": why.decision,
        "against": why.against,
        "log_odds": why.log_odds,
        "reasons": [{"part": r.part, "value": r.value, "log_odds": r.contribution} for r in why.reasons],
    }
    if isinstance(row.change, Change):
        steps = [{"column": c, "is": old, "would_be": new} for c, old, new in row.change.changes]
        document["change"] = {"to": row.change.after, "changes": steps, "smallest": row.change.smallest}
    elif row.change is not None:
        document["change"] = None
    if row.ask is not None:
        document["ask"] = dict(row.ask) if isinstance(row.ask, Questions) else {}
    return document
