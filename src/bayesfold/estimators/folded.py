"""Rows of a source counted block by block for a drop-in, here or by the workers that have them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.io.selection import Selection
from bayesfold.io.worker_rows import in_blocks, source_of_worker
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class Folded:
    """Rows that were counted, if any had a class, and what an estimator has noted of their columns meanwhile."""

    tally: Tally | None = None
    learned: int = 0
    unlabelled: int = 0
    label_type: np.dtype[Any] | None = None
    noted: Mapping[str, Any] = field(default_factory=dict)


def fold_there(
    kind: type[Any],
    parameters: Mapping[str, Any],
    selection: Selection,
    name: str,
    tables: Iterator[pa.Table],
    where: str,
) -> Folded:
    """Some of the rows of a source, counted by the worker that has them."""
    fresh = kind(**parameters)
    counted: Folded = fresh._folded(in_blocks(tables), source_of_worker(f"{name}, {where}"), selection)
    return replace(counted, noted={key: value for key, value in vars(fresh).items() if key not in parameters})


def add_up(parts: Sequence[Folded]) -> Folded:
    """The sum of what several workers have counted, in their order; those without rows add nothing."""
    with_rows = [part for part in parts if part.tally is not None] or list(parts)
    tallies = [part.tally for part in with_rows if part.tally is not None]
    total = reduce(add, tallies) if tallies else None
    learned, unlabelled = sum(part.learned for part in parts), sum(part.unlabelled for part in parts)
    return replace(with_rows[0], tally=total, learned=learned, unlabelled=unlabelled)
