"""The weights between the parts of a pool, fitted on what the parts say of rows they have not seen.

Up to `FOLDED` rows that is by folds, with cuts, structures and choices made without each, because choices that have
seen a row flatter it; above that by leave-one-out. A part learned without one fold of k would do better with all rows:
its loss is carried on to them along the curve loss(n) = a + b / n through two points, the second by halves of folds,

    loss(n) = loss((k-1) n/k) - (loss(n/2) - loss((k-1) n/k)) / (k - 2).

Where choices take many trials (see `effort`) they are made on these halves, and a fold repeats those made without it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.folds import dealt
from bayesfold.data.frame import Coded, Floats, Frame, Level
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Vector
from bayesfold.learning import choices as choose
from bayesfold.learning.fit import Recipe, learn
from bayesfold.learning.pool.repeat import repeated
from bayesfold.learning.pool.report import PartLine, Report
from bayesfold.learning.weights import Pooled, log_loss, pool
from bayesfold.models.model import Model
from bayesfold.models.pool import FLOOR
from bayesfold.runtime.unique import distinct

FOLDED = 5_000
FOLDS, MORE_FOLDS = 4, 8
MOST_ROWS = 50_000
RIDGES = {True: 10.0, False: 100.0}
"""The pull to equal weights where rows were held out by folds, and, stronger, by leave-one-out."""

BIAS_RIDGE = 10.0
CARRIED_ON = "log-loss carried on to all rows"


@dataclass(frozen=True)
class Unseen:
    """What parts say of rows they have not seen, [row, part, class]; the rows' classes and weights; how it was done."""

    said: Floats
    own: NDArray[np.intp]
    weight: Floats | None
    how: str
    folds: int = 0  # 0: each row was left out alone
    halves: Floats | None = None  # what they say when they have seen only half of the rows ...
    both: NDArray[np.intp] | None = None  # ... and the rows whose class is in the other half

    def fitted(self) -> Pooled:
        """The weights between the parts."""
        T, ridge = self.said, RIDGES[self.halves is not None]
        return pool(
            T, self.own, self.weight, start=1.0 / T.shape[1], ridge=ridge, bias_ridge=BIAS_RIDGE, nonnegative=True
        )

    def accuracy(self, logits: Floats) -> float:
        """The share of rows whose class is the most probable one."""
        return float(np.average(logits.argmax(1) == self.own, weights=self.weight))

    def carried_on(self, loss: float, logits: Callable[[Floats], Floats]) -> float:
        """A loss by folds as it should be with all rows: more rows do no harm, and do not halve it."""
        if self.halves is None or self.both is None:
            return loss
        own, weight = self.own[self.both], None if self.weight is None else self.weight[self.both]
        fewer, more = (log_loss(logits(said[self.both]), own, weight) for said in (self.halves, self.said))
        return max(loss - max(fewer - more, 0.0) / (self.folds - 2), loss / 2)


def judged(lines: Mapping[str, PartLine], members: Mapping[str, Model], unseen: Unseen, fitted: Pooled) -> Report:
    """What each part got, and what they got together; all are carried on alike, a part's own curve being noisy."""
    loss = unseen.carried_on(fitted.loss, fitted.logits)
    share = loss / fitted.loss if fitted.loss > 0 else 1.0
    lines = dict(lines)
    for i, part in enumerate(members):
        own, weight = unseen.said[:, i], float(fitted.weights[i])
        alone = share * log_loss(own, unseen.own, unseen.weight)
        lines[part] = replace(lines[part], loss=alone, accuracy=unseen.accuracy(own), weight=weight)
    return Report(tuple(lines.values()), loss, unseen.accuracy(fitted.held_out), len(unseen.own), unseen.how)


def left_out(members: Mapping[str, Model], batch: Batch, how: str = "leave-one-out") -> Unseen:
    """What the parts say of rows each left out of the statistic; of many rows, of a sample."""
    rows = choose.asked(next(iter(members.values())), batch, MOST_ROWS)
    if rows.rows < batch.rows * 0.99:
        how += f" on {rows.rows} of {batch.rows} rows, chosen by their content"
    said = np.stack([m.log_proba(rows, leave_out=True) for m in members.values()], axis=1)
    return Unseen(np.maximum(said, FLOOR), choose.own_classes(rows), rows.weight, how)


def folded(
    recipes: Mapping[str, Recipe],
    frame: Frame,
    labels: Coded,
    weight: Floats | None,
    schema: Schema,
    folds: int,
    anew: bool,
) -> Unseen:
    """What parts learned without a fold say of it; their choices made anew, or without the half that it is in.

    Of a row whose class is unknown without its fold nothing can be learned, so such rows are left out if there are
    others.
    """
    batch = schema.encode(frame, labels, weight)
    own, fold = choose.own_classes(batch), dealt(as_given(batch, schema), folds)
    table = frame, labels, weight, schema.target.levels
    halves, made = by_folds(dict.fromkeys((0, 1), recipes), *table, fold % 2)
    each = {f: recipes if anew else made[f % 2] for f in range(folds) if f % 2 in made}
    said, _ = by_folds(each, *table, fold)
    said, halves = np.maximum(said, FLOOR), np.maximum(halves, FLOOR)
    known = known_without(fold, own)
    rows = np.flatnonzero(known) if known.any() else np.arange(len(own))
    both = np.flatnonzero(known_without(fold % 2, own)[rows])
    own, said, halves = own[rows], said[rows], halves[rows]
    how = f"{folds} folds, learned and chosen without {'each' if anew else 'each, or the half it is in'}; {CARRIED_ON}"
    return Unseen(said, own, None if weight is None else weight[rows], how, folds, halves, both if len(both) else None)


def known_without(fold: NDArray[np.intp], own: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each row's class has rows in other folds.

    >>> known_without(np.array([0, 0, 1]), np.array([0, 1, 1]))
    array([False,  True,  True])
    """
    shown = np.zeros((fold.max(initial=0) + 1, own.max(initial=0) + 1), np.intp)
    np.add.at(shown, (fold, own), 1)
    return np.asarray((shown.sum(0) > shown)[fold, own])


def by_folds(
    recipes: Mapping[int, Mapping[str, Recipe]],
    frame: Frame,
    labels: Coded,
    weight: Floats | None,
    classes: tuple[Level, ...],
    fold: NDArray[np.intp],
) -> tuple[Floats, dict[int, dict[str, Recipe]]]:
    """[row, part, class]: log posteriors of each fold by parts learned on the others; and what these chose, by fold."""
    out = np.zeros((frame.rows, len(next(iter(recipes.values()))), len(classes)))
    made: dict[int, dict[str, Recipe]] = {}
    for f in distinct(fold).tolist():
        train, test = fold != f, fold == f
        if not train.any():
            train = test
        some = labels.take(train)
        part_weight = None if weight is None else weight[train]
        made[f] = {}
        for i, (part, recipe) in enumerate(recipes[f].items()):
            model, columns = learn(frame.take(train), some, part_weight, replace(recipe, classes=classes))
            out[test, i] = model.log_proba(model.schema.encode(frame.take(test)))
            made[f][part] = repeated(recipe, model, columns)
    return out, made


def as_given(batch: Batch, schema: Schema) -> Batch:
    """The columns without vectors, whose scale hangs on the last bits of a sum: a row's fold should not."""
    plain = tuple(p for p in batch.counts if not isinstance(schema.columns[p.names[0]], Vector))
    some = batch.codes or batch.reals or plain
    return replace(batch, counts=plain) if some else batch
