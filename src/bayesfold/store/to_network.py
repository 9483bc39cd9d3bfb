"""A classifier of tables as a Bayesian network: the same graph, the same tables, every question a network answers.

>>> from bayesfold.learning.discover import Options
>>> from bayesfold.learning.fit import learn
>>> from bayesfold.learning.recipe import Recipe
>>> from bayesfold.data.frame import Frame
>>> f = Frame.of({"coat": ["short", "long", "short", "long"], "indoor": ["yes", "yes", "no", "no"]})
>>> model, _ = learn(f, ["cat", "cat", "dog", "dog"], None, Recipe(Options()))
>>> net = to_network(model)
>>> net.factorization()
'P(class) P(coat | class) P(indoor | class)'
>>> print(net.query("class | indoor=yes"))
P(class | indoor=yes)
class=cat  0.75
class=dog  0.25
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bayesfold.data.encodings import Binned
from bayesfold.data.frame import Floats, Level
from bayesfold.data.schema import Column
from bayesfold.families._forms import Lookup
from bayesfold.models.model import Model
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.networks.interval import name_intervals
from bayesfold.networks.network import BayesianNetwork


def to_network(model: Any, class_name: str = "") -> BayesianNetwork:
    """The network of a single graph over columns with levels or bins; anything else is refused with the reason.

    class_name: what the class is called in it, if no column is called so. A row that does not show the super-parent of
    a `SPODE` is answered without it by the classifier, and by summing over it by the network.
    """
    if not isinstance(model, Model) or len(model.mixture.networks) > 1:
        raise ValueError("this classifier joins several networks, and one is needed: fit NaiveBayes, TAN, KDB or SPODE")
    if not model.is_textbook or any(node.power != 1.0 for node in model.mixture.networks[0]):
        raise ValueError("exponents and calibration are not part of a network: fit with weights=None, calibration=None")
    schema, target = model.schema, model.schema.target.name
    odd = [c.name for c in schema.features if not c.slots]
    if odd:
        raise ValueError(f"column {odd[0]!r} has a density, not levels; a network needs bins: numeric='mdl'")
    p = np.exp(model.log_prior())
    tables: dict[str, Floats] = {target: p / p.sum()}
    edges: list[tuple[str, str]] = []
    flat, scorer = model.flat, model.scorer
    for group, form in zip(flat.groups, flat.forms, strict=True):
        for j, name in enumerate(group.names):
            one: Lookup = flat.form_of(form, group, j)
            tables[name] = np.exp(one.table[1:-1, 1:].T)
            edges.append((target, name))
    if isinstance(scorer, MixtureScorer):
        for k, leaf in enumerate(scorer.stack.leaves):
            inside = np.exp(scorer.stack.log(k))[(slice(1, None),) * (len(leaf.parents) + 1)]
            tables[leaf.name] = np.moveaxis(inside, -1, -2)
            edges += [(parent, leaf.name) for parent in (*leaf.parents, target)]
            if leaf.root:  # P(class, root) is estimated as one table, so its sums are the classes' own
                tables[target] = tables[target] * tables[leaf.name].sum(axis=-1)
    called = {c.name: c.name for c in (schema.target, *schema.features)}
    if class_name and class_name not in called:
        called[target] = class_name
    return BayesianNetwork.from_edges(
        [(called[parent], called[child]) for parent, child in edges],
        called.values(),
        {called[v]: t / t.sum(axis=-1, keepdims=True) for v, t in tables.items()},
        {called[c.name]: states(c) for c in (schema.target, *schema.features)},
    )


def states(column: Column) -> Sequence[Level]:
    """The states of a column: its levels, or its bins, in which a number finds its own."""
    return name_intervals(column.levels, column.cuts) if isinstance(column, Binned) else column.levels
