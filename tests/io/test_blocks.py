"""Pieces of any size become blocks of as many rows: where they end, what is left, and what number each begins with."""

import pyarrow as pa
import pytest

from bayesfold.io import blocks
from bayesfold.io.blocks import Cut, joined


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 4)


def cut(*sizes):
    """The first row and the values of each block of pieces of so many rows."""
    parts, at, out = Cut(), 0, []
    for size in sizes:
        piece = pa.table({"x": list(range(at, at + size))})
        out += [(first, block["x"].to_pylist()) for first, block in parts.blocks(piece)]
        at += size
    rest = [(first, block["x"].to_pylist()) for first, block in parts.rest()]
    assert list(parts.rest()) == [], "what is left is given once"
    assert parts.at == at
    return out, rest


@pytest.mark.parametrize(
    ("sizes", "full", "left"),
    [
        ((), 0, 0), ((0,), 0, 0), ((3,), 0, 3), ((4,), 1, 0), ((5,), 1, 1), ((8,), 2, 0), ((3, 1), 1, 0),
        ((3, 2), 1, 1), ((1, 1, 1), 0, 3), ((3, 0, 9), 3, 0), ((13, 2, 2), 4, 1), ((2, 4, 4, 1), 2, 3),
    ],
)  # fmt: skip
def test_blocks_are_full_but_for_the_last(sizes, full, left):
    out, rest = cut(*sizes)
    assert [first for first, _ in out] == [4 * k for k in range(full)]
    assert all(len(rows) == 4 for _, rows in out)
    assert [(first, len(rows)) for first, rows in rest] == ([(4 * full, left)] if left else [])
    assert [x for _, rows in out + rest for x in rows] == list(range(sum(sizes)))


def test_pieces_of_other_types_are_joined():
    one, other = pa.table({"x": pa.array([1], pa.int8())}), pa.table({"x": [2.5]})
    assert joined([one]) is one
    assert joined([one, other])["x"].to_pylist() == [1.0, 2.5]
    assert joined([one, pa.table({"x": pa.nulls(1)})])["x"].to_pylist() == [1, None]
