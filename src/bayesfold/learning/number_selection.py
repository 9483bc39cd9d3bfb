"""Which readings of numbers are best: those under which naive Bayes of all columns predicts rows it has not seen.

All candidates of all columns are counted in one pass, as columns of one naive Bayes, and score rows that were left
out; then sums of what they say tell which to take.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt, log, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encodings import Categories, Real
from bayesfold.data.folds import deal
from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.kernels.scoring import softmax
from bayesfold.learning.naive_readings import log_shares, naive
from bayesfold.learning.number_candidates import SAMPLE, WIDE, Reading, Sample, compared, read_number
from bayesfold.learning.weights import NO_WEIGHT, log_loss
from bayesfold.models.scoring.scorer import Scorer
from bayesfold.runtime.threads import SHARES, WORTH_WAKING, each, workers
from bayesfold.runtime.unique import distinct

Item = TypeVar("Item")

ENTRIES = 1 << 23
"""Held-out contributions looked at at once; more rows than that allows are thinned out."""

FOLDED = 5_000
"""Up to so many rows candidates are compared on folds with their cuts learned anew."""

FOLDS = 5
FEWER_FOLDS = 2
"""... where work is to be saved: each learns every candidate anew."""

A_CUT_COLUMN = 3.0
"""Nats, over all rows, by which a column cut by the rows' classes must be better than others that have seen less."""

SWEEPS = 2
LEAST_GAIN = 1e-3  # in nats a row: below this a change is noise


def best_readings(
    target: Categories,
    tried: dict[str, list[Reading]],
    given: Sequence[Reading],
    sample: Sample,
    together: bool = True,
) -> dict[str, Reading]:
    """For each column the reading under which naive Bayes of all columns best predicts rows it has not seen.

    It starts from one density for all columns, or the best for each column by itself, whichever is better, and then
    changes one column at a time as long as that helps. If not `together`, it is the best for each column by itself:
    what columns say twice the exponents will mend, so no column needs a dull density to make up for the others. Then
    rows are left out one by one, which is a fifth of the work, and cuts that have seen them pay `A_CUT_COLUMN`.

    Of many candidates some look good by chance, so a change has to earn what noise would give (see `strictness`).
    """
    parts, rest, rows = hold_rows_out(target, tried, given, sample, together)
    own, weight = rows.labels.astype(np.intp) - 1, rows.weight

    def loss(choice: dict[str, str]) -> float:
        return log_loss(rest + sum(parts[key] for key in choice.values()), own, weight)

    prior = log_shares(np.bincount(own, rows.weights, len(target.levels)))
    gain = max(LEAST_GAIN, 1.0 / max(rows.weights.sum(), 1.0))
    alone = parts.losses_alone(prior, own, weight)
    if not together:
        alone |= {key: alone[key] + A_CUT_COLUMN / rows.numbers.sum() for key in cut_by_class(tried)}
    by_column = {name: [f"{name}:{r.how}" for r in found] for name, found in tried.items()}
    strict = strictness(len(by_column), len(alone) - len(by_column), int(rows.numbers.sum()))

    def noise(around: Floats) -> Callable[[str, str], float]:
        return lambda new, old: strict * error(around + parts[new], around + parts[old], own, rows)

    each_best = {name: first_least(keys, alone.__getitem__, gain, noise(prior)) for name, keys in by_column.items()}
    if not together:
        return chosen_readings(tried, each_best)
    uniform = [{n: k if (k := f"{n}:{how}") in alone else each_best[n] for n in by_column} for how in compared()]
    starts: list[dict[str, str]] = [*uniform, each_best]
    choice = first_least(starts, loss, gain).copy()
    best = loss(choice)
    for _ in range(SWEEPS):
        before, done = best, rest
        names = sorted(by_column)  # whatever order the columns stand in
        for name, behind in zip(names, sums_behind([parts[choice[name]] for name in names]), strict=True):
            losses = {key: log_loss(done + behind + parts[key], own, weight) for key in by_column[name]}
            found = first_least([choice[name], *by_column[name]], losses.__getitem__, gain, noise(done + behind))
            choice[name], best = found, losses[found]
            done = done + parts[found]
        if best > before - gain:
            break
    return chosen_readings(tried, choice)


def cut_by_class(tried: dict[str, list[Reading]]) -> list[str]:
    """The candidates ("column:density") whose cuts were learned with the rows' classes."""
    return [
        f"{name}:{r.how}"
        for name, found in tried.items()
        for r in found
        if r.how == "mdl" and r.column.slots > 2  # more than one bin
    ]


def chosen_readings(tried: dict[str, list[Reading]], choice: dict[str, str]) -> dict[str, Reading]:
    """The readings that were chosen by name ("column:density")."""
    return {name: next(r for r in tried[name] if key == f"{name}:{r.how}") for name, key in choice.items()}


def sums_behind(items: Sequence[Floats]) -> Iterator[Floats]:
    """For each item the sum of those behind it: a sum for each item, and few of them in memory at once.

    Taking an item out of the sum of all would be cheaper still, but of minus infinity nothing can be taken.

    >>> [float(total[0]) for total in sums_behind([np.array([x]) for x in (1.0, 2.0, 4.0, 8.0)])]
    [14.0, 12.0, 8.0, 0.0]
    """
    step = isqrt(len(items)) + 1
    starts = range(0, len(items), step)
    after = [np.zeros_like(items[-1])]
    for start in reversed(starts[1:]):
        after.append(after[-1] + sum(items[start : start + step]))
    for start, total in zip(starts, reversed(after), strict=True):
        run = [total]
        for item in reversed(items[start + 1 : start + step]):
            run.append(run[-1] + item)
        yield from reversed(run)


def first_least(
    items: Sequence[Item],
    loss: Callable[[Item], float],
    gain: float,
    noise: Callable[[Item, Item], float] = lambda new, old: 0.0,
) -> Item:
    """The item of least loss; a later one must be better by more than `gain`, so that noise does not choose.

    `noise` is by how much more a new one must be better than the best so far.

    >>> first_least([3.0, 2.95, 1.0], float, 0.1)
    1.0
    >>> first_least([3.0, 2.5, 1.0], float, 0.1, lambda new, old: 1.0)
    1.0
    """
    best, least = items[0], loss(items[0])
    for item in items[1:]:
        found = loss(item)
        if found < least - gain and found < least - gain - noise(item, best):
            best, least = item, found
    return best


def strictness(columns: int, changes: int, rows: int) -> float:
    """By how many standard errors a change must be better, where so many are compared for so many columns.

    The best of K that do nothing seems better by about sqrt(2 log K) standard errors. That matters as far as there are
    many columns for each row: the choices of a few columns cannot add up to much among many rows.

    >>> round(strictness(10, 40, 1000), 2), round(strictness(300, 1200, 200), 2)
    (0.03, 3.77)
    """
    return sqrt(2 * log(max(changes, 1))) * min(1.0, columns / max(rows, 1))


def error(new: Floats, old: Floats, own: NDArray[np.intp], rows: Sample) -> float:
    """The standard error of the difference between the mean log-losses of two sets of logits of the same rows."""
    return sqrt(softmax.variance_of_difference(new, old, own, *rows.shares, np.empty(len(own))))


@dataclass(frozen=True)
class CandidateAnswers:
    """What each candidate ("column:density") says of rows it has not seen: [candidate, row, class]."""

    keys: tuple[str, ...]
    said: Floats

    def __getitem__(self, key: str) -> Floats:
        """[row, class]."""
        return np.asarray(self.said[self._places[key]])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: i for i, key in enumerate(self.keys)}

    def losses_alone(self, prior: Floats, own: NDArray[np.intp], weight: Floats | None) -> dict[str, float]:
        """The mean log-loss of each candidate with the prior alone."""
        losses = np.empty(len(self.keys))
        softmax.log_losses(self.said, prior, own, NO_WEIGHT if weight is None else weight, losses)
        losses /= len(own) if weight is None else weight.sum()
        return dict(zip(self.keys, losses.tolist(), strict=True))


def hold_rows_out(
    target: Categories, tried: dict[str, list[Reading]], given: Sequence[Reading], sample: Sample, together: bool
) -> tuple[CandidateAnswers, Floats, Sample]:
    """What each candidate says of rows it has not seen; what the prior and, if `together`, the others say; the rows.

    A few rows, if `together`: folds, with cuts learned anew without each, since cuts that have seen a row flatter it.
    Many rows: leave-one-out with the cuts held, which then hardly differ.
    """
    if not together or len(sample.rows) > FOLDED:
        candidates = sum(map(len, tried.values()))
        most = max(256, min(SAMPLE, ENTRIES // (len(target.levels) * (candidates + len(given)))))
        asked = sample if len(sample.rows) <= most else sample.thinned(most)
        heard = given if together else ()  # of columns that are compared alone the others say nothing
        return *leave_rows_out(target, tried, heard, sample, asked), asked
    frame = sample.frame
    whole = Schema(
        target, tuple(r.column for found in tried.values() for r in found[:1]) + tuple(r.column for r in given)
    )
    fold = deal(sample.of_batch(whole.encode(frame)), FOLDS if len(tried) <= WIDE else FEWER_FOLDS)
    keys = tuple(f"{name}:{r.how}" for name, found in tried.items() for r in found)
    every = np.zeros((len(keys), len(fold), len(target.levels)))
    rest = np.zeros(every.shape[1:])
    for f in distinct(fold):
        train, test = sample.take(fold != f), sample.take(fold == f)
        if not len(train.rows):
            train = test
        again = [(f"{name}:{r.how}", name, r) for name, found in tried.items() for r in learned_anew(found, train)]
        scorer, batch = naive(target, again, given, train, test)
        prior = log_shares(np.bincount(train.labels - 1, train.weights, len(target.levels)))
        some, others = split_contributions(scorer, scorer.contributions(batch), keys, prior)
        every[:, fold == f], rest[fold == f] = some, others
    return CandidateAnswers(keys, every), rest, sample


def leave_rows_out(
    target: Categories, tried: dict[str, list[Reading]], given: Sequence[Reading], sample: Sample, asked: Sample
) -> tuple[CandidateAnswers, Floats]:
    """What each candidate says of some rows of the sample, each left out; and the prior with the others.

    No column's part depends on the others, so threads take some columns each.
    """
    at = np.searchsorted(sample.rows, asked.rows)
    prior = log_shares(np.bincount(sample.labels - 1, sample.weights, len(target.levels)))
    names = list(tried)
    shares: list[tuple[Sequence[str], Sequence[Reading]]] = [(names, given)]
    if len(sample.rows) >= WORTH_WAKING:
        step = -(-len(names) // (SHARES * workers())) or 1
        shares = [((), given), *((names[i : i + step], ()) for i in range(0, len(names), step))]

    def of(share: tuple[Sequence[str], Sequence[Reading]]) -> tuple[tuple[str, ...], Floats, Floats]:
        every = [(f"{name}:{r.how}", name, r) for name in share[0] for r in tried[name]]
        scorer, batch = naive(target, every, share[1], sample, sample)
        keys = tuple(key for key, _, _ in every)
        return keys, *split_contributions(scorer, scorer.left_out(batch.take(at)), keys, prior)

    found = each(of, shares, len(sample.rows))
    said = found[0][1] if len(found) == 1 else np.concatenate([some for _, some, _ in found])
    return CandidateAnswers(tuple(key for keys, _, _ in found for key in keys), said), found[0][2]


def learned_anew(found: Sequence[Reading], sample: Sample) -> list[Reading]:
    """A column's candidates with their cuts and levels from other rows; one histogram serves all of them."""
    name, missing = found[0].column.name, found[0].column.missing
    cut = any(r.column.slots and r.column.numeric_sources for r in found)
    seen = sample.histogram(Real(name, missing=missing)) if cut else None
    return [read_number(name, r.how, missing, r.family, sample, seen) for r in found]


def split_contributions(scorer: Scorer, said: Floats, keys: Sequence[str], prior: Floats) -> tuple[Floats, Floats]:
    """The candidates' contributions, [candidate, row, class], and the sum of everything else with the prior."""
    place = {name: j for j, name in enumerate(scorer.names)}
    some = np.ascontiguousarray(said.transpose(1, 0, 2)[[place.pop(key) for key in keys]])  # each read many times
    return some, prior + said[:, list(place.values())].sum(1)
