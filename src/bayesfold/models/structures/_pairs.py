"""The tables from which it is learned how much columns tell about each other: TAN and KDB count them first.

>>> from bayesfold.data.encodings import Categories
>>> [clique.keys for clique in pair_cliques(Schema(Categories("y"), (Categories("a"), Categories("b"))))]
[('y',), ('a', 'y'), ('b', 'y'), ('a', 'b', 'y')]
"""

from itertools import combinations

from bayesfold.data.schema import Schema
from bayesfold.tally.layout import Clique


def pair_cliques(schema: Schema) -> tuple[Clique, ...]:
    """The tables of the class, of each column, and of each two columns, by class."""
    target, names = schema.target.name, schema.tables
    key_sets = [*((name,) for name in names), *combinations(names, 2)]
    return (Clique((target,)), *(Clique((*keys, target)) for keys in key_sets))
