"""How sure and how often right, who was taken for whom, and what that costs."""

import numpy as np

from bayesfold import plots
from bayesfold.decisions.never_seen import costs_over
from bayesfold.web.report.html import Page, make_paragraph, make_table
from bayesfold.web.report.subject import Subject

MOST_CURVES = 6
MOST_CELLS = 12
MOST_PAIRS = 12
HALF = (490, 500)
"""A picture that shares a line with another."""


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """Calibration and hits against false alarms; confusion; costs."""
    source, trained = subject.source, subject.trained
    classes = subject.judgement.classes
    shown = set(subject.judgement.truth.tolist())
    body = sheet.picture("calibration", plots.find("calibration").data(source, unseen_share=subject.left), *HALF)
    if len(classes) <= MOST_CURVES and len(shown) == len(classes):
        body += sheet.picture("roc", plots.find("roc").data(source), *HALF)
    body = f'<div class="pair">{body}</div>'
    if len(classes) <= MOST_CELLS:
        loss = None if trained.loss is None else costs_over(trained.loss, classes, trained.model_.classes)
        costs_of = {"loss": loss, "reject_cost": trained.reject_cost, "unseen_share": subject.left}
        numbers = plots.find("confusion").data(source, **costs_of)
        body += sheet.picture("confusion", numbers)
    else:
        body += list_confusions(subject)
    body += describe_costs(subject, sheet)
    return "Answers", body


def list_confusions(subject: Subject) -> str:
    """Which classes were taken for which most often, where there are too many for a picture."""
    judgement, decision = subject.judgement, subject.decision
    wrong = decision != judgement.truth
    if not wrong.any():
        return ""
    names = (*map(str, judgement.classes), "rejected")
    confused, times = np.unique(np.stack([judgement.truth[wrong], decision[wrong]], 1), axis=0, return_counts=True)
    every = np.bincount(judgement.truth, minlength=len(names))
    order = np.argsort(-times, kind="stable")[:MOST_PAIRS]
    lines = [
        (names[t], names[d], f"{n:,}", f"{every[t]:,}")
        for (t, d), n in zip(confused[order].tolist(), times[order].tolist(), strict=True)
    ]
    more = f" The other {len(times) - MOST_PAIRS} pairs are rarer." if len(times) > MOST_PAIRS else ""
    head = ("truth", "decided", "rows", "of")
    return "<h3>Frequent confusions</h3>" + make_table(head, lines, left=2) + (make_paragraph(more) if more else "")


def describe_costs(subject: Subject, sheet: Page) -> str:
    """What was told of costs, and what the decisions cost here."""
    trained, judgement = subject.trained, subject.judgement
    classes = judgement.classes
    if trained.loss is None and trained.reject_cost is None:
        return make_paragraph(
            "No costs were given, so every mistake counts the same. Give them to bayesfold fit (--loss costs.json), "
            "and decisions will minimise the expected cost."
        )
    matrix = costs_over(trained.loss, classes, trained.model_.classes)
    lines = [(f"decided {d}", *(f"{c:g}" for c in line)) for d, line in zip(classes, matrix.tolist(), strict=True)]
    body = "<h3>What decisions cost</h3>" + make_table(("", *(f"truth {c}" for c in classes)), lines)
    cost = judgement.scores[subject.name]["cost"]
    plain = float(np.average(matrix[subject.proba.argmax(axis=1), judgement.truth], weights=judgement.weight))
    body += make_paragraph(
        f"The mean cost of a row is {cost.value:.3f} ({cost.interval}); always deciding for the most probable class "
        f"would have cost {plain:.3f}."
        + ("" if trained.reject_cost is None else f" Leaving a row undecided costs {trained.reject_cost:g}.")
    )
    if len(classes) == 2 and trained.reject_cost is None and len(set(judgement.truth.tolist())) == 2:
        body += sheet.picture("cost_curve", plots.find("cost_curve").data(subject.source, loss=trained.loss))
    return body
