"""A network in which every other table depends on the same super-parents and the class, as in SPODE and AODE.

>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.graph import factorization
>>> factorization(super_parent_network(Schema(Categories("y"), (Categories("a"), Categories("b"))), ("b",)))
'P(y) P(y, b) P(a | b, y)'
"""

from bayesfold.data.graph import Network, Node
from bayesfold.data.schema import Schema


def super_parent_network(schema: Schema, parents: tuple[str, ...]) -> Network:
    """The network of these super-parents; columns that are not tables depend on the class alone."""
    target = schema.target.name
    nodes = [Node((target,))]
    for i, parent in enumerate(parents):
        nodes.append(Node((parent,), (*parents[:i], target)) if i else Node((target, parent)))
    tables, shallow, deep = set(schema.tables), (target,), (*parents, target)
    names = [c.name for c in schema.features if c.name not in parents]
    return (*nodes, *[Node((name,), deep if name in tables else shallow) for name in names])
