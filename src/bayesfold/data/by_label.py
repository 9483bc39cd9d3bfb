"""What stands in a pandas Series or data frame under labels, as dicts: it is read by its labels, never by its order.

`y.value_counts(normalize=True)` is in the order of how frequent classes are; read as an array it would give each class
another one's share.

>>> import pandas as pd
>>> by_label(pd.Series({"well": 0.9, "ill": 0.1}))
{'well': 0.9, 'ill': 0.1}
>>> by_label(pd.DataFrame({"yes": [0.9, 0.2], "no": [0.1, 0.8]}, index=["rain", "sun"]))
{'rain': {'yes': 0.9, 'no': 0.1}, 'sun': {'yes': 0.2, 'no': 0.8}}
"""

from collections.abc import Collection, Sequence
from typing import Any

from bayesfold.runtime.messages import listed


def by_label(given: Any, names: Collection[Any] | None = ()) -> Any:
    """A Series as a dict, a data frame as a dict of its lines; anything else, and what has no labels, as it is.

    names: what the labels may be; None, anything. Rows that are only counted, 0, 1, 2, ..., have no labels unless
    these may be.
    """
    if not hasattr(given, "iloc") or not hasattr(given, "to_dict"):
        return given
    several = hasattr(given, "columns")
    for labels in (given.index, given.columns) if several else (given.index,):
        refuse_twice(list(labels))
    if counts(list(given.index), names) and (not several or counts(list(given.columns), names)):
        return given
    return given.to_dict(orient="index") if several else given.to_dict()


def counts(labels: Sequence[Any], names: Collection[Any] | None) -> bool:
    """Whether labels are only the numbers of rows, which say nothing.

    >>> counts([0, 1], ["a", "b"]), counts([0, 1], [1, 0]), counts([1, 0], ["a", "b"])
    (True, False, False)
    """
    if names is None or any(isinstance(label, bool) for label in labels):
        return False
    return list(labels) == list(range(len(labels))) and not set(labels) <= set(names)


def refuse_twice(labels: Sequence[Any]) -> None:
    """Refuse a label that stands twice: only one of its numbers could be meant."""
    twice = [label for k, label in enumerate(labels) if label in labels[:k]]
    if twice:
        raise ValueError(f"the label {twice[0]!r} stands twice among {listed(labels)}; give each one number")
