"""Models in other languages, by the name of the language or by the ending of the file."""

from collections.abc import Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import click

from bayesfold.cli._names import refuse_repeated, resolve_name
from bayesfold.learning.trained import Trained
from bayesfold.runtime.messages import suggest
from bayesfold.store.export import export_model, find, for_path, names


def choose_output(model: str, output: str | None, language: str | None) -> tuple[str, str]:
    """The file to write and its format: by --to, else by the ending of -o; patients.bayes becomes patients.sql."""
    if language is not None:
        form = resolve_name("format", language, names(), "--to: ")
        return output or f"{Path(model).stem}{find(form).SUFFIXES[0]}", form
    every = ", ".join(names())
    if output is None:
        name = f"{Path(model).stem}{find(names()[-1]).SUFFIXES[0]}"
        raise click.UsageError(f"say what to write, with -o {name} or --to {names()[-1]}; the formats are {every}")
    try:
        return output, for_path(output).__name__.rpartition(".")[2]
    except ValueError as error:
        raise ValueError(f"{error}; or name the format with --to ({every})") from None


def write_export(form: str, trained: Trained, out: str, others: Sequence[str]) -> None:
    """Write the model in that format; `others` are NAME=VALUE of the format's own options."""
    free = [name for name in signature(find(form).write).parameters if name != "classifier"]
    given: dict[str, Any] = {}
    for text in others:
        name, equals, one = text.partition("=")
        if not equals or name not in free:
            raise ValueError(f"--set {text}: {form} has no option {name!r}; {suggest(name, free)}")
        from bayesfold.cli._choices import parse_value  # it knows all that learning may be told

        refuse_repeated("--set", name, given)
        given[name] = parse_value(one)
    export_model(trained, out, form, **given)


def rows_hint(form: str, others: Sequence[str]) -> str:
    """A hint where a query finds its rows, unless that was said; empty for other formats."""
    table = signature(find(form).write).parameters.get("table")
    if table is None or any(text.startswith("table=") for text in others):
        return ""
    return f"; it reads a table called {table.default} (--set table=NAME for another)"
