"""What a mixture needs counted, and which of its columns are fitted together."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from bayesfold.data.encodings import Discrete
from bayesfold.data.graph import Mixture, Network, Node
from bayesfold.data.schema import Block, Schema
from bayesfold.models.scoring.parent_nodes import leaves_of
from bayesfold.models.scoring.scorer import Group
from bayesfold.tally.layout import Clique, Layout


def cliques(schema: Schema, mixture: Mixture, families: Mapping[str, Any]) -> tuple[Clique, ...]:
    """What must be counted for a mixture: the class, then each group's tables side by side."""
    target = schema.target.name
    wanted = [Clique((target,))]
    for nodes in together(schema, below_the_class(schema, mixture), families):
        wanted += [clique_of(schema, node, families) for node in nodes]
    deep = [node for network in mixture.networks for node in leaves_of(network, target)]
    names = dict.fromkeys(c for node in deep for c in node.children if c != target)
    wanted += [Clique((name, target)) for name in names]  # the tables that a missing parent falls back on
    return (*dict.fromkeys(wanted), *deep_cliques(schema, deep))


def below_the_class(schema: Schema, mixture: Mixture) -> Network:
    """The nodes that depend on the class alone, the same in every network."""
    deep = {id(node) for node in leaves_of(mixture.networks[0], schema.target.name)}
    return tuple(node for node in mixture.networks[0] if id(node) not in deep)


def deep_cliques(schema: Schema, nodes: Iterable[Node]) -> Iterator[Clique]:
    """What nodes with feature parents need counted, each table once: AODE has every pair twice."""
    place = schema.position.__getitem__  # the target stands last, as in every clique
    found = dict.fromkeys([frozenset(node.children + node.parents) for node in nodes])
    return (Clique(tuple(sorted(keys, key=place))) for keys in found if len(keys) > 2)


def clique_of(schema: Schema, node: Node, families: Mapping[str, Any]) -> Clique:
    """What a node's family needs counted."""
    child = node.children[0]
    if isinstance(schema.columns[child], Discrete):
        return Clique((child, *node.parents))
    return Clique(node.parents, (child,), families[child].order)


def grouped(layout: Layout, network: Network, families: Mapping[str, Any]) -> list[Group]:
    """The nodes of a network below the class, those of one family and the same parents together."""
    return [
        Group(
            tuple(node.children[0] for node in nodes),
            tuple(made := [clique_of(layout.schema, node, families) for node in nodes]),
            layout.span(made),
            families[nodes[0].children[0]],
            np.array([node.power for node in nodes]),
        )
        for nodes in together(layout.schema, network, families)
    ]


def together(schema: Schema, network: Network, families: Mapping[str, Any]) -> list[list[Node]]:
    """Nodes below the class that are fitted as one group; a block of counts is a group of its own."""
    found: dict[Any, list[Node]] = {}
    for node in network:
        child = node.children[0]
        if child != schema.target.name:
            own = child if isinstance(schema.columns[child], Block) else ""
            found.setdefault((own, type(families[child]), families[child], node.parents), []).append(node)
    return list(found.values())
