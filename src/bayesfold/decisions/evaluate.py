"""How good models are on rows they have not seen, and whether one is better: same folds, paired differences, intervals.

>>> from sklearn.datasets import load_iris
>>> from bayesfold import GaussianNB
>>> X, y = load_iris(return_X_y=True)
>>> print(evaluate({"plain": GaussianNB(), "smoothed": GaussianNB(var_smoothing=0.1)}, X, y, repeats=3))
150 rows, 3 classes, 3 x 10 folds, taken out by subtraction (schema, structure, weights held)
model     accuracy  log-loss  Brier    AUC    ECE
plain        0.951     0.135  0.076  0.994  0.039
smoothed     0.933     0.164  0.098  0.990  0.055
<BLANKLINE>
smoothed less plain, with 95 % intervals
accuracy  -0.018  -0.061 to 0.025
log-loss  +0.029  -0.043 to 0.101
Brier     +0.021  -0.018 to 0.061
AUC       -0.003  -0.011 to 0.005
ECE       +0.016  -0.012 to 0.043
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions import metrics
from bayesfold.decisions.held_out import Codes, can_subtract, deal, posteriors, truths
from bayesfold.decisions.loss import RULE, loss_matrix
from bayesfold.decisions.risk import REJECT, decide
from bayesfold.decisions.student_t import quantile
from bayesfold.runtime.text_table import html_table, text_table
from bayesfold.runtime.unique import distinct

WAYS = ("auto", "subtract", "refit")


@dataclass(frozen=True)
class Score:
    """A measure over all held-out rows, and fold by fold."""

    value: float
    by_fold: Floats = field(repr=False)


@dataclass(frozen=True)
class Difference:
    """One model's measure less another's, and an interval for it."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> str:
        """The interval in print."""
        return f"{self.low:.3f} to {self.high:.3f}" if self.low == self.low else "-"

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval does not hold 0."""
        return bool(self.low > 0 or self.high < 0)


@dataclass(frozen=True, repr=False)
class Evaluation:
    """scores[model][measure], and all that was held out: `proba[model]` is [repeat, row, class]."""

    classes: tuple[Level, ...]
    truth: Codes
    folds: Codes
    proba: Mapping[str, Floats]
    decisions: Mapping[str, Codes]
    scores: Mapping[str, Mapping[str, Score]]
    loss: Floats
    reject_cost: float | None
    how: str

    @property
    def models(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.scores)

    def difference(self, model: str, other: str, measure: str, confidence: float = 0.95) -> Difference:
        """`model` less `other`, fold by fold, with the interval of the corrected resampled t-test.

        Folds share training rows, so the variance of the mean of J differences is (1/J + test rows / training rows) s^2
        (Nadeau & Bengio 2003).
        """
        a, b = (self.scores[name][measure] for name in (model, other))
        d = (a.by_fold - b.by_fold)[~np.isnan(a.by_fold - b.by_fold)]
        value = a.value - b.value
        if len(d) < 2:
            return Difference(value, float("nan"), float("nan"))
        tested = self.folds.shape[1] / len(distinct(self.folds[0]))
        error = np.sqrt((1 / len(d) + tested / (self.folds.shape[1] - tested)) * d.var(ddof=1))
        reach = float(quantile((1 + confidence) / 2, len(d) - 1) * error)
        return Difference(value, value - reach, value + reach)

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
            found = [(m, self.difference(name, first, m)) for m in measures]
            lines = [
                (m, f"{d.value:+.3f}", f"{d.low:.3f} to {d.high:.3f}" if d.low == d.low else "-") for m, d in found
            ]
            tables.append((f"{name} less {first}, with 95 % intervals", (), lines))
        return tables

    def __str__(self) -> str:
        return "\n\n".join(
            caption + "\n" + (text_table(header, lines) if header else text_table(lines[0], lines[1:]))
            for caption, header, lines in self._tables()
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(
            html_table(header or ("measure", "difference", "interval"), lines, caption=caption)
            for caption, header, lines in self._tables()
        )


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
    how: str = "auto",
    random_state: int = 0,
) -> Evaluation:
    """Judge a classifier, or compare several (a list, or a dict by name), on rows that they have not seen.

    `folds` is a number (dealt at random within each class, `repeats` times), "leave-one-out", or a fold a row. Every
    model gets the same folds. Each decides by its own loss= and reject_cost=, if it has them; what decisions cost is
    measured by `loss` (loss[decision][truth]) and `reject_cost`, which default to the models' own. `how`: "subtract"
    takes each fold out of one fitted model, exactly: what was learned once from all rows (schema, densities, structure,
    weights) is held, so a model that chooses much looks a little better than it is; "refit" learns everything anew
    for each fold, any scikit-learn classifier; "auto" subtracts if every model can.
    """
    named = by_name(models)
    if how not in WAYS:
        raise ValueError(f"how={how!r} must be one of {', '.join(map(repr, WAYS))}")
    lacking = [name for name, model in named.items() if not can_subtract(model)]
    if how == "subtract" and lacking:
        raise ValueError(f"{lacking[0]!r} cannot take rows out of what it has learned; use how='refit'")
    subtract = how != "refit" and not lacking
    classes, truth = truths(y)
    dealt = deal(truth, folds, repeats, random_state)
    weight = None if sample_weight is None else np.asarray(sample_weight, np.float64)
    loss = agreed(named, "loss", loss, lambda value: loss_matrix(value, classes))
    reject_cost = agreed(named, "reject_cost", reject_cost, float)
    costs = loss_matrix(loss, classes)
    if costs.ndim != 2:
        raise ValueError(f"evaluate measures all rows by one loss; {RULE}")
    known = Known(truth, dealt, np.ones(len(truth)) if weight is None else weight, costs, reject_cost, loss is not None)
    proba, decided, scores = {}, {}, {}
    for name, model in named.items():
        p = proba[name] = posteriors(model, X, y, dealt, classes, sample_weight, subtract)
        own_loss, own_reject = (own_setting(model, setting) for setting in ("loss", "reject_cost"))
        chosen = decided[name] = np.stack([decide(q, own_loss, own_reject, classes) for q in p])
        forced = np.stack([decide(q, own_loss, None, classes) for q in p])
        scores[name] = measured(p, chosen, forced, known)
    way = "taken out by subtraction (schema, structure, weights held)" if subtract else "refitted"
    return Evaluation(classes, truth, dealt, proba, decided, scores, costs, reject_cost, way)


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


@dataclass(frozen=True)
class Known:
    """What answers are measured by."""

    truth: Codes
    dealt: Codes
    weight: Floats
    loss: Floats
    reject_cost: float | None
    has_loss: bool

    def rows(self, each: Floats) -> Score:
        """A measure that has a value a row, [repeat, row]."""
        w = self.weight
        cut = [np.bincount(f, w * v) / np.bincount(f, w) for f, v in zip(self.dealt, each, strict=True)]
        return Score(float(np.average(each.mean(0), weights=w)), np.concatenate(cut))

    def whole(self, measure: Callable[[Floats, Codes, Floats], float], p: Floats) -> Score:
        """A measure of many rows at once."""
        alone = len(distinct(self.dealt[0])) == len(self.truth)
        parts = [] if alone else [(q, f == k) for q, f in zip(p, self.dealt, strict=True) for k in distinct(f)]
        folds = [measure(q[some], self.truth[some], self.weight[some]) for q, some in parts]
        return Score(float(np.mean([measure(q, self.truth, self.weight) for q in p])), np.array(folds))


def measured(p: Floats, chosen: Codes, forced: Codes, known: Known) -> dict[str, Score]:
    """Every measure that says something: costs where there is a loss or rejecting, coverage where there is rejecting.

    `forced` are the decisions where no row may be rejected.
    """
    truth, loss, rejecting = known.truth, known.loss, known.reject_cost is not None
    reject_cost = np.nan if known.reject_cost is None else known.reject_cost

    def rows(measure: Callable[[Any, Any, Any], Floats]) -> Score:
        return known.rows(np.stack([measure(*answers) for answers in zip(p, chosen, forced, strict=True)]))

    found = {
        "accuracy": rows(lambda q, d, _: metrics.hits(d, truth)),
        "log-loss": rows(lambda q, d, _: metrics.log_losses(q, truth)),
        "Brier": rows(lambda q, d, _: metrics.briers(q, truth)),
        "AUC": known.whole(metrics.auc, p),
        "ECE": known.whole(lambda q, t, w: metrics.reliability(q, t, w).error, p),
    }
    if known.has_loss or rejecting:
        found["cost"] = rows(lambda q, d, _: metrics.costs(d, truth, loss, reject_cost))
        found["total risk"] = rows(lambda q, d, _: metrics.believed_costs(q, d, loss, reject_cost))
    if rejecting:
        found["cost, none rejected"] = rows(lambda q, _, d: metrics.costs(d, truth, loss))
        found["coverage"] = rows(lambda q, d, _: (d != REJECT).astype(np.float64))
    return found
