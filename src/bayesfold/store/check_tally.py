"""Whether a statistic is one of its schema: tables over its columns, as many cells as it says, rows that add up."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.families._normal import NormalFamily
from bayesfold.models.plan import below_the_class, clique_of, group_nodes
from bayesfold.models.scoring.parent_nodes import leaves_of
from bayesfold.store.unreadable import require
from bayesfold.tally.layout import Clique, Layout

MOST_ROWS = 2**53
"""Most rows: more would not be exact as a float."""


def check_cliques(layout: Layout, parts: Mapping[str, Any]) -> None:
    """Refuse tables that are not over columns of the schema, each once, with what is read together side by side."""
    schema, target = layout.schema, layout.schema.target.name
    at = {clique: i for i, clique in enumerate(layout.cliques)}
    require(len(at) == len(layout.cliques), "one of its tables is there twice")
    require(Clique((target,)) in at, "the table of the class is not there")
    order = {column: i for i, column in enumerate(schema.columns)}
    for clique in layout.cliques:
        require(is_clique(schema, clique, order), "it has the table {}, which are no such columns", clique)
    counted = {frozenset(clique.keys) for clique in layout.cliques if not clique.terms}
    for part in parts.values():
        known = part.by_column()
        for nodes in group_nodes(schema, below_the_class(schema, part.mixture), known):
            places = [at.get(clique_of(schema, node, known), -1) for node in nodes]
            aside = places == [*range(places[0], places[0] + len(places))] and places[0] >= 0
            require(aside, "the table of {!r} is not there, or not where it is read", nodes[0].children[0])
            width = len(nodes) * schema.width(nodes[0].children[0])
            check_held(known[nodes[0].children[0]], width)
        for node in (n for network in part.mixture.networks for n in leaves_of(network, target)):
            own, naive = frozenset((*node.children, *node.parents, target)), frozenset((node.children[-1], target))
            require(own in counted and naive in counted, "a table of {!r} is not there", node.children[-1])


def is_clique(schema: Schema, clique: Clique, order: Mapping[str, int]) -> bool:
    """Whether a table is over columns with levels, in the schema's order, the class last, and sums a column or none."""
    places = [order.get(key, -1) for key in clique.keys]
    levels = all(key in order and schema.columns[key].slots for key in clique.keys)
    if not levels or clique.keys[-1:] != (schema.target.name,) or any(a >= b for a, b in pairwise(places)):
        return False
    if not clique.terms:
        return clique.order == 0
    number = clique.terms[0] in schema.columns and not schema.columns[clique.terms[0]].slots
    return number and len(clique.keys) == len(clique.terms) == 1 and clique.order in (1, 2)


def check_held(family: Any, columns: int) -> None:
    """Refuse a family that holds neither nothing nor one number per column that is read with it."""
    smoothing = getattr(family, "alpha", 0.0)
    require(not isinstance(smoothing, tuple) or len(smoothing) == columns, "a family lacks the smoothing of a column")
    if isinstance(family, NormalFamily):
        held = [numbers for numbers in (family.centre, family.within) if numbers is not None]
        right = len(held) in (0, 2) and all(n.shape == (columns,) and np.isfinite(n).all() for n in held)
        require(right, "a density does not hold a finite number for each of its columns")


def check_numbers(layout: Layout, counts: NDArray[np.int64], weights: Floats, sums: Floats) -> None:
    """Refuse too few or too many numbers, infinite ones, and tables that disagree on the rows of a class."""
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
    summed = np.array([bool(clique.terms) for clique in layout.cliques])  # a missing number is in no sum
    right = np.where(summed, (rows <= whole).all(axis=1), (rows == whole).all(axis=1))
    require(right.all(), "the table {} does not have the rows of the classes", layout.cliques[int(right.argmin())])
