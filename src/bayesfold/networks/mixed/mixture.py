"""What is known of a number: one normal distribution, or a mixture of several, said as such.

>>> parts = np.array([0.25, 0.75]), np.array([160.0, 180.0]), np.array([36.0, 64.0])
>>> tall = NormalMixture("height", {}, *parts, ("sex=f", "sex=m"))
>>> print(tall)
height: a mixture of 2 normals with mean 175 and sd 11.4891
0.75  sex=m  N(180, 8^2)
0.25  sex=f  N(160, 6^2)
>>> tall.mean, tall.variance, round(float(tall.density(170)), 5), round(tall.quantile(0.5), 2)
(175.0, 132.0, 0.02127, 176.58)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import erfc, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.factor import MOST_LINES
from bayesfold.networks.factor_states import check_name, print_number, write_pairs

LEAST_SHOWN = 5e-4
"""Parts of a mixture that weigh less are not printed, as long as others are."""


@dataclass(frozen=True, eq=False, repr=False)
class NormalMixture:
    """P(name | given) = sum of weight N(mean, variance); `labels` say of which states each part is."""

    name: str
    given: Mapping[str, Level]
    weights: Floats
    means: Floats
    variances: Floats
    labels: tuple[str, ...]

    @property
    def is_normal(self) -> bool:
        """Whether it is one normal distribution, and no mixture."""
        return len(self.weights) == 1

    @property
    def mean(self) -> float:
        """The mean of the whole."""
        return float(self.weights @ self.means)

    @property
    def variance(self) -> float:
        """The variance of the whole: that within the parts, and that of their means."""
        return float(self.weights @ (self.variances + (self.means - self.mean) ** 2))

    @property
    def sd(self) -> float:
        """The standard deviation of the whole."""
        return sqrt(self.variance)

    def density(self, x: ArrayLike) -> Floats:
        """The density at one number or at several; a part without variance has none."""
        at, sd = np.asarray(x, np.float64)[..., None], np.sqrt(self.variances)
        if not sd.all():
            raise ValueError(
                f"a part of {self.name!r} has no variance, so it is one number and has no density; ask cdf()"
            )
        heights = np.exp(-0.5 * ((at - self.means) / sd) ** 2) / (sd * sqrt(2 * np.pi))
        return np.asarray(heights @ self.weights)

    def cdf(self, x: ArrayLike) -> Floats:
        """P(number <= x), for one x or for several."""
        off, sd = np.asarray(x, np.float64)[..., None] - self.means, np.sqrt(self.variances)
        below = normal_cdf(off / np.where(sd > 0, sd, 1.0))
        return np.asarray(np.where(sd > 0, below, off >= 0) @ self.weights)

    def quantile(self, p: float) -> float:
        """The number below which the share p lies: by halving, until the ends are as near as doubles are."""
        if not 0 < p < 1:
            raise ValueError(f"a quantile needs a share between 0 and 1, not {p}")
        parts = self.means + NormalDist().inv_cdf(p) * np.sqrt(self.variances)
        low, high = float(parts.min()), float(parts.max())
        while low < (middle := low + (high - low) / 2) < high:
            low, high = (low, middle) if self.cdf(middle) >= p else (middle, high)
        return high

    def interval(self, share: float = 0.95) -> tuple[float, float]:
        """From which number to which this share lies, as much left out below as above."""
        return self.quantile((1 - share) / 2), self.quantile((1 + share) / 2)

    def title(self) -> str:
        """What it is of: "height | sex=f"."""
        seen = write_pairs({v: print_number(s) if isinstance(s, float) else s for v, s in self.given.items()})
        return f"{self.name}{' | ' if seen else ''}{seen}"

    def __str__(self) -> str:
        if self.is_normal:
            return f"{self.title()} ~ {print_normal(self.means[0], self.variances[0])}"
        head = f"{self.title()}: a mixture of {len(self.weights)} normals with mean {print_number(self.mean)} and sd "
        order = [i for i in np.argsort(-self.weights, kind="stable")[:MOST_LINES] if self.weights[i] >= LEAST_SHOWN]
        wide = max(len(self.labels[i]) for i in order)
        share = max(len(f"{self.weights[i]:.3g}") for i in order)
        normals = {i: print_normal(self.means[i], self.variances[i]) for i in order}
        lines = [f"{f'{self.weights[i]:.3g}':{share}}  {self.labels[i]:{wide}}  {normals[i]}" for i in order]
        rest = len(self.weights) - len(order)
        more = [f"and {rest} that weigh{'s' * (rest == 1)} less"] if rest else []
        return "\n".join([head + print_number(self.sd), *lines, *more])

    __repr__ = __str__


@dataclass(frozen=True, eq=False, repr=False)
class JointMixture:
    """P(numbers | given) = sum of weight N(means[part], covariances[part]): several numbers together."""

    names: tuple[str, ...]
    given: Mapping[str, Level]
    weights: Floats
    means: Floats
    covariances: Floats
    labels: tuple[str, ...] = field(default=())

    @property
    def mean(self) -> Floats:
        """The means of the whole, in the order of `names`."""
        return np.asarray(self.weights @ self.means)

    @property
    def covariance(self) -> Floats:
        """The covariances of the whole."""
        off = self.means - self.mean
        return np.asarray(
            np.einsum("k,kij->ij", self.weights, self.covariances) + np.einsum("k,ki,kj->ij", self.weights, off, off)
        )

    def marginal(self, name: str) -> NormalMixture:
        """One of the numbers."""
        i = self.names.index(check_name("number", name, self.names))
        means, variances = self.means[:, i], self.covariances[:, i, i]
        return NormalMixture(self.names[i], self.given, self.weights, means, variances, self.labels)

    def __str__(self) -> str:
        sd = np.sqrt(np.diagonal(self.covariance))
        head = self.marginal(self.names[0]).title().replace(self.names[0], ", ".join(self.names), 1)
        many = f"a mixture of {len(self.weights)} normals" if len(self.weights) > 1 else "one normal"
        wide = max(map(len, self.names))
        lines = []
        for i, name in enumerate(self.names):
            line = f"{name:{wide}}  mean {print_number(self.mean[i])}, sd {print_number(sd[i])}"
            scale = np.where(sd[:i] * sd[i] > 0, sd[:i] * sd[i], 1.0)
            across = [f"{o} {r:+.4f}" for o, r in zip(self.names, self.covariance[i, :i] / scale, strict=False)]
            lines.append(line + (f"; correlation with {', '.join(across)}" if across else ""))
        return "\n".join([f"{head}: {many}", *lines])

    __repr__ = __str__


def print_normal(mean: float, variance: float) -> str:
    """A normal distribution in print."""
    return f"N({print_number(mean)}, {print_number(sqrt(variance))}^2)"


def normal_cdf(z: Floats) -> Floats:
    """The standard normal distribution function; scipy's takes longer to load than all of ours.

    >>> normal_cdf(np.array([-1.959963984540054, 0.0])).round(6)
    array([0.025, 0.5  ])
    """
    flat = [0.5 * erfc(-x / sqrt(2)) for x in z.ravel().tolist()]
    return np.array(flat, np.float64).reshape(z.shape)
