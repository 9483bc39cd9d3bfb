"""Which nodes are categories and which numbers: a number is a node without states.

>>> kinds = Kinds(Dag.of([("sex", "height"), ("height", "weight")]), {"sex": ("f", "m"), "height": (), "weight": ()})
>>> kinds.numbers, kinds.categories_above(2), kinds.numbers_above(2)
((1, 2), (), (1,))
>>> Kinds(Dag.of([("height", "sex")]), {"sex": ("f", "m"), "height": ()})
Traceback (most recent call last):
ValueError: 'sex' is a category and cannot depend on the number 'height': turn the edge, or cut 'height' into intervals
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import States


@dataclass(frozen=True)
class Kinds:
    """A graph and the states of its nodes; those of a number are ()."""

    dag: Dag
    axes: Mapping[str, States]

    def __post_init__(self) -> None:
        for v, parents in enumerate(self.dag.parents):
            for p in parents:
                if self.cards[v] and not self.cards[p]:
                    child, parent = self.dag.names[v], self.dag.names[p]
                    raise ValueError(
                        f"{child!r} is a category and cannot depend on the number {parent!r}: turn the edge, or cut "
                        f"{parent!r} into intervals"
                    )

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """How many states each node has; a number has none."""
        return tuple(len(self.axes[v]) for v in self.dag.names)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The nodes that are numbers."""
        return tuple(v for v, card in enumerate(self.cards) if not card)

    def categories_above(self, v: int) -> tuple[int, ...]:
        """The parents of a node that are categories, in their order."""
        return tuple(p for p in self.dag.parents[v] if self.cards[p])

    def numbers_above(self, v: int) -> tuple[int, ...]:
        """The parents of a node that are numbers, in their order."""
        return tuple(p for p in self.dag.parents[v] if not self.cards[p])

    def shape(self, v: int) -> tuple[int, ...]:
        """The states of the categories above a node."""
        return tuple(self.cards[p] for p in self.categories_above(v))

    def above(self, v: int) -> tuple[dict[str, States], list[str]]:
        """The states of the categories above a node, and the names of the numbers above it."""
        axes = {self.dag.names[p]: self.axes[self.dag.names[p]] for p in self.categories_above(v)}
        return axes, [self.dag.names[p] for p in self.numbers_above(v)]
