"""Telling text apart: the compiled loop against its own source, and against a dict."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same, compiled

WORDS = st.text(alphabet="ab\x00é犬", max_size=20)


def buffers(values, kind):
    array = pa.array(values, kind)
    bitmap, offsets, data = array.buffers()
    wide = np.int64 if kind == pa.large_string() else np.int32
    ends = np.frombuffer(offsets, wide)[: len(values) + 1]
    text = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    valid = np.frombuffer(bitmap, np.uint8) if bitmap is not None else np.empty(0, np.uint8)
    return ends, text, valid


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@given(values=st.lists(st.none() | WORDS | st.sampled_from(["", "a" * 8, "a" * 16, "b" + "a" * 15]), max_size=40))
def test_each_row_shows_one_of_the_distinct_values(kind, values):
    index, firsts = np.empty(len(values), np.int32), np.empty(50, np.int64)
    table = np.full(64, -1, np.int32)
    *_, index, firsts, _, found = assert_same(
        "strings", "tell_apart", *buffers(values, kind), 0, index, np.zeros_like(firsts), table
    )
    places = {}
    assert index.tolist() == [-1 if v is None else places.setdefault(v, len(places)) for v in values]
    assert found == len(places)
    assert [values[i] for i in firsts[:found]] == list(places)


def test_more_values_than_there_is_room_for():
    ends, text, valid = buffers(["a", "b", "a", "c"], pa.string())
    for room, expected in ((2, -1), (3, 3)):
        scratch = np.empty(4, np.int32), np.empty(room, np.int64), np.full(8, -1, np.int32)
        assert compiled("strings").tell_apart(ends, text, valid, 0, *scratch) == expected


def test_the_bitmap_of_a_slice_begins_in_the_middle_of_a_byte():
    array = pa.array([None, "x", "y", None, "x", None])[1:]
    bitmap, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, np.int32)[array.offset : array.offset + 6]
    scratch = np.empty(5, np.int32), np.empty(4, np.int64), np.full(16, -1, np.int32)
    found = compiled("strings").tell_apart(
        ends, np.frombuffer(data, np.uint8), np.frombuffer(bitmap, np.uint8), array.offset, *scratch
    )
    assert (found, scratch[0].tolist()) == (2, [0, 1, -1, 0, -1])
