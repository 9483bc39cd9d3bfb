"""The arcs that a network classifier is given."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.network import BayesianNetwork


def nodes_of_rows(net: BayesianNetwork, structure: Any, learn: Any, named: Iterable[str]) -> set[str]:
    """The nodes whose states were found in rows: all but those of which somebody has said something."""
    declared = {*named, *((learn or {}).get("states") or {}), *getattr(structure, "axes", {})}
    return set(net.nodes) - declared


def read_structure(given: Any, states: Mapping[str, Any]) -> BayesianNetwork:
    """The network of given arcs, with these states where it has none of its own."""
    if isinstance(given, MixedNetwork):
        raise ValueError(
            "this classifier cuts numbers into intervals, and a MixedNetwork has numbers as nodes: give its "
            "edges, structure=net.edges, or ask the network itself: net.predict_proba(rows, target)"
        )
    net = given if isinstance(given, BayesianNetwork) else BayesianNetwork.from_edges(given)
    return replace(net, axes={**{v: s for v, s in states.items() if v in net.dag.index}, **net.axes})
