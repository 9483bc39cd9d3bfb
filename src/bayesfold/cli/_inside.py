"""What a model is, in words and for machines."""

from typing import Any

from bayesfold.cli._advice import translate_advice
from bayesfold.cli._models import class_counts
from bayesfold.cli._words import print_table, print_title, say
from bayesfold.learning.trained import Trained
from bayesfold.store import inspect

MOST = 60


def show_model(path: str, trained: Trained) -> None:
    """Print all that a model is."""
    for n, section in enumerate(inspect(trained, path).sections):
        if n:
            print_title(section.title)
        else:
            say(f"{path}: {trained.settings.estimator} of {trained.target}")
        print_table(
            section.header, [tuple(map(translate_advice, line)) for line in section.lines], len(section.header), MOST
        )


def model_as_json(path: str, trained: Trained) -> dict[str, Any]:
    """All that a model is, for print as JSON."""
    sections = inspect(trained, path).sections
    return {
        "model": path,
        "kind": trained.settings.estimator,
        "target": trained.target,
        "rows": trained.rows,
        "classes": [{"class": c, "rows": n} for c, n in class_counts(trained).items()],
    } | {
        section.title: [dict(zip(section.header, line, strict=True)) for line in section.lines]
        for section in sections
        if section.title not in ("model", "classes")
    }
