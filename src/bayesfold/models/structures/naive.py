"""Naive Bayes: every column depends on the class alone, P(y) prod_j P(x_j | y).

>>> from bayesfold.data.graph import factorization
>>> from bayesfold.data.encodings import Categories, Real
>>> from bayesfold.data.schema import Schema
>>> mixture = Naive().learn(Schema(Categories("y"), (Categories("a"), Real("b"))))
>>> factorization(mixture.networks[0])
'P(y) P(a | y) P(b | y)'
"""

from dataclasses import dataclass

from bayesfold.data.graph import Mixture, Node
from bayesfold.data.schema import Schema


@dataclass(frozen=True)
class Naive:
    """Naive Bayes has no parameters."""

    def learn(self, schema: Schema, count: object = None) -> Mixture:
        """There is nothing to learn: the structure is the schema."""
        target = schema.target.name
        nodes = [Node((c.name,), (target,)) for c in schema.features]
        return Mixture(((Node((target,)), *nodes),))
