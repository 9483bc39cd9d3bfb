"""A network of arcs that are known, with tables counted from rows.

>>> rows = {"rain": ["no", "no", "yes", "no"], "wet": ["no", "no", "yes", "yes"]}
>>> print(fit_network([("rain", "wet")], rows, method="mle").table("wet"))
P(wet | rain)
          wet=no    wet=yes
rain=no   0.666667  0.333333
rain=yes  0         1
>>> sizes = {"sex": ["f", "f", "f", "m", "m", "m"], "height": [160, 165, 167, 175, 180, 182]}
>>> print(fit_network([("sex", "height")], sizes, numbers=["height"], method="mle").lines("height")[("f",)])
N(164, 2.94392^2)
"""

from collections.abc import Iterable
from typing import Any, overload

from bayesfold.data import tables as memory
from bayesfold.networks.dag import Dag
from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.mixed.structure import find_numbers
from bayesfold.networks.network import BayesianNetwork

Edges = Iterable[tuple[str, str]]


@overload
def fit_network(structure: Edges, table: Any, *, numbers: str | Iterable[str], **how: Any) -> MixedNetwork: ...


@overload
def fit_network(structure: BayesianNetwork | Edges, table: Any, **how: Any) -> BayesianNetwork: ...


@overload
def fit_network(structure: MixedNetwork, table: Any, **how: Any) -> MixedNetwork: ...


def fit_network(
    structure: BayesianNetwork | MixedNetwork | Edges,
    table: Any,
    *,
    numbers: str | Iterable[str] = "states",
    **how: Any,
) -> BayesianNetwork | MixedNetwork:
    """Fit the tables of a given structure (edges, or a network) to rows; `how` as in `BayesianNetwork.fit`.

    numbers: which nodes are numeric and have linear regressions instead of tables, as in `learn_network`.
    """
    if isinstance(structure, BayesianNetwork | MixedNetwork):
        if numbers != "states":
            raise ValueError(
                "a network knows which of its nodes are numbers: give edges with numbers=, or leave it out"
            )
        return structure.fit(table, **how)
    edges = list(structure)
    if numbers == "states":
        return BayesianNetwork.from_edges(edges).fit(table, **how)
    frame, names = memory.frame(table), Dag.of(edges).names
    frame.require(names)
    return MixedNetwork.from_edges(edges, numbers=find_numbers(frame, names, numbers, {})).fit(frame, **how)
