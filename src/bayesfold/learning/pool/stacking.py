"""The weights between the parts of a pool, fitted on what the parts say of rows they have not seen.

Up to `FOLDED` rows that is by folds, with cuts, structures and choices made without each, because choices that have
seen a row flatter it; above that by leave-one-out. The weights under which a fold is judged are fitted on the others.

Where choices take many trials (see `cost`) they are made on halves, and a fold repeats those made without the half that
it is in.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.folds import deal
from bayesfold.data.frame import Coded, Floats, Frame, Level
from bayesfold.decisions.metrics import effective_rows
from bayesfold.learning import choices as choose
from bayesfold.learning.cross_fit import as_read, hash_identifiers
from bayesfold.learning.discover import find_codes, screened
from bayesfold.learning.fit import EARNED, apply_given_priors
from bayesfold.learning.pool.clock import Clock
from bayesfold.learning.pool.repeat import repeated
from bayesfold.learning.pool.ways import Ways
from bayesfold.learning.recipe import Recipe
from bayesfold.learning.weights import ASKED, Pooled, log_normal, pool
from bayesfold.models.model import Model
from bayesfold.models.pool import add_doubt
from bayesfold.runtime.unique import distinct
from bayesfold.tally.forgetting import without_a_value

FOLDED = 5_000
FOLDS = 4

MOST_ROWS = 50_000
MOST_ANSWERS, LEAST_ROWS = 1 << 21, 1_000
"""Rows left out times classes up to which all rows are asked; of more, as many fewer, but not below the least."""

RIDGES = {True: 10.0, False: 100.0}
"""The pull to equal weights where rows were held out by folds, and, stronger, by leave-one-out."""

BIAS_RIDGE = 10.0

TO_EARN = ("parzen",)
"""Parts that are in the pool only where rows held out are predicted better with them, by `EARNED` nats in all: they
keep rows, and what they say is seldom needed."""

OF_COVARIANCES = ("gaussian",)
"""Parts that read numbers as they are; the others read tables."""


@dataclass(frozen=True)
class HeldOutAnswers:
    """What parts say of rows they have not seen, [row, part, class]; the rows' classes, weights and folds.

    `doubt` is in what they say.
    """

    said: Floats
    own: NDArray[np.intp]
    weight: Floats | None
    fold: NDArray[np.intp] | None = None  # None: each row was left out alone
    doubt: float = 0.0
    centre: tuple[float, ...] = ()  # the weights to which the parts are pulled; none: equal ones

    def fitted(self, rows: NDArray[np.intp] | None = None) -> Pooled:
        """The weights between the parts, by these rows or all.

        Of a row whose class is unknown without its fold nothing can be learned, so such rows are left out if there are
        others.
        """
        return self._fitted(self._learned_from(rows), asked=0)

    def losses_under_weights_of_others(self) -> Floats:
        """[row]: log-losses, each row under weights that were fitted without it; NaN where nothing can be learned."""
        rows = self._learned_from(None)
        out = np.full(len(self.own), np.nan)
        out[rows] = -log_normal(self._fitted(rows).held_out)[np.arange(len(rows)), self.own[rows]]
        return out

    def _learned_from(self, rows: NDArray[np.intp] | None) -> NDArray[np.intp]:
        """Those of the rows, or of all, that weights are fitted on."""
        rows = np.arange(len(self.own)) if rows is None else rows
        known = rows if self.fold is None else rows[known_without(self.fold, self.own)[rows]]
        return known if len(known) else rows

    def _fitted(self, rows: NDArray[np.intp], asked: int | None = None) -> Pooled:
        """The weights by these rows; `asked` of them, or all, are answered as if each had not been there."""
        given = np.array(self.centre or (1.0 / self.said.shape[1],) * self.said.shape[1])
        everyone = np.ones(len(given), bool)
        if given.all():
            return self._weighed(rows, given, everyone, asked)
        asked = ASKED if asked == 0 else asked
        without, both = (self._weighed(rows, given, some, asked) for some in (given > 0, everyone))
        many = len(rows) if self.weight is None else effective_rows(self.weight[rows])
        return both if (without.loss - both.loss) * many > EARNED else without

    def _weighed(self, rows: NDArray[np.intp], centre: Floats, some: NDArray[np.bool_], asked: int | None) -> Pooled:
        """The weights of some of the parts, by these rows; those of the others are 0."""
        weight = None if self.weight is None else self.weight[rows]
        found = pool(
            np.ascontiguousarray(self.said[rows][:, some]),
            self.own[rows],
            weight,
            start=centre[some],
            ridge=RIDGES[self.fold is not None],
            bias_ridge=BIAS_RIDGE,
            nonnegative=True,
            asked=asked,
        )
        weights = np.zeros(len(centre))
        weights[some] = found.weights
        return replace(found, weights=weights)

    def crossed(self) -> Floats:
        """[row, class]: what the parts say together, each fold under weights that were fitted on the others."""
        return self._crossed.copy()

    @cached_property
    def _crossed(self) -> Floats:
        assert self.fold is not None
        out = np.empty((len(self.own), self.said.shape[2]))
        for f in distinct(self.fold):
            out[self.fold == f] = self.fitted(np.flatnonzero(self.fold != f)).logits(self.said[self.fold == f])
        return out


def left_out(members: Mapping[str, Model], batch: Batch) -> HeldOutAnswers:
    """What the parts say of rows each left out of the statistic; of many rows, of a sample."""
    first = next(iter(members.values()))
    rows = choose.rows_left_out(first, batch, min(MOST_ROWS, max(LEAST_ROWS, MOST_ANSWERS // len(first.classes))))
    said = np.stack([m.log_proba(rows, leave_out=True) for m in members.values()], axis=1)
    doubt = doubt_of(batch, said.shape[2])
    own = choose.own_classes(rows)
    weight = in_rows(rows.weight, batch)
    return HeldOutAnswers(add_doubt(said, doubt), own, weight, doubt=doubt, centre=centre_of([*members]))


def in_rows(weight: Floats | None, batch: Batch) -> Floats | None:
    """Weights in units of what a row of the batch weighs: those between parts are pulled by a number of rows."""
    return None if weight is None else weight / choose.weight_of_a_row(batch)


def doubt_of(batch: Batch, classes: int) -> float:
    """What a part learned on these rows leaves to every class, however sure it is.

    That is what one row more, of any class, would leave to it: a part of 60 rows that never errs may err on the next.
    Without it some rows of small tables cost twenty nats each, and no weight that helps the others could mend it.

    >>> round(1 / doubt_of(Batch(60), 2))
    120
    """
    return 1.0 / (max(choose.rows_in(batch), 1.0) * classes)


def folded(
    recipes: Mapping[str, Recipe],
    frame: Frame,
    labels: Coded,
    weight: Floats | None,
    batch: Batch,
    classes: tuple[Level, ...],
    anew: bool,
    clock: Clock,
) -> HeldOutAnswers | None:
    """What parts learned without a fold say of it; their choices made anew, or without the half that it is in.

    None where the time that there is would not do.
    """
    fold = deal(as_read(frame, labels, weight), FOLDS, spread=True, ties=hash_identifiers(frame))
    table = frame, labels, weight, classes
    each: Mapping[int, Mapping[str, Recipe]] = dict.fromkeys(range(FOLDS), recipes)
    clock.starts(len(recipes) * (FOLDS if anew else FOLDS + 2))
    if not anew:
        halves = by_folds(dict.fromkeys((0, 1), recipes), *table, fold % 2, clock)
        if halves is None:
            return None
        each = {f: halves[1][f % 2] for f in range(FOLDS) if f % 2 in halves[1]}
    found = by_folds(each, *table, fold, clock)
    if found is None:
        return None
    said, doubt = found[0], doubt_of(batch, len(classes))
    own, centre = choose.own_classes(batch), centre_of([*recipes])
    return HeldOutAnswers(add_doubt(said, doubt), own, in_rows(weight, batch), fold, doubt, centre)


def centre_of(parts: Sequence[str]) -> tuple[float, ...]:
    """The weights to which the parts of a pool are pulled: equal ones of tables and of covariances, together 1.

    Naive Bayes, AODE and KDB read the same tables and err together, so they share one weight. A part that has to earn
    its place is pulled to 0.

    >>> centre_of(["naive", "aode", "gaussian", "parzen"])
    (0.25, 0.25, 0.5, 0.0)
    """
    sides = {part: part in OF_COVARIANCES for part in parts if part not in TO_EARN}
    many = Counter(sides.values())
    return tuple(1.0 / (len(many) * many[sides[part]]) if part in sides else 0.0 for part in parts) if sides else ()


def together(unseen: HeldOutAnswers, batch: Batch, first: Model, base: Recipe) -> Floats:
    """[row, class]: the log joint of a pool, each fold by the others alone; `first` is a member learned on all rows.

    A row in which nothing is observed gets the prior, and class probabilities and weights that were given are applied
    to what the parts say, as a pool does.
    """
    joint = unseen.crossed()
    nothing = without_a_value(batch, first.schema)
    joint[nothing] = unseen.said[nothing, 0]
    if base.prior is None and base.class_weight is None:
        return joint
    assert unseen.fold is not None
    for f in distinct(unseen.fold):
        rows = unseen.fold == f
        joint[rows] += apply_given_priors(first.without(batch.take(np.flatnonzero(rows))), base).shift()
    return joint


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
    clock: Clock,
) -> tuple[Floats, dict[int, dict[str, Recipe]]] | None:
    """[row, part, class]: log posteriors of each fold by parts learned on the others; and what these chose, by fold.

    None as soon as it is seen that the others will be late.
    """
    out = np.zeros((frame.rows, len(next(iter(recipes.values()))), len(classes)))
    made: dict[int, dict[str, Recipe]] = {}
    began, folds = clock.spent, distinct(fold).tolist()
    for done, f in enumerate(folds):
        if done and clock.will_be_late((clock.spent - began) / done * (len(folds) - done)):
            return None
        train, test = fold != f, fold == f
        if not train.any():
            train = test
        table = frame.take(train), labels.take(train), None if weight is None else weight[train]
        options = next(iter(recipes[f].values())).options
        heard = screened(*table, options if options.codes is None else find_codes(*table, options), frame.rows)
        made[f], ways, asked = {}, Ways(*table), frame.take(test)
        for i, (part, recipe) in enumerate(recipes[f].items()):
            chosen = replace(recipe.options, codes=heard.codes, silent=heard.silent, shallow=heard.shallow)
            recipe = replace(recipe, classes=classes, options=chosen)
            model, way = ways.learn(recipe)
            out[test, i] = model.log_proba(model.schema.encode(asked))
            made[f][part] = repeated(recipe, model, way)
            clock.learned(frame.rows)
    return out, made
