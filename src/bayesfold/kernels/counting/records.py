"""One row given as a dict, read without building a table."""

import cython


@cython.ccall
def absent(value: object) -> cython.bint:
    """None, NaN of any kind, pandas' NA and the empty string are missing."""
    if value is None:
        return True
    if isinstance(value, str):
        return len(value) == 0
    if isinstance(value, (int, float)):
        return value != value
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA will not say what it is equal to
        return True
    except ValueError:  # an array is equal to itself in some places
        return False


@cython.cfunc
@cython.inline
def has(holder: object, value: object) -> cython.bint:
    """Whether a set or a dict holds the value; one that cannot be looked up, a list for example, it does not."""
    try:
        return value in holder
    except TypeError:
        return False


@cython.cfunc
def refuse(name: object, value: object) -> object:
    """Say which column holds what cannot be a category."""
    raise TypeError(
        f"column {name!r} is a category, but this row has {value!r}; a category is text, a number or a truth value. "
        "Spread it over several columns, or leave it out"
    )


@cython.cfunc
@cython.inline
def refuse_large(name: object, value: object) -> object:
    """Refuse an integer beyond 64 bits, as a table of it would."""
    if isinstance(value, int) and not -9223372036854775808 <= value <= 18446744073709551615:
        raise ValueError(
            f"column {name!r} holds {value} in this row, an integer of more than 64 bits; make it text if it is a name "
            "(str(value)), or a float if it is a quantity"
        )
    return None


@cython.cfunc
def seconds(name: object, value: object) -> object:
    """A length of time in seconds; what else is no number is refused."""
    if hasattr(value, "total_seconds"):
        return value.total_seconds()
    raise ValueError(
        f"column {name!r} is a number, but this row has {value!r}; name it in missing= if it marks a "
        "missing value, or declare the column: families={...: 'categorical'}"
    ) from None


@cython.cfunc
@cython.inline
def is_plain(value: object) -> cython.bint:
    """Whether a cell is of one of Python's own types."""
    kind = type(value)
    return kind is str or kind is float or value is None or kind is int or kind is bool


def read(
    row: object,
    keys: tuple,
    slots: tuple,
    behind: tuple,
    numbers: tuple,
    markers: tuple,
    is_held: cython.bint,
    codes: cython.int[:, ::1],
    values: cython.double[:, ::1],
) -> int:
    """codes[0, j] = slot of row[keys[j]] (0 missing, behind[j] unseen), values[0, j] = float(row[numbers[j]]).

    A number is missing when it is one of markers[j]. Returns 0 if the row has no value for any of them, 1 if it has,
    and 3 if one of these has no slot; -1 where a name is no text or a cell not of Python's own types, unless the row is
    as a table holds it (`is_held`), and then what was read is of no use.
    """
    j: cython.Py_ssize_t
    found: cython.int = 0
    x: cython.double
    cells: dict = row if type(row) is dict else dict(row)
    if not is_held:
        for name in cells:
            if type(name) is not str:
                return -1
    for j in range(len(keys)):
        value = cells.get(keys[j])
        if type(value) is not str:
            if not is_held and not is_plain(value):
                return -1
            if not absent(value):
                refuse_large(keys[j], value)
        if absent(value):
            codes[0, j] = 0
            continue
        try:
            codes[0, j] = cython.cast(dict, slots[j]).get(value, behind[j])
        except TypeError:
            refuse(keys[j], value)
        found |= 3 if codes[0, j] == behind[j] else 1
    for j in range(len(numbers)):
        value = cells.get(numbers[j])
        if type(value) is float and not markers[j]:  # most numbers are one
            x = value
            if x - x == 0.0:
                values[0, j] = x
                found |= 1
                continue
        if not is_held and not is_plain(value):
            return -1
        if absent(value) or (markers[j] and has(markers[j], value)) or (isinstance(value, str) and value.isspace()):
            values[0, j] = float("nan")
            continue
        found |= 1
        if type(value) is not float:
            refuse_large(numbers[j], value)
        try:
            values[0, j] = float(value)
        except (TypeError, ValueError):
            values[0, j] = seconds(numbers[j], value)
        if values[0, j] - values[0, j] != 0.0 and values[0, j] == values[0, j]:
            raise ValueError(
                f"column {numbers[j]!r} is infinite in this row; make it missing (None) or a large finite number"
            )
    return found


def unseen(row: object, keys: tuple, slots: tuple) -> list:
    """(column, value) of the values that have no slot yet."""
    j: cython.Py_ssize_t
    get = row.get
    values: list = []
    for j in range(len(keys)):
        value = get(keys[j])
        try:
            if not absent(value) and value not in cython.cast(dict, slots[j]):
                values.append((keys[j], value))
        except TypeError:
            refuse(keys[j], value)
    return values
