"""Networks that keep what they counted, and so go on learning, forget and fade: one sum each, whatever their nodes are.

A network is a value: every verb gives another one, and the old one answers as before.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from numpy.typing import ArrayLike

from bayesfold.networks.factor_states import States
from bayesfold.networks.graphical import Graphical


class Counting(Graphical):
    """A network whose tables were made of what it counted: `learned`, which says itself how rows are added to it."""

    axes: Mapping[str, States]
    learned: Any

    @abstractmethod
    def _with(self, learned: Any) -> Self:
        """This network with the tables that follow from other counts."""

    def partial_fit(self, table: Any, weight: ArrayLike | None = None) -> Self:
        """With more rows: what `fit` makes of all of them."""
        return self._with(self._counts().more(table, self.dag, self.axes, weight))

    def forget(self, table: Any, weight: ArrayLike | None = None) -> Self:
        """Without these rows, as if they had never been learned; rows that were not are refused."""
        return self._with(self._counts().less(table, self.dag, self.axes, weight))

    def decay(self, factor: float) -> Self:
        """With every row so far worth `factor` of what it was, so that later ones count for more."""
        if not 0 < factor <= 1:
            raise ValueError(f"decay needs a factor above 0 and at most 1, not {factor}")
        counts = self._counts()
        return self._with(replace(counts, tally=counts.tally * factor, decayed=True))

    def _counts(self) -> Any:
        """What was counted."""
        if self.learned is None:
            raise ValueError(
                "this network keeps no counts: it was not learned from rows, or by EM, whose counts change with every "
                "row; fit() it first"
            )
        return self.learned
