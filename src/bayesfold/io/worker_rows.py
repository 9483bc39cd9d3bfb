"""Rows that a worker has: it gets them from elsewhere, in tables of any size, and knows only which of all they are.

>>> [(at, block.num_rows) for at, block in in_blocks(iter([pa.table({"a": [1, 2]}), pa.table({"a": [3]})]))]
[(0, 3)]
"""

from collections.abc import Iterator

import pyarrow as pa

from bayesfold.io.blocks import Cut
from bayesfold.io.engines._batches import Batches
from bayesfold.io.source import Source
from bayesfold.runtime.arrow_buffers import empty_table


def source_of_worker(name: str) -> Source:
    """A source that says where rows stand which a worker has; they come from elsewhere."""
    return Source((Batches(empty_table({}).to_reader, name),), name)


def in_blocks(tables: Iterator[pa.Table]) -> Iterator[tuple[int, pa.Table]]:
    """Tables of any size as blocks, each with the number of its first row."""
    cut = Cut()
    for table in tables:
        yield from cut.blocks(table)
    yield from cut.rest()
