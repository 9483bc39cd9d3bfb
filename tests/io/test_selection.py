"""The columns that are to be read: which of them, in which order, and labels in however many pieces."""

import pyarrow as pa
import pytest

from bayesfold.io.open import open_source
from bayesfold.io.selection import Selection, is_numeral, label_values, select_columns, unknown_labels


@pytest.fixture
def source():
    with open_source(pa.table({"a": [1, 2], "b": ["x", "y"], "w": [1.0, 2.0], "y": ["p", "q"]})) as opened:
        yield opened


def test_every_column_but_target_and_weight_is_a_feature(source):
    assert select_columns(source, "y", None, None, None).features == ("a", "b", "w")
    found = select_columns(source, "y", "w", None, None)
    assert (found.features, found.all) == (("a", "b"), ("a", "b", "y", "w"))
    assert select_columns(source, "y", None, ["b", "y"], None).features == ("b",)
    assert select_columns(source, "y", None, {"b": "text"}, None).features == ("a", "b", "w")
    assert found.looked_at == found.all
    assert Selection(("a",), "y", None, group="g").looked_at == ("a", "y", "g")
    assert Selection(("a", "w"), "y", "w").all == ("a", "w", "y")
    assert found.without("a").features == ("b",)
    assert found.without("a").weight == "w"


@pytest.mark.parametrize(
    ("target", "weight", "columns", "error", "said"),
    [
        ("z", None, None, ValueError, "has no column 'z'"),
        ("y", "ww", None, ValueError, "has no column 'ww'; did you mean 'w'"),
        ("y", None, ["a", "c"], ValueError, "has no column 'c'"),
        ("y", None, "a", TypeError, "columns='a' is one text; give a list of names"),
        ("y", None, {"a": "colour"}, ValueError, "columns says 'colour' for a column"),
        ("y", "w", ["w", "y"], ValueError, "no column besides 'y'"),
    ],
)
def test_what_cannot_be_read_is_refused(target, weight, columns, error, said, source):
    with pytest.raises(error, match=said):
        select_columns(source, target, weight, columns, None)


def test_labels_that_mean_an_unknown_class():
    assert unknown_labels("?", "y") == {"?"}
    assert unknown_labels([-1, "-1", "?"], "y") == {"?"}, "a number in all columns may be a class"
    assert unknown_labels({"y": -1}, "y") >= {-1}
    assert unknown_labels({"a": "?"}, "y") == frozenset()
    assert unknown_labels(None, "y") == frozenset()
    assert [is_numeral(text) for text in ("1", "-2.5e3", "one", "", " nan ", "Infinity", "-inf")] == [
        True, True, False, False, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("pieces", [0, 1, 2, 3])
def test_labels_in_any_number_of_pieces_are_one_column(pieces):
    chunks = [pa.array(["p", f"q{i}"]).dictionary_encode() for i in range(pieces)]
    column = pa.chunked_array(chunks, pa.dictionary(pa.int32(), pa.string()))
    found = label_values(pa.table({"y": column}), Selection((), "y", None))
    assert isinstance(found, pa.Array)
    assert found.to_pylist() == [v for i in range(pieces) for v in ("p", f"q{i}")]
