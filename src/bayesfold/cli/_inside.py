"""What a model is, in words and for machines."""

from typing import Any

from bayesfold.cli._advice import advice
from bayesfold.cli._models import counts
from bayesfold.cli._words import say, table, title
from bayesfold.learning.trained import Trained
from bayesfold.store import inspect

MOST = 60


def show(path: str, trained: Trained) -> None:
    """All of it, for a person."""
    for n, section in enumerate(inspect(trained, path).sections):
        if n:
            title(section.title)
        else:
            say(f"{path}: {trained.settings.estimator} of {trained.target}")
        table(section.header, [tuple(map(advice, line)) for line in section.lines], len(section.header), MOST)


def as_json(path: str, trained: Trained) -> dict[str, Any]:
    """All of it, for machines."""
    sections = inspect(trained, path).sections
    return {
        "model": path,
        "kind": trained.settings.estimator,
        "target": trained.target,
        "rows": trained.rows,
        "classes": [{"class": c, "rows": n} for c, n in counts(trained).items()],
    } | {
        section.title: [dict(zip(section.header, line, strict=True)) for line in section.lines]
        for section in sections
        if section.title not in ("model", "classes")
    }
