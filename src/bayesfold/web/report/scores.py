"""Scores at a glance, with intervals, beside what guessing by class frequency would get."""

import numpy as np

from bayesfold.decisions import metrics
from bayesfold.decisions.measure import in_print
from bayesfold.decisions.measures import SEEN_LOSS
from bayesfold.learning.trained import Trained
from bayesfold.web.report.html import Page, make_cards, make_paragraph, make_table
from bayesfold.web.report.subject import Subject

MEANINGS = {
    "accuracy": "share of rows predicted correctly",
    "log-loss": "mean of -log P(true class); 0 is best",
    SEEN_LOSS: "the same, for rows whose class occurs in training",
    "Brier": "squared error of probabilities; 0 is best",
    "AUC": "area under the ROC curve; 0.5 is chance",
    "ECE": "expected calibration error; 0 is best",
    "cost": "mean cost of a decision",
    "total risk": "mean cost that the model expected",
    "coverage": "share of rows decided, not rejected",
}


def section(subject: Subject, sheet: Page) -> tuple[str, str]:
    """Cards and a table."""
    measures = subject.judgement.scores[subject.name]
    items = [(name, *in_print(m)) for name, m in measures.items()]
    shown = make_cards([(name, number, "" if span == "-" else f"95 %: {span}") for name, number, span in items])
    guess = score_guess(subject)
    lines = [(name, number, span, guess.get(name, ""), MEANINGS[name]) for name, number, span in items]
    lines = [(name, meaning, number, span, other) for name, number, span, other, meaning in lines]
    body = shown + make_table(("measure", "what it says", "this model", "95 % interval", "guessing"), lines, left=2)
    body += "".join(make_paragraph(f"{note}.") for note in subject.judgement.notes())
    if subject.learned:
        body += make_paragraph(
            "The model may have been fitted on these rows, and then their scores are optimistic"
            f"{describe_held_out(subject.trained)}."
        )
    return "Scores", body


def summarize(subject: Subject) -> str:
    """How good the model is, in words that need no statistics."""
    accuracy = subject.judgement.scores[subject.name]["accuracy"]
    alone = float(score_guess(subject)["accuracy"])
    span = "" if np.isnan(accuracy.low) else f" (95 % interval: {accuracy.low:.0%} to {accuracy.high:.0%})"
    rejected = " A row that is not decided counts as wrong." if subject.trained.reject_cost is not None else ""
    flatters = " It may have learned these rows, so it will do worse on new ones." if subject.learned else ""
    verdict = (
        f"Right for {accuracy.value:.0%} of the rows{span}; always guessing the most frequent class gives {alone:.0%}."
    )
    return verdict.replace("%", " %").replace("  ", " ") + rejected + flatters


def describe_held_out(trained: Trained) -> str:
    """What the model got on rows held out when it was fitted, where that is known."""
    judged = trained.judged
    if judged is None:
        return ""
    numbers = ", ".join(f"{name} {in_print(m)[0]}" for name, m in judged.measures.items())
    return f". On rows held out ({judged.how}) it got {numbers}"


def score_guess(subject: Subject) -> dict[str, str]:
    """What the learned class frequencies alone would get."""
    model, judgement = subject.trained.model_, subject.judgement
    share = dict(zip(model.classes, np.exp(model.log_prior()).tolist(), strict=True))
    p = np.array([share.get(c, 0.0) for c in judgement.classes])
    rows = np.tile(p / p.sum(), (len(judgement.truth), 1))
    w = judgement.weight
    losses = {
        "accuracy": metrics.hits(rows.argmax(axis=1), judgement.truth),
        "log-loss": metrics.log_losses(rows, judgement.truth),
        "Brier": metrics.briers(rows, judgement.truth),
    }
    return {name: f"{np.average(each, weights=w):.3f}" for name, each in losses.items()}
