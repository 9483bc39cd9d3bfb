"""Records of nodes with parents: the compiled loop against its own source."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same


@given(seed=st.integers(0, 2**32 - 1), parents=st.lists(st.integers(0, 4), max_size=6))
def test_as_in_the_source(seed, parents):
    draw = np.random.default_rng(seed)
    columns = [draw.permutation(6)[: m + 1] for m in parents]
    ends = np.cumsum([0, *(m + 1 for m in parents)]).astype(np.intp)
    roots, sources = draw.integers(0, 2, len(parents)).astype(np.uint8), draw.integers(0, 99, len(parents))
    slots, places = draw.integers(2, 5, 6), draw.permutation(6)
    flat = np.concatenate([np.empty(0, np.intp), *columns]).astype(np.intp)
    room = np.zeros(len(parents), np.intp), np.zeros(6 * len(parents) + 5 * len(flat), np.intp), np.zeros(3, np.intp)
    assert_same("node_records", "fill", flat, ends, roots, sources, slots, places, 3, *room)
