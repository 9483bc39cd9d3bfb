"""Reading a dict: the compiled reader against its own source."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same, compiled, uncompiled

KEYS, SLOTS, BEHIND = ("c", "d"), ({"a": 1, "b": 2, "?": 0}, {0: 1, 1: 2, 2.5: 3}), (3, 4)
NUMBERS = ("x", "y")
VALUES = st.sampled_from(
    [None, "", float("nan"), "a", "b", "?", 0, 1, 2.5, True, "never", np.float64("nan"), np.int8(1)]
)
MARKERS = (frozenset(), frozenset({-1, "?"}))
FLOATS = st.sampled_from([None, "", float("nan"), 0, -1, 2.5, "3.5", True, np.float32(1.5)])
ROWS = st.dictionaries(st.sampled_from(["c", "d", "other"]), VALUES) | st.fixed_dictionaries(
    {"c": VALUES, "d": VALUES, "x": FLOATS, "y": FLOATS}
)


@given(row=ROWS)
def test_a_row_is_read_as_by_the_source(row):
    out = np.full((1, 2), -9, np.int32), np.full((1, 2), -9.0)
    *_, codes, values, found = assert_same("records", "read", row, KEYS, SLOTS, BEHIND, NUMBERS, MARKERS, True, *out)
    assert set(codes[0].tolist()) <= {0, 1, 2, 3, 4}
    strange = any(code == last for code, last in zip(codes[0], BEHIND, strict=True))
    assert (found == 3) == strange
    assert found > 0 or not (codes.any() or (values == values).any())
    for j, name in enumerate(NUMBERS):
        value = row.get(name)
        if value is None or value == "" or value in MARKERS[j]:
            assert np.isnan(values[0, j])
        else:
            np.testing.assert_equal(values[0, j], float(value))


@given(row=ROWS)
def test_cells_of_other_libraries_are_noticed_as_by_the_source(row):
    out = np.full((1, 2), -9, np.int32), np.full((1, 2), -9.0)
    *_, found = assert_same("records", "read", row, KEYS, SLOTS, BEHIND, NUMBERS, MARKERS, False, *out)
    assert (found == -1) == any(isinstance(row.get(name), np.generic) for name in (*KEYS, *NUMBERS))
    *_, found = assert_same("records", "read", row | {7: 1}, KEYS, SLOTS, BEHIND, NUMBERS, MARKERS, False, *out)
    assert found == -1


@given(row=ROWS)
def test_values_without_a_slot_are_found_as_by_the_source(row):
    *_, found = assert_same("records", "unseen", row, KEYS, SLOTS)
    for name, value in found:
        assert value == row[name]
        assert value not in SLOTS[KEYS.index(name)]


@pytest.mark.parametrize("version", [compiled, uncompiled])
@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("heavy", "column 'x' is a number, but this row has 'heavy'; name it in missing="),
        ([1, 2], r"column 'x' is a number, but this row has \[1, 2\]"),
        (np.array([1, 2]), r"column 'x' is a number, but this row has array\(\[1, 2\]\)"),
        (float("inf"), "column 'x' is infinite in this row; make it missing"),
        ("-inf", "column 'x' is infinite in this row; make it missing"),
    ],
)
def test_what_is_no_number_is_refused_with_advice(version, value, words):
    with pytest.raises(ValueError, match=words), np.errstate(invalid="ignore"):
        version("records").read(
            {"x": value}, KEYS, SLOTS, BEHIND, NUMBERS, MARKERS, True, np.zeros((1, 2), np.int32), np.zeros((1, 2))
        )


@pytest.mark.parametrize("version", [compiled, uncompiled])
def test_what_marks_a_missing_number_is_not_looked_up_for_a_list(version):
    with pytest.raises(ValueError, match=r"column 'y' is a number, but this row has \[1\]; name it in missing="):
        version("records").read(
            {"y": [1]}, KEYS, SLOTS, BEHIND, NUMBERS, MARKERS, True, np.zeros((1, 2), np.int32), np.zeros((1, 2))
        )


@pytest.mark.parametrize("version", [compiled, uncompiled])
@pytest.mark.parametrize("value", [[1], {"a": 1}, {1}, np.array([1, 2])])
def test_what_is_no_category_is_refused_with_advice(version, value):
    row, words = {"c": "a", "d": value}, "column 'd' is a category, but this row has .*; a category is text"
    with pytest.raises(TypeError, match=words):
        version("records").read(row, KEYS, SLOTS, BEHIND, (), (), True, np.zeros((1, 2), np.int32), np.zeros((1, 0)))
    with pytest.raises(TypeError, match=words):
        version("records").unseen(row, KEYS, SLOTS)
