"""Encoded columns as values of their source columns: the way back from slots, bins and counts.

>>> from bayesfold.data.encodings import Categories
>>> schema = Schema(Categories("y", ("no", "yes")), (Categories("colour", ("green", "red")),))
>>> decoded(schema, {"colour": np.array([2, 1])}, np.random.default_rng(0))["colour"].tolist()
['red', 'green']
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encodings import Binned, Counts, Discrete, Presence
from bayesfold.data.schema import Schema
from bayesfold.data.text.column import Words
from bayesfold.data.vector import Vector


def decoded(schema: Schema, drawn: Mapping[str, Any], draw: "np.random.Generator") -> dict[str, Any]:
    """Values of source columns; inside a bin one is drawn."""
    columns: dict[str, Any] = {}
    absent: dict[str, NDArray[np.bool_]] = {}
    for name, value in drawn.items():
        column = schema.columns[name]
        if isinstance(column, Counts):
            columns |= {source: value[:, i] for i, source in enumerate(column.sources)}
            continue
        if isinstance(column, Words):
            columns.setdefault(column.sources[0], column.texts(value))
            continue
        if isinstance(column, Presence):
            absent[column.source] = value == 2
            continue
        if isinstance(column, Vector):
            raise ValueError("Gaussian Bayes has indicators for categories: rows cannot be drawn from it")
        if isinstance(column, Binned):
            value = column.draw(value, draw)
        elif isinstance(column, Discrete):
            value = np.asarray([None, *column.levels], object)[value]
        columns[column.source or column.name] = value
    for source, gone in absent.items():
        if source in columns:  # a cell that is not there has no value, whatever its density drew
            columns[source] = np.where(gone, np.nan if columns[source].dtype.kind == "f" else None, columns[source])
    return columns
