"""One row given as a dict, read without building a table."""

import cython


@cython.cfunc
@cython.inline
def absent(value: object) -> cython.bint:
    """None, NaN of any kind, pandas' NA and the empty string are missing."""
    if value is None:
        return True
    if isinstance(value, str):
        return value == ""
    if isinstance(value, (int, float)):
        return value != value
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA will not say what it is equal to
        return True


def read(
    row: object,
    keys: tuple,
    slots: tuple,
    behind: tuple,
    numbers: tuple,
    markers: tuple,
    codes: cython.int[:, ::1],
    values: cython.double[:, ::1],
) -> bool:
    """codes[0, j] = slot of row[keys[j]] (0 missing, behind[j] unseen), values[0, j] = float(row[numbers[j]]).

    A number is missing when it is one of markers[j]. Returns whether the row has a value for any of them.
    """
    j: cython.Py_ssize_t
    any_value: cython.bint = False
    get = row.get
    for j in range(len(keys)):
        value = get(keys[j])
        if absent(value):
            codes[0, j] = 0
        else:
            any_value = True
            codes[0, j] = cython.cast(dict, slots[j]).get(value, behind[j])
    for j in range(len(numbers)):
        value = get(numbers[j])
        if absent(value) or (markers[j] and value in markers[j]):
            values[0, j] = float("nan")
            continue
        any_value = True
        try:
            values[0, j] = float(value)
        except (TypeError, ValueError):
            raise ValueError(
                f"column {numbers[j]!r} is a number, but this row has {value!r}; name it in missing= if it marks a "
                "missing value, or declare the column: families={...: 'categorical'}"
            ) from None
        if values[0, j] - values[0, j] != 0.0 and values[0, j] == values[0, j]:
            raise ValueError(
                f"column {numbers[j]!r} is infinite in this row; make it missing (None) or a large finite number"
            )
    return any_value


def unseen(row: object, keys: tuple, slots: tuple) -> list:
    """(column, value) of the values that have no slot yet."""
    j: cython.Py_ssize_t
    get = row.get
    found: list = []
    for j in range(len(keys)):
        value = get(keys[j])
        if not absent(value) and value not in cython.cast(dict, slots[j]):
            found.append((keys[j], value))
    return found
