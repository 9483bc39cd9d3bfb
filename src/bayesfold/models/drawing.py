"""Rows drawn from a model: a class, then each column given it, or by the networks."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.decode import decode
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.parent_nodes import order_parents_first

if TYPE_CHECKING:
    from bayesfold.models.model import Model


def sample(model: "Model", rows: int, draw: "np.random.Generator") -> tuple[dict[str, Any], NDArray[Any]]:
    """Values of each source column, and the classes."""
    label = draw_classes(model, rows, draw)
    slots = draw_flat(model, label, draw)
    if isinstance(model.scorer, MixtureScorer):
        slots |= draw_by_networks(model.scorer, label, draw)
    return decode(model.schema, slots, draw), np.asarray(model.classes, object)[label]


def sample_flat(model: "Model", label: NDArray[np.intp], draw: "np.random.Generator") -> dict[str, Any]:
    """Values of the source columns that depend on the class alone, for rows of these classes; no others are there."""
    slots = draw_flat(model, label, draw)
    vectors = {vector.name for vector in model.schema.vectors}
    return decode(model.schema, {name: v for name, v in slots.items() if name not in vectors}, draw)


def draw_classes(model: "Model", rows: int, draw: "np.random.Generator") -> NDArray[np.intp]:
    """The class of each row, as a place among the classes."""
    p = np.exp(model.flat.prior - model.flat.prior.max())
    return np.asarray(draw.choice(len(p), rows, p=p / p.sum()), np.intp)


def draw_flat(model: "Model", label: NDArray[np.intp], draw: "np.random.Generator") -> dict[str, Any]:
    """What is encoded, of each column that depends on the class alone."""
    flat = model.flat
    return {
        name: group.family.sample(flat.form_of(form, group, j), label + 1, draw)
        for group, form in zip(flat.groups, flat.forms, strict=True)
        for j, name in enumerate(group.names)
    }


def draw_by_networks(
    scorer: MixtureScorer, label: NDArray[np.intp], draw: "np.random.Generator"
) -> dict[str, NDArray[np.intp]]:
    """Slots of each column for rows of these classes: a network for each row, then parents before children."""
    if scorer.mixture.combine == "product":
        raise ValueError("a product of networks is not a distribution of rows: draw rows from combine='mean'")
    share = scorer.weights if scorer.mixture.roots else np.ones(1)
    which = draw.choice(len(scorer.ends) - 1, len(label), p=share / share.sum())
    codes = np.zeros((len(scorer.columns), len(label)), np.int32)
    for i in range(len(scorer.ends) - 1):
        rows = np.flatnonzero(which == i)
        for k in order_parents_first(scorer.stack.leaves, range(scorer.ends[i], scorer.ends[i + 1])):
            own = scorer.stack.leaves.child[k]
            codes[own, rows] = scorer.stack.draw(k, codes[:, rows], label[rows], draw)
    return {name: codes[i].astype(np.intp) for i, name in enumerate(scorer.columns)}
