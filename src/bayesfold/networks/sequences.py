"""Sequences of states as a chain reads them: lists, each state behind those before it.

>>> list(read_sequences(["ab", ("sun", "rain")]))
[['a', 'b'], ['sun', 'rain']]
>>> contexts(np.array([1, 2, 2], np.int32), 2).tolist()
[[0, 0, 1], [0, 1, 2], [1, 2, 2]]
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Level


def read_sequences(sequences: Any) -> Iterator[list[Level]]:
    """Each sequence as a list; one text, and a table, which gives the names of its columns, are no sequences."""
    if isinstance(sequences, str):
        raise TypeError(f"{sequences!r} is one sequence; give a list of sequences, as in [{sequences!r}]")
    if isinstance(sequences, Mapping) or hasattr(sequences, "columns"):
        raise TypeError(
            f"this {type(sequences).__name__} is a table, whose columns have names; give a list of sequences, each a "
            "list of states"
        )
    yield from (check_sequence(i, sequence) for i, sequence in enumerate(sequences))


def check_sequence(i: int, sequence: Any) -> list[Level]:
    """A sequence as a list; one with a hole is refused, because a hole would look like a start."""
    if np.ndim(sequence) == 0 and not isinstance(sequence, str):
        raise TypeError(f"sequence {i} is {sequence!r}; give a list of sequences, each a list of states")
    states = [x.item() if isinstance(x, np.generic) else x for x in sequence]
    for t, x in enumerate(states):
        if x is None or x != x or x == "":
            raise ValueError(f"sequence {i} has no state at place {t}; split it there into two sequences")
    return states


def contexts(slots: NDArray[np.int32], order: int) -> NDArray[np.int32]:
    """A row for each state of a sequence: the k slots before it (0 before the first), and its own."""
    padded = np.concatenate([np.zeros(order, np.int32), slots])
    if not len(slots):
        return np.zeros((0, order + 1), np.int32)
    return np.lib.stride_tricks.sliding_window_view(padded, order + 1)
