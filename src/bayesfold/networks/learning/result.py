"""A network that was learned, with what is known of how: its score, what each arc adds, how sure each is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Union

from bayesfold.networks.learning.bootstrap import ArcStrengths
from bayesfold.networks.learning.comparison import Comparison, compare
from bayesfold.networks.learning.constraint import Tested
from bayesfold.networks.learning.equivalence import distance, pattern
from bayesfold.networks.network import BayesianNetwork

Arc = tuple[str, str]
ONE_WAY = "this way by the rules"
UNDECIDED = "the data cannot tell which way it points"


@dataclass(frozen=True)
class LearnedNetwork:
    """The network, its score, and what each arc adds to it; print it for a summary.

    gains: by how much the score would fall without the arc. path: the score after each stage of the search that found
    something better. one_way: arcs that the rules do not let turn. ruled_out: how many arcs they do not allow.
    interrupted: whether it was stopped before it ended. optimal: whether no other network has a higher score. tested:
    p-values and separators, where tests were made. strengths, averaged: how sure each arc is and the network of those
    that are sure enough, where samples were drawn.
    """

    network: BayesianNetwork
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
    averaged: BayesianNetwork | None = None

    def distance(self, other: BayesianNetwork) -> int:
        """Pairs of nodes that this network and another join differently, directions that data cannot tell aside."""
        return distance(self.network.dag, other.dag)

    def compare(self, other: Union["LearnedNetwork", BayesianNetwork]) -> Comparison:
        """Which pairs only this network joins, or only the other, or both but differently; print it."""
        return compare(self.network.dag, other.dag if isinstance(other, BayesianNetwork) else other.network.dag)

    def __str__(self) -> str:
        title = f"{self.kind} {self.score:.6g} of {self.rows:,.6g} rows and {len(self.network.nodes)} columns"
        how = " (interrupted: the best so far)" if self.interrupted else " (no network scores higher)" * self.optimal
        return "\n".join([f"{title}: {len(self.gains)} arcs{how}", *self._arcs(), *self._remarks()])

    def _arcs(self) -> list[str]:
        """One line for each arc, those that add most first."""
        found, lines = pattern(self.network.dag), []
        wide = max((len(f"{u} -> {v}") for u, v in self.gains), default=0)
        index = self.network.dag.index
        for (u, v), gain in sorted(self.gains.items(), key=lambda pair: -pair[1]):
            sign = "->" if (u, v) in found.arrows or (u, v) in self.one_way else "-"
            note = "required" if (u, v) in self.required else "" if (u, v) in found.arrows else ONE_WAY
            note = note if sign == "->" else UNDECIDED
            sure = f"  {self.strengths.strength[index[u], index[v]]:7.1%}" if self.strengths else ""
            lines.append(f"  {f'{u} {sign} {v}':{wide}}  {gain:+10.4g}{sure}  {note}".rstrip())
        return lines

    def _remarks(self) -> list[str]:
        """What is not seen from the arcs."""
        still = [v for v in self.network.nodes if len(self.network.states(v)) == 1]
        lines = [f"  {v} has one value in all rows, so nothing depends on it: leave it out" for v in still]
        if self.ruled_out:
            every = len(self.network.nodes) * (len(self.network.nodes) - 1)
            lines.append(f"  the rules left out {self.ruled_out} of {every} arcs")
        return lines
