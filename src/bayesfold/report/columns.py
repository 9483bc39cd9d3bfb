"""The columns: which of them tell most, how their values are spread in each class, and which depend on which."""

from types import SimpleNamespace
from typing import Any

from bayesfold import plots
from bayesfold.candidates import is_additive
from bayesfold.explain import MEANINGS
from bayesfold.kinds import find
from bayesfold.pooled import Pool
from bayesfold.report.html import Page, bar, table, text
from bayesfold.report.subject import Subject
from bayesfold.store.words import of_mixture
from bayesfold.trained import train

MOST_TELLING = 20
MOST_DENSITIES = 10
WIDE = 1000


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """Bars, densities, structure."""
    return "Columns", telling(subject) + densities(subject, sheet) + structure(subject, sheet)


def telling(subject: Subject) -> str:
    """How far each column moves the log-odds."""
    found = {part: m for part, m in subject.importance.items() if part not in MEANINGS}
    most = max(found.values(), default=0.0) or 1.0
    lines = [
        (part, f'<span class="rail">{bar(m / most)}</span>', f"{m:.3f}")
        for part, m in list(found.items())[:MOST_TELLING]
    ]
    more = f" The other {len(found) - MOST_TELLING} say less." if len(found) > MOST_TELLING else ""
    return (
        "<h3>What tells most</h3>"
        + table(("", "", "mean |log-odds|"), lines, left=2, raw=(1,))
        + text(
            "How far a column moves the log-odds of the decision against the next class, up or down, mean over rows."
            + more
        )
    )


def densities(subject: Subject, sheet: Page) -> str:
    """P(value | class) of the most telling columns, of the model itself where its columns add up."""
    own = is_additive(subject.trained.model_) and subject.trained.model_.is_textbook  # type: ignore[union-attr]
    clf: Any = subject.trained
    if not own:  # the columns of other models depend on each other: show each by itself
        told = getattr(subject.trained.settings, "missing", None)
        clf = train(find("naive")(missing=told), subject.frame, subject.labels, subject.trained.target)
    wanted = [part for part in subject.importance if part not in MEANINGS]
    try:
        every = plots.find("densities").data(clf)[1]
    except ValueError as error:
        return text(str(error))
    names = {c.name for c in every if len(c.values) > 1}
    some = [part for part in wanted if part in names][:MOST_DENSITIES] or sorted(names)[:MOST_DENSITIES]
    classes, found = plots.find("densities").data(clf, some)
    ordered = tuple(sorted(found, key=lambda c: some.index(c.name)))
    whose = "as the model has them" if own else "in these rows, each column by itself"
    return (
        f"<h3>Values in each class</h3>{text(f'P(value | class) of the most telling columns, {whose}.')}"
        + sheet.picture("densities", (classes, ordered), width=WIDE if len(ordered) > 4 else 0)
    )


def structure(subject: Subject, sheet: Page) -> str:
    """Which columns depend on which, drawn where there is room; for a pool its parts and their weights."""
    model, report = subject.trained.model_, subject.trained.report
    body = "<h3>Structure</h3>"
    if isinstance(model, Pool):
        said = {line.name: line for line in report.lines} if report is not None else {}
        lines = [
            (name, of_mixture(one.mixture), f"{w:.3f}", *(scored(said.get(name))))
            for (name, one), w in zip(model.members.items(), model.weights, strict=True)
        ]
        head = ("part", "what", "weight", "held-out log-loss", "accuracy")
        body += table(head, lines, left=2)
        body += text("log P(class | row) is the weighed sum of what the parts say, and is normalised.")
    else:
        body += text(of_mixture(model.mixture))
    try:
        return body + sheet.picture("network", plots.find("network").data(subject.trained))
    except ValueError as error:  # several networks, or too many columns for a picture
        return body + text(f"It is not drawn: {error}.")


def scored(line: Any) -> tuple[str, str]:
    """What a part got by itself when the pool was learned."""
    found = SimpleNamespace(loss=float("nan"), accuracy=float("nan")) if line is None else line
    return tuple("" if x != x else f"{x:.3f}" for x in (found.loss, found.accuracy))  # type: ignore[return-value]
