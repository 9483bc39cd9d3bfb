"""What cells of generated tables hold, each by a number, so that all rows of a table are drawn at once.

To draw them cell by cell took half of the time of a law.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

Cell = Callable[[int], Any]
"""What a cell holds, by a number of 16 bits: 0 is the simplest, and all are about as likely."""


def any_of(*values: Any) -> Cell:
    """One of these."""
    return lambda i: values[i % len(values)]


def near_zero(most: int) -> Cell:
    """An integer of at most this size: 0, -1, 1, -2 and so on."""
    return lambda i: (i % (2 * most + 1) + 1) // 2 * (-1) ** (i % (2 * most + 1))


def sevenths(cell: Cell) -> Cell:
    """A seventh of it: numbers that no double holds exactly."""
    return lambda i: cell(i) / 7


def or_hole(cell: Cell) -> Cell:
    """Half of the cells are empty."""
    return lambda i: cell(i // 2) if i % 2 else None


def some_words(i: int) -> str:
    """Up to five words, some of which are alike but for their letters' case."""
    count, i = i % 6, i // 6
    return " ".join(("ham", "Spam", "eggs", "ÉGGS", "a", "ham")[i // 6**j % 6] for j in range(count))


def rows_of(label: Cell, cells: tuple[Cell, ...], least: int, most: int) -> st.SearchStrategy[list[Any]]:
    """Labels and cells of some rows."""
    width = 1 + len(cells)

    def read(drawn: bytes) -> list[Any]:
        rows = np.frombuffer(drawn, "<u2").reshape(-1, width).tolist()
        return [(label(first), tuple(cell(i) for cell, i in zip(cells, rest, strict=True))) for first, *rest in rows]

    def many(rows: int) -> st.SearchStrategy[bytes]:
        return st.binary(min_size=2 * width * rows, max_size=2 * width * rows)

    return st.integers(least, most).flatmap(many).map(read)
