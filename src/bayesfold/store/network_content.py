"""What a file holds of a network that classifies: its graph, states, counts and settings, and no rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Level
from bayesfold.store.unreadable import Unreadable
from bayesfold.tally.layout import Layout
from bayesfold.tally.statistic import Tally

if TYPE_CHECKING:
    from bayesfold.networks.network import BayesianNetwork


@dataclass(frozen=True)
class NetworkContent:
    """A fitted NetworkClassifier: what it was told, how it reads rows, and its network.

    counts, weights and sums are those of its tally; `tables` are given where it keeps none (EM); `found` are nodes
    with states found in rows.
    """

    parameters: Mapping[str, Any]
    names: tuple[str, ...]
    named: bool
    label_type: np.dtype[Any] | None
    cuts: Mapping[str, tuple[float, ...]]
    nodes: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]
    states: Mapping[str, tuple[Level, ...]]
    method: str
    alpha: Any
    equivalent_sample_size: Any
    decayed: bool
    counts: NDArray[np.int64]
    weights: Floats
    sums: Floats
    tables: Mapping[str, Floats]
    found: tuple[str, ...] = ()


def network_fields(net: "BayesianNetwork") -> dict[str, Any]:
    """A network as the fields of a content."""
    from bayesfold.networks.learning.parameters import Estimate

    learned = net.learned
    nothing = np.empty(0, np.int64), np.empty((2, 0)), np.empty(0)
    estimate = Estimate() if learned is None else learned.estimate
    tally = None if learned is None else learned.tally
    counts, weights, sums = nothing if tally is None else (tally.counts, tally.weights, tally.sums)
    return {
        "nodes": net.dag.names,
        "parents": net.dag.parents,
        "states": {v: tuple(states) for v, states in net.axes.items()},
        "method": estimate.method,
        "alpha": estimate.alpha,
        "equivalent_sample_size": estimate.equivalent_sample_size,
        "decayed": learned is not None and learned.decayed,
        "counts": counts,
        "weights": weights,
        "sums": sums,
        "tables": dict(net.tables) if learned is None else {},
        "found": () if learned is None else tuple(sorted(learned.found)),
    }


def network_in(content: NetworkContent) -> "BayesianNetwork":
    """The network of a content; one that does not hold together is refused."""
    from bayesfold.networks.dag import Dag  # most files hold no network: what it needs is loaded with the first
    from bayesfold.networks.learning.counts import list_cliques, make_schema
    from bayesfold.networks.learning.parameters import Estimate, LearnedCounts
    from bayesfold.networks.network import BayesianNetwork

    try:
        dag = Dag(content.nodes, content.parents)
        axes = {v: content.states[v] for v in dag.names}
        if content.tables:
            return BayesianNetwork(dag, axes, content.tables)
        layout = Layout(make_schema(dag, axes), list_cliques(dag))
        zero = Tally.zero(layout.schema, layout.cliques, weighted=content.weights.size > 0)
        for part in ("counts", "weights", "sums"):
            if getattr(content, part).shape != getattr(zero, part).shape:
                raise ValueError(f"its {part} are not those of its graph")
        tally = Tally(layout, content.counts, content.weights, content.sums)
        check_rows_of_families(tally)
        estimate = Estimate(content.method, content.alpha, content.equivalent_sample_size)
        if strange := set(content.found) - set(dag.names):
            raise ValueError(f"it has no node {min(strange)!r}")
        learned = LearnedCounts(tally, estimate, content.decayed, frozenset(content.found))
        return BayesianNetwork(dag, axes, learned.tables(dag), learned=learned)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise Unreadable(f"its network does not hold together: {error}") from None


def check_rows_of_families(tally: Tally) -> None:
    """Refuse numbers that are no counts: every family is counted over the same rows, holes and all."""
    starts = [tally.layout.offsets[clique][0] for clique in tally.layout.cliques]
    rows = np.add.reduceat(tally.counts, starts)
    if (tally.counts < 0).any():
        raise ValueError("one of its counts is below 0")
    if len({*rows.tolist()}) > 1:
        raise ValueError("its tables were not counted over the same rows")
    if not tally.weighted:
        return
    if not np.isfinite(tally.weights).all():
        raise ValueError("one of its weights is not finite")
    weights = tally.weights.sum(0)
    rounding = 1e-6 * (1 + weights.max(initial=0.0))  # what is left of weights that were taken out again
    total = np.add.reduceat(weights, starts)
    if weights.min(initial=0.0) < -rounding or np.ptp(total) > rounding * len(weights):
        raise ValueError("its weights are not those of the same rows")
