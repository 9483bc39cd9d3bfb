"""Tables and lines from rows, and networks that go on learning: what was counted is kept, as for categories alone.

`Estimate` says how much prior there is: with "lambda" alpha rows of the scatter within all groups are added to that of
each (see `regression`), with "bdeu" its rows are shared out between the groups, with "mle" there is none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import States
from bayesfold.networks.learning.counts import read_family
from bayesfold.networks.learning.parameters import Estimate, add_tallies
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.mixed.lines import Lines
from bayesfold.networks.mixed.moments import (
    count_moments,
    find_scales,
    first_impossible,
    make_schema,
    rescale_sums,
    scale_values,
    sums_of,
)
from bayesfold.networks.mixed.regression import least_squares
from bayesfold.networks.mixed.rows import read_frame
from bayesfold.tally.forgetting import refuse_never_learned
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class LearnedMoments:
    """What a network has counted, and how its tables were made of that; `found`: nodes with states found in rows."""

    tally: Tally
    estimate: Estimate
    decayed: bool = False
    found: frozenset[str] = frozenset()

    @classmethod
    def of(cls, table: Any, kinds: Kinds, estimate: Estimate, weight: ArrayLike | None) -> "LearnedMoments":
        """The counts and moments of a table."""
        estimate.check(kinds.dag.names)
        frame = read_frame(table)
        frame.require(kinds.dag.names)
        scales = find_scales(frame, [kinds.dag.names[v] for v in kinds.numbers])
        return cls(count_moments(kinds, make_schema(kinds, scales), frame, weight)[0], estimate)

    def tables(self, kinds: Kinds) -> dict[str, Floats | Lines]:
        """P(node | parents) of every node."""
        table_of: dict[str, Floats | Lines] = {}
        for v, name in enumerate(kinds.dag.names):
            if kinds.cards[v]:
                table_of[name] = self.estimate.table(name, read_family(self.tally, kinds.dag, v))
            else:
                table_of[name] = self._lines(kinds, v)
        return table_of

    def _lines(self, kinds: Kinds, v: int) -> Lines:
        name, sums = kinds.dag.names[v], sums_of(self.tally, kinds, v)
        if not sums.weight.sum() > 0:
            raise ValueError(
                f"no row shows {name!r} together with all its parents, so nothing can be learned of it: give rows that "
                "do, or leave it out"
            )
        prior = self.estimate.pseudocount(name, (len(sums.weight),))
        mean, slopes, variance = least_squares(sums, prior)
        centre, unit = np.array([(axis.centre, axis.unit) for axis in scale_values(self.tally, name)]).T
        steep = slopes * unit[0] / unit[1:]
        at = centre + unit * mean
        intercept = at[:, 0] - (steep * at[:, 1:]).sum(1)
        shape = kinds.shape(v)
        return Lines(intercept.reshape(shape), steep.reshape(*shape, -1), (unit[0] * np.sqrt(variance)).reshape(shape))

    def more(self, table: Any, dag: Dag, axes: Mapping[str, States], weight: ArrayLike | None) -> "LearnedMoments":
        """With the rows of one more table."""
        kinds = Kinds(dag, axes)
        fresh, _ = count_moments(kinds, self.tally.schema, table, weight)
        return replace(self, tally=add_tallies(self.tally, fresh, 1))

    def less(self, table: Any, dag: Dag, axes: Mapping[str, States], weight: ArrayLike | None) -> "LearnedMoments":
        """Without the rows of a table, all of which must have been learned."""
        kinds = Kinds(dag, axes)
        fresh, batch = count_moments(kinds, self.tally.schema, table, weight)
        refuse_never_learned(self.tally, fresh, batch, self.decayed)
        left = add_tallies(self.tally, fresh, -1)
        odd = first_impossible(left, kinds)
        if odd is not None:
            raise ValueError(
                f"these rows were not all learned by this network: no numbers have the sums that would be left of "
                f"{odd!r}; nothing was forgotten"
            )
        return replace(self, tally=left)

    def with_other(self, other: "LearnedMoments", mine: Kinds, theirs: Kinds) -> "LearnedMoments":
        """Both's rows; tables and lines are made as this one's are."""
        scales = {name: scale_values(self.tally, name)[0] for name in (mine.dag.names[v] for v in mine.numbers)}
        moved = rescale_sums(other.tally, make_schema(theirs, scales))
        return replace(self, tally=add_tallies(self.tally, moved, 1), decayed=self.decayed or other.decayed)
