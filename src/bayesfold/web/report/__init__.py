"""A report on a model and on its answers for rows whose class is known: one page that needs nothing else.

`page(subject)` is the HTML: each file here is a section, `SECTIONS` their order.
"""

from bayesfold.web.report import answers, columns, data, mistakes, origin, scores
from bayesfold.web.report.html import Page, render
from bayesfold.web.report.subject import Subject

__all__ = ["SECTIONS", "Subject", "page"]

SECTIONS = (scores, data, answers, columns, mistakes, origin)


def page(subject: Subject) -> bytes:
    """The whole page."""
    sheet = Page()
    parts = [(section.__name__.rpartition(".")[2], *section.section(subject, sheet)) for section in SECTIONS]
    trained = subject.trained
    title = f"{trained.settings.estimator} of {trained.target}"
    return render(title, scores.summarize(subject), subject.caption, parts, sheet)
