"""Averaged one-dependence estimators (Webb 2005): every column in turn is the super-parent of all the others.

P(y, x) = mean over a of P(y, x_a) prod_j P(x_j | y, x_a), over the super-parents whose value enough rows have shown.
With n = 2 every pair of columns is a super-parent (Webb 2012).

>>> from bayesfold.data.graph import factorization
>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.schema import Schema
>>> s = Schema(Categories("y"), (Categories("a"), Categories("b")))
>>> for network in Aode().learn(s).networks:
...     print(factorization(network))
P(y) P(y, a) P(b | a, y)
P(y) P(y, b) P(a | b, y)
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from bayesfold.data.graph import Mixture, Network
from bayesfold.data.schema import Schema
from bayesfold.models.structures._super_parents import feature_names, network_of_names, super_parent_network


@dataclass(frozen=True)
class Aode:
    """`minimum`: the rows a super-parent's value must have; `n`: super-parents of a network; `subsumption`: the rows
    a value must have to make those redundant that it always comes with (0: none does)."""

    minimum: float = 1.0
    n: int = 1
    subsumption: float = 0.0

    def learn(self, schema: Schema, count: object = None) -> Mixture:
        """There is nothing to learn: every column has its turn."""
        roots = list_roots(schema.tables, self.n)
        if not roots:
            return Mixture((super_parent_network(schema, ()),))
        networks = networks_of(schema.target.name, feature_names(schema), schema.tables, self.n)
        return Mixture(networks, roots=roots, minimum=self.minimum, subsumption=self.subsumption)


@lru_cache(maxsize=8)
def networks_of(target: str, features: tuple[str, ...], tables: tuple[str, ...], n: int) -> tuple[Network, ...]:
    """The networks of columns of these names: of the same names the same object, by which plans are kept."""
    return tuple(network_of_names(target, features, tables, roots) for roots in list_roots(tables, n))


def list_roots(tables: tuple[str, ...], n: int) -> tuple[tuple[str, ...], ...]:
    """The super-parents of each network. Of several the first is the last that a thin table gives up, so they stand in
    an order of their own: that of the columns chooses nothing.

    >>> list_roots(("b", "a", "c"), 2)
    (('a', 'b'), ('b', 'c'), ('a', 'c'))
    """
    return tuple(tuple(sorted(roots)) for roots in combinations(tables, n))
