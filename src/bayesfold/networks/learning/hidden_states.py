"""How many states has a hidden variable? As many as make rows most probable that EM has not seen.

Rows are dealt into folds; for each number of states, and each combination of numbers where several variables are
hidden, EM learns from the other folds and each row is judged by tables that it had no part in. More states always fit
the rows that they were learned from better, and new rows only as long as there is something to find.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.evidence import Codes
from bayesfold.networks.factor_states import States, check_name
from bayesfold.networks.learning.clique_tree import CliqueTree
from bayesfold.networks.learning.em import EM, run_em
from bayesfold.networks.learning.parameters import Estimate
from bayesfold.runtime.messages import listed

FOLDS = 5
Numbers = tuple[int, ...]


def refuse_options(dag: Dag, axes: Mapping[str, States], how: EM) -> None:
    """Refuse numbers of states that cannot be chosen, and say why."""
    for v, numbers in how.states.items():
        if check_name("node", v, dag.index) in axes:
            raise ValueError(
                f"the states of {v!r} are known, so there is nothing to choose: leave it out of EM(states=)"
            )
        if not numbers or min(numbers) < 1:
            raise ValueError(f"a variable has at least 1 state: EM(states={{{v!r}: range(2, 7)}}), not {numbers}")


def list_options(how: EM) -> Iterator[tuple[Numbers, dict[str, States]]]:
    """Numbers of states to try, and the states that they stand for."""
    for numbers in product(*how.states.values()):
        named = zip(how.states, numbers, strict=True)
        yield numbers, {v: tuple(str(k + 1) for k in range(many)) for v, many in named}


def first_states(how: EM) -> dict[str, States]:
    """States of the variables whose number is to be chosen, of the first number: enough to read rows."""
    return next(list_options(how))[1]


def choose_states(
    dag: Dag, axes: Mapping[str, States], codes: Codes, weight: Floats, estimate: Estimate, how: EM
) -> tuple[dict[str, States], dict[Numbers, float]]:
    """The states of the best number, and the held-out log-likelihood for a row of each; codes: -1 where hidden."""
    folds, seen = min(FOLDS, len(codes)), [v for v in how.states if (codes[:, dag.index[v]] >= 0).any()]
    if seen:
        raise ValueError(f"{listed(seen)} has a column, so its states are what that shows: leave it out of EM(states=)")
    if folds < 2:
        raise ValueError(f"the number of states of {listed([*how.states])} needs rows to hold out: there are too few")
    fold = np.random.default_rng(how.random_state).permutation(len(codes)) % folds
    alone = replace(how, states={}, watch=None)
    judged: dict[Numbers, float] = {}
    best: dict[Numbers, dict[str, States]] = {}
    for numbers, states in list_options(how):
        whole = {v: states.get(v) or axes[v] for v in dag.names}
        tree = CliqueTree.of([len(whole[v]) for v in dag.names], dag.parents)
        total = 0.0
        for k in range(folds):
            out = fold == k
            tables, _ = run_em(dag, whole, codes[~out], weight[~out], estimate, alone)
            held_out = np.ascontiguousarray(codes[out], np.int32)
            total += float(weight[out] @ tree.expect([tables[v] for v in dag.names], held_out, weight[out])[1])
        judged[numbers], best[numbers] = total / max(float(weight.sum()), 1e-300), states
    return best[max(judged, key=judged.__getitem__)], judged
