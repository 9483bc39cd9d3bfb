"""A network that was learned, with what is known of how: its score, what each arc adds, how sure each is."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Union

from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import States
from bayesfold.networks.graphical import Graphical
from bayesfold.networks.learning.comparison import Comparison, compare
from bayesfold.networks.learning.constraint import Tested
from bayesfold.networks.learning.equivalence import distance, find_pattern
from bayesfold.networks.learning.scores import KINDS
from bayesfold.networks.learning.strengths import ArcStrengths
from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.network import BayesianNetwork

Arc = tuple[str, str]
Judged = Callable[[Dag], float]
"""Gives other arcs their score on the rows."""

FEW_ROWS = 9
"""In so few rows, a column may well be different in each."""

Counted = Callable[[Dag], BayesianNetwork | MixedNetwork]
"""Gives a network of some arcs the tables of the rows."""

ONE_WAY = "this way by the rules"
UNDECIDED = "the data cannot tell which way it points"


@dataclass(frozen=True)
class LearnedNetwork:
    """The arcs that were found, their score, and what each adds to it; print it for a summary.

    `network` has the arcs with their tables, and `averaged` those that samples are sure of; tables are counted when
    they are first asked for. gains: by how much the score would fall without the arc. path: the score after each stage
    of the search that found something better. one_way: arcs that the rules do not let turn. ruled_out: how many arcs
    they do not allow. interrupted: whether it was stopped before it ended. optimal: whether no other network has a
    higher score. tested: p-values and separators, where tests were made. strengths: how sure each arc is, where samples
    were drawn. posterior: how probable each arc is given the rows, where that was asked for. drawn_from: how many rows
    there are, where arcs were looked for on some of them; the tables are of all. left_out: how many rows lack a value,
    so that arcs were looked for without them; a table counts those of them that show all of its columns.
    """

    dag: Dag
    axes: Mapping[str, States]
    count: Counted = field(repr=False, compare=False)
    judge: Judged = field(repr=False, compare=False)
    score: float
    kind: str
    rows: float
    gains: Mapping[Arc, float]
    path: tuple[tuple[str, float], ...]
    required: tuple[Arc, ...] = ()
    one_way: tuple[Arc, ...] = ()
    ruled_out: int = 0
    interrupted: bool = False
    optimal: bool = False
    tested: Tested | None = None
    strengths: ArcStrengths | None = None
    sure: Dag | None = None
    posterior: ArcStrengths | None = None
    drawn_from: int | None = None
    left_out: int = 0

    def with_nodes(self, names: tuple[str, ...]) -> "LearnedNetwork":
        """The same with its nodes in another order, that of the columns: the search has one of its own."""
        if names == self.dag.names:
            return self
        index = {v: i for i, v in enumerate(names)}

        def in_order(arcs: Iterable[Arc]) -> tuple[Arc, ...]:
            return tuple(sorted(arcs, key=lambda arc: (index[arc[0]], index[arc[1]])))

        return replace(
            self,
            dag=Dag.of(in_order(self.dag.edges), names),
            axes={v: self.axes[v] for v in names},
            gains={arc: self.gains[arc] for arc in in_order(self.gains)},
            required=in_order(self.required),
            one_way=in_order(self.one_way),
            strengths=self.strengths and self.strengths.with_names(names),
            sure=self.sure and Dag.of(in_order(self.sure.edges), names),
            posterior=self.posterior and self.posterior.with_names(names),
        )

    @cached_property
    def network(self) -> BayesianNetwork | MixedNetwork:
        """The network that was found."""
        return self.count(self.dag)

    @cached_property
    def averaged(self) -> BayesianNetwork | MixedNetwork | None:
        """The network of the arcs that samples are sure of."""
        return None if self.sure is None else self.count(self.sure)

    @cached_property
    def undecided(self) -> tuple[Arc, ...]:
        """The arcs whose direction neither the data nor the rules tell."""
        compelled = find_pattern(self.dag).arrows
        return tuple(arc for arc in self.dag.edges if arc not in compelled and arc not in self.one_way)

    def distance(self, other: Graphical) -> int:
        """Pairs of nodes that this network and another join differently, directions that data cannot tell aside."""
        return distance(self.dag, other.dag)

    def compare(self, other: Union["LearnedNetwork", Graphical]) -> Comparison:
        """Which pairs only this network joins, or only the other, or both but differently, and whose score is higher.

        Both are scored on the rows that this one was learned from; print it.
        """
        comparison = compare(self.dag, other.dag)
        ahead = self.score - self.judge(other.dag)
        return replace(comparison, ahead=ahead if ahead == ahead else None, kind=self.kind)

    def __str__(self) -> str:
        title = f"{self.kind} {self.score:.6g} of {self.rows:,.6g} rows and {len(self.dag.names)} columns"
        how = " (interrupted: the best so far)" if self.interrupted else " (no network scores higher)" * self.optimal
        arcs = "1 arc" if len(self.gains) == 1 else f"{len(self.gains)} arcs"
        return "\n".join([f"{title}: {arcs}{how}", *self._arcs(), *self._remarks()])

    def _arcs(self) -> list[str]:
        """One line for each arc, those that add most first."""
        pattern, lines = find_pattern(self.dag), []
        wide = max((len(f"{u} -> {v}") for u, v in self.gains), default=0)
        index = self.dag.index
        for (u, v), gain in sorted(self.gains.items(), key=lambda pair: -pair[1]):
            sign = "->" if (u, v) in pattern.arrows or (u, v) in self.one_way else "-"
            compelled = (u, v) in pattern.arrows or self.kind not in KINDS
            note = "required" if (u, v) in self.required else "" if compelled else ONE_WAY
            note = note if sign == "->" else UNDECIDED
            known = [
                strengths.strength[index[u], index[v]] for strengths in (self.strengths, self.posterior) if strengths
            ]
            sure = "".join(f"  {share:7.1%}" for share in known)
            lines.append(f"  {f'{u} {sign} {v}':{wide}}  {gain:+10.4g}{sure}  {note}".rstrip())
        return lines

    def _remarks(self) -> list[str]:
        """What is not seen from the arcs."""
        still = [v for v in self.dag.names if len(self.axes[v]) == 1]
        lines = [f"  {v} has one value in all rows, so nothing depends on it: leave it out" for v in still]
        named = [v for v in self.dag.names if len(self.axes[v]) >= self.rows > FEW_ROWS]
        lines += [f"  {v} is different in every row, so it names rows: leave it out" for v in named]
        if self.ruled_out:
            every = len(self.dag.names) * (len(self.dag.names) - 1)
            lines.append(f"  the rules left out {self.ruled_out} of {every} arcs")
        if self.drawn_from is not None:
            lines.append(f"  arcs were looked for on a sample; the tables are of all {self.drawn_from:,} rows")
        if self.left_out:
            lines.append(f"  arcs were looked for without {counted_rows(self.left_out)} a value")
        if not all(self.axes.values()):
            lines.append("  no arc runs from a number to a category")
        return lines


def counted_rows(rows: int) -> str:
    """So many rows that lack something, as the beginning of a sentence."""
    return "1 row that lacks" if rows == 1 else f"{rows:,} rows that lack"
