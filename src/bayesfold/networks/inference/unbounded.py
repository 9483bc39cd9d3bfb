"""The same questions with numbers that cannot become too small, for evidence whose probability doubles cannot hold.

Each function asks as the engine does, in a workspace, and is called where the engine's own answer was not sure.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.frame import Floats
from bayesfold.kernels.inference.unbounded import Unbounded
from bayesfold.networks.inference.problem import Integers
from bayesfold.networks.inference.workspace import ONE_BY_ONE, Workspace

Evidence = Mapping[int, int]
Likelihood = Mapping[int, ArrayLike]


def make_plan(work: Workspace, evidence: Evidence, likelihood: Likelihood, **plan: Any) -> Unbounded:
    """A plan as `Workspace.plan` makes it, and buffers to run it in."""
    work.observe(evidence, likelihood, exactly=True)
    work.plan(**plan, tile=ONE_BY_ONE)
    work.tree.lay_out()
    _, _, messages, records = work.tree.needs()
    sizes = messages, messages, max(1, work.likelihood.size)
    places = (*sizes, records, records, len(work.code) + 1, len(work.code) + 1)
    return Unbounded([np.zeros(size) for size in sizes], [np.zeros(size, np.intp) for size in places])


def find_root_message(
    work: Workspace, targets: tuple[int, ...], evidence: Evidence, likelihood: Likelihood, size: int
) -> tuple[Floats, float]:
    """P(targets | evidence) in the order of the root's message, `size` numbers, and log P(evidence)."""
    run, out = make_plan(work, evidence, likelihood, targets=targets), np.zeros(size)
    return out, run.up(work.tree, work.propagation, out)


def find_marginals(work: Workspace, evidence: Evidence, likelihood: Likelihood) -> tuple[Floats, float]:
    """P(variable | evidence) of every variable, one after another, and log P(evidence)."""
    run, out = make_plan(work, evidence, likelihood, everything=True, marginals=True), np.zeros(work.likelihood.size)
    return out, run.every(work.tree, work.propagation, out)


def find_most_probable(
    work: Workspace, targets: tuple[int, ...], evidence: Evidence, likelihood: Likelihood
) -> tuple[Integers, float]:
    """The most probable states, and log P(states, evidence)."""
    run = make_plan(
        work, evidence, likelihood, everything=True, targets=targets, asked_last=bool(targets), maximise=True
    )
    states = work.code.copy()
    return states, run.most(work.tree, work.propagation, states)
