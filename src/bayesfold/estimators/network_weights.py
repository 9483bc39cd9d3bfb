"""What weights say to a network that classifies: its sums keep them as they are given, its choices count rows."""

from collections.abc import Mapping
from typing import Any

from bayesfold.data.frame import Floats
from bayesfold.decisions.metrics import effective_rows, weights_as_rows


def weights_for_choices(weight: Floats, copies: bool) -> Floats:
    """The weights by which cuts and arcs are chosen: they sum to the rows that would say as much; copies are rows."""
    return weight if copies else weights_as_rows(weight)


def smoothing_options(given: Mapping[str, Any] | None, weight: Floats | None, copies: bool) -> dict[str, Any]:
    """Options of `BayesianNetwork.fit`: pseudo rows weigh what rows do, unless a number of them is given.

    >>> import numpy as np
    >>> smoothing_options({"alpha": 0.5}, np.full(3, 100.0), copies=False)
    {'alpha': 0.5, 'equivalent_sample_size': 100.0}
    """
    unit = 1.0 if weight is None or copies else float(weight.sum()) / effective_rows(weight)
    return {"alpha": unit, "equivalent_sample_size": unit, **(given or {})}
