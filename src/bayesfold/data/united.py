"""What two schemas say, united: columns with their levels, declared levels, and the decimal marks of text files."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from bayesfold.data.frame import Level

Declared: TypeAlias = Mapping[str, tuple[Level, ...]]
"""By column the levels that somebody has declared, which stay without a row; of a text how many of its first terms,
of a vector nothing: all of it stays."""


def unite_columns(first: Sequence[Any], second: Sequence[Any]) -> tuple[Any, ...]:
    """Columns of the same names with the levels of both; those that differ in anything else are refused by name."""
    for a, b in zip(first, second, strict=True):
        if type(a) is not type(b) or a.blank() != b.blank():
            raise ValueError(
                f"column {a.name!r} is read in two ways, as {a.in_words} and as {b.in_words}; learn both models "
                "with the same schema: first.blank().partial_fit(X, y)"
            )
    return tuple(a.united(b) for a, b in zip(first, second, strict=True))


def unite_declared(first: Declared, second: Declared) -> Declared:
    """The levels that either declares.

    >>> unite_declared({"y": ("a",)}, {"y": ("b", "a"), "x": (1,)})
    {'y': ('a', 'b'), 'x': (1,)}
    """
    return {n: tuple(dict.fromkeys((*first.get(n, ()), *second.get(n, ())))) for n in (*first, *second)}


def unite_marks(first: Mapping[str, str], second: Mapping[str, str]) -> Mapping[str, str]:
    """What is known of the marks of columns by two models; "" where they differ, so that nothing is.

    >>> unite_marks({"a": ",", "b": ","}, {"b": ".", "c": "."})
    {'a': ',', 'b': '', 'c': '.'}
    """
    return {n: first.get(n, m) if first.get(n, m) == second.get(n, m) else "" for n, m in {**first, **second}.items()}


def say_the_same(first: Any, second: Any) -> bool:
    """Whether equal schemas are equal in what no count depends on, too."""
    return bool(first.declared == second.declared and first.decimals == second.decimals)
