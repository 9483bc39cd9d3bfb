"""Whether a statistic is one of its schema: tables over its columns, as many cells as it says, rows that add up."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.frame import Floats
from bayesfold.normal import Normal
from bayesfold.plan import below_the_class, clique_of, cliques, together
from bayesfold.schema import Block, Discrete, Real, Schema
from bayesfold.store.unreadable import require
from bayesfold.tally import Clique, Layout

MOST_ROWS = 2**53
"""Rows that a float can still hold."""


def check_cliques(layout: Layout, parts: Mapping[str, Any]) -> None:
    """Tables over columns of the schema, each once; all that the models read, what is read together side by side."""
    schema = layout.schema
    at = {clique: i for i, clique in enumerate(layout.cliques)}
    require(len(at) == len(layout.cliques), "one of its tables is there twice")
    require(Clique((schema.target.name,)) in at, "the table of the class is not there")
    for clique in layout.cliques:
        require(is_clique(schema, clique), f"it has a table over {in_words(clique)}, which are not such columns")
    for part in parts.values():
        known = part.by_column()
        for clique in cliques(schema, part.mixture, known):
            require(clique in at, f"the table over {in_words(clique)} is not there")
        for nodes in together(schema, below_the_class(schema, part.mixture), known):
            places = [at[clique_of(schema, node, known)] for node in nodes]
            aside = places == [*range(places[0], places[0] + len(places))]
            require(aside, "its tables are not in the order in which they are read")
            check_held(known[nodes[0].children[0]], len(nodes))


def is_clique(schema: Schema, clique: Clique) -> bool:
    """Whether a table is over columns with levels, the class last, and sums no column or one column of numbers."""
    *keys, last = clique.keys or ("",)
    levels = all(key in schema.columns and isinstance(schema.columns[key], Discrete) for key in keys)
    if last != schema.target.name or not levels or len(set(clique.keys)) < len(clique.keys):
        return False
    if not clique.terms:
        return clique.order == 0
    number = isinstance(schema.columns.get(clique.terms[0]), Real | Block)
    return number and not keys and len(clique.terms) == 1 and clique.order in (1, 2)


def check_held(family: Any, columns: int) -> None:
    """What a density holds for the columns that are read with it: a number each, or nothing."""
    if isinstance(family, Normal):
        held = [numbers for numbers in (family.centre, family.within) if numbers is not None]
        right = len(held) in (0, 2) and all(n.shape == (columns,) and np.isfinite(n).all() for n in held)
        require(right, "a density does not hold a finite number for each of its columns")


def check_numbers(layout: Layout, counts: NDArray[np.int64], weights: Floats, sums: Floats) -> None:
    """As many numbers as the schema says, finite, and in every table the rows of each class."""
    cells, many = layout.size
    require(counts.shape == (cells,), f"its schema has {cells} cells, and it holds {counts.shape} counts")
    require(sums.shape == (2, many), f"its schema has (2, {many}) sums, and it holds {sums.shape}")
    require(weights.shape in ((2, cells), (2, 0)), f"its schema has (2, {cells}) weights, and it holds {weights.shape}")
    require((counts >= 0).all(), "one of its counts is below 0")
    require(np.isfinite(weights).all() and np.isfinite(sums).all(), "one of its sums or weights is not finite")
    least = -1e-6 * (1 + weights[0].max(initial=0))  # what is left of weights that were taken out again
    require((weights[0] >= least).all(), "one of its weights is below 0")
    slots = layout.schema.target.slots
    starts = [layout.offsets[clique][0] // slots for clique in layout.cliques]
    rows = np.add.reduceat(counts.reshape(-1, slots), starts, axis=0)
    whole = rows[layout.cliques.index(Clique((layout.schema.target.name,)))]
    require(whole.max() <= MOST_ROWS, f"a class is said to have {whole.max()} rows")
    for clique, n in zip(layout.cliques, rows, strict=True):
        right = n <= whole if clique.terms else n == whole
        require(right.all(), f"the table over {in_words(clique)} does not have the rows of the classes")


def in_words(clique: Clique) -> str:
    """A table, in print."""
    return " x ".join((*clique.terms, *clique.keys)) or "nothing"
