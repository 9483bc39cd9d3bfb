"""Soft evidence as people give it: P(what was seen | state), by state or in the order of the states.

>>> read_likelihoods({"xray": {"normal": 0.2, "abnormal": 0.7}}, {"xray": ("abnormal", "normal")})
{'xray': array([0.7, 0.2])}
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bayesfold.data.by_label import by_label, counts
from bayesfold.data.frame import Floats, Level
from bayesfold.networks.factor_states import States, find_state, key_by_name
from bayesfold.runtime.messages import listed


def read_likelihoods(soft: Mapping[str, Any], axes: Mapping[str, States]) -> dict[str, Floats]:
    """Soft evidence as arrays in the order of the states, whose names are those of `axes`."""
    by_name = {}
    for name, given in key_by_name(soft).items():
        values = read_states(name, axes[name], given)
        if values.shape != (len(axes[name]),) or not is_likelihood(values):
            raise ValueError(f"the likelihood of {name!r} is one number of at least 0 for each of {listed(axes[name])}")
        by_name[name] = values
    return by_name


def read_row_likelihoods(soft: Mapping[str, Any], axes: Mapping[str, States], rows: int) -> dict[str, Floats]:
    """Soft evidence for each row, [row, state]: given so, or once for all of them."""
    by_name = {}
    for name, given in key_by_name(soft).items():
        size = len(axes[name])
        values = read_states(name, axes[name], given)
        if values.shape not in {(size,), (rows, size)} or not is_likelihood(values):
            raise ValueError(
                f"the likelihood of {name!r} is numbers of at least 0: {size} states, for each of {rows} rows"
            )
        by_name[name] = np.ascontiguousarray(np.broadcast_to(values, (rows, size)))
    return by_name


def read_states(name: str, states: States, given: Any) -> Floats:
    """Numbers with the states in order along the last axis; a dict, of numbers or of columns, a Series and a data
    frame's columns say which is whose.
    """
    if hasattr(given, "columns"):
        labels = list(getattr(given, "column_names", given.columns))
        values = as_numbers(name, given)
        return values if counts(labels, states) else values[:, place_states(name, states, labels)]
    labelled = by_label(given, states)
    if not isinstance(labelled, Mapping):
        return as_numbers(name, labelled)
    values = as_numbers(name, list(labelled.values()))
    return values[place_states(name, states, list(labelled))].T


def place_states(name: str, states: States, labels: Sequence[Any]) -> list[int]:
    """Where each state stands among the labels, each of which is one."""
    found = [find_state(name, states, label) for label in labels]
    if sorted(found) != list(range(len(states))):
        needed = f"the likelihood of {name!r} needs a number for each of {listed(states)}"
        raise ValueError(f"{needed}, not for {listed(labels)}")
    return [found.index(k) for k in range(len(states))]


def as_numbers(name: str, given: Any) -> Floats:
    """What was given as an array of numbers."""
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the likelihood of {name!r} is not made of numbers ({error})") from None


def is_likelihood(values: Floats) -> bool:
    """Whether each is a finite number of at least 0."""
    return bool(np.all((values >= 0) & np.isfinite(values)))


def name_likelihoods(
    soft: Mapping[int, Floats], names: Sequence[str], axes: Mapping[str, States]
) -> dict[str, dict[Level, float]]:
    """Soft evidence by variable number as numbers by name and state.

    >>> name_likelihoods({1: np.array([0.7, 0.2])}, ("lung", "xray"), {"xray": ("yes", "no")})
    {'xray': {'yes': 0.7, 'no': 0.2}}
    """
    return {names[v]: dict(zip(axes[names[v]], values.tolist(), strict=True)) for v, values in soft.items()}
