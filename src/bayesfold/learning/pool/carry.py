"""What the log-loss of rows held out is carried on by to a pool of all rows: folds judge models that have learned less.

Two things are better in the whole than without a fold, and both are known without learning anything again:

parts     the whole pool knows more of a row that is left out alone than of one that is left out with its fold; both are
          subtractions from one statistic and hold the same choices, so how these flatter falls out of the difference.
          Where models learned anew lose less than that, they have less to gain: the difference shrinks in proportion,
          so that no loss falls below 0
weights   fitted without a row, in closed form, instead of without its fold

Subtraction cannot always be trusted: exponents were fitted to rows left out alone, and where a table holds every
combination of its values once, the missing one betrays the class. So parts gain no more than a learning curve that
flattens allows: the last of F folds adds at most 1/F of what the pool knows beyond the class shares, and takes away at
most 1/F of the remaining loss.

What is not in it is that choices are better made on more rows, so that wide tables stay judged a little too hard.
"""

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.learning.pool.stacking import HeldOutAnswers
from bayesfold.learning.weights import log_normal
from bayesfold.models.pool import Pool
from bayesfold.runtime.unique import distinct

MOST_ROWS = 2_000
"""Rows up to which losses are carried on: of more, a quarter of them changes a loss by less than its noise."""

DIGITS = 9
"""To so many digits rows that are equal get equal answers, wherever they stand."""


def carry_on(unseen: HeldOutAnswers, whole: Pool, batch: Batch) -> Floats | None:
    """[row]: by how much its log-loss is expected to change once parts and weights have learned all rows.

    None of more than MOST_ROWS rows. A row all of whose copies are in its fold gains nothing by its parts: left out
    alone, it would be judged by its own copy. One whose class only its fold shows gains nothing at all.
    """
    assert unseen.fold is not None
    if len(unseen.own) > MOST_ROWS:
        return None
    by_folds, weight = log_losses(unseen.crossed(), unseen.own), unseen.weight
    by_weights = unseen.losses_under_weights_of_others() - by_folds
    known = ~np.isnan(by_weights)
    # one number for all rows: how much weights vary is in the losses by folds, and rows left out one by one hide it
    change = np.average(by_weights[known], weights=None if weight is None else weight[known])
    alone, with_fold = losses_by_subtraction(whole, batch, unseen.own, unseen.fold)
    copied = copied_within_fold(whole.log_joint(batch), unseen.fold, batch)
    less = np.where(copied, 0.0, alone - with_fold)
    loss, subtracted, gain = (np.average(rows, weights=weight) for rows in (by_folds + change, with_fold, -less))
    share = loss / subtracted if subtracted > loss else 1.0
    most = most_to_gain(loss, entropy(unseen.own, weight), len(distinct(unseen.fold)))
    if share * gain > most:
        share = most / gain
    return np.where(known, change + less * share, 0.0)


def most_to_gain(loss: float, prior: float, folds: int) -> float:
    """What a log-loss by folds can fall at most once the last fold is learned too; `prior` is that of class shares.

    >>> round(most_to_gain(0.4, 0.7, 4), 3), most_to_gain(0.75, 0.7, 4)
    (0.075, 0.0)
    """
    return max(0.0, min(prior - loss, loss)) / folds


def entropy(own: NDArray[np.intp], weight: Floats | None) -> float:
    """The log-loss of answering with the classes' shares.

    >>> round(entropy(np.array([0, 0, 1, 1]), None), 4)
    0.6931
    """
    n = np.bincount(own, weight)
    p = n[n > 0] / n.sum()
    return float(-(p * np.log(p)).sum())


def losses_by_subtraction(
    whole: Pool, batch: Batch, own: NDArray[np.intp], fold: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """[row]: log-losses of a pool from which the row alone, and from which its fold, is taken out."""
    with_fold = np.empty((len(own), len(whole.classes)))
    for f in distinct(fold):
        rows = np.flatnonzero(fold == f)
        some = batch.take(rows)
        with_fold[rows] = whole.without(some).log_joint(some)
    return log_losses(whole.log_joint(batch, leave_out=True), own), log_losses(with_fold, own)


def copied_within_fold(joint: Floats, fold: NDArray[np.intp], batch: Batch) -> NDArray[np.bool_]:
    """Whether a row stands for several, or there are rows like it and all of them are in its fold.

    Rows are alike where the same is said of them. Those that were dealt to several folds are no copies: new rows will
    be like them too.

    >>> joint, fold = np.array([[0.0, -1.0], [0.0, -1.0], [0.0, -2.0], [0.0, -3.0], [0.0, -3.0]]), [0, 0, 0, 0, 1]
    >>> copied_within_fold(joint, np.array(fold), Batch(5))
    array([ True,  True, False, False, False])
    """
    _, like, often = np.unique(joint.round(DIGITS), axis=0, return_inverse=True, return_counts=True)
    like = like.reshape(-1)
    first, last = np.full(len(often), fold.max(initial=0)), np.zeros(len(often), np.intp)
    np.minimum.at(first, like, fold)
    np.maximum.at(last, like, fold)
    within = (often > 1) & (first == last)
    several = batch.weights > 1 if batch.copies else False
    return np.asarray(within[like] | several)


def log_losses(logits: Floats, own: NDArray[np.intp]) -> Floats:
    """-log P(true class | row) of unnormalised answers."""
    return np.asarray(-log_normal(logits)[np.arange(len(own)), own])
