"""Where all this comes from: what the model is and can still do, what it was told, its history."""

from bayesfold.store import inspect
from bayesfold.web.report.html import Page, make_paragraph, make_table
from bayesfold.web.report.subject import Subject

SHOWN = ("model", "history")


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """The model as its file tells it, and what was judged when."""
    trained = subject.trained
    body = make_paragraph(
        f"The model {subject.model_name} was computed from {trained.rows:,} rows. This page was made "
        f"{subject.date} from {subject.frame.rows:,} rows of {subject.table_name}."
    )
    for part in inspect(trained).sections:
        if part.title in SHOWN:
            heading = f"<h3>{part.title.capitalize()}</h3>"
            body += heading + make_table(part.header, part.lines, left=len(part.header))
    return "Origin", body
