"""Arcs of a Bayesian network from a source of any size: one pass packs columns into small codes, on which they are
looked for; of rows that stay where they are, a worker looks on a sample of them, and the tables are of all.

>>> import pyarrow as pa
>>> rows = pa.table({"rain": ["no", "no", "yes", "no"] * 50, "wet": ["no", "no", "yes", "yes"] * 50})
>>> learn_network_from(rows).network.edges
(('rain', 'wet'),)
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bayesfold.io.engines import Survey
from bayesfold.io.network import Network, fit_open
from bayesfold.io.open import open_source
from bayesfold.io.packed import pack_columns
from bayesfold.io.sample import most_rows
from bayesfold.io.source import Source
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.result import LearnedNetwork
from bayesfold.networks.learning.structure import learn_network
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.progress import Watcher

OF_TABLES = ("method", "alpha", "equivalent_sample_size")
"""Options that say how tables are made."""


def learn_network_from(
    source: Any,
    columns: Iterable[str] | None = None,
    *,
    cut: int | None = None,
    progress: Watcher | None = None,
    **how: Any,
) -> LearnedNetwork:
    """`learn_network` for all rows of a source of any size; `how` are its options.

    `source` is as for `fit_from`. The rows are read once and stored as codes, two bytes for each cell; numeric nodes
    (`numbers=`) take eight. cut: discretise columns of many numbers into this many intervals of about equal frequency,
    with edges from a sample. progress: called while the rows are read. For a Spark DataFrame, one worker learns the
    arcs on a sample of at most 50,000 rows, drawn by content, and then all executors count the tables.

    >>> import pyarrow as pa
    >>> rows = pa.table({"rain": ["no", "yes"] * 20, "mm": [0.1 * k + 5 * (k % 2) for k in range(40)]})
    >>> print(learn_network_from(rows, cut=2))
    bic -33.2592 of 40 rows and 2 columns: 1 arc
      mm - rain       +25.88  the data cannot tell which way it points
    """
    with open_source(source) as rows:
        names = list(rows.names if columns is None else columns)
        if rows.remote is not None:
            return learn_there(rows, tuple(names), cut, how)
        kept = how.get("numbers", "states"), how.get("states")
        table, intervals = pack_columns(rows, names, cut, progress, *kept)
    how["states"] = {**intervals, **(how.get("states") or {})}
    return learn_network(table, names, **how)


def learn_there(rows: Source, names: tuple[str, ...], cut: int | None, how: Mapping[str, Any]) -> LearnedNetwork:
    """Arcs that a worker finds on a sample, with tables of all rows."""
    assert rows.remote is not None
    if cut is not None:
        raise ValueError(f"the rows of {rows.name} stay where they are: cut numbers there, before learning")
    if how.get("numbers", "states") != "states":
        raise ValueError(f"the rows of {rows.name} stay where they are: numbers cannot be nodes there, only states")
    if how.get("weight") is not None:
        raise TypeError(
            "rows elsewhere have no weights; learn_network takes a table in memory with the weight of each row"
        )
    rows.require(*names)
    learned: LearnedNetwork
    learned, _ = rows.remote.sampled(names, most_rows(len(names)), partial(search_sample, names, how))
    made = {dag: with_tables(dag, rows, how) for dag in (learned.dag, learned.sure) if dag is not None}
    return replace(learned, count=made.__getitem__)


def search_sample(names: tuple[str, ...], how: Mapping[str, Any], survey: Survey) -> LearnedNetwork:
    """The arcs that are found on a sample, without its rows."""
    learned = learn_network(survey.sample, names, **how)
    drawn_from = survey.rows if survey.sample.num_rows < survey.rows else None
    return replace(learned, count=refuse_tables, drawn_from=drawn_from)


def refuse_tables(dag: Dag) -> BayesianNetwork:
    """Nobody asks for the tables of a sample."""
    raise RuntimeError("tables are counted from all rows, where they are")


def with_tables(dag: Dag, rows: Source, how: Mapping[str, Any]) -> Network:
    """The network of these arcs, with tables of all rows."""
    states = {name: tuple(levels) for name, levels in (how.get("states") or {}).items() if name in dag.names}
    net = BayesianNetwork.from_edges(dag.edges, dag.names, states=states)
    return fit_open(net, rows, {key: how[key] for key in OF_TABLES if key in how}, how.get("em", False))
