"""What models say of rows that nothing of them has seen: every choice is made anew without each fold.

What is chosen on rows (columns, cuts, densities, structure, smoothing, weights, a temperature) flatters these rows, on
wide tables a lot, so rows that judge a model may have taken no part in it. Up to `FOLDED` rows are answered in folds,
by a model of the others each; of more rows one fifth is answered by a model of the other four, since more would take
longer than learning the model itself. Rows are dealt by their content, copies together, and every class by itself: left
to chance, a fold with more of a class would always meet a model that has seen less of it. Rows of one group, such as a
patient's, are dealt together where groups are given: each would tell the model of the others.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.folds import deal
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.own_names import target_name
from bayesfold.data.schema import Schema
from bayesfold.decisions.groups import deal_groups
from bayesfold.decisions.metrics import Codes
from bayesfold.learning.date_columns import parts_of_dates
from bayesfold.learning.held_out import HeldOut
from bayesfold.learning.one_column import is_identifier, kind_of
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.runtime.messages import ordered
from bayesfold.runtime.unique import distinct

FOLDED = 5_000
"""Rows up to which every row is answered."""

FOLDS, FEWER_FOLDS = 10, 5
FEW_CELLS = 20_000
"""Rows times columns up to which there are FOLDS, beyond it FEWER: each is a model to be learned."""

FIFTHS = 5
MOST_ROWS = 25_000
"""Of more rows than FOLDED, so many at most are learned or answered."""

Mask = NDArray[np.bool_]
Learner = Callable[[Frame, Coded, Floats | None], Model | Pool]


def cross_fit(
    learn: Learner, frame: Frame, labels: Coded, weight: Floats | None, group: Codes | None = None
) -> HeldOut | None:
    """What models of the other rows say of the rows, `learn` making all choices anew for each; None of equal rows.

    Rows of one `group` are held out together.
    """
    batch, classes = as_read(frame, labels, weight), ordered(labels.levels)
    if frame.rows > FOLDED:
        split = one_fifth(batch, group)
        if split is None:
            return None
        log_p, asked = answer_rows(learn, frame, labels, weight, *split), np.flatnonzero(split[1])
        how = split_words(*split) + in_groups(group)
        return HeldOut(log_p, asked, np.zeros_like(asked), classes, how, None if group is None else group[asked])
    many = FOLDS if frame.rows * len(frame.names) <= FEW_CELLS else FEWER_FOLDS
    fold = deal_rows(batch, many, group)
    folds = distinct(fold)
    if len(folds) < 2:
        return None
    log_p = np.empty((frame.rows, len(classes)))
    for f in folds:
        log_p[fold == f] = answer_rows(learn, frame, labels, weight, fold != f, fold == f)
    how = f"{len(folds)} folds{in_groups(group)}, everything learned anew without each"
    return HeldOut(log_p, np.arange(frame.rows), fold, classes, how, group)


def answer_rows(
    learn: Learner, frame: Frame, labels: Coded, weight: Floats | None, learned: Mask, asked: Mask
) -> Floats:
    """log P(class | row) of some rows by a model of others."""
    model = learn(frame.take(learned), labels.take(learned), None if weight is None else weight[learned])
    return model.log_proba(model.schema.encode(frame.take(asked)))


def deal_rows(batch: Batch, folds: int, group: Codes | None) -> Codes:
    """A fold for each row, at most so many: by content within each class, or with the rows of a group together."""
    if group is None:
        return deal(batch, min(folds, batch.rows), every_class=True, spread=True)
    units = len(distinct(group))
    if units < 2:
        raise ValueError("all rows are of one group, so that none can be held out by groups")
    assert batch.labels is not None
    (fold,) = deal_groups(group, np.asarray(batch.labels, np.intp), min(folds, units), 1, seed=0)
    return np.asarray(fold, np.intp)


def in_groups(group: Codes | None) -> str:
    """That rows of a group were held out together, in words."""
    return "" if group is None else ", rows of one group together"


def one_fifth(batch: Batch, group: Codes | None = None) -> tuple[Mask, Mask] | None:
    """The rows to learn and those to ask, four to one; of very many rows, some; None where all rows are equal."""
    parts = -(-batch.rows // MOST_ROWS)
    fold = deal_rows(batch, FIFTHS * parts, group)
    learned, asked = (fold > 0) & (fold < FIFTHS), fold == 0
    return (learned, asked) if learned.any() and asked.any() else None


def split_words(learned: Mask, asked: Mask) -> str:
    """How rows of a large table were held out."""
    return f"{asked.sum():,} of {len(asked):,} rows, by a model of {learned.sum():,} others"


def taken_out(model: Model | Pool, batch: Batch, group: Codes | None = None) -> HeldOut:
    """What a model says of learned rows, each fold taken out of its statistic first: all that was chosen is held."""
    fold = deal_rows(batch, FOLDS, group)
    log_p = np.empty((batch.rows, len(model.classes)))
    for f in distinct(fold):
        rows = batch.take(np.flatnonzero(fold == f))
        log_p[fold == f] = model.without(rows).log_proba(rows)
    how = f"{len(distinct(fold))} folds{in_groups(group)}, taken out by subtraction"
    return HeldOut(log_p, np.arange(batch.rows), fold, model.classes, how, group)


def as_read(frame: Frame, labels: Coded, weight: Floats | None) -> Batch:
    """The rows with every column as it stands in the table, for their content: no cut, nothing but numbers of rows left
    out, which would make copies different.
    """
    features: list[Real | Categories] = []
    dates = parts_of_dates(frame, {})
    columns = [name for name in frame.names if name in dates or not is_identifier(frame, name)] or frame.names
    for name in [part for column in columns for part in dates.get(column, (column,))]:
        number = kind_of(frame.column(name)) == "number"
        features.append(Real(name) if number else Categories(name).grow(ordered(frame.coded(name).levels)))
    target = Categories(target_name(frame.names), ordered(labels.levels))
    return Schema(target, tuple(features)).encode(frame, labels, weight)
