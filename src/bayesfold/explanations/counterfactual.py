"""What would change a decision: the smallest set of columns that, with other values, flips it.

Where columns add up (naive Bayes), what a set of changes does is the sum of what each does, so the set is found by
taking, for each other class, the columns that gain it most. Where they do not, or where a loss of three classes or more
decides, that set is an upper bound, and every smaller set is tried as long as there are few enough of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.explanations.explanation import print_value
from bayesfold.runtime.text_table import html_table, text_table

Row = Mapping[str, Any]
MOST_TRIES = 100_000
PIECE = 4_096


@dataclass(frozen=True, repr=False)
class Change:
    """(column, value now, value then) of each change, the decisions before and after, and whether no fewer suffice."""

    before: Any
    after: Any
    changes: tuple[tuple[str, Any, Any], ...]
    smallest: bool

    @property
    def caption(self) -> str:
        """What would happen, in words."""
        n = len(self.changes)
        changes = f"{n} change{'s' if n > 1 else ''}{', no fewer will do' if self.smallest and n > 1 else ''}"
        return f"{self.before} becomes {self.after} with {changes}"

    def _lines(self) -> list[tuple[str, str, str]]:
        return [(name, print_value(old), print_value(new)) for name, old, new in self.changes]

    def __str__(self) -> str:
        return f"{self.caption}\n{text_table(('column', 'is', 'would be'), self._lines())}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(("column", "is", "would be"), self._lines(), caption=self.caption)


@dataclass(frozen=True)
class ChangeSearch:
    """A row, what its columns may become, and how rows are scored (log joints) and decided (codes, -1 reject)."""

    row: Row
    options: Mapping[str, Sequence[Any]]
    score: Callable[[Sequence[Row]], Floats]
    decide: Callable[[Floats], NDArray[np.intp]]
    additive: bool
    wanted: int | None = None

    def flips(self, joints: Floats, now: int) -> NDArray[np.bool_]:
        """Whether each log joint is decided for the wanted class, or for any but the present one."""
        decisions = self.decide(joints)
        if self.wanted is not None:
            return np.asarray(decisions == self.wanted)
        return np.asarray((decisions != now) & (decisions >= 0))


def what_would_change(search: ChangeSearch, names: Callable[[int], Any], exact_greedy: bool) -> Change | None:
    """The smallest set of changes that flips the decision; None where none was found.

    `exact_greedy`: the decision between two classes depends on their log-odds alone (0/1 loss, or two classes).
    """
    base = search.score([search.row])[0]
    now = int(search.decide(base[None])[0])
    if search.wanted == now:
        raise ValueError(f"the row is decided {names(now)!r} already")
    singles = [(c, v) for c, values in search.options.items() for v in values if v != search.row.get(c)]
    if not singles:
        return None
    deltas = score_changes(search, [{c: v} for c, v in singles]) - base
    flipping = change_greedily(search, base, now, singles, deltas)
    proven = search.additive and exact_greedy
    if not proven:
        most = len(flipping) if flipping is not None else len(search.options) + 1
        better, proven = find_smaller(search, base, now, singles, deltas, most)
        flipping = better or flipping
    if flipping is None:
        return None
    flipping = move_less(search, now, flipping)
    after = int(search.decide(search.score([{**search.row, **flipping}]))[0])
    changes = tuple((c, search.row.get(c), v) for c, v in flipping.items())
    return Change(names(now), names(after), changes, proven or len(flipping) == 1)


def score_changes(search: ChangeSearch, changes: Sequence[Row]) -> Floats:
    """The log joints of the row with each set of changes."""
    rows = [{**search.row, **change} for change in changes]
    return np.concatenate([search.score(rows[i : i + PIECE]) for i in range(0, len(rows), PIECE)])


def change_greedily(
    search: ChangeSearch, base: Floats, now: int, singles: Sequence[tuple[str, Any]], deltas: Floats
) -> dict[str, Any] | None:
    """For each other class the columns that gain it most on the present one, one by one until the decision flips."""
    best: dict[str, Any] | None = None
    away = int(base.argmax()) if now < 0 else now
    targets = range(len(base)) if search.wanted is None else [search.wanted]
    for target in targets:
        if target == now:
            continue
        rival = away if away != target else int(np.argsort(base)[-2])
        gain = deltas[:, target] - deltas[:, rival]
        by_column: dict[str, int] = {}
        for k in np.argsort(-gain, kind="stable"):
            by_column.setdefault(singles[k][0], int(k))
        changes: dict[str, Any] = {}
        for column, k in by_column.items():
            if gain[k] <= 0 or (best is not None and len(changes) + 1 >= len(best)):
                break
            changes[column] = singles[k][1]
            if search.flips(search.score([{**search.row, **changes}]), now)[0]:
                best = dict(changes)
                break
    return best


def find_smaller(
    search: ChangeSearch, base: Floats, now: int, singles: Sequence[tuple[str, Any]], deltas: Floats, most: int
) -> tuple[dict[str, Any] | None, bool]:
    """A set of fewer than `most` changes that flips the decision, and whether every smaller set was tried."""
    places: dict[str, list[int]] = {}
    for k, (column, _) in enumerate(singles):
        places.setdefault(column, []).append(k)
    for size in range(1, most):
        sets = combinations(places.values(), size)
        if sum(int(np.prod([len(p) for p in chosen])) for chosen in sets) > MOST_TRIES:
            return None, False
        for batch in batch_sets(k for chosen in combinations(places.values(), size) for k in product(*chosen)):
            index = np.array(batch)
            if search.additive:
                joints = base + deltas[index].sum(axis=1)
            else:
                joints = score_changes(search, [dict(singles[k] for k in one) for one in batch])
            hit = np.flatnonzero(search.flips(joints, now))
            if len(hit):
                return dict(singles[k] for k in index[hit[0]]), True
    return None, True


def batch_sets(sets: Iterator[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    """The sets in lists of up to PIECE, each list to be scored at once."""
    batch: list[tuple[int, ...]] = []
    for one in sets:
        batch.append(one)
        if len(batch) == PIECE:
            yield batch
            batch = []
    if batch:
        yield batch


def move_less(search: ChangeSearch, now: int, changes: dict[str, Any]) -> dict[str, Any]:
    """The same columns, numbers moved no further than the decision needs."""
    for column in list(changes):
        old = search.row.get(column)
        if isinstance(old, bool) or not isinstance(old, int | float) or not isinstance(changes[column], int | float):
            continue
        distance = abs(changes[column] - old)
        nearer = sorted((v for v in search.options[column] if abs(v - old) < distance), key=lambda v: abs(v - old))
        if nearer:
            hit = np.flatnonzero(search.flips(score_changes(search, [{**changes, column: v} for v in nearer]), now))
            changes = {**changes, column: nearer[hit[0]]} if len(hit) else changes
    return changes
