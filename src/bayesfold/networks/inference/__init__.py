"""Exact inference in discrete Bayesian networks: variables are numbers here, states are codes, -1 is missing."""

from bayesfold.networks.inference.engine import Engine
from bayesfold.networks.inference.problem import ContradictoryEvidence, InferenceProblem, TooLarge

__all__ = ["ContradictoryEvidence", "Engine", "InferenceProblem", "TooLarge"]
