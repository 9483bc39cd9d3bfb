"""An explanation in words, and values and lines as it prints them."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.own_names import OwnLine
from bayesfold.explanations.explanation import (
    LONGEST,
    MEANINGS,
    MOST_LINES,
    SHOWN_ROWS,
    CountCells,
    Explanation,
    Explanations,
    Reason,
    meaning_of,
    no_cells,
    print_value,
)
from bayesfold.models.credit import OFFSET
from bayesfold.models.pool import CAP


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


def line(name: str, kind: str) -> OwnLine:
    return OwnLine(name, kind)


def test_so_many_parts_have_lines_and_the_others_one_together():
    reasons = [Reason(f"x{k}", k, 2.0**-k) for k in range(MOST_LINES)]
    whole = Explanation("p", "q", "p", tuple(reasons))
    lines = str(whole).splitlines()
    assert len(lines) == 1 + 1 + MOST_LINES + 1
    assert lines[-1].split() == ["sum", "+2.000"]
    longer = Explanation("p", "q", "p", (*reasons, Reason("y", None, 0.25), Reason("z", None, -1.0)))
    lines = str(longer).splitlines()
    assert len(lines) == 1 + 1 + MOST_LINES + 1 + 1
    assert lines[-2].split() == ["2", "more", "parts", "-0.750"]
    assert lines[-1].split() == ["sum", "+1.250"]


def test_lines_that_are_no_columns_are_shown_where_they_say_something():
    said, hushed = line("offset of classes", OFFSET), line("cap", CAP)
    reasons = (
        Reason("prior", None, 0.5), Reason("a", "u", 1e-9), Reason(said, None, 5e-4), Reason(hushed, None, -4.9e-4),
        Reason("text", None, 4e-4), Reason("other", None, -0.25),
    )  # fmt: skip
    one = Explanation("p", "q", "p", reasons, "a note", frozenset({"text", "other", "absent"}))
    shown = [row.split()[0] for row in str(one).splitlines()[2:8]]
    assert shown == ["prior", "a", "offset", "other", "sum", "a"], "a column has its line whatever it says"
    assert str(one).splitlines()[-3:] == [
        "a note",
        "other: what is said of any text, whatever its terms",
        f"offset of classes: {MEANINGS[OFFSET]}",
    ]
    html = one._repr_html_()
    assert html.count("<p>") == 3
    assert "<p>a note</p>" in html
    assert meaning_of("offset of classes") == "", "of a column that is called so nothing is said"


def told(margins, words=None, parts=("prior", "a", "b")) -> Explanations:
    rows = np.array(margins, float)
    places = np.zeros(len(rows), np.intp)
    labels = np.array([f"row {i}" for i in range(len(rows))], object)
    cells = {"a": [f"u{i}" for i in range(len(rows))]}
    return Explanations(("p", "q", "r"), parts, rows, places + 2, places, labels, cells, words or no_cells())


def test_the_weightiest_reasons_come_first_behind_the_prior():
    words = CountCells(
        np.array([1, 0, 1]), np.array(["spam", "ham", "a"], object), np.array([2.0, 1.0, 3.0]), np.array([-8, 1, 0.5])
    )
    both = told([[0.0, 1.0, -2.0], [0.25, 4.0, -4.0]], words)
    first, second = both
    assert [(r.part, r.value, r.contribution) for r in second.reasons] == [
        ("prior", None, 0.25), ("spam", 2.0, -8.0), ("a", "u1", 4.0), ("b", None, -4.0), ("a", 3.0, 0.5),
    ]  # fmt: skip
    assert (second.decision, second.against, second.label) == ("r", "p", "row 1")
    assert both.log_odds.tolist() == [first.log_odds, second.log_odds] == [0.0, -7.25]
    assert both[-1].reasons == second.reasons
    assert [one.label for one in both[::-1]] == ["row 1", "row 0"]
    assert [one.label for one in both[1:9]] == ["row 1"]
    with pytest.raises(IndexError):
        both[2]


def test_importance_is_a_mean_over_all_rows_and_a_word_is_no_column():
    words = CountCells(
        np.array([1, 0, 1]), np.array(["spam", "spam", "a"], object), np.ones(3), np.array([-8.0, 1.0, 0.5])
    )
    found = told([[0.0, 1.0, -2.0], [0.25, 4.0, -4.0], [0.0, -1.0, 0.0], [0, 0, 0]], words).importance()
    assert dict(found) == {"spam": 2.25, "a": 1.5, "b": 1.5, "prior": 0.0625, "the word a": 0.125}
    assert list(found) == ["spam", "a", "b", "the word a", "prior"]
    assert (len(found), found["a"]) == (5, 1.5)
    assert str(found).splitlines()[1].split() == ["spam", "2.250"]
    alone = told([[0.5, 1.0, -2.0]]).importance()
    assert dict(alone) == {"b": 2.0, "a": 1.0, "prior": 0.5}


def test_overwhelming_odds_are_a_number():
    assert "1.01e+304 to 1 for p over q" in explained(5_000.0).caption
    assert "1.01e+304 to 1 for q over p" in explained(-5_000.0).caption
