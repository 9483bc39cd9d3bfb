"""The rows that surprised the model most, and its reasons for thinking otherwise."""

import numpy as np

from bayesfold.data.own_names import OwnLine
from bayesfold.decisions.metrics import log_losses
from bayesfold.explanations.explanation import Explanation, print_value
from bayesfold.explanations.requests import explain_rows
from bayesfold.web.report.html import Page, make_paragraph, make_table
from bayesfold.web.report.subject import Subject

MOST = 12
REASONS = 3


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """One line per row: what it is, what was decided, and what spoke for that."""
    judgement = subject.judgement
    wrong = subject.decision != judgement.truth
    if not wrong.any():
        return "Worst mistakes", make_paragraph("There are none: every row was predicted correctly.")
    surprise = np.where(wrong, log_losses(subject.proba, judgement.truth), -1.0)
    worst = np.argsort(-surprise, kind="stable")[: min(MOST, int(wrong.sum()))]
    order = np.sort(worst)
    why = explain_rows(subject.trained, subject.frame.take(np.isin(np.arange(subject.frame.rows), order)), None, None)
    by_row = dict(zip(order.tolist(), why, strict=True))
    lines = []
    for i in worst.tolist():
        truth, decision = judgement.truth[i], subject.decision[i]
        decided = "rejected" if decision < 0 else str(judgement.classes[decision])
        p = subject.proba[i, truth]
        lines.append(
            (f"{subject.places[i] + 1:,}", str(judgement.classes[truth]), decided, list_reasons(by_row[i]), f"{p:.2g}")
        )
    body = make_table(
        ("row", "truth", "decided", "what spoke for the most probable class (log-odds)", "P(truth)"), lines, left=4
    )
    share = f"{int(wrong.sum()):,} of {len(wrong):,} rows were decided wrong or rejected"
    return "Worst mistakes", make_paragraph(f"{share}; these gave their true class the lowest probability.") + body


def list_reasons(why: Explanation) -> str:
    """The columns that speak loudest for the decision."""
    for_it = [r for r in why.reasons if not isinstance(r.part, OwnLine) and r.contribution > 0]
    reasons = [f"{r.part} = {print_value(r.value, 4)} ({r.contribution:+.2f})" for r in for_it[:REASONS]]
    return ", ".join(reasons) or "the prior"
