"""The cells of a row given as a dict, as a table of that row would hold them: whatever library they come from.

>>> from decimal import Decimal
>>> from datetime import timedelta
>>> import numpy as np
>>> plain_row({"price": Decimal("0.1"), "spent": timedelta(hours=1), 7: np.True_})
{'price': 0.1, 'spent': 3600.0, '7': True}
"""

from collections.abc import Container, Mapping
from decimal import Decimal
from types import NoneType
from typing import Any

from bayesfold.data.column_values import python_cell

NAMES = frozenset({str})
CELLS = frozenset({str, float, int, bool, NoneType})


def plain_row(row: Mapping[Any, Any]) -> Mapping[str, Any]:
    """The row with names as text, as those of tables are, and with cells of Python's own types where they have one."""
    if CELLS.issuperset(map(type, row.values())) and NAMES.issuperset(map(type, row)):
        return row
    return {str(name): value if type(value) in CELLS else own_cell(value) for name, value in row.items()}


def own_cell(value: Any) -> Any:
    """A cell as one of Python's own; dates, and what no column may hold, as they are.

    >>> import numpy as np
    >>> own_cell(np.timedelta64(90, "m")), own_cell(np.str_("red")), own_cell(np.array(2.5))
    (5400.0, 'red', 2.5)
    """
    value = python_cell(value)
    if isinstance(value, Decimal):
        return float(value)
    return value.total_seconds() if hasattr(value, "total_seconds") else value


def with_numbers_read(row: Mapping[str, Any], commas: Container[str]) -> Mapping[str, Any]:
    """The row with numbers instead of text in columns that usually have commas before their decimals.

    >>> with_numbers_read({"price": "1.300", "n": "1.300"}, ["price"])
    {'price': 1300.0, 'n': '1.300'}
    """
    texts = [name for name, value in row.items() if isinstance(value, str) and name in commas]
    if not texts:
        return row
    from bayesfold.data.number_format import numbers_as_learned  # most rows hold their numbers as numbers

    return {**row, **{name: numbers_as_learned([row[name]], ",")[0] for name in texts}}
