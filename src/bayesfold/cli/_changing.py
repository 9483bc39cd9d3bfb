"""What learning or forgetting rows changed: rows by class, and what columns now say."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.cli._models import class_counts
from bayesfold.cli._rows import Rows, located, read_labelled_blocks, warn_of_weights
from bayesfold.cli._words import count_things, print_table, print_title, warn
from bayesfold.data.frame import Floats, Level
from bayesfold.data.schema import Schema
from bayesfold.explanations.explain import cells_of
from bayesfold.explanations.explanation import meaning_of, print_value
from bayesfold.io.doubts import spelled_alike
from bayesfold.io.source import Source
from bayesfold.io.unchanged import refuse_changed
from bayesfold.io.unseen import Unseen
from bayesfold.learning.trained import Trained
from bayesfold.runtime.waiting import waiting

PROBES = 2_000
"""Most rows whose reasons are compared; of more rows, evenly spread ones."""
MOST = 8


@dataclass(frozen=True)
class Done:
    """How many rows were learned or forgotten, and how many had no class."""

    rows: int = 0
    unlabelled: int = 0

    def and_also(self, rows: Rows) -> "Done":
        """The count with one more block of rows."""
        return Done(self.rows + rows.frame.rows, self.unlabelled + rows.unlabelled)

    def __str__(self) -> str:
        aside = f" ({count_things(self.unlabelled, 'row')} without a class put aside)" if self.unlabelled else ""
        return f"{count_things(self.rows, 'row')}{aside}"


def learn_rows(trained: Trained, source: Source, weight: str | None) -> Done:
    """Learn all rows of a source, block by block."""
    before = trained.model_.schema
    done, unseen = Done(), Unseen(before)
    with refuse_changed(source), waiting("learning") as watcher:
        for table_, rows in read_labelled_blocks(trained, source, weight, watcher):
            done = done.and_also(rows)
            if rows.frame.rows:
                unseen.see(rows.frame)
                with located(table_, rows):
                    trained.learn(rows.frame, rows.labels, rows.weight)
    for note in (*unseen.notes(learned=True), *new_spellings(before, trained.model_.schema, trained.target)):
        warn(note)
    return refuse_no_rows(done, source)


def new_spellings(before: Schema, after: Schema, target: str) -> Iterator[str]:
    """What to say of classes and levels that are new, and differ from others in case or spaces only."""
    known = {c.name: c.levels for c in (before.target, *before.categories)}
    for column in (after.target, *after.categories):
        fresh = {level for level in column.levels if level not in known.get(column.name, ())}
        alike = {" ".join(str(level).casefold().split()) for level in fresh}
        texts = [str(v) for v in column.levels if v is not None and " ".join(str(v).casefold().split()) in alike]
        if fresh and (pairs := spelled_alike(texts)):
            what = f"classes of {target!r}" if column is after.target else f"values of column {column.origin!r}"
            yield f"{what} that differ in case or spaces only count as different: {pairs}"


def forget_rows(
    trained: Trained, source: Source, weight: str | None, keep_levels: bool = False
) -> tuple[Done, list[dict[str, Any]]]:
    """Forget all rows of a source, block by block; and what that changed in what is said of the first of them."""
    warn_of_weights(trained, weight)
    done = Done()
    said: tuple[Rows, Said] | None = None
    with refuse_changed(source), waiting("forgetting") as watcher:
        for table_, rows in read_labelled_blocks(trained, source, weight, watcher):
            done = done.and_also(rows)
            if rows.frame.rows:
                said = said or (rows, Said.of(trained, rows))
                with located(table_, rows):
                    trained.forget(rows.frame, rows.labels, rows.weight, keep_levels=True)
    refuse_no_rows(done, source)
    assert said is not None
    changes = said[1].changes(Said.of(trained, said[0]))
    if not keep_levels:
        trained.trim()
    return done, changes


def refuse_no_rows(done: Done, source: Source) -> Done:
    """The count of rows; a source without rows that have a class is refused."""
    if not done.rows:
        what = "no row has a class" if done.unlabelled else "it has column names and no rows"
        raise ValueError(f"{source.name}: {what}")
    return done


def show_counts(before: dict[Level, int], trained: Trained) -> None:
    """Rows of each class before and after; a class that is gone has none."""
    after = dict.fromkeys(before, 0) | class_counts(trained)
    lines = [(str(c), f"{before.get(c, 0):,}", f"{n:,}", f"{n - before.get(c, 0):+,}") for c, n in after.items()]
    total, new = sum(before.values()), sum(after.values())
    lines.append(("all", f"{total:,}", f"{new:,}", f"{new - total:+,}"))
    print_table((f"rows by {trained.target}", "before", "after", ""), lines)


def changes_as_json(out: str, before: dict[Level, int], trained: Trained, done: Done) -> dict[str, Any]:
    """Rows of each class before and after, for print as JSON."""
    after = dict.fromkeys(before, 0) | class_counts(trained)
    return {
        "model": out,
        "rows": done.rows,
        "rows_without_label": done.unlabelled,
        "classes": [{"class": c, "before": before.get(c, 0), "after": n} for c, n in after.items()],
    }


@dataclass(frozen=True)
class Said:
    """What each part says of some rows, [row, part, class], and the cells that it says it of."""

    parts: tuple[str, ...]
    lines: Floats
    cells: dict[str, list[Any]]
    own: Any
    classes: tuple[Level, ...]

    @classmethod
    def of(cls, trained: Trained, rows: Rows) -> "Said":
        """What a model says of rows and their own class."""
        step = max(1, -(-rows.frame.rows // PROBES))
        mask = np.arange(rows.frame.rows) % step == 0
        frame, labels = rows.frame.take(mask), rows.labels.index[mask]
        model = trained.model_
        target = model.schema.target
        place = np.array([target.slot_of(c) - 1 if target.knows(c) else -1 for c in rows.labels.levels])
        lines = model.contributions(model.schema.encode(frame))
        return cls(model.parts, lines, cells_of(model.schema, frame), place[labels], model.classes)

    def changes(self, after: "Said") -> list[dict[str, Any]]:
        """The largest changes of what a value says for its row's class against the next, the largest first."""
        rows = np.arange(len(self.lines))
        others = self.lines.sum(axis=1)
        others[rows, self.own] = -np.inf
        rival = others.argmax(axis=1)
        before, now = (x.lines[rows, :, self.own] - x.lines[rows, :, rival] for x in (self, after))
        changes: dict[Any, dict[str, Any]] = {}
        for k in np.argsort(-np.abs(now - before), axis=None):
            i, j = divmod(int(k), len(self.parts))
            part = self.parts[j]
            if meaning_of(part) or not np.isfinite(now[i, j] - before[i, j]):
                continue
            value = self.cells[part][i] if part in self.cells else None
            key = (part, print_value(value), int(self.own[i]), int(rival[i]))
            if key not in changes and before[i, j] != now[i, j]:
                ends = {"of": self.classes[self.own[i]], "against": self.classes[rival[i]]}
                log_odds = {"before": float(before[i, j]), "after": float(now[i, j])}
                changes[key] = {"column": part, "value": value} | ends | log_odds
            if len(changes) == MOST:
                break
        return list(changes.values())


def show_changes(changes: list[dict[str, Any]]) -> None:
    """The largest changes as a table."""
    if not changes:
        return
    print_title("log-odds of these values for the class of their row: the largest changes")
    lines = [
        (
            c["column"],
            print_value(c["value"], 4),
            f"{c['of']} against {c['against']}",
            f"{c['before']:+.3f}",
            f"{c['after']:+.3f}",
            f"{c['after'] - c['before']:+.3f}",
        )
        for c in changes
    ]
    print_table(("column", "value", "class", "before", "after", "change"), lines, left=3)
