"""Pieces of any size cut into blocks of 65,536 rows, so that no bit of a sum depends on engines or threads."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from bayesfold.runtime.threads import BLOCK


@dataclass
class Cut:
    """Pieces of any size cut into blocks, each with the number of its first row; `at` is that of the next block."""

    at: int = 0
    held: list[pa.Table] = field(default_factory=list)
    size: int = 0

    def blocks(self, piece: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """The blocks that one more piece completes."""
        while self.size + piece.num_rows >= BLOCK:
            room = BLOCK - self.size
            block = self.at, joined([*self.held, piece.slice(0, room)])
            self.at, self.held, self.size, piece = self.at + BLOCK, [], 0, piece.slice(room)
            yield block
        if piece.num_rows:
            self.held.append(piece)
            self.size += piece.num_rows

    def rest(self) -> Iterator[tuple[int, pa.Table]]:
        """The rows after the last complete block."""
        if self.held:
            block = self.at, joined(self.held)
            self.at, self.held, self.size = self.at + self.size, [], 0
            yield block


def joined(pieces: list[pa.Table]) -> pa.Table:
    """Pieces as one table."""
    return pieces[0] if len(pieces) == 1 else pa.concat_tables(pieces, promote_options="permissive")
