"""What a row is: slots, growing, uniting, and refusals that name the column."""

import numpy as np
import pytest

from bayesfold.data.encodings import Categories, Counts, Real
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.runtime.messages import listed, ordered

TARGET = Categories("y", ("no", "yes"))


def test_slot_0_is_missing_and_the_slot_behind_the_last_is_unseen():
    colour = Categories("colour", ("green", "red"))
    assert colour.slots == 3
    assert colour.encode(Frame.of({"colour": ["red", "green", None, "", "blue"]})).tolist() == [2, 1, 0, 0, 3]


def test_many_levels_do_not_wrap_around():
    many = Categories("n", tuple(range(300)))
    assert many.encode(Frame.of({"n": np.array([299, 0, 300])})).tolist() == [300, 1, 301]
    brim = Categories("n", tuple(range(254)))
    assert brim.encode(Frame.of({"n": np.array([253, 999])})).tolist() == [254, 255]


def test_a_marker_is_missing_and_never_becomes_a_level():
    column = Categories("c", ("a",), missing=frozenset({"?"}))
    assert column.encode(Frame.of({"c": ["a", "?", "b"]})).tolist() == [1, 0, 2]
    assert column.grow(["?", "b", "a", "b"]).levels == ("a", "b")


def test_a_column_may_be_read_under_several_encodings():
    schema = Schema(
        TARGET, (Real("x"), Real("log x", source="x", transform="log"), Categories("x as levels", (1, 2), "x"))
    )
    assert schema.sources == ("x",)
    batch = schema.encode(Frame.of({"x": [1.0, 2.0, -3.0]}))
    np.testing.assert_array_equal(batch.column("x"), [1.0, 2.0, -3.0])
    np.testing.assert_array_equal(batch.column("log x"), [0.0, np.log(2.0), np.nan])
    assert batch.column("x as levels").tolist() == [1, 2, 3]


def test_numbers_that_mark_a_missing_cell_become_missing():
    column = Real("dose", missing=frozenset({0, -1, "?"}))
    np.testing.assert_array_equal(column.encode(Frame.of({"dose": [0.0, 2.0, -1.0]})), [np.nan, 2.0, np.nan])


def test_counts_may_be_read_as_presence():
    frame = Frame.of({"a": [0, 2, 5], "b": [1, 0, 0]})
    np.testing.assert_array_equal(Counts("words", ("a", "b")).encode(frame), [[0, 1], [2, 0], [5, 0]])
    np.testing.assert_array_equal(Counts("words", ("a", "b"), 2.0).encode(frame), [[0, 0], [0, 0], [1, 0]])


def test_levels_are_appended_and_classes_sorted():
    schema = Schema(TARGET, (Categories("c", ("b",)),))
    grown = schema.grown(Frame.of({"c": ["d", "b", "a", "d"]})).with_classes(["maybe"])
    assert grown.features[0].levels[0] == "b"
    assert set(grown.features[0].levels) == {"a", "b", "d"}
    assert grown.target.levels == ("maybe", "no", "yes")
    assert schema.grown(Frame.of({"c": ["b", None]})) is schema
    assert schema.with_classes(["yes"]) is schema


def test_the_union_of_schemas_has_the_levels_of_both():
    a = Schema(TARGET, (Categories("c", ("u", "v")), Real("x")))
    b = Schema(Categories("y", ("maybe",)), (Categories("c", ("w", "u")), Real("x")))
    assert (a | b).features[0].levels == ("u", "v", "w")
    assert (b | a).features[0].levels == ("w", "u", "v")
    assert (a | b).target.levels == ("maybe", "no", "yes")
    assert (a | a) is a


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (Real("x"), Real("x", transform="log"), "column 'x' is read in two ways.*first.blank"),
        (Real("x"), Categories("x"), "column 'x' is read in two ways, as numbers .* and as categories"),
        (Real("x", missing=frozenset({0})), Real("x"), "column 'x' is read in two ways, .* 0 missing"),
        (Real("x"), Real("z"), "do not have the same columns: 'x', 'z'"),
    ],
)
def test_schemas_that_read_a_column_in_two_ways_are_refused_by_name(one, other, words):
    with pytest.raises(ValueError, match=words):
        Schema(TARGET, (one,)) | Schema(TARGET, (other,))


def test_a_label_never_learned_is_refused_by_row_with_the_classes():
    with pytest.raises(ValueError, match=r"row 1 has the class 'perhaps', .*its classes are 'no', 'yes'"):
        Schema(TARGET).encode_labels(np.array(["yes", "perhaps", "no"]))


def test_labels_are_slots_in_any_order():
    assert Schema(TARGET).encode_labels(np.array(["yes", "no", "yes"])).tolist() == [2, 1, 2]
    assert Schema(Categories("y", (3, 7))).encode_labels(np.array([7, 7, 3])).tolist() == [2, 2, 1]


def test_only_categories_can_be_a_key():
    schema = Schema(TARGET, (Real("x"), Categories("c", ("a",))))
    assert schema.axis("c") == 2
    with pytest.raises(TypeError, match="column 'x' is not discrete: only categories and bins can be a key"):
        schema.axis("x")


def test_codes_that_stand_in_a_matrix_stay_there():
    X = np.array([[0, 1], [1, 2], [5, -1]])
    schema = Schema(TARGET, (Categories("x0", (0, 1)), Categories("x1", (0, 1, 2))))
    batch = schema.encode(Frame(["x0", "x1"], 3, {}, X))
    assert batch.codes[0].values is X
    assert batch.column("x0").tolist() == [1, 2, 6]  # a code off its axis is left for the kernels to find


def test_rows_of_a_batch_are_chosen_with_their_labels_and_weights():
    schema = Schema(TARGET, (Categories("c", ("a", "b")), Real("x")))
    frame = Frame.of({"c": ["a", "b", None], "x": [1.0, 2.0, 3.0]})
    batch = schema.encode(frame, np.array(["no", "yes", "no"]), np.array([1.0, 2.0, 3.0]))
    for rows in (np.array([0, 2]), np.array([True, False, True])):
        some = batch.take(rows)
        assert some.rows == 2
        assert some.column("c").tolist() == [1, 0]
        assert some.column("x").tolist() == [1.0, 3.0]
        assert some.labels.tolist() == [1, 1]
        assert some.weight.tolist() == [1.0, 3.0]


def test_a_row_that_shares_no_column_with_the_model_is_refused():
    """Misspelt, it would pass for a row with nothing in it."""
    schema = Schema(TARGET, (Categories("colour", ("a",)), Real("mass")))
    with pytest.raises(
        ValueError, match="this row has 'color', and none of the columns of the model: 'colour', 'mass'"
    ):
        schema.encode_row({"color": "a"})


def test_dates_in_a_column_without_a_name_are_read_in_a_row_as_in_a_table():
    weekday = Categories("column 1 (weekday)", ("Friday", "Thursday"))
    schema = Schema(TARGET, (weekday, Categories("a", ("u",))))
    assert schema.encode_row({"": "2024-02-29", "a": "u"}).column("column 1 (weekday)").tolist() == [2]
    assert schema.encode_row({"a": "u", "": "2024-03-01"}).column("column 1 (weekday)").tolist() == [1]


def test_levels_of_several_kinds_have_an_order():
    assert ordered([2, "b", 1, "a"]) == (1, 2, "a", "b")
    assert ordered([True, False]) == (False, True)


def test_long_lists_are_cut_in_messages():
    assert listed("ab") == "'a', 'b'"
    assert listed(range(10)) == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"
