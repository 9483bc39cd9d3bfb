"""What models say of rows that nothing of them has seen: every choice is made anew without each fold.

What is chosen on rows (columns, cuts, densities, structure, smoothing, weights, a temperature) flatters these rows, on
wide tables a lot, so rows that judge a model may have taken no part in it. Up to `FOLDED` rows are answered in folds,
by a model of the others each; of more rows one fifth is answered by a model of the other four, since more would take
longer than learning the model itself. Rows are dealt by their content, copies together, and every class by itself: left
to chance, a fold with more of a class would always meet a model that has seen less of it. Rows of one group, such as a
patient's, are dealt together where groups are given: each would tell the model of the others.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.folds import ODD, deal, hashed
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.own_names import target_name
from bayesfold.data.schema import Schema
from bayesfold.decisions.groups import deal_groups
from bayesfold.decisions.metrics import Codes
from bayesfold.learning.date_columns import Parts, parts_of_dates
from bayesfold.learning.held_out import HeldOut
from bayesfold.learning.one_column import is_identifier, is_remark, kind_of
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.runtime.messages import ordered
from bayesfold.runtime.unique import distinct

Hashes = NDArray[np.uint64]

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
    batch, ties, classes = as_read(frame, labels, weight), hash_identifiers(frame), ordered(labels.levels)
    if frame.rows > FOLDED:
        split = one_fifth(batch, group, ties)
        if split is None:
            return None
        log_p, asked = answer_rows(learn, frame, labels, weight, *split), np.flatnonzero(split[1])
        how = split_words(*split) + in_groups(group)
        return HeldOut(log_p, asked, np.zeros_like(asked), classes, how, None if group is None else group[asked])
    many = FOLDS if frame.rows * len(frame.names) <= FEW_CELLS else FEWER_FOLDS
    fold = deal_rows(batch, many, group, ties)
    folds = distinct(fold)
    if len(folds) < 2:
        return None
    log_p = np.empty((frame.rows, len(classes)))
    for f in folds:
        log_p[fold == f] = answer_rows(learn, frame, labels, weight, fold != f, fold == f)
    how = f"{len(folds)} folds{in_groups(group)}, everything refitted without each"
    return HeldOut(log_p, np.arange(frame.rows), fold, classes, how, group)


def answer_rows(
    learn: Learner, frame: Frame, labels: Coded, weight: Floats | None, learned: Mask, asked: Mask
) -> Floats:
    """log P(class | row) of some rows by a model of others."""
    model = learn(frame.take(learned), labels.take(learned), None if weight is None else weight[learned])
    return model.log_proba(model.schema.encode(frame.take(asked)))


def deal_rows(batch: Batch, folds: int, group: Codes | None, ties: Hashes | None = None) -> Codes:
    """A fold for each row, at most so many: by content within each class, or with the rows of a group together."""
    if group is None:
        return deal(batch, min(folds, batch.rows), every_class=True, spread=True, ties=ties)
    units = len(distinct(group))
    if units < 2:
        raise ValueError("all rows are of one group, so that none can be held out by groups")
    assert batch.labels is not None
    (fold,) = deal_groups(group, np.asarray(batch.labels, np.intp), min(folds, units), 1, seed=0)
    return np.asarray(fold, np.intp)


def in_groups(group: Codes | None) -> str:
    """That rows of a group were held out together, in words."""
    return "" if group is None else ", rows of one group together"


def one_fifth(batch: Batch, group: Codes | None = None, ties: Hashes | None = None) -> tuple[Mask, Mask] | None:
    """The rows to learn and those to ask, four to one; of very many rows, some; None where all rows are equal."""
    parts = -(-batch.rows // MOST_ROWS)
    fold = deal_rows(batch, FIFTHS * parts, group, ties)
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
    """The rows with their columns as they stand in the table, for their content: no cut, and nothing that tells a row
    from its copies, which are numbers and names of rows, when they were written, and remarks on each.

    Where nothing else tells rows apart, dates and remarks do, and then all columns.
    """
    dates = parts_of_dates(frame, {})
    telling = [name for name in frame.names if name in dates or not is_identifier(frame, name)]
    lasting = [name for name in telling if name not in dates and not is_remark(frame, name)]
    target = Categories(target_name(frame.names), ordered(labels.levels))
    for columns in (lasting, telling):
        batch = Schema(target, read_plainly(frame, columns, dates)).encode(frame, labels, weight)
        if len(columns) == len(frame.names) or differ(batch):
            return batch
    return Schema(target, read_plainly(frame, frame.names, dates)).encode(frame, labels, weight)


def read_plainly(frame: Frame, columns: Sequence[str], dates: Parts) -> tuple[Real | Categories, ...]:
    """Columns as numbers or categories, dates by their parts."""
    features: list[Real | Categories] = []
    for name in [part for column in columns for part in dates.get(column, (column,))]:
        number = kind_of(frame.column(name)) == "number"
        features.append(Real(name) if number else Categories(name).grow(ordered(frame.coded(name).levels)))
    return tuple(features)


def differ(batch: Batch) -> bool:
    """Whether some rows differ in something."""
    panels = [panel.values for panel in (*batch.codes, *batch.reals)]
    return any(bool(((x != x[:1]) & ~(np.isnan(x) & np.isnan(x[:1]))).any()) for x in panels if len(x))


def hash_identifiers(frame: Frame) -> Hashes:
    """A number for each row from what tells it from its copies: rows that are equal but for that have an order,
    wherever they stand, for a model of few rows may read such a column."""
    dates = parts_of_dates(frame, {})
    marks = [name for name in frame.names if name in dates or is_identifier(frame, name) or is_remark(frame, name)]
    total = np.zeros(frame.rows, np.uint64)
    for name in [part for column in marks for part in dates.get(column, (column,))]:
        if kind_of(frame.column(name)) == "number":
            total += hashed(np.full(frame.rows, ODD), frame.numbers(name))
            continue
        coded = frame.coded(name)
        place = {level: k for k, level in enumerate(ordered(coded.levels))}
        total += hashed(np.full(frame.rows, ODD), coded.places([place[level] for level in coded.levels], -1))
    return total
