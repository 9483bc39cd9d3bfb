"""Models in other languages, by the name of the language."""

from collections.abc import Sequence
from inspect import signature
from pathlib import Path

from bayesfold.cli._choices import value
from bayesfold.cli._names import hint, known
from bayesfold.export import export_model, find, names
from bayesfold.trained import Trained


def default_name(language: str, model: str) -> str:
    """patients.bayes becomes patients.sql."""
    return f"{Path(model).stem}{find(known('format', language, names())).SUFFIXES[0]}"


def write(language: str, trained: Trained, out: str, others: Sequence[str]) -> None:
    """The model in that language, in a file; `others` are NAME=VALUE of the format's own options."""
    form = known("format", language, names())
    free = [name for name in signature(find(form).write).parameters if name != "classifier"]
    told = {}
    for text in others:
        name, equals, given = text.partition("=")
        if not equals or name not in free:
            raise ValueError(f"--set {text}: {form} has no option {name!r}; {hint(name, free)}")
        told[name] = value(given)
    export_model(trained, out, form, **told)
