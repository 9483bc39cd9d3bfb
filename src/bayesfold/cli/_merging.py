"""Models of different rows as one."""

from collections.abc import Sequence
from dataclasses import replace

from bayesfold.cli._advice import translate_advice
from bayesfold.cli._models import class_counts
from bayesfold.cli._words import print_table
from bayesfold.learning.trained import Trained
from bayesfold.store.file import digest_of


def merge_all(models: Sequence[tuple[str, Trained]]) -> Trained:
    """The model of all rows, with the first model's settings; two that cannot be added are refused by name."""
    (first, whole), *rest = models
    for name, other in rest:
        if (other.settings.estimator, other.target) != (whole.settings.estimator, whole.target):
            mine, theirs = (f"a {t.settings.estimator} of {t.target!r}" for t in (whole, other))
            raise ValueError(
                f"{first} is {mine} and {name} is {theirs}; only models of the same kind and target can be merged"
            )
        try:
            whole = replace(whole.merge(other), report=None, history=(*whole.history, *other.history))
        except ValueError as error:
            raise ValueError(f"{first} and {name} cannot be merged: {translate_advice(str(error))}") from None
    return whole


def twice_named(paths: Sequence[str]) -> list[str]:
    """What to say of files that hold the same model."""
    same: dict[str, list[str]] = {}
    for path in paths:
        same.setdefault(digest_of(path), []).append(path)
    return [
        f"{' and '.join(files)} are one model, and its rows count {len(files)} times"
        for files in same.values()
        if len(files) > 1
    ]


def show_merged(models: Sequence[tuple[str, Trained]], whole: Trained) -> None:
    """Print the rows of each class in each model and in all."""
    classes = whole.model_.classes
    spelled = whole.model_.schema.target.spelled
    every = [
        (name, {spelled(c): n for c, n in class_counts(model).items()}) for name, model in [*models, ("all", whole)]
    ]
    lines = [(name, *(f"{n.get(c, 0):,}" for c in classes), f"{sum(n.values()):,}") for name, n in every]
    print_table((f"rows by {whole.target}", *map(str, classes), "all"), lines)
