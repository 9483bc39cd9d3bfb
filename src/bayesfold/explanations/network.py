"""Why a network decides a row as it does: what each family that the class is in adds to the log-odds.

    log P(a, row) - log P(b, row) = sum over families with the class of log P(v | parents, a) - log P(v | parents, b)

A column is credited with what it says once its parents are known; the class's own table is the prior's line. Where a
family has a hole its values are summed over together with others, which is no sum over columns: that has a line of its
own, so that all lines add up to the log-odds.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.own_names import OwnLine, own_name
from bayesfold.explanations.explain import PARENTS, SHARED
from bayesfold.explanations.explanation import Codes, Explanations, no_cells
from bayesfold.explanations.next_question import Questions
from bayesfold.models.scoring.mixture import MISSING_PARENTS
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.messages import listed


def explain_network(
    net: BayesianNetwork,
    target: int,
    codes: NDArray[np.int32],
    log_proba: Floats,
    sides: tuple[Codes, Codes | None],
    labels: NDArray[Any],
    cells: Mapping[str, Sequence[Any]],
) -> Explanations:
    """Explanations of rows of codes (-1: missing), given log P(class | row); sides: of which class, against which."""
    decision, against = sides
    rows = np.arange(len(codes))
    if against is None:
        others = log_proba.copy()
        others[rows, decision] = -np.inf
        against = others.argmax(axis=1)
    named = [v for v in range(len(net.nodes)) if v != target and target in net.dag.parents[v]]
    parts = [OwnLine(own_name(net.nodes, "prior")), *(net.nodes[v] for v in named)]
    margins = np.stack(
        [family_says(net, v, target, codes, decision) - family_says(net, v, target, codes, against)
         for v in (target, *named)], axis=1)  # fmt: skip
    rest = log_proba[rows, decision] - log_proba[rows, against] - margins.sum(1)
    if (np.abs(rest) > 1e-9).any():
        parts.append(OwnLine(own_name({*net.nodes, *parts}, MISSING_PARENTS), MISSING_PARENTS))
        margins = np.concatenate([margins, rest[:, None]], axis=1)
    shared = any(len(net.dag.parents[v]) > 1 for v in named) or bool(net.dag.parents[target])
    note = SHARED + PARENTS if shared else ""
    if above := [net.nodes[p] for p in net.dag.parents[target]]:
        note += f"; the class depends on {listed(above)}, and what that says is in the line of the prior"
    classes = net.axes[net.nodes[target]]
    return Explanations(classes, tuple(parts), margins, decision, against, labels, cells, no_cells(), note)


def family_says(net: BayesianNetwork, v: int, target: int, codes: NDArray[np.int32], classes: Codes) -> Floats:
    """log P(v | parents) of each row with the class set; 0 where the family has a hole."""
    family = (*net.dag.parents[v], v)
    place = [classes if u == target else codes[:, u] for u in family]
    whole = np.all([column >= 0 for column in place], axis=0)
    log_p = np.zeros(len(codes))
    with np.errstate(divide="ignore"):
        log_p[whole] = np.log(net.tables[net.nodes[v]][tuple(column[whole] for column in place)])
    return log_p


def rank_network_questions(
    net: BayesianNetwork, target: int, codes: NDArray[np.int32], least_risk: Callable[[Floats], Floats]
) -> Questions:
    """What each column that a row lacks is expected to be worth: R(row) - sum over v of P(v | row) R(row, v)."""
    missing = [j for j in np.flatnonzero(codes[0] < 0).tolist() if j != target]
    if not missing:
        raise ValueError("no column of this row is missing, so there is nothing to ask; leave out what is not known")
    engine = net.answers.engine
    now = float(least_risk(net.answers.predict_codes(codes, target))[0])
    gains = {}
    for j in missing:
        chance = engine.predict(codes, j)[0]
        states = np.flatnonzero(chance > 0)
        answered = np.repeat(codes, len(states), axis=0)
        answered[:, j] = states
        gain = now - float(chance[states] @ least_risk(engine.predict(answered, target)))
        gains[net.nodes[j]] = max(gain, 0.0)
    return Questions(now, dict(sorted(gains.items(), key=lambda item: -item[1])))
