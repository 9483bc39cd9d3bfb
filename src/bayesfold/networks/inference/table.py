"""A table of evidence: one row per case, one column per variable, -1 where a cell is missing."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.frame import Floats
from bayesfold.networks.inference.problem import InferenceProblem, Integers


@dataclass(frozen=True)
class EvidenceTable:
    """codes[row, v] is a state of v or -1; weights, if any are soft, the likelihoods of all states side by side.

    lossy: whether a likelihood became too small when the largest of its row was brought below 1.
    """

    codes: Integers
    soft: tuple[int, ...]
    weights: Floats
    lossy: bool = False

    @classmethod
    def of(cls, codes: ArrayLike, likelihood: Mapping[int, ArrayLike], problem: InferenceProblem) -> "EvidenceTable":
        """Check everything that the kernels rely on."""
        coded = np.ascontiguousarray(codes, np.intp)
        if coded.ndim != 2 or coded.shape[1] != len(problem.cards):
            raise ValueError(
                f"codes have the shape {coded.shape}; a column for each of {len(problem.cards)} variables is needed"
            )
        if coded.size and (coded.min() < -1 or (coded.max(0) >= problem.card).any()):
            row, v = np.argwhere((coded < -1) | (coded >= problem.card))[0]
            raise ValueError(
                f"row {row} says {coded[row, v]} for variable {v}, whose states are 0 to {problem.cards[v] - 1} "
                "(-1 is missing)"
            )
        if not likelihood:
            return cls(coded, (), np.empty((0, 0)))
        weights, lossy = np.ones((len(coded), problem.states[-1])), False
        for v, values in likelihood.items():
            if not (np.isfinite(values).all() and np.greater_equal(values, 0).all()):
                raise ValueError(f"the likelihood of variable {v} has an entry that is negative or not finite")
            given = np.asarray(values, np.float64)
            scaled, exponent = scale_below_one(given)
            lossy |= bool((np.ldexp(scaled, exponent) != given).any())
            weights[:, problem.states[v] : problem.states[v + 1]] = scaled
        return cls(coded, tuple(likelihood), weights, lossy)

    def by_pattern(self) -> Integers:
        """An order of the rows in which those with the same cells missing are neighbours."""
        bits = np.packbits(self.codes >= 0, axis=1)
        words = np.zeros((len(bits), -(-bits.shape[1] // 8)), np.uint64)
        words.view(np.uint8)[:, : bits.shape[1]] = bits
        return np.lexsort(words.T) if words.shape[1] else np.arange(len(words))


def scale_below_one(weights: Floats) -> tuple[Floats, Integers]:
    """Likelihoods over a power of two, row by row, such that the largest is from 0.5 to 1: no answer changes by that.

    >>> scale_below_one(np.array([0.0, 2.0**-1000]))
    (array([0. , 0.5]), array([-999]))
    """
    exponent = np.frexp(weights.max(-1, keepdims=True))[1].astype(np.intp)
    return np.ldexp(weights, -exponent), exponent
