"""The columns: which of them tell most, how their values are spread in each class, and which depend on which."""

from types import SimpleNamespace
from typing import Any

from bayesfold import plots
from bayesfold.data.own_names import OwnLine
from bayesfold.explanations.inner_range import members_of
from bayesfold.learning.kinds import find
from bayesfold.learning.trained import train
from bayesfold.models.pool import Pool
from bayesfold.plots._columns import is_naive
from bayesfold.store.words import networks_in_words
from bayesfold.web.report.html import Page, make_bar, make_paragraph, make_table
from bayesfold.web.report.subject import Subject

MOST_TELLING = 20
MOST_DENSITIES = 10
WIDE = 1000
MUCH = 100


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """Bars, densities, structure."""
    return "Columns", draw_weights(subject) + draw_densities(subject, sheet) + describe_structure(subject, sheet)


def draw_weights(subject: Subject) -> str:
    """How far each column moves the log-odds."""
    weight_of = {part: m for part, m in subject.importance.items() if not isinstance(part, OwnLine)}
    most = max(weight_of.values(), default=0.0) or 1.0
    lines = [
        (part, f'<span class="rail">{make_bar(m / most)}</span>', f"{m:,.3f}" if m < MUCH else f"{m:,.0f}")
        for part, m in list(weight_of.items())[:MOST_TELLING]
    ]
    more = f" The other {len(weight_of) - MOST_TELLING} say less." if len(weight_of) > MOST_TELLING else ""
    return (
        "<h3>The most informative columns</h3>"
        + make_table(("", "", "mean |log-odds|"), lines, left=2, raw=(1,))
        + make_paragraph(
            "The mean absolute contribution of a column to the log-odds of the decision against the runner-up class."
            + more
        )
    )


def draw_densities(subject: Subject, sheet: Page) -> str:
    """P(value | class) of the most telling columns, of the model itself or the naive Bayes in it."""
    trained, picture = subject.trained, plots.find("densities")
    whose = "as the model has them"
    model = trained.model_
    known = set(model.schema.sources)
    telling = [part for part in subject.importance if part in known][: 2 * MOST_DENSITIES] or None
    try:
        if any(is_naive(member) for member in members_of(model)):
            classes, every, _ = picture.data(trained, columns=telling)
        else:  # columns depend on each other: show each by itself
            missing, whose = getattr(trained.settings, "missing", None), "in these rows, each column by itself"
            naive = train(find("naive")(missing=missing), subject.frame, subject.labels, trained.target)
            classes, every, _ = picture.data(naive, columns=telling)
    except ValueError as error:
        return make_paragraph(str(error))
    if len(classes) < len(model.classes):
        whose += f"; of the {len(model.classes)} classes the {len(classes)} most frequent ones"
    column_of = {c.name: c for c in every if len(c.values) > 1}
    by_weight = [part for part in subject.importance if part in column_of]
    ordered = tuple(column_of[name] for name in (by_weight or sorted(column_of))[:MOST_DENSITIES])
    if not ordered:
        return ""
    return (
        f"<h3>Values in each class</h3>{make_paragraph(f'P(value | class) of the most informative columns, {whose}.')}"
        + sheet.picture(
            "densities", picture.Densities(classes, ordered, len(ordered)), width=WIDE if len(ordered) > 4 else 0
        )
    )


def describe_structure(subject: Subject, sheet: Page) -> str:
    """Which columns depend on which, drawn where there is room; for a pool its parts and their weights."""
    trained = subject.trained
    model, report = trained.model_, trained.report
    body = "<h3>Structure</h3>"
    if isinstance(model, Pool):
        line_of = {line.name: line for line in report.lines} if report is not None else {}
        lines = [
            (name, networks_in_words(one, trained.target), f"{w:.3f}", *(print_scores(line_of.get(name))))
            for (name, one), w in zip(model.members.items(), model.weights, strict=True)
        ]
        head = ("part", "what", "weight", "held-out log-loss", "accuracy")
        body += make_table(head, lines, left=2)
        body += make_paragraph("log P(class | row) is the weighted sum of the models' log-probabilities, normalised.")
    else:
        body += make_paragraph(networks_in_words(model, trained.target))
    try:
        return body + sheet.picture("network", plots.find("network").data(trained))
    except ValueError as error:  # several networks, or too many columns for a picture
        return body + make_paragraph(f"It is not drawn: {error}.")


def print_scores(line: Any) -> tuple[str, str]:
    """What a part got by itself when the pool was learned."""
    alone = SimpleNamespace(loss=float("nan"), accuracy=float("nan")) if line is None else line
    return tuple("" if x != x else f"{x:.3f}" for x in (alone.loss, alone.accuracy))  # type: ignore[return-value]
