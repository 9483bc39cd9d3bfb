"""A super-parent: every column depends on the class and on one column, P(y, x_a) prod_j P(x_j | y, x_a), j != a.

>>> from bayesfold.data.graph import factorization
>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.schema import Schema
>>> s = Schema(Categories("y"), (Categories("a"), Categories("b"), Categories("c")))
>>> factorization(Spode("b").learn(s).networks[0])
'P(y) P(y, b) P(a | b, y) P(c | b, y)'

P(y) P(y, b) stands for P(y, b): the class is factored out of it, so that it is counted once.
"""

from dataclasses import dataclass

from bayesfold.data.graph import Mixture
from bayesfold.data.schema import Schema
from bayesfold.models.structures._super_parents import super_parent_network
from bayesfold.runtime.messages import listed


@dataclass(frozen=True)
class Spode:
    """`parent`: the column that the others depend on."""

    parent: str

    def learn(self, schema: Schema, count: object = None) -> Mixture:
        """There is nothing to learn: the parent is given."""
        if self.parent not in schema.tables:
            raise ValueError(f"parent={self.parent!r} is not a column with levels or bins: {listed(schema.tables)}")
        return Mixture((super_parent_network(schema, (self.parent,)),), roots=((self.parent,),))
