"""Naive Bayes: every column depends on the class alone, P(y) prod_j P(x_j | y).

>>> from bayesfold.graph import factorization
>>> from bayesfold.schema import Categories, Real, Schema
>>> mixture = Naive().learn(Schema(Categories("y"), (Categories("a"), Real("b"))))
>>> factorization(mixture.networks[0])
'P(y) P(a | y) P(b | y)'
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bayesfold.graph import Mixture, Node
from bayesfold.schema import Schema


@dataclass(frozen=True)
class Naive:
    """`powers`: exponents on the likelihoods of named columns."""

    powers: Mapping[str, float] = field(default_factory=dict)

    def learn(self, schema: Schema) -> Mixture:
        """There is nothing to learn: the structure is the schema."""
        target = schema.target.name
        nodes = [Node((c.name,), (target,), self.powers.get(c.name, 1.0)) for c in schema.features]
        return Mixture(((Node((target,)), *nodes),))
