"""The rows and columns in which arcs can be looked for: without holes, and of few enough states."""

from collections.abc import Iterable, Sequence

from bayesfold.data.frame import Floats, Frame
from bayesfold.networks.learning.counts import find_whole_rows, first_hole, shows_value
from bayesfold.runtime.messages import listed

MOST_LEVELS = 4_096
"""The most states of a column whose arcs are looked for."""


def rows_to_search(
    frame: Frame, names: Sequence[str], weights: Floats | None, holes: str, em: bool
) -> tuple[Frame, Floats | None]:
    """The rows in which arcs are looked for, and their weights: all, or those without holes if the others go out."""
    if holes not in ("refuse", "leave_out"):
        raise ValueError(f'holes must be "refuse" or "leave_out", not {holes!r}')
    if em or holes == "refuse":
        return frame, weights
    whole = find_whole_rows(frame, names)
    if whole.all():
        return frame, weights
    if not whole.any():
        lacking = [name for name in names if not shows_value(frame, name).all()]
        raise ValueError(
            f"no row has a value in every column: leave out columns ({listed(lacking)} have holes), or take em=True "
            "(structural EM)"
        )
    return frame.take(whole), None if weights is None else weights[whole]


def refuse_levels(name: str, levels: int) -> None:
    """Refuse a column of which no table could be learned, and say what to do."""
    if levels > MOST_LEVELS:
        raise ValueError(
            f"the column {name!r} has {levels:,} different values, too many to learn its arcs: put rare values "
            'together, cut numbers into intervals or let them stay numbers (numbers="gaussian"), or leave the column '
            "out"
        )


def has_holes(frame: Frame, names: Iterable[str], weight: Floats | None) -> bool:
    """Whether some cell of these columns is missing, in a row that weighs something."""
    return any(first_hole(frame, name, weight) is not None for name in names)
