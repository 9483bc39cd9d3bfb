"""What a network's graph alone decides: who depends on whom, what blocks what, how the joint distribution factorises.

>>> class Garden(Graphical):
...     dag = Dag.of([("rain", "wet"), ("sprinkler", "wet")])
>>> Garden().factorization(), Garden().d_separated("rain", "sprinkler")
('P(rain) P(sprinkler) P(wet | rain, sprinkler)', True)
"""

from collections.abc import Mapping

from bayesfold.data.frame import Level
from bayesfold.data.graph import Node, factorization
from bayesfold.networks import separation
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import check_name
from bayesfold.networks.separation import Independence, Names, Separation


class Graphical:
    """A network of whatever nodes, asked about its graph."""

    dag: Dag

    @property
    def nodes(self) -> tuple[str, ...]:
        """The variables."""
        return self.dag.names

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """(parent, child) pairs."""
        return self.dag.edges

    def parents(self, node: str) -> tuple[str, ...]:
        """What the node's table is conditioned on, in the order of its axes."""
        return tuple(self.dag.names[p] for p in self.dag.parents[self.dag.number(node)])

    def children(self, node: str) -> tuple[str, ...]:
        """The nodes conditioned on this one."""
        return tuple(self.dag.names[c] for c in self.dag.children[self.dag.number(node)])

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """Parents, children and their other parents: given these, no other variable says anything about the node."""
        return tuple(self.dag.names[i] for i in sorted(self.dag.blanket(self.dag.number(node))))

    def moral_graph(self) -> tuple[tuple[str, str], ...]:
        """Undirected edges once the parents of each node are married."""
        near = self.dag.moral()
        return tuple((self.nodes[i], self.nodes[j]) for i in range(len(near)) for j in sorted(near[i]) if i < j)

    def d_separated(self, a: Names, b: Names, given: Names = ()) -> bool:
        """Whether `given` blocks every path between a and b, each one name or several."""
        return separation.d_separated(self.dag, a, b, given)

    def explain_separation(self, a: Names, b: Names, given: Names = (), limit: int = 20) -> Separation:
        """The same verdict with its reasons: each path, each node on it, and the rule by which it blocks or opens."""
        return separation.explain_separation(self.dag, a, b, given, limit)

    def minimal_separator(self, a: Names, b: Names) -> tuple[str, ...] | None:
        """A set that makes a and b independent and cannot lose a member; None if an edge joins them."""
        return separation.minimal_separator(self.dag, a, b)

    def independencies(self, limit: int = 100) -> list[Independence]:
        """Pairs that are not neighbours, each with a minimal set that makes them independent."""
        return separation.independencies(self.dag, limit)

    def factorization(self) -> str:
        """The joint distribution as the product it is."""
        return factorization(tuple(Node((self.nodes[i],), self.parents(self.nodes[i])) for i in self.dag.order))

    def _intervene(self, fixed: Mapping[str, Level]) -> tuple[Dag, dict[str, Level]]:
        """The graph without the arcs into nodes that are set, and what each of these is set to, by its name."""
        states = {check_name("node", v, self.dag.index): state for v, state in fixed.items()}
        parents = tuple(() if v in states else p for v, p in zip(self.nodes, self.dag.parents, strict=True))
        return Dag(self.nodes, parents), states
