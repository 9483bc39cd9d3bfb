"""A network that is good at one question: arcs that raise P(class | row), not P(row).

A column depends on the class or says nothing of it, and may depend on other columns besides. Parents are judged by how
well rows that are left out are told: sum over rows of log P(class | columns), each row's own counts taken out first,
which is exact for tables of counts. The change that gains most is made, one column's parents at a time, until none
gains enough (after Grossman and Domingos 2004, whose score leaves no row out).

>>> draw = np.random.default_rng(0)
>>> coin = draw.integers(0, 2, (2, 400))
>>> codes = np.array([coin[0], coin[1], coin[0] ^ coin[1], draw.integers(0, 3, 400)], np.uint16)
>>> best = search_for_class(codes, [2, 2, 2, 3], target=2)            # the third is told by two coins together
>>> np.argwhere(best.links).tolist(), round(best.score, 2)
([[0, 1], [2, 1]], -3.97)
"""

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Frame
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import States
from bayesfold.networks.learning.counts import encode_whole_rows
from bayesfold.networks.learning.parameters import Estimate
from bayesfold.networks.learning.result import LearnedNetwork
from bayesfold.networks.learning.rules import Links
from bayesfold.networks.learning.search import Search
from bayesfold.networks.learning.summary import count_tables, to_dag
from bayesfold.networks.learning.ties import LEAST as STEP
from bayesfold.networks.learning.ties import count_steps
from bayesfold.networks.learning.tree import creates_circle

LEAST = 1.0
"""What a change must gain, in nats over all rows: less is chance."""

Parents = frozenset[int] | None
"""A column's parents beside the class; None: it does not depend on the class."""

Change = tuple[int, Parents]
"""A column, and its parents from now on."""


class ClassScorer:
    """What columns say of each class, [row, class], in logs; of each row its own counts are taken out."""

    def __init__(self, codes: NDArray[np.uint16], cards: list[int], target: int, alpha: float, weight: Floats) -> None:
        self.codes, self.cards, self.alpha, self.weight = codes, cards, alpha, weight
        self.labels, self.classes = codes[target].astype(np.intp), cards[target]
        self.rows = np.arange(len(self.labels))
        often = np.bincount(self.labels, weight, self.classes)
        self.prior = np.log(self._without(np.tile(often, (len(self.labels), 1))) + alpha)

    def _without(self, counts: Floats) -> Floats:
        """Counts without the row itself."""
        counts[self.rows, self.labels] -= self.weight
        left: Floats = np.maximum(counts, 0.0, out=counts)
        return left

    def term(self, v: int, parents: frozenset[int]) -> Floats:
        """log P(what v shows | its parents, class) of each row and class, the row left out."""
        place, states = np.zeros(len(self.labels), np.intp), self.cards[v]
        for u in sorted(parents):
            place = place * self.cards[u] + self.codes[u]
            if place.max(initial=0) > len(place):  # those that occur are fewer
                place = np.unique(place, return_inverse=True)[1]
        cell = (place * states + self.codes[v]) * self.classes + self.labels
        many = int(place.max(initial=0)) + 1
        counts = np.bincount(cell, self.weight, many * states * self.classes).astype(np.float64)
        cells = counts.reshape(many, states, self.classes)
        mine, all_states = self._without(cells[place, self.codes[v]]), self._without(cells.sum(1)[place])
        logs: Floats = np.log(mine + self.alpha) - np.log(all_states + states * self.alpha)
        return logs

    def value(self, joint: Floats) -> float:
        """sum of log P(class | row)."""
        top = joint.max(1)
        sums = top + np.log(np.exp(joint - top[:, None]).sum(1))
        return float(self.weight @ (joint[self.rows, self.labels] - sums))


def search_for_class(
    codes: NDArray[np.uint16],
    cards: list[int],
    target: int,
    most: int = 2,
    alpha: float = 1.0,
    weight: Floats | None = None,
) -> Search:
    """The network whose P(class | row) is highest on rows left out; most: parents of a column beside the class."""
    judge = ClassScorer(codes, cards, target, alpha, np.ones(codes.shape[1]) if weight is None else weight)
    links = np.zeros((len(cards), len(cards)), bool)
    nothing = np.zeros_like(judge.prior)
    terms = dict.fromkeys((v for v in range(len(cards)) if v != target), nothing)
    result = Search(links, np.zeros(links.shape), judge.value(judge.prior))
    joint, hopes = judge.prior, dict[Change, float]()
    try:
        while True:
            now = judge, links, joint, terms, target, most, result.score
            chosen = find_best_change(*now, hopes) or find_best_change(*now, {})
            if chosen is None:
                break
            v, parents = chosen
            for other in [change for change in hopes if change[0] == v]:
                del hopes[other]  # its parents are others now
            joint = joint - terms[v]
            terms[v] = nothing if parents is None else judge.term(v, parents)
            joint = joint + terms[v]
            links[:, v] = False
            links[[target, *sorted(parents)] if parents is not None else [], v] = True
            result.score = judge.value(joint)
            result.path.append((f"arcs {int(links.sum())}", result.score))
    except KeyboardInterrupt:
        result.interrupted = True
    for u, v in np.argwhere(links).tolist():
        less = None if u == target else parents_of(links, v, target) - {u}
        without = joint - terms[v] + (nothing if less is None else judge.term(v, less))
        result.gains[u, v] = judge.value(without) - result.score
    return result


def learn_for_class(
    frame: Frame,
    axes: Mapping[str, States],
    target: str,
    weight: Floats | None = None,
    *,
    max_parents: int = 2,
    alpha: float = 1.0,
) -> LearnedNetwork:
    """The network that tells the class best, with its tables; rows have no holes.

    max_parents: of a column, beside the class. alpha: what is added to each count, in the score and in the tables.
    """
    names = tuple(sorted(axes))
    codes = encode_whole_rows(frame, {v: axes[v] for v in names})
    cards = [len(axes[v]) for v in names]
    result = search_for_class(codes, cards, names.index(target), max_parents, alpha, weight)
    arcs = {(names[u], names[v]): -float(result.gains[u, v]) for u, v in np.argwhere(result.links).tolist()}
    learned = LearnedNetwork(
        to_dag(names, result.links),
        axes,
        partial(count_tables, {v: axes[v] for v in names}, codes, weight, Estimate(alpha=alpha)),
        no_score,
        result.score,
        f"log P({target} | row), rows left out,",
        float(frame.rows if weight is None else weight.sum()),
        arcs,
        tuple(result.path),
        one_way=tuple(arcs),
        interrupted=result.interrupted,
    )
    return learned.with_nodes(tuple(axes))


def no_score(dag: Dag) -> float:
    """Other networks have no such score: their class may depend on columns."""
    return float("nan")


def find_best_change(
    judge: ClassScorer,
    links: Links,
    joint: Floats,
    terms: dict[int, Floats],
    target: int,
    most: int,
    score: float,
    hopes: dict[Change, float],
) -> Change | None:
    """The change that gains most, None where none gains enough.

    hopes: what changes gained when they were last looked at, which is about the most that they gain now: those that
    gained less than the best so far are passed over.
    """
    every = [(v, parents) for v in terms for parents in list_changes(links, v, target, most)]
    best, gain = None, LEAST
    so_far = count_steps(np.array([hopes.get(change, np.inf) for change in every]))
    for k in np.argsort(-so_far, kind="stable").tolist():
        v, parents = every[k]
        if hopes.get((v, parents), np.inf) <= gain:
            break
        others = joint - terms[v]
        hopes[v, parents] = judge.value(others if parents is None else others + judge.term(v, parents)) - score
        if hopes[v, parents] > gain + STEP:
            best, gain = (v, parents), hopes[v, parents]
    return best


def list_changes(links: Links, v: int, target: int, most: int) -> Iterator[Parents]:
    """What a column's parents may become: one more, one fewer, or the class no longer among them."""
    columns = [u for u in range(len(links)) if u not in (v, target)]
    now = parents_of(links, v, target)
    if not links[target, v]:
        yield frozenset()
    else:
        yield None
        yield from (now - {u} for u in now)
    if len(now) < most:
        yield from (now | {u} for u in columns if u not in now and not creates_circle(links, u, v))


def parents_of(links: Links, v: int, target: int) -> frozenset[int]:
    """A column's parents beside the class."""
    return frozenset(np.flatnonzero(links[:, v]).tolist()) - {target}
