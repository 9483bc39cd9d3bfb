"""What text holds: numbers as they are written in tables, codes, words."""

import pyarrow as pa
import pytest

import bayesfold as bf
from bayesfold.io.csv.column_types import TEXT, NotANumber, as_numbers, decide_type, text_to_numbers
from bayesfold.runtime.arrow_buffers import arrow_texts

WHOLE, NUMBER = pa.int64(), pa.float64()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "-2", ""], WHOLE),
        (["1", "+3"], NUMBER),
        (["1", "2.5"], NUMBER),
        (["1e5", ".5", "5.", " 7 "], NUMBER),
        (["nan", "1"], NUMBER),
        (["0", "0.5", "-0.25"], NUMBER),
        (["007", "8"], TEXT),
        (["-01"], TEXT),
        (["1", "?"], TEXT),
        (["true", "false"], TEXT),
        (["1_000", "2"], TEXT),
        (["0x10"], TEXT),
        (["99999999999999999999"], NUMBER),
        (["", ""], TEXT),
        ([], TEXT),
        (["２"], TEXT),
    ],
)
def test_kinds(values, kind):
    assert decide_type(arrow_texts(values), frozenset()) == kind


def test_markers_are_no_values():
    assert decide_type(arrow_texts(["1", "?", "-"]), frozenset("?-")) == WHOLE
    column = pa.chunked_array([arrow_texts(["1", "?", " 2.5", ""]).dictionary_encode()])
    assert text_to_numbers(column, frozenset("?"), NUMBER).to_pylist() == [1.0, None, 2.5, None]


def test_a_text_where_a_number_is_wanted_is_named_with_its_row():
    column = pa.chunked_array([arrow_texts(["1", "", "2"]), arrow_texts([" 3", "tall"])])
    with pytest.raises(NotANumber, match="column 'size' is a number to this model, but here it is 'tall'") as found:
        as_numbers(column, frozenset(), "size")
    assert found.value.row == 4
    assert as_numbers(column, frozenset(["tall"]), "size").to_pylist() == [1, None, 2, 3, None]


def test_classes_of_very_many_digits_stay_apart(tmp_path):
    """As doubles 2**64 and 2**64 + 1 are one."""
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f"{i % 7},{2**64 + i % 2}\n" for i in range(60)))
    clf = bf.NaiveBayes().fit_from(path, "y")
    assert clf.classes_.tolist() == [str(2**64), str(2**64 + 1)]
    assert clf.predict_from(path, tmp_path / "out.csv") == 60
