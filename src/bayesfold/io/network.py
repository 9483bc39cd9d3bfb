"""Tables of a Bayesian network counted from a source of any size: one pass for the states, one for the counts.

>>> import pyarrow as pa
>>> rows = pa.table({"rain": ["no", "no", "yes", "no"], "wet": ["no", "no", "yes", "yes"]})
>>> print(fit_network_from([("rain", "wet")], rows, method="mle").table("wet"))
P(wet | rain)
          wet=no    wet=yes
rain=no   0.666667  0.333333
rain=yes  0         1
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import Any

import pyarrow as pa

from bayesfold.data.frame import Level
from bayesfold.data.tables import frame as read_table
from bayesfold.io.open import open_source
from bayesfold.io.remote import in_blocks
from bayesfold.io.sample import most_rows
from bayesfold.io.source import Source
from bayesfold.networks.learning.counts import refuse_states
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.messages import ordered

States = dict[str, dict[Level, None]]


def fit_network_from(
    structure: BayesianNetwork | Iterable[tuple[str, str]],
    source: Any,
    *,
    method: str = "lambda",
    alpha: float | Mapping[str, float] = 1.0,
    equivalent_sample_size: float | Mapping[str, float] = 1.0,
) -> BayesianNetwork:
    """A network of these edges, or of this network's, with tables counted from all rows of a source.

    `source` is as for `fit_from`, the rest as for `BayesianNetwork.fit`. States that are not known are those that the
    columns show. It gives what `fit_network` gives of the same rows in memory, and can learn on.
    """
    net = structure if isinstance(structure, BayesianNetwork) else BayesianNetwork.from_edges(structure)
    names, known = net.dag.names, net.axes
    how = {"method": method, "alpha": alpha, "equivalent_sample_size": equivalent_sample_size}
    with open_source(source) as rows:
        rows.require(*names)
        lacking = tuple(name for name in names if name not in known)
        seen: States = folded(rows, lacking, partial(states_in, lacking), united) if lacking else {}
        axes = {name: known.get(name) or ordered([*seen[name]]) for name in names}
        for name in lacking:
            refuse_states(name, axes[name])
        edges = [
            (names[parent], name) for name, parents in zip(names, net.dag.parents, strict=True) for parent in parents
        ]
        blank = BayesianNetwork.from_edges(edges, names, states=axes)
        found: BayesianNetwork | None = folded(rows, names, partial(fitted, blank, how), merged)
        if found is None:
            raise ValueError(f"{rows.name} has no rows")
    return found


def folded(source: Source, columns: Sequence[str], work: Callable[..., Any], merge: Callable[..., Any]) -> Any:
    """What work finds in all rows of these columns: here, or by the workers that have them."""
    if source.remote is not None:
        return source.remote.folded(columns, work, merge)
    look = source.look(columns, most_rows(len(columns)), {}, {})
    tables = (table for _, table in source.blocks({name: look.wider(name) for name in columns}, look.markers))
    return work(tables, source.name)


def states_in(columns: Sequence[str], tables: Iterator[pa.Table], where: str) -> States:
    """The values that columns show."""
    seen: States = {name: {} for name in columns}
    for _, table in in_blocks(tables):
        frame = read_table(table)
        for name in columns:
            seen[name] |= dict.fromkeys(frame.coded(name).levels)
    return seen


def united(parts: Sequence[States]) -> States:
    """The values that any of several parts shows."""
    return {name: reduce(dict.__or__, (part[name] for part in parts)) for name in parts[0]}


def fitted(
    blank: BayesianNetwork, how: Mapping[str, Any], tables: Iterator[pa.Table], where: str
) -> BayesianNetwork | None:
    """A network of some of the rows, if there are any."""
    net: BayesianNetwork | None = None
    for _, table in in_blocks(tables):
        net = blank.fit(table, **how) if net is None else net.partial_fit(table)
    return net


def merged(parts: Sequence[BayesianNetwork | None]) -> BayesianNetwork | None:
    """The network of the rows of all parts."""
    some = [part for part in parts if part is not None]
    return reduce(BayesianNetwork.merge, some) if some else None
