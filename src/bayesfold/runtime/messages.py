"""Names and levels as people read them: in order, and in messages.

>>> ordered(["b", 2, "a", 1]), listed("abc", most=2)
((1, 2, 'a', 'b'), "'a', 'b' and 1 more")
>>> suggest("glucos", ["Age", "Glucose"]), suggest("zinc", ["Age", "Glucose"])
("did you mean 'Glucose'?", "there are 'Age', 'Glucose'")
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


def digits(value: float, most: int = 3) -> str:
    """A number in so many digits, but never fewer than it has before the point, if these are no more than 15.

    >>> digits(2021.0), digits(1447.39), digits(0.87277), digits(7.977e-7), digits(1e20)
    ('2021', '1447', '0.873', '7.98e-07', '1e+20')
    """
    rounded = float(f"{value:.{max(most, before_point(value))}g}")
    return f"{rounded:.{max(most, before_point(rounded))}g}"


def before_point(value: float) -> int:
    """How many digits a number has before the point; 1 where it has more than 15, or is none."""
    return len(str(int(abs(value)))) if abs(value) < 1e15 else 1


def told_apart(values: Sequence[float], least: int) -> list[str]:
    """Rising numbers with as few digits as tell them apart, `least` at least, and one behind the point.

    >>> told_apart([7.97717, 12.5], 3), told_apart([2006.5], 3), told_apart([1001.25, 1001.75], 3)
    (['7.98', '12.5'], ['2006.5'], ['1001.2', '1001.8'])
    """
    shown = ([digits(v, max(most, before_point(v) + most - least + 1)) for v in values] for most in range(least, 15))
    return next((some for some in shown if len(set(some)) == len(values)), [repr(float(v)) for v in values])


def nearest(name: Any, names: Iterable[Any]) -> Any | None:
    """The one of `names` that is written most like `name`, None where none is like it; capitals do not matter.

    Of those that are equally like it, the one that begins with more of the same letters.

    >>> nearest("plase", ["pulse", "place"])
    'place'
    """
    written, asked = {str(n).casefold(): n for n in names}, str(name).casefold()
    near = get_close_matches(asked, list(written), 3)
    if not near:
        return None
    likeness = [SequenceMatcher(None, one, asked).ratio() for one in near]
    alike = [one for one, ratio in zip(near, likeness, strict=True) if ratio == likeness[0]]
    return written[max(alike, key=lambda one: alike_until([one, asked]))]


def alike_until(texts: Sequence[str]) -> int:
    """How many letters all of these begin with.

    >>> alike_until(["mass 1", "mass 12", "mat"])
    2
    """
    first, last = min(texts), max(texts)
    return next((k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))


def suggest(name: Any, names: Iterable[Any], there_are: str = "there are") -> str:
    """What to say to somebody who has typed a name that is none of `names`: the nearest, or some of those there are."""
    every = list(names)
    near = nearest(name, every)
    if near is not None:
        return f"did you mean {near!r}?"
    return f"{there_are} {listed(every)}" if every else f"{there_are} none"


def refuse_strangers(row: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse a row that has none of the columns: a misspelt name would otherwise pass for a row with nothing in it."""
    if names and not any(name in row for name in names):
        raise ValueError(f"this row has {listed(row)}, and none of the columns of the model: {listed(names)}")


ROW = re.compile(r"\A(?:row |(?P<column>column .*) in row )(?P<row>\d+)(?P<rest>[ ,;].*)", re.DOTALL)
"""A message about a row, which begins with it or with the column that is wrong in it."""


@contextmanager
def rows_numbered(places: "NDArray[np.intp] | None") -> Iterator[None]:
    """Errors about a row say its number among all rows, where only those at these places are looked at."""
    try:
        yield
    except ValueError as error:
        match = None if places is None else ROW.match(str(error))
        if match is None or places is None:
            raise
        begin, end = match.span("row")
        raise ValueError(f"{match[0][:begin]}{places[int(match['row'])]}{match[0][end:]}") from None
