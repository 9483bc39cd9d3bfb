"""Encodings of columns: categories, numbers, numbers in bins, whether there is a value at all, counts side by side.

Each has a file; what all of them can be asked is in `data/encoding.py`. Columns of text are in `data/text/column.py`,
and columns that are looked at together in `data/vector.py`.
"""

from bayesfold.data.encodings.binned import Binned
from bayesfold.data.encodings.categories import Categories
from bayesfold.data.encodings.counts import Counts
from bayesfold.data.encodings.numbers import Real
from bayesfold.data.encodings.presence import Presence

Discrete = Categories | Binned | Presence

__all__ = ["Binned", "Categories", "Counts", "Discrete", "Presence", "Real"]
