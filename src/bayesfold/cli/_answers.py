"""Answers for the rows of a source: into a file, and how many rows were decided to be what."""

from typing import Any

import numpy as np

from bayesfold.cli._names import refuse_repeated, resolve_name
from bayesfold.cli._tables import read_all
from bayesfold.data.frame import Floats, Frame
from bayesfold.decisions.decide import decide_places, reject_label
from bayesfold.decisions.risk import REJECT
from bayesfold.io.predict import answer_arrays, appended, predict_from
from bayesfold.io.source import Source
from bayesfold.io.unseen import Unseen
from bayesfold.learning.labels_and_weights import by_class
from bayesfold.learning.trained import Trained
from bayesfold.models.posterior import shift_prior
from bayesfold.runtime.progress import Watcher

MOST_CLASSES = 8


class CountingScorer:
    """log P(class | row) of a model, under other class frequencies if they are given; counts its decisions."""

    def __init__(self, trained: Trained, priors: str | None) -> None:
        self.trained = trained
        self.counts = np.zeros(len(trained.model_.classes) + 1, np.int64)  # rejected rows last
        self.unseen = Unseen(trained.model_.schema)
        self.new: Floats | None = None
        if priors is not None:
            with np.errstate(divide="ignore"):
                self.new = np.log([*read_priors(priors, trained).values()])

    def __call__(self, frame: Frame) -> Floats:
        model = self.trained.model_
        log_p = model.log_proba(model.schema.encode(frame))
        if self.new is not None:
            log_p = shift_prior(log_p, model.log_prior(), self.new, True)
        decisions = decide_places(self.trained, log_p)
        self.counts += np.bincount(
            np.where(decisions == REJECT, len(self.counts) - 1, decisions), minlength=len(self.counts)
        )
        return log_p

    def summary(self) -> str:
        """How many rows were decided to be of each class."""
        rejected = [reject_label(self.trained)] if self.trained.reject_cost is not None else []
        names = [*map(str, self.trained.model_.classes), *map(str, rejected)]
        order = [k for k in np.argsort(-self.counts, kind="stable") if self.counts[k]]
        more = f" and {len(order) - MOST_CLASSES} more classes" if len(order) > MOST_CLASSES else ""
        return ", ".join(f"{names[k]} {self.counts[k]:,}" for k in order[:MOST_CLASSES]) + more or "no rows"


def write_answers(scorer: CountingScorer, source: Source, out: str, watcher: Watcher | None, prefix: str) -> int:
    """Write the rows with their answers to a file or to standard output; returns how many there were."""
    judge: Any = scorer.trained
    return int(predict_from(judge, source, out, scorer, watcher, prefix, scorer.unseen))


def answers_as_json(scorer: CountingScorer, source: Source, prefix: str) -> dict[str, Any]:
    """The answers alone, for print as JSON."""
    judge: Any = scorer.trained
    frame = read_all(judge, source).frame(judge)
    scorer.unseen.see(frame)
    answers = answer_arrays(judge, scorer(frame))
    names = [prefix + name for name in appended(judge)]
    return {"rows": [dict(zip(names, row, strict=True)) for row in zip(*(c.to_pylist() for c in answers), strict=True)]}


def read_priors(text: str, trained: Trained) -> dict[Any, float]:
    """The probability of each class, from --priors yes=0.1,no=0.9."""
    given: dict[Any, float] = {}
    for part in text.split(","):
        name, equals, p = part.rpartition("=")
        label = resolve_name("class", name.strip() if equals else part, trained.model_.classes, "--priors: ")
        refuse_repeated("--priors", label, given)
        try:
            given[label] = float(p)
        except ValueError:
            raise ValueError(f"--priors {part!r}: write CLASS=PROBABILITY, for example yes=0.1,no=0.9") from None
    by_level = by_class(given, trained.model_.classes)
    assert by_level is not None
    return by_level
