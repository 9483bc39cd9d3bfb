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
    def _with(self, learned: Any, axes: Mapping[str, States] | None = None) -> Self:
        """This network with the tables that follow from other counts, by other states if some are given."""

    def partial_fit(self, table: Any, weight: ArrayLike | None = None) -> Self:
        """With more rows: what `fit` makes of all of them; states that were found in rows may be joined by new ones."""
        from bayesfold.networks.learning.found_states import widen_states  # learning is loaded when it is asked for
        from bayesfold.networks.learning.weightless_rows import blank_weightless

        table, weight = blank_weightless(table, self.nodes, weight)
        learned, axes = widen_states(self._counts(), self.axes, table)
        return self._with(learned.more(table, self.dag, axes, weight), axes)

    def forget(self, table: Any, weight: ArrayLike | None = None, *, keep_states: bool = False) -> Self:
        """Without these rows, as if they had never been learned; rows that were not are refused.

        A state that was found in rows, and that no row shows any more, goes too, unless `keep_states`; declared ones
        stay.
        """
        from bayesfold.networks.learning.found_states import narrow_states
        from bayesfold.networks.learning.weightless_rows import blank_weightless

        table, weight = blank_weightless(table, self.nodes, weight)
        learned = self._counts().less(table, self.dag, self.axes, weight)
        return self._with(learned) if keep_states else self._with(*narrow_states(learned, self.axes))

    def _united(self, other: "Counting") -> tuple[Any, Mapping[str, States]]:
        """The counts by the states of both, or an error that says in what the two differ."""
        from bayesfold.networks.learning.found_states import unite_states
        from bayesfold.networks.learning.parameters import refuse_other

        shared = set(self.nodes) == set(other.nodes)
        learned, axes = unite_states(self._counts(), self.axes, other) if shared else (self._counts(), self.axes)
        theirs = {v: axes[v] if axes.get(v) is not self.axes.get(v) else s for v, s in other.axes.items()}
        refuse_other(self.dag, axes, other.dag, theirs)
        return learned, axes

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
