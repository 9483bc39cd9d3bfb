"""Scores of models on rows whose class is known."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.cli._rows import Rows
from bayesfold.cli._words import count_things, print_table, print_title, say
from bayesfold.decisions.compare import Judgement
from bayesfold.decisions.measure import Measure
from bayesfold.learning.trained import Trained
from bayesfold.runtime.unique import distinct

MOST_CLASSES = 20
CONFUSION = "rows by truth (down) and decision (across)"


def shorten_names(models: Mapping[str, Trained]) -> dict[str, Trained]:
    """Models by the shortest name that tells them apart: the file's, or with its folder."""
    short = {path: Path(path).stem for path in models}
    unique = len(set(short.values())) == len(short)
    return {short[path] if unique else path: model for path, model in models.items()}


def check_targets(models: Mapping[str, Trained]) -> None:
    """Refuse to compare models that predict different columns."""
    (first, one), *rest = models.items()
    for name, other in rest:
        if other.target != one.target:
            raise ValueError(
                f"{first} predicts {one.target!r} and {name} predicts {other.target!r}; evaluate them one by one"
            )


def show_judgement(judgement: Judgement, rows: Rows, label: str, how: str) -> None:
    """Print scores, differences, and rows by truth and decision."""
    aside = [
        f"{count_things(many, 'row')} {why} put aside"
        for many, why in ((rows.unlabelled, "without a class"), (rows.weightless, "of weight 0"))
        if many
    ]
    shown = f" ({', '.join(aside)})" if aside else ""
    say(f"{label}: {count_things(len(judgement.truth), 'row')}{shown}, {how}\n")
    (_, header, lines), *others = judgement._tables()
    print_table(header, lines)
    for caption, header, lines in others:
        print_title(caption)
        print_table(header, lines)
    for note in judgement.notes():
        say(f"\n{note}")
    for name in judgement.models if len(judgement.classes) <= MOST_CLASSES else ():
        print_title(f"{name}: rows by truth (down) and decision (across)" if len(judgement.models) > 1 else CONFUSION)
        decisions, counts = confusion_counts(judgement, name)
        lines = [
            (str(c), *(f"{n:,}" if n else "·" for n in line)) for c, line in zip(judgement.classes, counts, strict=True)
        ]
        print_table(("", *decisions), lines)


def confusion_counts(judgement: Judgement, name: str) -> tuple[list[str], NDArray[np.int64]]:
    """The decisions, "rejected" last if there is one, and rows by truth and decision."""
    k = len(judgement.classes)
    counts = np.zeros((k, k + 1), np.int64)
    np.add.at(counts, (judgement.truth, judgement.decisions[name]), 1)  # -1, rejected, is the last
    rejected = bool(counts[:, k].any())
    return [*map(str, judgement.classes), *(["rejected"] if rejected else [])], counts[:, : k + rejected]


def judgement_as_json(judgement: Judgement, suspects: list[str], how: str) -> dict[str, Any]:
    """Scores, differences and confusion, for print as JSON."""
    first = judgement.models[0]

    def spoken(m: Measure) -> dict[str, float]:
        return {"value": m.value, "low": m.low, "high": m.high}

    return {
        "rows": len(judgement.truth),
        "classes": list(judgement.classes),
        "how": how,
        "may_have_learned": suspects,
        "scores": {name: {m: spoken(s) for m, s in scores.items()} for name, scores in judgement.scores.items()},
        "differences": {
            f"{name} less {first}": {m: spoken(judgement.difference(name, first, m)) for m in judgement.scores[first]}
            for name in judgement.models[1:]
        },
        "never_seen": {
            name: {
                "rows": int(never.rows.sum()),
                "classes": [judgement.classes[k] for k in distinct(judgement.truth[never.rows])],
                "share": float(never.share.mean()),
            }
            for name, never in judgement.never_seen.items()
        },
        "confusion": {
            name: dict(zip(("decisions", "rows"), confusion_counts(judgement, name), strict=True))
            for name in judgement.models
        },
    }
