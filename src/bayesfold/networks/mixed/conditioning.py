"""Normal distributions given numbers that were observed, one observation after the other, for many rows at once.

Hidden numbers have a mean m and a covariance P. To observe x = a + b m + noise of variance r changes them by

    S = b P b' + r      k = P b' / S      m += k (x - a - b m)      P = (1 - k b) P (1 - k b)' + r k k'

and adds -1/2 [log 2 pi S + (x - a - b m)^2 / S] to the log density of what was seen. No matrix is inverted, and P stays
a covariance (Joseph's form).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.networks.evidence import Codes
from bayesfold.networks.mixed.components import Component
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.mixed.lines import Lines

CERTAIN = 2.0**-40
"""A share of its variance before anything was seen below which a number is certain, but for rounding."""


class CertainNumber(ValueError):
    """A number was observed that the others leave no freedom: nothing has a density there."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name!r} is certain given the other numbers that were observed (its variance is 0), so they have no "
            f"density together: leave {name!r} out of what is observed, or give it a standard deviation above 0"
        )


@dataclass(frozen=True)
class ComponentNormals:
    """What rows say of a component, for each combination of its keys [row, *keys].

    log_density: of the numbers seen; mean: [row, *keys, hidden]; covariance: [group, *keys, hidden, hidden], which
    depends on a row only by its categories: rows of one group share it.
    """

    log_density: Floats
    mean: Floats
    covariance: Floats
    group: NDArray[np.intp]


@dataclass(frozen=True)
class ComponentLine:
    """The line of one number in the words of its component: [group, keys], the keys flattened."""

    intercept: Floats
    variance: Floats
    hidden: Floats  # [group, keys, hidden]: slopes of the component's hidden numbers
    seen: tuple[tuple[int, Floats], ...]  # observed parents, and their slopes


def condition_on(
    kinds: Kinds, lines: Mapping[int, Lines], part: Component, codes: Codes, values: Floats
) -> ComponentNormals:
    """The normal distributions of a component given each row: codes and values [row, node]."""
    seen = sorted({p for v in part.families for p in kinds.categories_above(v)} - set(part.keys))
    combos, group = np.unique(codes[:, seen], axis=0, return_inverse=True)
    group = group.reshape(-1)
    shape = tuple(kinds.cards[k] for k in part.keys)
    rows, groups, q, h = len(codes), len(combos), prod(shape), len(part.hidden)
    family = {
        v: family_of(kinds, lines[v], part, v, dict(zip(seen, combos.T, strict=True)), groups) for v in part.families
    }
    mean, covariance, log_density = np.zeros((rows, q, h)), np.zeros((groups, q, h, h)), np.zeros((rows, q))
    for i, v in enumerate(part.hidden):
        own = family[v]
        mean[:, :, i] = centre_of(own, values, group) + (own.hidden[group] * mean).sum(-1)
        across = np.einsum("gqi,gqij->gqj", own.hidden, covariance)
        covariance[:, :, i, :] = across
        covariance[:, :, :, i] = across
        covariance[:, :, i, i] = (across * own.hidden).sum(-1) + own.variance
    for v in part.families:
        if v not in part.hidden:
            observe(kinds.dag.names[v], family[v], values[:, v], values, group, mean, covariance, log_density)
    return ComponentNormals(
        log_density.reshape(rows, *shape),
        mean.reshape(rows, *shape, h),
        covariance.reshape(groups, *shape, h, h),
        group,
    )


def observe(
    name: str,
    own: ComponentLine,
    x: Floats,
    values: Floats,
    group: NDArray[np.intp],
    mean: Floats,
    covariance: Floats,
    log_density: Floats,
) -> None:
    """Take one observed number into the means, covariances and densities, in place."""
    b, r = own.hidden, own.variance
    across = np.einsum("gqij,gqj->gqi", covariance, b)
    spread = (across * b).sum(-1) + r
    before = (b**2 * np.diagonal(covariance, axis1=-2, axis2=-1)).sum(-1) + r
    if (spread <= CERTAIN * before).any():
        raise CertainNumber(name)
    off = x[:, None] - centre_of(own, values, group) - (b[group] * mean).sum(-1)
    with np.errstate(over="ignore"):
        log_density -= 0.5 * (np.log(2 * np.pi * spread)[group] + off**2 / spread[group])
    gain = across / spread[..., None]
    mean += gain[group] * off[..., None]
    keep = np.eye(b.shape[-1]) - gain[..., :, None] * b[..., None, :]
    covariance[:] = keep @ covariance @ np.swapaxes(keep, -1, -2)
    covariance += r[..., None, None] * gain[..., :, None] * gain[..., None, :]


def centre_of(own: ComponentLine, values: Floats, group: NDArray[np.intp]) -> Floats:
    """The part of a line that does not depend on hidden numbers, [row, keys]."""
    mean: Floats = own.intercept[group]
    for p, slope in own.seen:
        mean = mean + slope[group] * values[:, p, None]
    return mean


def family_of(
    kinds: Kinds, lines: Lines, part: Component, v: int, seen: Mapping[int, Codes], groups: int
) -> ComponentLine:
    """The line of one number for every group of observed categories and every combination of the keys."""
    full = (groups, *(kinds.cards[k] for k in part.keys))
    index = []
    for p in kinds.categories_above(v):
        axis = 0 if p in seen else 1 + part.keys.index(p)
        code = seen[p] if p in seen else np.arange(kinds.cards[p])
        index.append(code.reshape([-1 if i == axis else 1 for i in range(len(full))]))

    def over_keys(table: Floats) -> Floats:
        cells = table[tuple(index)] if index else table
        more = cells.shape[len(full) :] if index else cells.shape
        return np.broadcast_to(cells, (*full, *more)).reshape(groups, prod(full[1:]), *more)

    above, slopes = kinds.numbers_above(v), over_keys(lines.slopes)
    hidden = np.zeros((*slopes.shape[:2], len(part.hidden)))
    for j, p in enumerate(above):
        if p in part.hidden:
            hidden[..., part.hidden.index(p)] = slopes[..., j]
    values = tuple((p, slopes[..., j]) for j, p in enumerate(above) if p not in part.hidden)
    return ComponentLine(over_keys(lines.intercept), over_keys(lines.sd) ** 2, hidden, values)
