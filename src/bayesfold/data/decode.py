"""Encoded columns as values of their source columns: the way back from slots, bins and counts.

>>> from bayesfold.data.encodings import Categories
>>> schema = Schema(Categories("y", ("no", "yes")), (Categories("colour", ("green", "red")),))
>>> decode(schema, {"colour": np.array([2, 1])}, np.random.default_rng(0))["colour"].tolist()
['red', 'green']
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesfold.data.schema import Schema


def decode(schema: Schema, drawn: Mapping[str, Any], draw: "np.random.Generator") -> dict[str, Any]:
    """Values of source columns; inside a bin one is drawn."""
    columns: dict[str, Any] = {}
    last = [c.name for c in schema.presences if c.name in drawn]  # they take out what the others have written
    for name in [*(name for name in drawn if name not in set(last)), *last]:
        schema.columns[name].decode(drawn[name], draw, columns)
    return columns
