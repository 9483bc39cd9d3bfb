"""Where all this comes from: the model's history and settings."""

from dataclasses import fields
from typing import Any

from bayesfold.report.html import Page, table, text
from bayesfold.report.subject import Subject
from bayesfold.trained import DropIn


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """History, settings, and what was judged when."""
    trained = subject.trained
    body = text(
        f"The model {subject.model_name} holds sums over {trained.rows:,} rows, not the rows. This page was made "
        f"{subject.date} from {subject.frame.rows:,} rows of {subject.table_name}."
    )
    if trained.history:
        steps = [(s.date, s.what, f"{s.rows:,}", s.source) for s in trained.history]
        body += "<h3>History</h3>" + table(("when", "what", "rows", "source"), steps, left=4)
    told = settings(trained.settings)
    if told:
        body += "<h3>Settings that are not the default</h3>" + table(("setting", "value"), told, left=2)
    return "Origin", body


def settings(told: Any) -> list[tuple[str, str]]:
    """What was told, where it is not the default."""
    if isinstance(told, DropIn):
        return [(name, str(value)) for name, value in told.parameters.items() if value is not None]
    return [(f.name, str(getattr(told, f.name))) for f in fields(told) if str(getattr(told, f.name)) != str(f.default)]
