"""Tables of a Bayesian network from a source of any size: one pass for the states and one for the counts, or one pass
that finds which rows differ, for EM.

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
from typing import Any, TypeAlias, overload

import numpy as np
import pyarrow as pa

from bayesfold.data.frame import Level
from bayesfold.data.own_names import own_name
from bayesfold.data.tables import frame as read_table
from bayesfold.io.engines import Fold
from bayesfold.io.open import open_source
from bayesfold.io.sample import most_rows
from bayesfold.io.source import Source
from bayesfold.io.worker_rows import in_blocks
from bayesfold.networks.learning.counts import refuse_states
from bayesfold.networks.learning.em import EM
from bayesfold.networks.learning.found_states import mark_found
from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.arrow_buffers import arrow_numbers, to_numpy
from bayesfold.runtime.messages import listed, ordered

Network: TypeAlias = BayesianNetwork | MixedNetwork
States = dict[str, dict[Level, None]]
Combinations = list[pa.Table] | None
"""One table, of different rows and how often each occurs; no table before the first row; None where there are too many
rows."""
MOST_COMBINATIONS = 1 << 20
"""Of values, that EM goes over."""


@overload
def fit_network_from(
    structure: BayesianNetwork | Iterable[tuple[str, str]],
    source: Any,
    *,
    method: str = "lambda",
    alpha: float | Mapping[str, float] = 1.0,
    equivalent_sample_size: float | Mapping[str, float] = 1.0,
    em: bool | EM = False,
) -> BayesianNetwork: ...


@overload
def fit_network_from(
    structure: MixedNetwork,
    source: Any,
    *,
    method: str = "lambda",
    alpha: float | Mapping[str, float] = 1.0,
    equivalent_sample_size: float | Mapping[str, float] = 1.0,
) -> MixedNetwork: ...


def fit_network_from(
    structure: Network | Iterable[tuple[str, str]],
    source: Any,
    *,
    method: str = "lambda",
    alpha: float | Mapping[str, float] = 1.0,
    equivalent_sample_size: float | Mapping[str, float] = 1.0,
    em: bool | EM = False,
) -> Network:
    """`fit_network` for all rows of a source of any size: fit the tables of a given structure (edges, or a network).

    `source` is as for `fit_from`, the rest as for `BayesianNetwork.fit`. States that are not given are the values that
    occur. The result equals `fit_network` of the same rows in memory, and can learn more. For numeric nodes pass a
    `MixedNetwork`. With `em`, one pass collects the distinct rows and their counts, at most a million, and EM iterates
    over these.
    """
    net = structure if isinstance(structure, BayesianNetwork | MixedNetwork) else BayesianNetwork.from_edges(structure)
    how = {"method": method, "alpha": alpha, "equivalent_sample_size": equivalent_sample_size}
    with open_source(source) as rows:
        if em and isinstance(net, MixedNetwork):
            raise ValueError("EM is for networks of categories; leave em out, or the numbers")
        return fit_open(net, rows, how, em)


def fit_open(net: Network, rows: Source, how: Mapping[str, Any], em: bool | EM = False) -> Network:
    """A network with tables of all rows of an open source."""
    if em and isinstance(net, BayesianNetwork):
        return fit_by_em(net, rows, {**how, "em": em})
    return fit_counted(net, rows, how)


def fit_counted(net: Network, rows: Source, how: Mapping[str, Any]) -> Network:
    """A network with tables counted from all rows of an open source."""
    names, known = net.dag.names, net.axes
    rows.require(*names)
    lacking = tuple(name for name in names if name not in known)
    seen: States = fold_rows(rows, lacking, partial(states_in, lacking), unite_states) if lacking else {}
    axes = {name: known[name] if name in known else ordered([*seen[name]]) for name in names}
    for name in lacking:
        refuse_states(name, axes[name])
    blank = type(net)(net.dag, axes)
    network: Network | None = fold_rows(rows, names, partial(fit_some_rows, blank, how), merge_networks)
    if network is None:
        raise ValueError(f"{rows.name} has no rows")
    return mark_found(lacking, network)


def fit_by_em(net: BayesianNetwork, rows: Source, how: Mapping[str, Any]) -> BayesianNetwork:
    """A network with tables that EM finds; it needs to know only how often each combination of values occurs, which is
    found out in one pass. A node without a column is hidden."""
    names = [name for name in net.dag.names if name in rows.names]
    rows.require(*(names or net.dag.names))
    times = own_name(names, "times")
    counted: Combinations = fold_rows(
        rows, names, partial(count_combinations, names, times), partial(add_combinations, names, times)
    )
    if counted is None:
        raise ValueError(
            f"{rows.name} has more than {MOST_COMBINATIONS:,} different rows in {listed(names)}, and EM goes over all "
            "of them again and again, in memory; leave em out, so that rows are counted where they have no holes, or "
            "learn on a part of the rows"
        )
    if not counted:
        raise ValueError(f"{rows.name} has no rows")
    table = counted[0]
    return net.fit(table.drop_columns([times]), weight=to_numpy(table.column(times).combine_chunks()), **how)


def fold_rows(source: Source, columns: Sequence[str], work: Callable[..., Any], merge: Callable[..., Any]) -> Any:
    """What work finds in all rows of these columns: here, or by the workers that have them."""
    if source.remote is not None:
        return source.remote.folded(columns, Fold(work, merge))
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


def unite_states(parts: Sequence[States]) -> States:
    """The values that any of several parts shows."""
    return {name: reduce(dict.__or__, (part[name] for part in parts)) for name in parts[0]}


def fit_some_rows(blank: Network, how: Mapping[str, Any], tables: Iterator[pa.Table], where: str) -> Network | None:
    """A network of some of the rows, if there are any."""
    net: Network | None = None
    for _, table in in_blocks(tables):
        net = blank.fit(table, **how) if net is None else net.partial_fit(table)
    return net


def merge_networks(parts: Sequence[Any]) -> Network | None:
    """The network of the rows of all parts."""
    fitted_parts = [part for part in parts if part is not None]
    return reduce(lambda one, other: one.merge(other), fitted_parts) if fitted_parts else None


def count_combinations(columns: Sequence[str], times: str, tables: Iterator[pa.Table], where: str) -> Combinations:
    """Each combination of values that some of the rows show, with how many of them do."""
    counted: Combinations = []
    for _, table in in_blocks(tables):
        if counted is not None:
            plain = pa.table({name: decode_dictionary(table.column(name)) for name in columns})
            with_times = plain.append_column(times, arrow_numbers(np.ones(plain.num_rows, np.int64)))
            counted = add_combinations(columns, times, [counted, [with_times]])
    return counted


def add_combinations(columns: Sequence[str], times: str, parts: Sequence[Combinations]) -> Combinations:
    """The combinations of all parts; None where there are too many."""
    there = [part for part in parts if part is not None]
    tables = [table for part in there for table in part]
    if len(there) < len(parts) or not tables:
        return None if len(there) < len(parts) else []
    every = pa.concat_tables(tables).group_by(list(columns), use_threads=False).aggregate([(times, "sum")])
    return None if every.num_rows > MOST_COMBINATIONS else [every.rename_columns([*columns, times])]


def decode_dictionary(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column without its dictionary."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
