"""The type of each raw column, for systems whose columns have one: text, numbers, or truth values."""

from bayesfold.store.export._columns import Counts, Levels, OneHot, Presence, Vector
from bayesfold.store.export._plan import Plan

TEXT, NUMBER, TRUTH = "text", "number", "truth"


def types_of(plan: Plan) -> dict[str, str]:
    """By what its levels are and how it is read; a column that could be anything is text."""
    found: dict[str, set[str]] = {source: set() for source in plan.sources}
    for column in plan.columns:
        for part in column.axes if isinstance(column, Vector) else (column,):
            if isinstance(part, Levels | OneHot):
                found[part.source] |= {type_of(level) for level in part.levels if level is not None}
            elif isinstance(part, Counts):
                for source in part.sources:
                    found[source].add(NUMBER)
            elif not isinstance(part, Presence) or part.number:
                found[part.source].add(NUMBER)
    for source, types in found.items():
        if TEXT in types and len(types) > 1:
            raise ValueError(
                f"column {source!r} is read as text and as numbers, but elsewhere a column has one type; make its "
                "values all text, or all numbers, before fitting"
            )
    return {source: NUMBER if NUMBER in types else min(types, default=TEXT) for source, types in found.items()}


def type_of(level: object) -> str:
    """Of one level; True is 1 where both occur."""
    return TEXT if isinstance(level, str) else TRUTH if isinstance(level, bool) else NUMBER
