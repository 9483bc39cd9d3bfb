"""The tables of a graph from rows: counted, or expected by EM where cells are missing."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.networks.dag import Dag
from bayesfold.networks.evidence import encode
from bayesfold.networks.factor_states import States
from bayesfold.networks.learning.counts import check_weights, find_states
from bayesfold.networks.learning.em import EM, read_em, run_em
from bayesfold.networks.learning.hidden_states import choose_states, first_states, refuse_options
from bayesfold.networks.learning.options import check_total
from bayesfold.networks.learning.parameters import Estimate, LearnedCounts
from bayesfold.networks.learning.weightless_rows import blank_weightless


def learn_tables(
    dag: Dag,
    axes: Mapping[str, States],
    table: Any,
    estimate: Estimate,
    weight: ArrayLike | None = None,
    em: bool | EM = False,
    found: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """What a network of this graph is after these rows: its `axes`, `tables`, what was `learned`, and how `em` went.

    found: nodes whose states among `axes` were found in rows before.

    >>> learn_tables(Dag(("a",), ((),)), {}, {"a": ["x", "x", "y"]}, Estimate("mle"))["tables"]["a"].round(3).tolist()
    [0.667, 0.333]
    """
    how = read_em(em)
    table, weight = blank_weightless(table, dag.names, weight)
    if how is not None:
        return expect_tables(dag, axes, table, estimate, weight, how)
    states = find_states(table, dag.names, axes)
    learned = LearnedCounts.of(table, dag, states, estimate, weight)
    learned = replace(learned, found=found | (frozenset(dag.names) - axes.keys()))
    return {"axes": states, "tables": learned.tables(dag), "learned": learned, "em": None}


def expect_tables(
    dag: Dag, axes: Mapping[str, States], table: Any, estimate: Estimate, weight: ArrayLike | None, how: EM
) -> dict[str, Any]:
    """The same by EM: a row with holes counts by what its other cells say of it."""
    estimate.check(dag.names)
    if estimate.method == "backoff":
        raise ValueError('EM needs a prior that does not change with the rows: take method="bdeu", not "backoff"')
    refuse_options(dag, axes, how)
    axes = find_states(table, dag.names, {**axes, **first_states(how)})
    codes = encode(table, axes)
    weights = np.ones(len(codes)) if weight is None else check_weights(weight, len(codes))
    check_total(weights)
    codes, weights = codes[weights > 0], weights[weights > 0]
    judged: dict[tuple[int, ...], float] = {}
    if how.states:
        chosen, judged = choose_states(dag, axes, codes, weights, estimate, how)
        axes = {**axes, **chosen}
    tables, convergence = run_em(dag, axes, codes, weights, estimate, how)
    return {"axes": axes, "tables": tables, "learned": None, "em": replace(convergence, held_out=judged)}
