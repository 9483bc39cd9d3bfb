"""A network in which every other table depends on the same super-parents and the class, as in SPODE and AODE.

>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.graph import factorization
>>> factorization(super_parent_network(Schema(Categories("y"), (Categories("a"), Categories("b"))), ("b",)))
'P(y) P(y, b) P(a | b, y)'
"""

from bayesfold.data.graph import Network, Node, nodes_below
from bayesfold.data.schema import Schema


def super_parent_network(schema: Schema, parents: tuple[str, ...]) -> Network:
    """The network of these super-parents; columns that are not tables depend on the class alone."""
    return network_of_names(schema.target.name, feature_names(schema), schema.tables, parents)


def feature_names(schema: Schema) -> tuple[str, ...]:
    """The names of the features, in order."""
    return tuple([c.name for c in schema.features])


def network_of_names(
    target: str, features: tuple[str, ...], tables: tuple[str, ...], parents: tuple[str, ...]
) -> Network:
    """The same of columns of these names."""
    nodes = [Node((target,))]
    for i, parent in enumerate(parents):
        nodes.append(Node((parent,), (*parents[:i], target)) if i else Node((target, parent)))
    below, shallow, deep = set(tables), nodes_below((target,)), nodes_below((*parents, target))
    return (*nodes, *[(deep if name in below else shallow)[name] for name in features if name not in parents])
