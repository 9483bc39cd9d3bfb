"""What a wrong answer costs: loss[decision][truth], read from a matrix, a dict by class name or a data frame.

>>> loss_matrix({"treat": {"wait": 1}, "wait": {"treat": 20}}, ["treat", "wait"])       # waiting with a sick one: 20
array([[ 0.,  1.],
       [20.,  0.]])
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level

RULE = "a loss is read as loss[decision][truth]: a line a decision, a column a true class"


def loss_matrix(loss: Any, classes: Sequence[Level]) -> Floats:
    """Costs as [decision, truth], or as [row, decision, truth] where each row has its own; None is 0/1 loss.

    In a dict or a data frame classes are found by name, in any order, and the costs of right decisions may be left out
    (0). A data frame has the decisions in its index, or in the one column that no class is named after.
    """
    if loss is None:
        return np.asarray(1.0 - np.eye(len(classes)))
    if isinstance(loss, Mapping):
        return by_name(loss, classes)
    if is_frame(loss):
        return by_name(lines_of(loss, classes), classes)
    try:
        costs = np.asarray(loss, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the loss is not a table of numbers ({error}); {RULE}") from None
    return finite(right_shape(costs, classes), classes)


def right_shape(costs: Floats, classes: Sequence[Level]) -> Floats:
    """The costs, if they have a line and a column for each class."""
    size = (len(classes), len(classes))
    if costs.ndim not in (2, 3) or costs.shape[-2:] != size:
        shape = " x ".join(map(str, costs.shape)) + " numbers in a row" * (costs.ndim == 1) or "a single number"
        raise ValueError(
            f"the loss is {shape}, but there are {len(classes)} classes ({quote(classes)}): give {size[0]} x {size[1]} "
            f"costs in this order, or rows x {size[0]} x {size[1]}; {RULE}"
        )
    return costs


def finite(costs: Floats, classes: Sequence[Level]) -> Floats:
    """The costs, if each of them is a finite number."""
    bad = np.argwhere(~np.isfinite(costs))
    if len(bad):
        *row, decision, truth = bad[0].tolist()
        where = f"row {row[0]}: " if row else ""
        raise ValueError(
            f"{where}deciding {classes[decision]!r} when the truth is {classes[truth]!r} costs "
            f"{costs[tuple(bad[0])]}; costs are finite numbers, so give a large one instead; {RULE}"
        )
    return costs


def by_name(loss: Mapping[Any, Any], classes: Sequence[Level]) -> Floats:
    """A dict of dicts; names that are not (yet) classes are passed over."""
    place = places(classes)
    costs = np.full((len(classes), len(classes)), np.nan)
    np.fill_diagonal(costs, 0.0)
    strangers = []
    refuse_twice(loss, place)
    for decision, line in loss.items():
        if not isinstance(line, Mapping):
            raise ValueError(
                f"loss[{decision!r}] is {line!r}, not a dict of a cost by true class; {RULE}, as in "
                "{'wait': {'sick': 20}, 'treat': {'well': 1}}"
            )
        refuse_twice(line, place)
        for truth, cost in line.items():
            i, j = place.get(decision), place.get(truth)
            strangers += [name for name, at in ((decision, i), (truth, j)) if at is None]
            if i is not None and j is not None:
                costs[i, j] = number(decision, truth, cost)
    lacking = np.argwhere(np.isnan(costs))
    if len(lacking):
        i, j = lacking[0]
        known = f"; it names {quote(dict.fromkeys(strangers))}, and the classes are {quote(classes)}"
        raise ValueError(
            f"the loss does not say what deciding {classes[i]!r} costs when the truth is {classes[j]!r}: give "
            f"loss[{classes[i]!r}][{classes[j]!r}]{known if strangers else ''}; {RULE}"
        )
    return costs


def refuse_twice(names: Iterable[Any], place: Mapping[Any, int]) -> None:
    """Refuse two names of one class, as 1 and "1": only one of their costs could be meant."""
    named: dict[int, Any] = {}
    for name in names:
        at = place.get(name)
        if at is not None and at in named:
            raise ValueError(f"the loss names {quote([named[at], name])}, one class twice; give its costs once; {RULE}")
        if at is not None:
            named[at] = name


def number(decision: Any, truth: Any, cost: Any) -> float:
    """One cost."""
    try:
        found = float(cost)
    except (TypeError, ValueError):
        raise ValueError(f"loss[{decision!r}][{truth!r}] is {cost!r}, which is not a number; {RULE}") from None
    if not np.isfinite(found):
        raise ValueError(
            f"deciding {decision!r} when the truth is {truth!r} costs {found}; costs are finite numbers, so give a "
            f"large one instead; {RULE}"
        )
    return found


def places(classes: Sequence[Level]) -> dict[Any, int]:
    """Where each class stands, by itself or by its text: in a data frame the names of number classes are often text."""
    return {str(c): k for k, c in enumerate(classes)} | {c: k for k, c in enumerate(classes)}


def is_frame(loss: Any) -> bool:
    """Whether this is a data frame: pandas (decisions in the index), polars or Arrow (decisions in a column)."""
    return hasattr(loss, "columns") and any(hasattr(loss, verb) for verb in ("to_dict", "to_dicts", "to_pylist"))


def lines_of(loss: Any, classes: Sequence[Level]) -> dict[Any, dict[Any, Any]]:
    """A data frame as {decision: {truth: cost}}."""
    if hasattr(loss, "index"):
        lines: dict[Any, dict[Any, Any]] = loss.to_dict(orient="index")
        return lines
    rows = loss.to_pylist() if hasattr(loss, "to_pylist") else loss.to_dicts()
    known = places(classes)
    names = [name for name in (rows[0] if rows else ()) if name not in known]
    if len(names) != 1:
        raise ValueError(
            f"a loss without an index needs one column that names the decisions, besides the true classes "
            f"{quote(classes)}; it has {quote(names) if names else 'none'}; {RULE}"
        )
    refuse_twice([row[names[0]] for row in rows], known)
    return {row.pop(names[0]): row for row in rows}


def quote(names: Any) -> str:
    """Names in print."""
    return ", ".join(map(repr, names))
