"""Scores of models on rows whose class is known."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.cli._rows import Rows
from bayesfold.cli._words import counted, say, table, title
from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.decisions.compare import Judgement, Measure, judge
from bayesfold.decisions.decide import codes
from bayesfold.decisions.loss import loss_matrix
from bayesfold.learning.trained import Trained
from bayesfold.runtime.messages import ordered
from bayesfold.tally.counter import count

MOST_CLASSES = 20
FLATTERED = "the model may have learned these rows, and learned rows flatter it; if it has, use --leave-out"
CONFUSION = "rows by truth (down) and decision (across)"


def judged(models: Mapping[str, Trained], log_proba: Mapping[str, Floats], rows: Rows, loss: Any = None) -> Judgement:
    """What models say of rows, measured by `loss` and by the first loss and reject cost that a model has.

    A class that a model has not learned has the probability 0 there.
    """
    classes = ordered(list(dict.fromkeys([*(c for m in models.values() for c in m.model_.classes), *rows.classes])))
    place = {c: k for k, c in enumerate(classes)}
    truth = np.asarray(rows.labels.places([place[c] for c in rows.labels.levels], -1), np.intp)
    proba, decided = {}, {}
    for name, model in models.items():
        own = np.array([place[c] for c in model.model_.classes], np.intp)
        proba[name] = np.zeros((rows.frame.rows, len(classes)))
        proba[name][:, own] = np.exp(log_proba[name])
        found = codes(model, log_proba[name])
        decided[name] = np.where(found < 0, -1, own[found])
    told = loss if loss is not None else next((m.loss for m in models.values() if m.loss is not None), None)
    costs = None if told is None else loss_matrix(told, list(classes))
    reject = next((m.reject_cost for m in models.values() if m.reject_cost is not None), None)
    return judge(classes, truth, proba, decided, costs, reject, rows.weight)


def by_name(models: Mapping[str, Trained]) -> dict[str, Trained]:
    """Models by the shortest name that tells them apart: the file's, or with its folder."""
    short = {path: Path(path).stem for path in models}
    unique = len(set(short.values())) == len(short)
    return {short[path] if unique else path: model for path, model in models.items()}


def check_targets(models: Mapping[str, Trained]) -> None:
    """Models that predict different columns cannot be compared."""
    (first, one), *rest = models.items()
    for name, other in rest:
        if other.target != one.target:
            raise ValueError(
                f"{first} predicts {one.target!r} and {name} predicts {other.target!r}: not to be compared"
            )


def log_proba(trained: Trained, rows: Rows, leave_out: bool, name: str) -> Floats:
    """log P(class | row), of learned rows each by the model of the others."""
    if not leave_out:
        return trained.log_proba(rows.frame)
    try:
        batch = trained.learned(rows.frame, rows.labels, rows.weight)
    except ValueError as error:
        raise ValueError(f"{name}: {error}; without --leave-out rows are scored as new ones") from None
    if not holds(trained, batch):
        raise ValueError(f"{name} has not learned all of these rows; without --leave-out they are scored as new ones")
    return trained.model_.log_proba(batch, leave_out=True)


def may_have_learned(trained: Trained, rows: Rows) -> bool:
    """Whether the model holds at least as many rows of every kind as there are here; it may still not be these."""
    try:
        return holds(trained, trained.learned(rows.frame, rows.labels, None))
    except ValueError:  # a value or a class never seen
        return False


def holds(trained: Trained, batch: Batch) -> bool:
    """Whether taking these rows out would leave no count below 0."""
    tally = trained.model_.tally
    return bool((tally.counts >= count(trained.model_.schema, tally.layout.cliques, batch).counts).all())


def show(found: Judgement, rows: Rows, label: str) -> None:
    """Scores, differences, and who was decided to be what."""
    aside = f" ({counted(rows.unlabelled, 'row')} without a class put aside)" if rows.unlabelled else ""
    say(f"{label}: {counted(len(found.truth), 'row')}{aside}\n")
    (_, header, lines), *others = found._tables()
    table(header, lines)
    for caption, header, lines in others:
        title(caption)
        table(header, lines)
    for name in found.models if len(found.classes) <= MOST_CLASSES else ():
        title(f"{name}: rows by truth (down) and decision (across)" if len(found.models) > 1 else CONFUSION)
        decisions, counts = confusion(found, name)
        lines = [
            (str(c), *(f"{n:,}" if n else "·" for n in line)) for c, line in zip(found.classes, counts, strict=True)
        ]
        table(("", *decisions), lines)


def confusion(found: Judgement, name: str) -> tuple[list[str], NDArray[np.int64]]:
    """The decisions, "rejected" last if there is one, and rows by truth and decision."""
    k = len(found.classes)
    counts = np.zeros((k, k + 1), np.int64)
    np.add.at(counts, (found.truth, found.decisions[name]), 1)  # -1, rejected, is the last
    rejected = bool(counts[:, k].any())
    return [*map(str, found.classes), *(["rejected"] if rejected else [])], counts[:, : k + rejected]


def as_json(found: Judgement, suspects: list[str], leave_out: bool) -> dict[str, Any]:
    """All of it for machines."""
    first = found.models[0]

    def spoken(m: Measure) -> dict[str, float]:
        return {"value": m.value, "low": m.low, "high": m.high}

    return {
        "rows": len(found.truth),
        "classes": list(found.classes),
        "how": "leave-one-out" if leave_out else "as new rows",
        "may_have_learned": suspects,
        "scores": {name: {m: spoken(s) for m, s in scores.items()} for name, scores in found.scores.items()},
        "differences": {
            f"{name} less {first}": {m: spoken(found.difference(name, first, m)) for m in found.scores[first]}
            for name in found.models[1:]
        },
        "confusion": {
            name: dict(zip(("decisions", "rows"), confusion(found, name), strict=True)) for name in found.models
        },
    }
