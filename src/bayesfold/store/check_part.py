"""Whether one model can be read from a tally: a family for each column, networks without a circle, finite numbers."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesfold.data.graph import Mixture, Network, Node
from bayesfold.data.landmarks import Landmarks
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Vector
from bayesfold.families import form_of
from bayesfold.families._forms import Density, Lookup, Quadratic, Whole
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.families.parzen import Parzen
from bayesfold.models.scoring.parent_nodes import leaves_of
from bayesfold.runtime.messages import listed
from bayesfold.store.known import FAMILY, word_for
from bayesfold.store.unreadable import require

LARGEST = 1e100
"""An exponent or a weight beyond this says nothing but that logarithms overflow."""


def check_part(schema: Schema, part: Any, where: str) -> None:
    """Refuse a model that cannot be read from a tally of this schema."""
    places = range(len(part.families))
    require(all(at in places for at in part.family_of.values()), f"{where} lacks the family of a column")
    for family in part.families:
        check_family(family, where)
    known = part.by_column()
    for name, family in known.items():
        check_slopes(schema, name, getattr(family, "slopes", None), where)
    require(is_table_family(known.get(schema.target.name)), f"{where} has no smoothing for the class")
    check_mixture(schema, part.mixture, known, where)
    check_prior(schema, part, where)
    numbers = [part.calibration.exponent, *(bias for _, bias in part.calibration.bias)]
    require((np.abs(numbers) <= LARGEST).all(), f"{where} has a calibration by {numbers}")


def check_family(family: Any, where: str) -> None:
    """Refuse what is not one of the families, or has numbers that it cannot smooth with."""
    require((word_for(family) or "").startswith(FAMILY), f"{where} has {family!r}, which is no family")
    for name, value in vars(family).items():
        if name == "alpha" and isinstance(value, str):
            require(value == "auto", f"{where} has {name}={value!r}, which is neither 'auto' nor a number")
        elif name == "bandwidth" and isinstance(value, float):
            require(0 < value < LARGEST, f"{where} has {name}={value!r}, which is no width")
        elif name == "alpha" or isinstance(value, int | float):
            numbers = np.asarray(value, np.float64)
            right = (numbers >= 0).all() and np.isfinite(numbers).all()
            require(right, f"{where} has {name}={value!r}, which is not at least 0 and finite")


def check_slopes(schema: Schema, name: str, slopes: Any, where: str) -> None:
    """Refuse slopes of words that are not one row per term and one more, one column per class."""
    column = next((text for text in schema.texts if text.name == name), None)
    if slopes is not None:
        right = column is not None and slopes.shape == (column.width + 1, len(schema.target.levels))
        require(right and np.isfinite(slopes).all(), f"{where} has slopes of {name!r} that are not those of its terms")


def check_prior(schema: Schema, part: Any, where: str) -> None:
    """Refuse class probabilities that lack a class, and probabilities or class weights below 0."""
    lacking = set() if part.prior is None else set(schema.target.levels) - set(part.prior)
    require(not lacking, f"{where} has class probabilities, but none for {listed(lacking)}")
    for given in (part.prior, part.class_weight):
        if isinstance(given, Mapping):
            numbers = np.array([*given.values()], np.float64)
            require((numbers >= 0).all() and np.isfinite(numbers).all(), f"{where} has a class that weighs less than 0")
        else:
            require(given in (None, "balanced"), f"{where} has the class weight {given!r}")


def check_mixture(schema: Schema, mixture: Mixture, known: Mapping[str, Any], where: str) -> None:
    """Refuse networks that are not over the schema's columns, or have too few or too many weights and roots."""
    networks, roots, weights = mixture.networks, mixture.roots, mixture.weights
    require(networks and mixture.combine in ("mean", "product"), f"{where} has no networks, or no way to combine them")
    require(mixture.minimum >= 0 and mixture.subsumption >= 0, f"{where} asks for a number of rows below 0")
    matched = len(roots) == len(networks) if roots else len(networks) == 1
    require(matched and len(set(map(len, roots))) <= 1 and () not in roots, f"{where} lacks the roots of its networks")
    if weights is not None:
        shares = mixture.combine == "product" or (min(weights, default=0) >= 0 and sum(weights) > 0)
        finite = len(weights) == len(networks) and (np.abs(weights) <= LARGEST).all()
        require(finite and shares, f"{where} lacks a finite weight for each network")
    deep = [check_network(schema, network, known, where) for network in networks]
    flat = [{n for n in network if n.children[-1] not in own} for network, own in zip(networks, deep, strict=True)]
    require(all(one == flat[0] for one in flat), f"{where} has networks that differ in what the class alone decides")
    for names, own in zip(roots, deep, strict=False):
        require(own.issuperset(names), f"{where} has the root {listed(names)}, which is not in its network")


def check_network(schema: Schema, network: Network, known: Mapping[str, Any], where: str) -> set[str]:
    """The columns that have parents beside the class, or are such parents; a wrong network is refused."""
    target = schema.target.name
    parents: dict[str, tuple[str, ...]] = {}
    for node in network:
        child = node.children[-1] if node.children else ""
        beside = len(node.children) == 2 and node.children[0] == target and not node.parents
        require(len(node.children) == 1 or beside, "{} has a node of the columns {}", where, node.children)
        require(abs(node.power) <= LARGEST, "{} has the exponent {} on {!r}", where, node.power, child)
        if node.children == (target,):
            require(not node.parents, "{} has a class that depends on {}", where, node.parents)
            continue
        check_node(schema, node, known, where)
        require(child not in parents, "{} has {!r} twice in a network", where, child)
        parents[child] = node.parents[:-1]
    check_order(parents, where)
    deep = {node.children[-1] for node in leaves_of(network, target)}
    tables = set(schema.tables)
    for child in deep:
        right = child in tables and is_table_family(known[child])
        require(right, "{} has parents or children of {!r}, which is no table", where, child)
    return deep


def check_node(schema: Schema, node: Node, known: Mapping[str, Any], where: str) -> None:
    """Refuse a node that is not a column that depends on the class, of a family that can read it."""
    child, target = node.children[-1], schema.target.name
    require(child in schema.columns and child in known, "{} has {!r}, without a column or a family", where, child)
    below = len(node.children) == 2 or node.parents[-1:] == (target,)
    require(below and child != target, "{} has {!r} apart from the class", where, child)
    kind: Any = type(known[child])
    right = can_read(kind, schema.columns[child])
    require(right, "{} has {!r} for {!r}, a column that it cannot read", where, known[child], child)


def can_read(family: Any, column: Any) -> bool:
    """Whether a family can read a column, by the form of its log densities."""
    form = form_of(family)
    if issubclass(form, Lookup):
        return bool(column.slots)
    if issubclass(form, Quadratic | Density):
        return bool(column.is_number)
    if isinstance(column, Landmarks):
        return family is Parzen
    return column.is_block and family is not Parzen and isinstance(column, Vector) == issubclass(form, Whole)


def check_order(parents: Mapping[str, tuple[str, ...]], where: str) -> None:
    """Refuse parents that are not columns of the network, each once, or a column that is its own ancestor."""
    waiting = {child: set(above) for child, above in parents.items()}
    for child, above in parents.items():
        once = len(waiting[child]) == len(above) and waiting[child] <= parents.keys()
        require(once, "{} has a parent of {!r} twice, or one that is not in the network", where, child)
    while waiting:
        ready = [child for child, above in waiting.items() if not above & waiting.keys()]
        require(ready, "{} has columns that depend on each other in a circle: {}", where, sorted(waiting))
        for child in ready:
            del waiting[child]


def is_table_family(family: Any) -> bool:
    """Whether a family is one smoothing for a whole table."""
    if isinstance(family, Categorical):
        return not isinstance(family.alpha, tuple)
    return isinstance(family, MEstimate)
