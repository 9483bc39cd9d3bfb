"""From a source of any size to a model: look at a sample, choose on it, then count every row once.

Kinds of columns, densities, cuts, structure and weights are chosen on at most `MOST_ROWS` rows that are spread over the
source; then one pass counts all rows into what was chosen, and levels and classes grow as they appear. A source that
is no larger than the sample gives exactly what `fit` of its rows gives.

>>> import pyarrow as pa
>>> pets = pa.table({"coat": ["short", "long", "short", "short"], "mass": [4.2, 5.1, 30.0, 22.5],
...                  "pet": ["cat", "cat", "dog", "dog"]})
>>> trained, account = learn_from(find("naive")(), pets, "pet")
>>> account
the table: 4 rows, read by arrow; 4 rows are few: choices and scores are unreliable; give at least some dozens
>>> trained.classes_.tolist()
['cat', 'dog']
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bayesfold.data.united import unite_marks
from bayesfold.decisions.decide import check_decision
from bayesfold.io.count import Blocks, Count, count_or_leave_out, start_reading
from bayesfold.io.grouped import Grouped
from bayesfold.io.open import open_source
from bayesfold.io.sample import Sample, choose_on, look_at, with_marks
from bayesfold.io.selection import Selection, select_columns
from bayesfold.io.source import Source
from bayesfold.io.speculative import Early
from bayesfold.io.unchanged import refuse_changed
from bayesfold.learning.kinds import Settings, find
from bayesfold.learning.trained import Step, Trained
from bayesfold.runtime.progress import Watcher

if TYPE_CHECKING:
    from bayesfold.io.checkpoint import Checkpoint

__all__ = ["Account", "find", "learn_from"]


@dataclass(frozen=True)
class Account:
    """What was read, by which engine, how many rows were learned, and on how many of those read choices were made.

    `unlabelled` rows more had no class, and were put aside.
    """

    source: str
    engine: str
    rows: int
    sampled: int
    notes: tuple[str, ...] = ()  # how files were read that are not written as most are
    unlabelled: int = 0
    files: tuple[str, ...] = ()
    checkpoint: "Checkpoint | None" = field(default=None, compare=False)  # to be discarded when the model is safe

    @property
    def whole(self) -> bool:
        """Whether choices were made on all rows."""
        return self.sampled >= self.rows + self.unlabelled

    @property
    def put_aside(self) -> str:
        """How many rows had no class, in words; "" where all had one."""
        if not self.unlabelled:
            return ""
        return f"{self.unlabelled:,} row{'s' * (self.unlabelled > 1)} without a class put aside"

    def __repr__(self) -> str:
        aside = f" ({self.put_aside})" if self.unlabelled else ""
        read = f"{self.source}: {self.rows:,} rows{aside}, read by {self.engine}"
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
    ({"zip": "text", "age": "number"}) where that is not to be found out. Rows without a class are put aside.
    `checkpoint` is a file in which the count is kept from time to time: the same call after an interruption goes on
    from there. It stays when all is counted, for the caller to discard once the model is safe (`account.checkpoint`).
    """
    with open_source(what) as source:
        selection = select_columns(source, target, weight, columns, settings.missing)
        declared = columns if isinstance(columns, Mapping) else {}
        early = guess_counts(settings, source, selection) if checkpoint is None else None
        looks: list[Sample] = []

        def look() -> Sample:
            looks.append(look_at(source, selection, declared, settings.missing, early))
            return looks[0]

        trained, account = learn(settings, source, selection, declared, look, watcher, checkpoint)
        known = {*declared, *(settings.families or {}), *(text.origin for text in trained.model_.schema.texts)}
        return trained, with_remarks(account, looks, settings.missing, known)


def with_remarks(account: "Account", looks: Sequence[Sample], missing: Any, known: Collection[str]) -> "Account":
    """The account with what to look at in rows that were looked at, and in columns of which is not `known` what they
    hold; a count that goes on has said it."""
    from bayesfold.io.remarks import find_doubts, remarks_on_columns, remarks_on_rows  # only fitting looks so close

    notes = account.notes
    for sample in looks:
        doubts = find_doubts(sample, with_marks(missing, sample.look.usual))
        notes = (*remarks_on_rows(sample), *notes, *remarks_on_columns(doubts, known))
    return replace(account, notes=notes)


def guess_counts(settings: Settings, source: Source, selection: Selection) -> Early | None:
    """What counts rows while they are looked at, where a model allows to guess what it will need."""
    return Early(source, selection, settings.missing, settings.families or {}) if settings.side_by_side else None


def learn(
    settings: Settings,
    source: Source,
    selection: Selection,
    declared: Mapping[str, str],
    look: Callable[[], Sample],
    watcher: Watcher | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> tuple[Trained, Account]:
    """A model of the wanted columns of all rows of an open source; `look` gives a first look at them, which a count
    that goes on does without."""
    if source.remote is not None:
        if checkpoint is not None:
            raise ValueError(
                f"{source.name} is counted by {source.engine}, which itself counts again what was lost; leave "
                "checkpoint= out"
            )
        from bayesfold.io.remote import count_there

        return finish(count_there(settings, source, selection, declared), source, None)
    with refuse_changed(source), ExitStack() as stack:
        keeping = None
        if checkpoint is not None:
            from bayesfold.io.checkpoint import Keeping

            keeping = Keeping.of(checkpoint, settings, source, selection, declared)
        before = None if keeping is None else keeping.before
        early: Early | Grouped | None = None
        blocks: Blocks | None = None
        if before is not None:
            selection = replace(selection, features=before.features)
            count = Count(settings, before.trained, selection, before.look, before.rows, declared, before.unlabelled)
        else:
            sample = look()
            seen, early = sample.look, sample.early
            if source.groups and selection.weight is None and keeping is None:
                early = Grouped(source, selection, seen.table)
            elif not seen.whole and (early is None or early.rows != seen.rows):
                blocks = stack.enter_context(start_reading(source, seen, selection))  # while choices are made
            trained = choose_on(settings, sample)
            aside = sample.rows.unlabelled if seen.whole and trained.unlabelled is None else 0
            count = Count(settings, trained, selection, seen, seen.rows if seen.whole else 0, declared, aside)
        keeper = None if keeping is None else keeping.checkpoint(count.look, source)
        if count.rows == 0 or before is not None:
            count = count_or_leave_out(count, source, watcher, keeper, blocks, early)
        return finish(count, source, keeper)


def finish(count: Count, source: Source, keeper: "Checkpoint | None") -> tuple[Trained, Account]:
    """The model of a count that is done, and an account of it."""
    check_decision(count.trained)
    learned = count.rows - count.unlabelled
    account = Account(
        source.name,
        source.engine,
        learned,
        count.look.sampled,
        (*source.notes(), *(taken_for_missing(name, marks) for name, marks in count.look.usual.items())),
        count.unlabelled,
        tuple(map(str, source.files)),
        keeper,
    )
    trained = with_learned_marks(count.trained, source.number_formats.learned(count.look.types))
    return replace(trained, history=(Step("fit", learned, source.name),)), account


def with_learned_marks(trained: Trained, marks: Mapping[str, str]) -> Trained:
    """A model that knows the decimal marks of the columns that it has learned from text files."""
    model = trained.model_
    known = {name: mark for name, mark in marks.items() if name in model.schema.sources}
    if not known:
        return trained
    schema = replace(model.schema, decimals=unite_marks(model.schema.decimals, known))
    return replace(trained, model_=model.on(model.tally.described_by(schema), decayed=False))


def taken_for_missing(name: str, marks: Sequence[str]) -> str:
    """The note on markers that nobody named."""
    return f"{' and '.join(map(repr, marks))} in column {name!r} is taken to mean missing: the rest are numbers"
