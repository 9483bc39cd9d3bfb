"""How good fitted models are on rows whose class is known: every measure with an interval, models compared row by row.

Two models answer the same rows, so the interval of a difference is that of the mean of the rows' differences.

>>> p = {"sure": np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]), "even": np.full((3, 2), 0.5)}
>>> found = judge(("no", "yes"), np.array([0, 1, 1]), p, {name: q.argmax(axis=1) for name, q in p.items()})
>>> print(found)
3 rows, 2 classes
           sure   95 % interval   even   95 % interval
accuracy  0.667  0.208 to 0.939  0.333  0.061 to 0.792
log-loss  0.511  0.000 to 2.878  0.693  0.693 to 0.693
Brier     0.180  0.000 to 0.901  0.250  0.250 to 0.250
AUC       1.000  0.283 to 1.000  0.500  0.079 to 0.921
ECE       0.333               -  0.167               -
<BLANKLINE>
even minus sure, paired by row
          difference     95 % interval
accuracy      -0.333   -1.768 to 1.101
log-loss      +0.182   -1.316 to 1.681
Brier         +0.070   -0.598 to 0.738
AUC           -0.500  -0.500 to -0.500
ECE           -0.167                 -
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.groups import rows_per_group
from bayesfold.decisions.measure import INTERVAL, Measure, in_print
from bayesfold.decisions.measures import Answers, Known, mean, measured
from bayesfold.decisions.metrics import Codes
from bayesfold.decisions.never_seen import NeverSeen, statements
from bayesfold.runtime.text_table import html_table, text_table


@dataclass(frozen=True, repr=False)
class Judgement:
    """scores[model][measure]; `proba[model]` is [row, class], `decisions[model]` one place per row, -1: rejected.

    `never_seen[model]` are the rows of classes that it had not learned; probabilities are those of classes that it had.
    `group` is the unit of each row, where rows of one unit count as one.
    """

    classes: tuple[Level, ...]
    truth: Codes
    proba: Mapping[str, Floats]
    decisions: Mapping[str, Codes]
    scores: Mapping[str, Mapping[str, Measure]]
    weight: Floats
    never_seen: Mapping[str, NeverSeen] = field(default_factory=dict)
    group: Codes | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.scores)

    def difference(self, model: str, other: str, measure: str) -> Measure:
        """`model` less `other`, row by row."""
        a, b = (self.scores[name][measure] for name in (model, other))
        apart = a.rows - b.rows
        there = ~np.isnan(apart)
        if not there.any():
            return Measure(a.value - b.value)
        return mean(apart[there], self.weight[there], rows_per_group(self.group, self.weight))

    def _tables(self) -> list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
        """Captions, headers and lines."""
        first = self.models[0]
        header = ("", *(part for name in self.models for part in (name, INTERVAL)))
        lines = [
            (m, *(part for name in self.models for part in in_print(self.scores[name][m]))) for m in self.scores[first]
        ]
        tables: list[Any] = [(f"{len(self.truth):,} rows, {len(self.classes)} classes", header, lines)]
        for name in self.models[1:]:
            found = [(m, *in_print(self.difference(name, first, m), "+")) for m in self.scores[first]]
            tables.append((f"{name} minus {first}, paired by row", ("", "difference", INTERVAL), found))
        return tables

    def notes(self) -> list[str]:
        """What to tell of rows of classes never seen."""
        losses = {name: scores["log-loss"].rows for name, scores in self.scores.items()}
        return statements(self.never_seen, self.truth, self.classes, losses)

    def __str__(self) -> str:
        tables = [f"{caption}\n{text_table(header, lines)}" for caption, header, lines in self._tables()]
        return "\n\n".join([*tables, *self.notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape  # with a table of every named character, which terminals do without

        tables = [html_table(header, lines, caption=caption) for caption, header, lines in self._tables()]
        return "".join([*tables, *(f"<p>{escape(note)}</p>" for note in self.notes())])


def judge(
    classes: tuple[Level, ...],
    truth: Codes,
    proba: Mapping[str, Floats],
    decisions: Mapping[str, Codes],
    loss: Floats | None = None,
    reject_cost: float | None = None,
    weight: Floats | None = None,
    folds: Mapping[str, Codes] | None = None,
    never_seen: Mapping[str, NeverSeen] | None = None,
    group: Codes | None = None,
    carried: Mapping[str, Floats | None] | None = None,
) -> Judgement:
    """The measures of posteriors and decisions of rows; costs where there is a loss or a row may be rejected.

    `folds[model]` says which rows were answered by the same model, where the model was learned anew without each fold.
    `never_seen[model]` are rows of classes that it had not learned: what it left to such classes is their probability.
    Rows of one `group` count as one in intervals.
    `carried[model]` is by how much rows' log-losses change from the models without their folds to one of all rows.
    """
    w = np.ones(len(truth)) if weight is None else weight
    if not len(truth) or not w.sum() > 0:
        raise ValueError("there are no rows with a class to judge by")
    costs = 1.0 - np.eye(len(classes)) if loss is None else loss
    never, scores = never_seen or {}, {}
    apart = any(one.rows.any() for one in never.values())
    for name, p in proba.items():
        fold = None if folds is None else folds[name]
        known = Known(truth, w, costs, loss is not None, reject_cost, fold, never.get(name), apart, group)
        known = replace(known, carried=(carried or {}).get(name))
        scores[name] = measured(Answers(p, decisions[name]), known)
    return Judgement(classes, truth, proba, decisions, scores, w, never, group)
