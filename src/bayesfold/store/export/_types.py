"""The type of each raw column, for systems whose columns have one: text, numbers, or truth values."""

from collections.abc import Sequence
from typing import Any

from bayesfold.data.frame import Level
from bayesfold.data.spelling import TRUTHS, as_text
from bayesfold.store.export._columns import CountsColumn, LevelsColumn, OneHotAxis, PresenceColumn, VectorColumn
from bayesfold.store.export._plan import Plan

TEXT, NUMBER, TRUTH = "text", "number", "truth"


def types_of(plan: Plan) -> dict[str, str]:
    """The type of each source, by its levels and how it is read; a column that could be anything is text."""
    by_source: dict[str, set[str]] = {source: set() for source in plan.sources}
    for column in plan.columns:
        for part in column.axes if isinstance(column, VectorColumn) else (column,):
            if isinstance(part, LevelsColumn | OneHotAxis):
                by_source[part.source] |= {type_of(level) for level in part.levels if level is not None}
            elif isinstance(part, CountsColumn):
                for source in part.sources:
                    by_source[source].add(NUMBER)
            elif not isinstance(part, PresenceColumn) or part.number:
                by_source[part.source].add(NUMBER)
    for source, types in by_source.items():
        if TEXT in types and len(types) > 1:
            raise ValueError(
                f"column {source!r} is read as text and as numbers, but elsewhere a column has one type; make its "
                "values all text, or all numbers, before fitting"
            )
    return {source: NUMBER if NUMBER in types else min(types, default=TEXT) for source, types in by_source.items()}


def type_of(level: object) -> str:
    """The type of one level; True is 1 where both occur."""
    return TEXT if isinstance(level, str) else TRUTH if isinstance(level, bool) else NUMBER


def written_truths(levels: Sequence[Level]) -> dict[Level, str]:
    """Which of the levels stands for true, and which for false, where all are truth values that are written.

    >>> written_truths(["TRUE", "FALSE"]), written_truths(["TRUE", "x"])
    ({'TRUE': 'true', 'FALSE': 'false'}, {})
    """
    if not levels or any(str(level).lower() not in TRUTHS for level in levels):
        return {}
    found = {as_text(truth, levels): text for text, truth in TRUTHS.items()}
    return found if set(levels) <= found.keys() else {}


def labels_as_text(labels: Sequence[Any]) -> list[str]:
    """Labels of several types, or of one that is nowhere else, as text; two that would be one are refused."""
    texts = [str(label) for label in labels]
    for i, text in enumerate(texts):
        if text in texts[:i]:
            first, second = labels[texts.index(text)], labels[i]
            raise ValueError(
                f"the labels {first!r} and {second!r} would both be the text {text!r}, and elsewhere labels have one "
                "type; name one of them otherwise"
            )
    return texts
