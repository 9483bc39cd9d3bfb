"""An explanation in words, and values and lines as it prints them."""

import pytest

import bayesfold as bf
from bayesfold.explanations.explanation import (
    LONGEST,
    SHOWN_ROWS,
    Explanation,
    Reason,
    meaning_of,
    no_cells,
    print_value,
)


def explained(*contributions: float, label: str = "p") -> Explanation:
    return Explanation("p", "q", label, tuple(Reason("a", "u", c) for c in contributions))


def test_numbers_are_printed_with_every_digit_before_the_point() -> None:
    assert [print_value(x) for x in (1234567.89, 12345678.0, 0.123456789, 2**60)] == (
        ["1234568", "12345678", "0.123457", "1152921504606846976"]
    )


def test_the_caption_names_the_likelier_class_first() -> None:
    assert explained(1.0).caption == "p against q: log-odds +1.000, 2.72 to 1 for p over q"
    assert explained(-1.0).caption == "p against q: log-odds -1.000, 2.72 to 1 for q over p"


def test_of_two_classes_that_are_as_likely_the_one_that_is_decided_for_stands_first() -> None:
    assert explained(1.0, -1.0).caption == "p against q: log-odds +0.000, 1 to 1 for p over q"


def test_a_decision_other_than_the_prediction_is_told() -> None:
    assert explained(0.0, label="q").caption.startswith("p against q (predicted: q): ")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1 / 3, "0.333333"), (1234567.0, "1234567"), (2.0, "2"), (7, "7"), (True, "True"), ("a", "a"),
        (None, "-"), (float("nan"), "-"), ("", "-"), (0, "0"), (0.0, "0"), (False, "False"),
        ("x" * LONGEST, "x" * LONGEST), ("x" * (LONGEST + 1), "x" * LONGEST + "..."),
    ],
)  # fmt: skip
def test_a_value_in_a_table(value, shown):
    assert print_value(value) == shown


def test_a_value_in_fewer_digits():
    assert print_value(1 / 3, 4) == "0.3333"
    assert print_value(12345.678, 2) == "12346"


def test_the_line_of_a_column_needs_no_meaning():
    assert meaning_of("mass") == ""
    cells = no_cells()
    assert all(len(part) == 0 for part in vars(cells).values())


def test_lines_of_several_rows_as_columns_and_as_a_frame():
    table = {"coat": ["long", "short", "short", "long"] * 3, "mass": [1.0, 2.25, 3.0, 1.5] * 3}
    clf = bf.NaiveBayes(numeric="gaussian").fit(table, [*"pqqp"] * 3)
    told = clf.explain({"coat": ["short", None], "mass": [2.25, 1.0 / 3.0]})
    found = told.columns()
    assert list(found) == ["row", "decision", "against", "part", "value", "contribution"]
    assert len({len(cells) for cells in found.values()}) == 1
    lines = {(row, part): value for row, part, value in zip(found["row"], found["part"], found["value"], strict=True)}
    assert lines[0, "coat"] == "short"
    assert lines[0, "mass"] == "2.25"
    assert lines[1, "mass"] == "0.333333"
    assert lines.get((1, "coat")) in (None, "-")
    priors = [value for (_, part), value in lines.items() if part not in table]
    assert priors
    assert all(value is None for value in priors)
    frame = told.to_frame()
    assert frame.shape == (len(found["row"]), 6)
    importance = told.importance()
    assert list(importance.mean.values()) == sorted(importance.mean.values(), reverse=True)
    sizes = [abs(c) for part, c in zip(found["part"], found["contribution"], strict=True) if part == "mass"]
    assert importance.mean["mass"] == pytest.approx(sum(sizes) / 2)


@pytest.mark.parametrize("rows", [1, SHOWN_ROWS - 1, SHOWN_ROWS, SHOWN_ROWS + 1, SHOWN_ROWS + 2_000])
def test_rows_that_are_not_shown_are_counted(rows):
    clf = bf.NaiveBayes().fit({"coat": ["long", "short"] * 4}, [*"pq"] * 4)
    told = clf.explain({"coat": (["long", "short"] * rows)[:rows]})
    left = rows - SHOWN_ROWS
    for text in (str(told), told._repr_html_()):
        assert ("more rows" in text) is (left > 0)
        assert left <= 0 or f"and {left:,} more rows" in text
