"""How good models are on rows they have not seen, and whether one is better: same folds, paired differences, intervals.

>>> from sklearn.datasets import load_iris
>>> from bayesfold import GaussianNB
>>> X, y = load_iris(return_X_y=True)
>>> print(evaluate({"plain": GaussianNB(), "smoothed": GaussianNB(var_smoothing=0.1)}, X, y, repeats=3))
150 rows, 3 classes, 3 x 10 folds, taken out by subtraction (nothing was chosen on the rows)
model     accuracy  log-loss  Brier    AUC    ECE
plain        0.951     0.135  0.076  0.992  0.039
smoothed     0.931     0.164  0.098  0.990  0.054
<BLANKLINE>
smoothed minus plain, with 95 % intervals
accuracy  -0.020  -0.059 to 0.019
log-loss  +0.029  -0.046 to 0.105
Brier     +0.022  -0.020 to 0.063
AUC       -0.002  -0.010 to 0.005
ECE       +0.014  -0.015 to 0.044
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.data.labels import one_per_row
from bayesfold.decisions import metrics
from bayesfold.decisions.groups import split_groups
from bayesfold.decisions.held_out import Codes, deal, keep_copies_together, posteriors, takes_folds_out, truths
from bayesfold.decisions.loss import RULE, loss_matrix
from bayesfold.decisions.measure import Measure, in_print
from bayesfold.decisions.measures import CONFIDENCE, SEEN_LOSS, Answers, Known, measured, with_new_class
from bayesfold.decisions.never_seen import NeverSeen, rows_stood_for, statements, without_folds
from bayesfold.decisions.risk import decide
from bayesfold.decisions.student_t import quantile
from bayesfold.decisions.unseen_class import dearest, reject_limit
from bayesfold.runtime.text_table import html_table, text_table
from bayesfold.runtime.unique import distinct

WAYS = ("auto", "subtract", "refit")
SUBTRACTED = "taken out by subtraction (schema, densities, structure, weights held)"
NOTHING_CHOSEN = "taken out by subtraction (nothing was chosen on the rows)"
REFITTED = "everything refitted without each"


@dataclass(frozen=True, repr=False)
class Evaluation:
    """scores[model][measure], and all that was held out: `proba[model]` is [repeat, row, class].

    `never_seen[model]` are the rows whose class no row outside their fold shows, and what was left to such classes,
    both [repeat, row]; probabilities are those of classes that rows outside the fold show. `weight` is what each row
    weighs in the scores.
    """

    classes: tuple[Level, ...]
    truth: Codes
    folds: Codes
    proba: Mapping[str, Floats]
    decisions: Mapping[str, Codes]
    scores: Mapping[str, Mapping[str, Measure]]
    loss: Floats
    reject_cost: float | None
    how: str
    never_seen: Mapping[str, NeverSeen]
    weight: Floats

    @property
    def models(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.scores)

    def difference(self, model: str, other: str, measure: str, confidence: float = CONFIDENCE) -> Measure:
        """`model` less `other`, fold by fold, with the interval of the corrected resampled t-test.

        Folds share training rows, so the variance of the mean of J differences is (1/J + test rows / training rows) s^2
        (Nadeau & Bengio 2003).
        """
        a, b = (self.scores[name][measure] for name in (model, other))
        d = (a.by_fold - b.by_fold)[~np.isnan(a.by_fold - b.by_fold)]
        value = a.value - b.value
        if len(d) < 2:
            return Measure(value)
        tested = self.folds.shape[1] / len(distinct(self.folds[0]))
        error = np.sqrt((1 / len(d) + tested / (self.folds.shape[1] - tested)) * d.var(ddof=1))
        reach = float(quantile((1 + confidence) / 2, len(d) - 1) * error)
        return Measure(value, value - reach, value + reach)

    def _tables(self) -> list[tuple[str, Sequence[str], list[Sequence[str]]]]:
        """Captions, headers and lines."""
        repeats, rows = self.folds.shape
        folds = len(distinct(self.folds[0]))
        many = "leave-one-out" if folds == rows else f"{repeats} x {folds} folds" if repeats > 1 else f"{folds} folds"
        caption = f"{rows:,} rows, {len(self.classes)} classes, {many}, {self.how}"
        first = self.models[0]
        measures = list(self.scores[first])
        lines = [(name, *(f"{self.scores[name][m].value:.3f}" for m in measures)) for name in self.models]
        tables: list[Any] = [(caption, ("model", *measures), lines)]
        for name in self.models[1:]:
            lines = [(m, *in_print(self.difference(name, first, m), "+")) for m in measures]
            tables.append((f"{name} minus {first}, with 95 % intervals", (), lines))
        return tables

    def notes(self) -> list[str]:
        """What to tell of rows of classes never seen."""
        least = metrics.LEAST_PROBABILITY
        losses = {name: -np.log(np.maximum(never.share, least)) for name, never in self.never_seen.items()}
        return statements(self.never_seen, self.truth, self.classes, losses)

    def __str__(self) -> str:
        tables = [
            caption + "\n" + (text_table(header, lines) if header else text_table(lines[0], lines[1:]))
            for caption, header, lines in self._tables()
        ]
        return "\n\n".join([*tables, *self.notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        tables = [
            html_table(header or ("measure", "difference", "interval"), lines, caption=caption)
            for caption, header, lines in self._tables()
        ]
        return "".join([*tables, *(f"<p>{escape(note)}</p>" for note in self.notes())])


def evaluate(
    models: Any,
    X: Any,
    y: Any,
    *,
    folds: Any = 10,
    repeats: int = 1,
    loss: Any = None,
    reject_cost: float | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    how: str = "auto",
    random_state: int = 0,
) -> Evaluation:
    """Cross-validate a classifier, or compare several (a list, or a dict by name) on the same folds.

    Models are refitted on X and y for each fold, even if they are fitted already: this compares kinds of models and
    their parameters. To score a fitted model on new rows, compare its predict_proba with their classes, or run
    `bayesfold evaluate MODEL TABLE`.

    `folds` is a number (stratified random folds, `repeats` times, copies of a row together), "leave-one-out", or the
    fold of each row. Each model decides by its own loss= and reject_cost=, if it has them; the cost of decisions is
    measured with `loss` (loss[decision][truth]) and `reject_cost`, which default to the models' own.

    `groups` says which rows belong to one unit (a patient, a customer): the name of a column, which is then not used as
    a feature, or a value for each row. Rows of a group share a fold, "leave-one-out" leaves out groups, and intervals
    are based on the number of groups.

    `how`: "refit" repeats the whole fit without each fold; it works for any scikit-learn classifier. "subtract"
    subtracts each fold from one fitted model, exactly and fast, but what was chosen on all rows (schema, densities,
    structure, weights) stays fixed, so scores are optimistic, on wide tables strongly. "auto" subtracts if no model
    chooses anything on the rows of such a table, and refits otherwise.

    A row whose class does not occur outside its fold cannot be predicted: its probability is what the model reserves
    for classes never seen (`unseen_class`), or 0, and `print` says so. "log-loss, classes seen" is that of the other
    rows.

    A measure has its `value`, an interval `low` to `high`, and `by_fold`.
    """
    named = by_name(models)
    unit = None
    if groups is not None:
        X, unit = split_groups(X, groups)
    if how not in WAYS:
        raise ValueError(f"how={how!r} must be one of {', '.join(map(repr, WAYS))}")
    lacking = [name for name, model in named.items() if not takes_folds_out(model)]
    if how == "subtract" and lacking:
        raise ValueError(f"{lacking[0]!r} cannot take rows out of what it has learned; use how='refit'")
    chosen = not lacking and any(model.chooses(X) for model in named.values())
    subtract = how == "subtract" or (how == "auto" and not lacking and not chosen)
    y = one_per_row(y)
    classes, truth = truths(y)
    dealt = deal(truth, folds, repeats, random_state, unit)
    if unit is None and np.ndim(folds) == 0 and not isinstance(folds, str):
        dealt = keep_copies_together(dealt, named.values(), X, y)
    weight = None if sample_weight is None else metrics.checked_weight(sample_weight, len(truth))
    loss = agreed(named, "loss", loss, lambda value: loss_matrix(value, classes))
    reject_cost = agreed(named, "reject_cost", reject_cost, float)
    costs = loss_matrix(loss, classes)
    if costs.ndim != 2:
        raise ValueError(f"evaluate measures all rows by one loss; {RULE}")
    known = Known(truth, np.ones(len(truth)) if weight is None else weight, costs, loss is not None, reject_cost)
    known = replace(known, group=unit)
    proba, decided, never, answers = {}, {}, {}, {}
    for name, model in named.items():
        p = posteriors(model, X, y, dealt, classes, weight, subtract)
        learner = getattr(model, "estimator", model)  # whose probabilities they are, where something decides by costs
        rows = rows_stood_for(len(truth), weight, own_setting(learner, "weights_are") == "counts")
        every_row = np.bincount(truth, rows, len(classes))
        alone = subtract and len(distinct(dealt[0])) == len(truth)
        taken = np.minimum(rows, 1.0) if alone else rows  # a refit leaves out every copy
        told = (
            every_row,
            own_setting(learner, "unseen_class"),
            taken,
            not subtract or own_setting(model, "schema") is not None,
        )
        kept = [without_folds(q, truth, f, *told) for q, f in zip(p, dealt, strict=True)]
        p = proba[name] = np.stack([q for q, _ in kept])
        never[name] = NeverSeen(np.stack([one.rows for _, one in kept]), np.stack([one.share for _, one in kept]))
        own_loss, own_reject = (own_setting(model, setting) for setting in ("loss", "reject_cost"))
        limits = [reject_limit(own_reject, share, dearest(own_loss, classes)) for share in never[name].share]
        decided[name] = np.stack([decide(q, own_loss, limit, classes) for q, limit in zip(p, limits, strict=True)])
        forced = np.stack([decide(q, own_loss, None, classes) for q in p])
        answers[name] = [Answers(*repeat) for repeat in zip(p, decided[name], forced, strict=True)]
    known = replace(known, seen_apart=any(one.rows.any() for one in never.values()))
    scores = {}
    for name, one in never.items():
        own = [replace(known, never_seen=NeverSeen(*repeat)) for repeat in zip(one.rows, one.share, strict=True)]
        scores[name] = over_repeats([by_folds(*repeat) for repeat in zip(answers[name], own, dealt, strict=True)])
    way = REFITTED if not subtract else SUBTRACTED if chosen else NOTHING_CHOSEN
    return Evaluation(classes, truth, dealt, proba, decided, scores, costs, reject_cost, way, never, known.weight)


def by_name(models: Any) -> dict[str, Any]:
    """Models by name: as given, or by their class."""
    if isinstance(models, Mapping):
        return {str(name): model for name, model in models.items()}
    every = list(models) if isinstance(models, list | tuple) else [models]
    named: dict[str, Any] = {}
    for model in every:
        name, n = type(model).__name__, 2
        while name in named:
            name, n = f"{type(model).__name__} {n}", n + 1
        named[name] = model
    return named


def own_setting(model: Any, setting: str) -> Any:
    """A model's own loss= or reject_cost=; other libraries' models mean something else by `loss`."""
    return getattr(model, setting, None) if hasattr(model, "reject_cost") else None


def agreed(models: Mapping[str, Any], setting: str, given: Any, read: Any) -> Any:
    """What was given, or what the models that have the setting agree on."""
    if given is not None:
        return given
    own = {name: own_setting(m, setting) for name, m in models.items()}
    own = {name: value for name, value in own.items() if value is not None}
    for name, value in own.items():
        first, common = next(iter(own.items()))
        if not np.array_equal(read(value), read(common)):
            raise ValueError(f"{first!r} and {name!r} differ in {setting}; say by which to measure: {setting}=...")
    return next(iter(own.values()), None)


def by_folds(answers: Answers, known: Known, fold: Codes) -> dict[str, Measure]:
    """Every measure of the answers, and of each fold by itself; of a single row there is no area and no ECE."""
    alone = len(distinct(fold)) == len(fold)
    found = measured(answers, replace(known, fold=fold))
    w = known.weight
    cut = {
        name: means_by_fold(m.rows, w, fold, ~np.isnan(m.rows) | (name != SEEN_LOSS))
        for name, m in found.items()
        if len(m.rows) and not (alone and name == "AUC")
    }
    if not alone:
        p, own = with_new_class(answers.proba, known)
        parts = [(p[some], own[some], w[some]) for f in distinct(fold) for some in [fold == f]]
        cut["ECE"] = np.array([metrics.reliability(*part).error for part in parts])
    return {name: replace(m, by_fold=cut.get(name, m.by_fold)) for name, m in found.items()}


def means_by_fold(rows: Floats, w: Floats, fold: Codes, there: Any) -> Floats:
    """The mean of each fold over the rows that are `there`; NaN of a fold without any."""
    sums, total = (np.bincount(fold, np.where(there, part, 0.0)) for part in (w * rows, w))
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), np.nan)


def over_repeats(found: Sequence[Mapping[str, Measure]]) -> dict[str, Measure]:
    """The mean of measures, intervals and what rows add, over folds dealt several times; all folds one by one.

    All repeats judge the same rows, so that more of them make no interval narrower.
    """
    out = {}
    for name in found[0]:
        every = [repeat[name] for repeat in found]
        value, low, high = (float(np.mean([getattr(m, part) for m in every])) for part in ("value", "low", "high"))
        rows, by_fold = np.mean([m.rows for m in every], axis=0), np.concatenate([m.by_fold for m in every])
        out[name] = Measure(value, low, high, rows, by_fold)
    return out
