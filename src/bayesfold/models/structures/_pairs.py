"""The tables from which it is learned how much columns tell about each other: TAN and KDB count them first.

>>> from bayesfold.data.encodings import Categories
>>> [clique.keys for clique in pair_cliques(Schema(Categories("y"), (Categories("a"), Categories("b"))))]
[('y',), ('a', 'y'), ('b', 'y'), ('a', 'b', 'y')]
"""

from functools import lru_cache
from itertools import combinations

from bayesfold.data.schema import Schema
from bayesfold.tally.clique_index import Clique, pairs_with


def pair_cliques(schema: Schema) -> tuple[Clique, ...]:
    """The tables of the class, of each column, and of each two columns, by class."""
    return pairs_of_names(schema.tables, schema.target.name)


@lru_cache(maxsize=16)  # every fold and every structure asks for the same
def pairs_of_names(names: tuple[str, ...], target: str) -> tuple[Clique, ...]:
    """As `pair_cliques`, of columns by name."""
    pairs = [pairs_with(name, target)[other] for name, other in combinations(names, 2)]
    return (Clique((target,)), *[Clique((name, target)) for name in names], *pairs)
