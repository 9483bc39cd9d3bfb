"""Values and lines as an explanation prints them."""

import pytest

from bayesfold.explanations.explanation import LONGEST, meaning_of, no_cells, print_value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1 / 3, "0.333333"), (1234567.0, "1.23457e+06"), (2.0, "2"), (7, "7"), (True, "True"), ("a", "a"),
        (None, "-"), (float("nan"), "-"), ("", "-"), (0, "0"), (0.0, "0"), (False, "False"),
        ("x" * LONGEST, "x" * LONGEST), ("x" * (LONGEST + 1), "x" * LONGEST + "..."),
    ],
)  # fmt: skip
def test_a_value_in_a_table(value, shown):
    assert print_value(value) == shown


def test_a_value_in_fewer_digits():
    assert print_value(1 / 3, 4) == "0.3333"
    assert print_value(12345.678, 2) == "1.2e+04"


def test_the_line_of_a_column_needs_no_meaning():
    assert meaning_of("mass") == ""
    cells = no_cells()
    assert all(len(part) == 0 for part in vars(cells).values())
