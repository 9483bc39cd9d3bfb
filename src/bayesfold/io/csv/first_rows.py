"""The first row of a text file, as each separator that it might have would cut it."""

from dataclasses import dataclass

import numpy as np

from bayesfold.io.csv.row_index import PIECE, SPARE, Readable, fill_buffer, start_of_row
from bayesfold.kernels.csv import row_ends


@dataclass(frozen=True)
class FirstRow:
    """The first row of a text as one separator has it: its bytes with blank lines before it, and whether it ends there;
    it does not where a quote is never closed."""

    line: bytes
    closed: bool


def first_rows(stream: Readable, separators: str, most: int) -> tuple[dict[str, FirstRow], bytes]:
    """The first row of a text by each separator, in at most so many bytes (and those of a piece), and the bytes that
    were read; where a row goes on beyond them, it is not there."""
    buffer = np.zeros(PIECE + SPARE, np.uint8)
    size = fill_buffer(stream, buffer, 0, PIECE)
    rows: dict[str, FirstRow] = {}
    while True:
        whole = size < len(buffer) - SPARE
        for separator in separators:
            state = start_of_row()
            end = row_ends.cut(buffer, 0, size, ord(separator), 1, state)
            if state[1] or whole:
                rows[separator] = FirstRow(buffer[: end if state[1] else size].tobytes(), bool(state[0] != 2))
        if whole or len(rows) == len(separators) or size > most:
            return rows, buffer[:size].tobytes()
        buffer = np.concatenate([buffer, np.zeros(size, np.uint8)])
        size += fill_buffer(stream, buffer, size, len(buffer) - SPARE)
