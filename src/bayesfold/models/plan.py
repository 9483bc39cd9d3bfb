"""What a mixture needs counted, and which of its columns are fitted together."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.graph import Mixture, Network, Node
from bayesfold.data.schema import Schema
from bayesfold.models.scoring.group import Group
from bayesfold.models.scoring.parent_nodes import Leaves, all_leaves, keys_in_order
from bayesfold.runtime.identity_cache import kept_by_identity
from bayesfold.tally.clique_index import pairs_with
from bayesfold.tally.layout import Clique, Layout, Span


def cliques(schema: Schema, mixture: Mixture, families: Mapping[str, Any]) -> tuple[Clique, ...]:
    """What must be counted for a mixture: the class, then each group's tables side by side."""
    target = schema.target.name
    needed = [Clique((target,))]
    for nodes in group_nodes(schema, below_the_class(schema, mixture), families):
        needed += [clique_of(schema, node, families) for node in nodes]
    names, deep = tables_with_parents(mixture.networks, tuple(schema.position))
    needed += [Clique((name, target)) for name in names]  # the tables that a missing parent falls back on
    return behind(deep, tuple(dict.fromkeys(needed)))


@kept_by_identity
def behind(deep: tuple[Clique, ...], needed: tuple[Clique, ...]) -> tuple[Clique, ...]:
    """Tables with parents behind the others: of the same ones the same object, by which layouts know them."""
    return (*needed, *deep)


def class_span(layout: Layout) -> Span:
    """Where the class is counted; worked out once for a layout."""
    if "classes" not in layout.plans:
        layout.plans["classes"] = layout.span([Clique((layout.schema.target.name,))])
    return cast(Span, layout.plans["classes"])


def below_the_class(schema: Schema, mixture: Mixture) -> Network:
    """The nodes that depend on the class alone, the same in every network."""
    deep = {id(node) for node in all_leaves(mixture.networks, schema.target.name)[0]}
    return tuple(node for node in mixture.networks[0] if id(node) not in deep)


@kept_by_identity
def tables_with_parents(
    networks: tuple[Network, ...], order: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[Clique, ...]]:
    """The columns of nodes with feature parents, and what these need counted, each table once: AODE has every pair
    twice. `order` are all columns, the target last, as in every clique."""
    target, place = order[-1], {name: i for i, name in enumerate(order)}
    if not any(all_leaves(networks, target)):
        return (), ()
    leaves = plan_leaves(networks, target).every
    if leaves.parents_of_each.max(initial=0) > 1:
        every = dict.fromkeys([keys_in_order((*leaf.parents, leaf.name), place, target) for leaf in leaves])
        return leaves.names, tuple([Clique(keys) for keys in every if len(keys) > 2])
    own, other = (np.array([place[name] for name in leaves.names], np.intp)[end] for end in leaves.pairs)
    _, first = np.unique(np.minimum(own, other) * len(order) + np.maximum(own, other), return_index=True)
    first.sort()
    pairs = np.minimum(own, other)[first].tolist(), np.maximum(own, other)[first].tolist()
    with_first = [pairs_with(name, target) for name in order]
    return leaves.names, tuple([with_first[a][order[b]] for a, b in zip(*pairs, strict=True)])


def clique_of(schema: Schema, node: Node, families: Mapping[str, Any]) -> Clique:
    """The clique that a node's family needs counted."""
    child = node.children[0]
    if schema.columns[child].slots:
        return Clique((child, *node.parents))
    return Clique(node.parents, (child,), families[child].order)


def group_columns(layout: Layout, network: Network, families: Mapping[str, Any]) -> list[Group]:
    """The nodes of a network below the class, those of one family and the same parents together."""
    return [
        Group(
            tuple(node.children[0] for node in nodes),
            tuple(made := [clique_of(layout.schema, node, families) for node in nodes]),
            layout.span(made),
            families[nodes[0].children[0]],
            np.array([node.power for node in nodes]),
        )
        for nodes in group_nodes(layout.schema, network, families)
    ]


def group_nodes(schema: Schema, network: Network, families: Mapping[str, Any]) -> list[list[Node]]:
    """Nodes below the class that are fitted as one group; a block of counts is a group of its own."""
    groups: dict[Any, list[Node]] = {}
    for node in network:
        child = node.children[0]
        if child != schema.target.name:
            own = child if schema.columns[child].is_block else ""
            groups.setdefault((own, type(families[child]), families[child], node.parents), []).append(node)
    return list(groups.values())


NO_LEAVES = Leaves.alone(())


class LeafPlan(NamedTuple):
    """The columns with a network of their own, each as a leaf of the class, every network's leaves one after another,
    and where each network ends."""

    columns: tuple[str, ...]
    own: Leaves
    every: Leaves
    ends: NDArray[np.intp]


@kept_by_identity
def plan_leaves(networks: tuple[Network, ...], target: str) -> LeafPlan:
    """The leaves of networks over this class."""
    deep = all_leaves(networks, target)
    if not any(deep):
        return LeafPlan((), NO_LEAVES, NO_LEAVES, np.zeros(1 + len(deep), np.intp))
    every = Leaves.of_nodes([node for nodes in deep for node in nodes])
    return LeafPlan(every.names, Leaves.alone(every.names), every, np.cumsum([0, *map(len, deep)], dtype=np.intp))
