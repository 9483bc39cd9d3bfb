"""From a source of any size to a model: look at a sample, choose on it, then count every row once.

Kinds of columns, densities, cuts, structure and weights are chosen on at most `MOST_ROWS` rows that are spread over the
source; then one pass counts all rows into what was chosen, and levels and classes grow as they appear. A source that
is no larger than the sample gives exactly what `fit` of its rows gives.

>>> import pyarrow as pa
>>> pets = pa.table({"coat": ["short", "long", "short", "short"], "mass": [4.2, 5.1, 30.0, 22.5],
...                  "pet": ["cat", "cat", "dog", "dog"]})
>>> trained, account = learn_from(find("naive")(), pets, "pet")
>>> account
the table: 4 rows, read by arrow
>>> trained.classes_.tolist()
['cat', 'dog']
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bayesfold.decisions.decide import check_decision
from bayesfold.io.checkpoint import Checkpoint, key_of, resumed
from bayesfold.io.count import Blocks, Count, counted_in, reading
from bayesfold.io.open import open_source
from bayesfold.io.sample import looked_at, taught
from bayesfold.io.selection import Wanted
from bayesfold.io.speculative import Early
from bayesfold.learning.kinds import Settings, find
from bayesfold.learning.trained import Step, Trained
from bayesfold.runtime.progress import Watcher

__all__ = ["Account", "find", "learn_from"]


@dataclass(frozen=True)
class Account:
    """What was read, by which engine, and on how many of its rows choices were made."""

    source: str
    engine: str
    rows: int
    sampled: int
    notes: tuple[str, ...] = ()  # how files were read that are not written as most are

    @property
    def whole(self) -> bool:
        """Whether choices were made on all rows."""
        return self.sampled >= self.rows

    def __repr__(self) -> str:
        read = f"{self.source}: {self.rows:,} rows, read by {self.engine}"
        chosen = (
            f"kinds of columns, densities, cuts, structure and weights were chosen on {self.sampled:,} rows "
            "that are spread over it, and then every row was counted"
        )
        return "; ".join([read, *([] if self.whole else [chosen]), *self.notes])


def learn_from(
    settings: Settings,
    what: Any,
    target: str,
    weight: str | None = None,
    columns: Sequence[str] | Mapping[str, str] | None = None,
    watcher: Watcher | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> tuple[Trained, Account]:
    """A model of all rows of a source, and an account of how it was read.

    `target` and `weight` name columns. `columns` are the features to use (a list), or what columns of a text file hold
    ({"zip": "text", "age": "number"}) where that is not to be found out. `checkpoint` is a file in which the count is
    kept from time to time: the same call after an interruption goes on from there. It stays when all is counted, for
    the caller to remove once the model is safe.
    """
    with ExitStack() as stack:
        source = stack.enter_context(open_source(what))
        blocks: Blocks | None = None
        early = Early(settings, source, target, weight) if settings.side_by_side and checkpoint is None else None
        key = "" if checkpoint is None else key_of(settings, source, target, weight, columns)
        before = None if checkpoint is None else resumed(checkpoint, key, source)
        if before is not None:
            count = Count(
                settings, before.trained, Wanted(before.features, target, weight), before.look, before.rows, columns
            )
        else:
            passing = None if early is None else early.see
            wanted, look = looked_at(source, target, weight, columns, settings.missing, passing)
            if early is not None and not look.whole:
                early.rest()
            if not look.whole and (early is None or early.rows != look.rows):
                blocks = stack.enter_context(reading(source, look, wanted))  # while choices are made
            trained = taught(settings, source, look, wanted)
            count = Count(settings, trained, wanted, look, look.rows if look.whole else 0, columns)
        keeper = None if checkpoint is None else Checkpoint(Path(checkpoint), key, count.look, tuple(source.rows_of))
        if count.rows == 0 or before is not None:
            count = counted_in(count, source, watcher, keeper, blocks, early)
        check_decision(count.trained)
        step = Step("fit", count.rows, source.name)
        account = Account(source.name, source.engine, count.rows, count.look.sampled, tuple(source.notes()))
        return replace(count.trained, history=(step,)), account
