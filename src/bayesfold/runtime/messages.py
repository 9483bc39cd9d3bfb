"""Names and levels as people read them: in order, and in messages.

>>> ordered(["b", 2, "a", 1]), listed("abc", most=2)
((1, 2, 'a', 'b'), "'a', 'b' and 1 more")
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

Level = TypeVar("Level")


def ordered(levels: Sequence[Level]) -> tuple[Level, ...]:
    """Levels sorted, also when they are of several types."""
    try:
        return tuple(sorted(levels))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(levels, key=lambda v: (type(v).__name__, v)))


def listed(names: Iterable[Any], most: int = 8) -> str:
    """Names for an error message, cut where there are many."""
    shown = [repr(n) for n in names]
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")


def refuse_strangers(row: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse a row that has none of the columns: a misspelt name would otherwise pass for a row with nothing in it."""
    if names and not any(name in row for name in names):
        raise ValueError(f"this row has {listed(row)}, and none of the columns of the model: {listed(names)}")
