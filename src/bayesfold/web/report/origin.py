"""Where all this comes from: what the model is and can still do, what it was told, its history."""

from bayesfold.store import inspect
from bayesfold.web.report.html import Page, table, text
from bayesfold.web.report.subject import Subject

SHOWN = ("model", "history")


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """The model as its file tells it, and what was judged when."""
    trained = subject.trained
    body = text(
        f"The model {subject.model_name} holds sums over {trained.rows:,} rows, not the rows. This page was made "
        f"{subject.date} from {subject.frame.rows:,} rows of {subject.table_name}."
    )
    for found in inspect(trained).sections:
        if found.title in SHOWN:
            heading = f"<h3>{found.title.capitalize()}</h3>"
            body += heading + table(found.header, found.lines, left=len(found.header))
    return "Origin", body
