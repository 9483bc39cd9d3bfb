"""k-dependence Bayes (Sahami 1996): columns in the order of what they tell about the class, each with k parents.

A column's parents are the k earlier columns that share most information with it, given the class; k = 0 is naive
Bayes. The strongest parent comes first: it is the last one that a thin table gives up.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bayesfold.data.graph import Mixture, Node
from bayesfold.data.schema import Schema
from bayesfold.models.structures._pairs import pair_cliques
from bayesfold.tally.layout import Clique
from bayesfold.tally.mutual_information import rank_columns
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class Kdb:
    """`k`: how many columns a column may depend on, beside the class."""

    k: int = 2

    @classmethod
    def sizes(cls) -> tuple["Kdb", ...]:
        """One to three columns that a column may depend on: more need more rows than there ever are."""
        return cls(1), cls(2), cls(3)

    def learn(self, schema: Schema, count: Callable[[tuple[Clique, ...]], Tally]) -> Mixture:
        """Count every pair of columns once; the tables with k parents need one more pass."""
        target, names = schema.target.name, schema.tables
        names, _, shared = rank_columns(count(pair_cliques(schema)), names)
        parents: dict[str, tuple[str, ...]] = {}
        for j, name in enumerate(names):
            strongest = np.argsort(-shared[j, :j], kind="stable")[: self.k].tolist()
            parents[name] = tuple(names[i] for i in strongest)
        nodes = [Node((c.name,), (*parents.get(c.name, ()), target)) for c in schema.features]
        return Mixture(((Node((target,)), *nodes),))
