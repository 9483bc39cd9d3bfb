"""A file of any size is read again: it begins with the length of its header, as any other kind of file may begin."""

import numpy as np
import pytest

from bayesfold.store.container import OTHERS, pack, parse_header, unpack
from bayesfold.store.unreadable import Unreadable

LENGTHS = [n for mark in OTHERS if (n := int.from_bytes(mark, "little")) < 70_000 and n % 8 == 0]
"""Headers whose length is written as another kind of file begins."""


@pytest.mark.parametrize("length", [*LENGTHS, *(65_536 + n for n in LENGTHS)])
def test_a_header_whose_length_looks_like_another_file_is_read(length):
    arrays = {"n": np.arange(3)}
    spare = length - int.from_bytes(pack("", arrays)[:8], "little")
    data = pack("x" * spare, arrays)
    assert any(data.startswith(mark) for mark in OTHERS)
    text, back = unpack(data)
    assert text == "x" * spare
    assert back["n"].tolist() == [0, 1, 2]


def test_a_header_of_any_length_is_read():
    for length in range(2_000):
        assert unpack(pack("x" * length, {}))[0] == "x" * length


def test_a_header_of_lists_within_lists_is_refused():
    with pytest.raises(Unreadable, match="its header is nested deeper than any model's"):
        parse_header("[" * 200_000)
