"""Scores at a glance, with intervals, beside what guessing by class frequency would get."""

import numpy as np

from bayesfold.decisions import metrics
from bayesfold.decisions.measures import SEEN_LOSS, in_print
from bayesfold.learning.trained import Trained
from bayesfold.web.report.html import Page, cards, table, text
from bayesfold.web.report.subject import Subject

MEANINGS = {
    "accuracy": "share of rows decided right",
    "log-loss": "surprise at the true class; 0 is best",
    SEEN_LOSS: "the same of rows whose class it had learned",
    "Brier": "squared error of probabilities; 0 is best",
    "AUC": "rows in the right order; 0.5 is chance",
    "ECE": "confidence less accuracy; 0 is best",
    "cost": "mean cost of a decision",
    "total risk": "mean cost that was expected",
    "coverage": "share of rows decided, not rejected",
}


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """Cards and a table."""
    found = subject.judgement.scores[subject.name]
    items = [(name, *in_print(m)) for name, m in found.items()]
    shown = cards([(name, number, "" if span == "-" else f"95 %: {span}") for name, number, span in items])
    guess = guessed(subject)
    lines = [(name, number, span, guess.get(name, ""), MEANINGS[name]) for name, number, span in items]
    lines = [(name, meaning, number, span, other) for name, number, span, other, meaning in lines]
    body = shown + table(("measure", "what it says", "this model", "95 % interval", "guessing"), lines, left=2)
    body += "".join(text(f"{note}.") for note in subject.judgement.notes())
    if subject.learned:
        body += text(f"The model may have learned these rows, and such scores flatter it{held_out(subject.trained)}.")
    return "Scores", body


def sentence(subject: Subject) -> str:
    """How good the model is, in words that need no statistics."""
    found = subject.judgement.scores[subject.name]["accuracy"]
    alone = float(guessed(subject)["accuracy"])
    span = "" if np.isnan(found.low) else f" (95 % interval: {found.low:.0%} to {found.high:.0%})"
    rejected = " A row that is not decided counts as wrong." if subject.trained.reject_cost is not None else ""
    flatters = " It may have learned these rows, so it will do worse on new ones." if subject.learned else ""
    said = f"Right for {found.value:.0%} of the rows{span}; always guessing the most frequent class gives {alone:.0%}."
    return said.replace("%", " %").replace("  ", " ") + rejected + flatters


def held_out(trained: Trained) -> str:
    """What the model got on rows held out when it was fitted, where that is known."""
    found = trained.judged
    if found is None:
        return ""
    numbers = ", ".join(f"{name} {in_print(m)[0]}" for name, m in found.measures.items())
    return f". On rows held out ({found.how}) it got {numbers}"


def guessed(subject: Subject) -> dict[str, str]:
    """What the learned class frequencies alone would get."""
    model, judgement = subject.trained.model_, subject.judgement
    share = dict(zip(model.classes, np.exp(model.log_prior()).tolist(), strict=True))
    p = np.array([share.get(c, 0.0) for c in judgement.classes])
    rows = np.tile(p / p.sum(), (len(judgement.truth), 1))
    w = judgement.weight
    found = {
        "accuracy": metrics.hits(rows.argmax(axis=1), judgement.truth),
        "log-loss": metrics.log_losses(rows, judgement.truth),
        "Brier": metrics.briers(rows, judgement.truth),
    }
    return {name: f"{np.average(each, weights=w):.3f}" for name, each in found.items()}
