"""The tables from which it is learned how much columns tell about each other: TAN and KDB count them first.

>>> from bayesfold.data.encodings import Categories
>>> [clique.keys for clique in pair_cliques(Schema(Categories("y"), (Categories("a"), Categories("b"))))]
[('y',), ('a', 'y'), ('b', 'y'), ('a', 'b', 'y')]
"""

from functools import lru_cache
from itertools import combinations

from bayesfold.data.schema import Schema
from bayesfold.tally.layout import Clique


def pair_cliques(schema: Schema) -> tuple[Clique, ...]:
    """The tables of the class, of each column, and of each two columns, by class."""
    return pairs_of_names(schema.tables, schema.target.name)


@lru_cache(maxsize=16)  # every fold and every structure asks for the same
def pairs_of_names(names: tuple[str, ...], target: str) -> tuple[Clique, ...]:
    """As `pair_cliques`, of columns by name."""
    key_sets = [*((name,) for name in names), *combinations(names, 2)]
    return (Clique((target,)), *(Clique((*keys, target)) for keys in key_sets))
