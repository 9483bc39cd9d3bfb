"""Values by their distinct values, whatever they are stored in, sliced, missing or repeated."""

import numpy as np
import pyarrow as pa
import pytest

from bayesfold.data import coded as module
from bayesfold.data.coded import Coded, code, refuse_large


def values_of(coded):
    """Each row's value, None where it is missing."""
    return [None if i < 0 else coded.levels[i] for i in coded.index.tolist()]


TEXTS = ["b", None, "a", "b", "é", "", "a"]
NUMBERS = [3, None, -1, 3, 70_000, 0, -1]
COLUMNS = {
    "text": (pa.array(TEXTS), TEXTS),
    "large text": (pa.array(TEXTS, pa.large_string()), TEXTS),
    "view": (pa.array(TEXTS, pa.string_view()), TEXTS),
    "coded text": (pa.array(TEXTS).dictionary_encode(), TEXTS),
    "narrow codes": (pa.array(TEXTS).dictionary_encode().cast(pa.dictionary(pa.int8(), pa.string())), TEXTS),
    "wide codes": (pa.array(TEXTS).dictionary_encode().cast(pa.dictionary(pa.int64(), pa.string())), TEXTS),
    "integers": (pa.array(NUMBERS), NUMBERS),
    "floats": (pa.array([0.5, None, float("nan"), 0.5, 2.0]), [0.5, None, None, 0.5, 2.0]),
    "numpy floats": (np.array([0.5, np.nan, 2.0, 0.5], np.float32), [0.5, None, 2.0, 0.5]),
    "truth": (pa.array([True, None, False, True]), [True, None, False, True]),
    "numpy integers": (np.array([7, 3, 7, -2], np.int16), [7, 3, 7, -2]),
    "far apart": (np.array([7, 10**12, 7, -2]), [7, 10**12, 7, -2]),
    "unsigned": (np.array([7, 2**63 + 1, 7], np.uint64), [7, 2**63 + 1, 7]),
    "small unsigned": (np.array([7, 9, 7], np.uint64), [7, 9, 7]),
    "numpy truth": (np.array([True, False, True]), [True, False, True]),
    "every other truth": (np.array([True, False, True, True])[::2], [True, True]),
    "numpy text": (np.array(["b", "a", "", "b"]), ["b", "a", "", "b"]),
    "text of no width": (np.array(["", ""]), ["", ""]),
    "objects": (np.array(["b", None, 2, True, float("nan"), 2.0], object), ["b", None, 2, True, None, 2]),
    "nothing": (pa.nulls(3), [None, None, None]),
    "chunks": (pa.chunked_array([["b"], [], ["a", None]]), ["b", "a", None]),
    "one chunk": (pa.chunked_array([["b", "a"]]), ["b", "a"]),
    "chunks of codes": (
        pa.chunked_array([pa.array(["b", "c"]).dictionary_encode(), pa.array(["c"]).dictionary_encode()]),
        ["b", "c", "c"],
    ),
    "empty": (np.array([], np.int64), []),
    "empty text": (pa.array([], pa.string()), []),
}


@pytest.mark.parametrize("column", COLUMNS)
def test_the_rows_are_what_they_were(column):
    given, expected = COLUMNS[column]
    found = code(given)
    assert len(found) == len(expected)
    assert values_of(found) == expected
    assert [type(v) for v in values_of(found)] == [type(v) for v in expected] or column in ("numpy floats", "objects")
    assert len({*map(repr, found.levels)}) == len(found.levels)
    assert found.shown().all()
    missing = [i for i, v in enumerate(expected) if v is None]
    assert found.first_missing() == (missing[0] if missing else None)
    assert found.misses(frozenset()) == bool(missing)
    assert found.misses(frozenset({"no such"})) == bool(missing)
    if found.levels:
        assert found.misses(frozenset({found.levels[-1]}))
    assert code(found) is found


@pytest.mark.parametrize("column", ["text", "large text", "view", "coded text", "narrow codes", "integers"])
@pytest.mark.parametrize("begin", [1, 2, 3])
def test_a_slice_is_read_where_it_stands(column, begin):
    given, expected = COLUMNS[column]
    long = pa.concat_arrays([given] * 3) if "view" not in column else pa.array(expected * 3, given.type)
    found = code(long.slice(begin, 9))
    assert values_of(found) == (expected * 3)[begin : begin + 9]
    assert found.first_missing() == values_of(found).index(None)


def test_texts_of_many_values_are_told_apart_too(monkeypatch):
    many = [f"v{i % 40}" for i in range(100)]
    for few in (39, 40, 41):
        monkeypatch.setattr(module, "FEW_TEXTS", few)
        assert values_of(code(pa.array(many))) == many
    assert code(pa.array(["a", "b"])).whole
    assert not code(pa.array(["a", None])).whole


@pytest.mark.parametrize("width", [65_535, 65_536, 65_537])
def test_integers_are_told_apart_however_far_apart_they_are(width):
    values = np.array([5, 5 + width, 5, 6])
    found = code(values)
    assert found.levels == [5, 6, 5 + width]
    assert found.index.tolist() == [0, 2, 0, 1]


def test_levels_that_are_dropped_repeated_or_not_a_number():
    rows = Coded(np.array([0, 1, 2, -1, 3], np.int32), ["a", "b", "c", "d"])
    kept = rows.kept(["x", None, "x", float("nan")])
    assert kept.levels == ["x"]
    assert kept.index.tolist() == [0, -1, 0, -1, -1]
    for chosen in (np.array([1, 3, 1]), np.array([False, True, False, True, False])):
        taken = rows.take(chosen)
        assert taken.levels == ["b"]
        assert taken.index.tolist()[:2] == [0, -1]
    assert rows.places([10, 20, 30, 40], 7).tolist() == [10, 20, 30, 7, 40]
    twice = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None]), pa.array(["a", "a", None, "unused"]))
    found = code(twice)
    assert found.levels == ["a"]
    assert values_of(found) == ["a", "a", None, None]


def test_what_cannot_be_told_apart_is_refused():
    with pytest.raises(TypeError, match=r"values that are lists \(list"):
        code(pa.array([[1], [2]]))
    with pytest.raises(TypeError, match="a column holds values that cannot be compared"):
        code(np.array([{}, 1, "a"], object))
    for fits in (-(2**63), 2**64 - 1):
        refuse_large("a column", [fits])
    for large in (-(2**63) - 1, 2**64):
        with pytest.raises(ValueError, match=f"a column holds {large} in row 1, an integer of more than 64 bits"):
            refuse_large("a column", [0, large])
