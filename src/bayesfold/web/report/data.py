"""The rows: classes, and what each column holds here."""

from typing import Any

import numpy as np

from bayesfold.data.frame import Frame
from bayesfold.learning.one_column import kind_of
from bayesfold.runtime.messages import digits
from bayesfold.web.report.html import Page, fold_table, make_paragraph, make_table
from bayesfold.web.report.subject import Subject

MOST = 60
MOST_CLASSES = 12


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """A table of classes and one of columns."""
    model, judgement = subject.trained.model_, subject.judgement
    learned = dict(zip(model.classes, model.class_counts().tolist(), strict=True))
    here = np.bincount(judgement.truth, minlength=len(judgement.classes)).tolist()
    total, rows = max(sum(learned.values()), 1), max(sum(here), 1)
    shares = [
        (str(c), f"{learned.get(c, 0):,}", f"{learned.get(c, 0) / total:.1%}", f"{n:,}", f"{n / rows:.1%}")
        for c, n in zip(judgement.classes, here, strict=True)
    ]
    header = (subject.trained.target, "learned", "", "judged here", "")
    order = sorted(range(len(here)), key=lambda k: -here[k]) if len(here) > MOST_CLASSES else range(len(here))
    body = fold_table(header, [shares[k] for k in order], MOST_CLASSES, "less frequent classes")
    names = [c.name for c in subject.trained.columns if c.name in subject.frame.position]
    family = {c.name: c.family or "left out" for c in subject.trained.columns}
    why = {c.name: c.why for c in subject.trained.columns}
    lines = []
    for name in names[:MOST]:
        gaps, values = describe_column(subject.frame, name)
        lines.append((name, family[name], values, gaps))
    body += make_table(("column", "read as", "values here", "missing here"), lines, left=3)
    if len(names) > MOST:
        body += make_paragraph(f"and {len(names) - MOST} more columns.")
    absent = [name for name in names if family[name] == "left out"]
    if absent:
        body += make_paragraph(
            "Left out: " + "; ".join(f"{name} ({why[name].removeprefix('left out').lstrip(': ')})" for name in absent)
        )
    return "Data", body


def describe_column(frame: Frame, name: str) -> tuple[str, str]:
    """The share of missing cells, and what the others are."""
    values = frame.column(name)
    if kind_of(values) == "number":
        x = frame.numbers(name)
        seen = np.sort(x[~np.isnan(x)])
        gaps = f"{1 - len(seen) / max(len(x), 1):.1%}"
        if not len(seen):
            return gaps, "none"
        middle = seen[[(len(seen) - 1) // 2, len(seen) // 2]].mean()
        return gaps, f"{digits(seen[0], 4)} to {digits(seen[-1], 4)}, median {digits(middle, 4)}"
    coded = frame.coded(name)
    index = coded.index
    counts = np.bincount(index[index >= 0], minlength=len(coded.levels))
    gaps = f"{(index < 0).mean():.1%}" if len(index) else "0.0%"
    top = np.argsort(-counts, kind="stable")[:3]
    shares = ", ".join(f"{shorten_value(coded.levels[k])} {counts[k] / max(len(index), 1):.0%}" for k in top)
    return gaps, f"{len(coded.levels):,} different: {shares}" if len(coded.levels) else "none"


def shorten_value(value: Any) -> str:
    """A value that fits in a cell."""
    words = str(value)
    return words if len(words) <= 24 else f"{words[:23]}…"
