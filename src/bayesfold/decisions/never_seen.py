"""Rows that judge a model though no row that it has learned is of their class: what it left to such classes is theirs.

>>> truth, fold = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 1])
>>> p = np.tile([0.5, 0.3, 0.2], (5, 1))
>>> known, never = without_folds(p, truth, fold, np.array([2, 2, 1]), "good-turing")
>>> never.rows.tolist(), never.share.round(3).tolist()       # without fold 1 there are two rows, of the classes 0 and 1
([False, False, False, False, True], [0.833, 0.75, 0.833, 0.75, 0.75])
>>> known[1].round(3).tolist()
[0.625, 0.375, 0.0]
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.loss import loss_matrix
from bayesfold.decisions.unseen_class import GOOD_TURING, unseen_share
from bayesfold.runtime.messages import listed
from bayesfold.runtime.unique import distinct

Codes = NDArray[np.intp]
ROUNDING = 1e-9
"""Of weights that are numbers of rows, what is left of a class after its last row was taken out."""


@dataclass(frozen=True)
class NeverSeen:
    """Whether each row is of a class never seen, and what was left to such classes when it was answered.

    Where rows were answered several times, both are [repeat, row].
    """

    rows: NDArray[np.bool_]
    share: Floats


def without_folds(
    proba: Floats,
    truth: Codes,
    fold: Codes,
    rows_of_class: Any,
    setting: Any,
    taken: Floats | None = None,
    declared: bool = False,
) -> tuple[Floats, NeverSeen]:
    """P(class | row) over the classes that rows outside the row's fold show, and what is left to others.

    A class that only rows of a fold show has a name in models from which the fold was taken out, and no row.
    `rows_of_class` are all rows, `taken` is for how many each of these stands, `setting` the model's unseen_class.
    Where classes may have been `declared`, one that has any probability is known, whether a row shows it or not.
    """
    taken = np.ones(len(truth)) if taken is None else taken
    known, never, share = np.empty_like(proba), np.zeros(len(truth), bool), np.zeros(len(truth))
    for rows in by_fold(fold):
        left = rows_of_class - np.bincount(truth[rows], taken[rows], proba.shape[1])
        shown = left > ROUNDING
        seen = shown | proba[rows].any(axis=0) if declared else shown
        known[rows] = among(proba[rows], seen)
        never[rows] = ~seen[truth[rows]]
        share[rows] = unseen_share(setting, np.where(shown, left, 0.0))
    return known, NeverSeen(never, share)


def as_new(truth: Codes, learned: Codes, share: float) -> NeverSeen:
    """Rows scored by one model that has learned the classes at these places."""
    return NeverSeen(~np.isin(truth, learned), np.full(len(truth), share))


def rows_stood_for(rows: int, weight: Floats | None, copies: bool) -> Floats:
    """For how many rows each row stands: one, none if it weighs nothing, or as many as it weighs (`copies`)."""
    if weight is None:
        return np.ones(rows)
    return weight if copies else np.asarray(weight > 0, np.float64)


def by_fold(fold: Codes) -> Iterator[Codes]:
    """The rows of each fold."""
    order = np.argsort(fold, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(fold[order])) + 1)


def among(proba: Floats, seen: NDArray[np.bool_]) -> Floats:
    """The same probabilities, given that the class is one of these; all alike where none of them is possible."""
    if seen.all():
        return proba
    kept = np.where(seen, proba, 0.0)
    sums: Floats = kept.sum(axis=1, keepdims=True)
    alike = seen / max(int(np.count_nonzero(seen)), 1)
    return np.where(sums > 0, kept / np.where(sums > 0, sums, 1.0), alike)


def costs_over(loss: Any, classes: Sequence[Level], learned: Sequence[Level]) -> Floats:
    """What decisions cost over all classes, where the loss may say it of the learned ones alone: the others cost as
    much as the dearest mistake.

    >>> costs_over([[0, 5], [1, 0]], ["a", "b", "c"], ["a", "c"]).tolist()
    [[0.0, 5.0, 5.0], [5.0, 0.0, 5.0], [1.0, 5.0, 0.0]]
    """
    try:
        return loss_matrix(loss, classes)
    except ValueError:
        known = loss_matrix(loss, learned)
    costs: Floats = known.max() * (1.0 - np.eye(len(classes)))
    place = {c: k for k, c in enumerate(classes)}
    at = [place[c] for c in learned]
    costs[np.ix_(at, at)] = known
    return costs


def statements(
    never_seen: Mapping[str, NeverSeen], truth: Codes, classes: Sequence[Level], losses: Mapping[str, Floats]
) -> list[str]:
    """What to tell of each model that met classes it had never seen: how many rows, and what they cost it."""
    found = []
    for name, never in never_seen.items():
        if not never.rows.any():
            continue
        once = np.atleast_2d(never.rows).any(axis=0)
        new = [classes[k] for k in distinct(truth[once])]
        many = f"a class never seen in training in {once.sum():,} of {len(truth):,} rows ({listed(new, 3)})"
        each = f"log-loss {losses[name][never.rows].mean():.3f} each"
        how = (
            "by what is left to such classes"
            if never.share.any()
            else f"nothing is left to such classes; unseen_class={GOOD_TURING!r} leaves them a share"
        )
        found.append(f"{name}: {many}: {each} ({how})")
    return found
