"""Tables with parents: the compiled loops against their own source, on stacks of random tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.encodings import Categories
from bayesfold.data.schema import Schema
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.models.scoring.one_dependence import Spodes
from bayesfold.models.scoring.parent_nodes import Leaves, ParentNode
from bayesfold.models.scoring.parent_tables import LeftOutRows, ParentTables
from bayesfold.models.structures._pairs import pair_cliques
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique

NAMES, SLOTS = ("a", "b", "c"), (3, 4, 3)
SCHEMA = Schema(
    Categories("y", ("p", "q", "r")),
    tuple(Categories(n, tuple(range(s - 1))) for n, s in zip(NAMES, SLOTS, strict=True)),
)
LEAVES = (
    ParentNode("a", (), (0,), root=True),
    ParentNode("b", ("a",), (0, 1)),
    ParentNode("c", ("b", "a"), (1, 0, 2), 0.5),
)
SMOOTHING = [Categorical(0.0), Categorical(1.0), Categorical("auto"), MEstimate(1.0, 2.0)]


def rows_of(seed, rows, weighted):
    """Rows with holes, their grid, and the batch that they are."""
    draw = np.random.default_rng(seed)
    codes = np.array([draw.integers(0, s, rows) for s in SLOTS], np.int32)
    weight = draw.uniform(0.2, 3.0, rows) if weighted else None
    panel = Panel(NAMES, np.ascontiguousarray(codes.T).astype(np.uint8))
    return codes, Batch(rows, codes=(panel,), labels=draw.integers(1, 4, rows).astype(np.int32), weight=weight)


def stack_of(batch, family, leaves=LEAVES):
    """The leaves' tables of the batch's rows."""
    cliques = (*pair_cliques(SCHEMA), Clique((*NAMES, "y")))
    return ParentTables(count(SCHEMA, cliques, batch), Leaves.of(leaves), dict.fromkeys(NAMES, family))


@pytest.mark.parametrize("family", SMOOTHING, ids=repr)
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 12), weighted=st.booleans())
def test_tables_are_gathered_smoothed_and_looked_up_as_in_the_source(family, seed, rows, weighted):
    codes, batch = rows_of(seed, rows, weighted)
    stack = stack_of(batch, family)
    program, begins, (many, cells, totals) = stack.program
    source = stack.tally.weights[0] if weighted else stack.tally.counts
    assert_same("levels", "gather", source, program, begins, 4, np.zeros(cells), np.zeros(totals))
    assert_same("levels", "inverses", program, begins, 4, stack.cells[1], stack.smoothing, np.zeros(totals))
    scratch = np.zeros((3, 1), np.int32), np.zeros(3)
    assert_same(
        "deep",
        "logs",
        program,
        begins,
        *stack.cells,
        stack.inverse,
        stack.smoothing,
        *scratch,
        np.zeros((many, 3)),
        rtol=1e-15,
    )
    networks = np.array([0, 2, 3], np.intp)
    out = np.zeros((2, rows, 3))
    assert_same("look_up", "look_up", program, begins, networks, stack.powered, codes, 0, rows, out)
    left = np.minimum(batch.weights, 1.0)
    ways = (codes, codes, batch.labels, left, 0, rows, np.zeros((2, 3)), out)
    assert_same(
        "deep",
        "left_out",
        program,
        begins,
        networks,
        stack.powers,
        *stack.cells,
        stack.inverse,
        stack.smoothing,
        *ways,
        rtol=1e-13,
    )


@pytest.mark.parametrize("family", SMOOTHING, ids=repr)
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(2, 12))
def test_a_row_left_out_is_scored_by_the_tables_of_the_others(family, seed, rows):
    codes, batch = rows_of(seed, rows, weighted=False)
    if family.__class__ is Categorical and isinstance(family.alpha, str):
        return  # it would be settled anew
    networks = np.arange(4, dtype=np.intp)
    found = stack_of(batch, family).left_out(networks, codes, codes, LeftOutRows(batch.labels, np.ones(rows)), 0, rows)
    for i in range(rows):
        others = stack_of(batch.take(np.arange(rows) != i), family)
        np.testing.assert_allclose(found[:, i], others.said(networks, codes, i, i + 1)[:, 0], rtol=1e-11, atol=1e-12)


def spodes(batch, family, combine, weights):
    """Every column as the super-parent of the others."""
    leaves = [
        ParentNode(NAMES[j], () if i == j else (NAMES[i],), (j,) if i == j else (i, j), root=i == j)
        for i in range(3)
        for j in range(3)
    ]
    stack = stack_of(batch, family, leaves)
    heard = [np.arange(s) > 0 for s in SLOTS]
    return stack, Spodes.of(stack, SLOTS, heard, np.array(weights), combine)


@pytest.mark.parametrize("family", SMOOTHING[1:], ids=repr)
@pytest.mark.parametrize("often", [1, 2, 100])
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 8))
def test_the_mean_of_products_as_in_the_source(family, often, seed, rows):
    codes, batch = rows_of(seed, rows, weighted=False)
    _, found = spodes(batch, family, "mean", [0.5, 0.2, 0.3])
    tiny = found.table * np.where(np.arange(len(found.table)) % 3, 1.0, 1e-100)  # far below what a double can hold
    out = np.zeros((rows, 3), np.int32), np.zeros((rows, 4)), np.zeros((rows, 4), np.int32), np.zeros(rows)
    shape = (found.starts, found.roots, found.firsts)
    assert_same("spodes", "average", codes, *shape, tiny, found.voice, 4, often, 0, rows, *out)


@pytest.mark.parametrize("family", SMOOTHING[1:], ids=repr)
@pytest.mark.parametrize("combine", ["mean", "product"])
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 12))
def test_super_parents_together_are_what_each_says(family, combine, seed, rows):
    codes, batch = rows_of(seed, rows, weighted=False)
    weights = np.array([0.5, 0.2, 0.3])
    stack, found = spodes(batch, family, combine, weights)
    joint, others = found.joint(codes, 0, rows)
    said = stack.said(np.array([0, 3, 6, 9], np.intp), codes, 0, rows)
    heard = codes > 0
    if combine == "product":
        told, expected = heard.all(axis=0), np.tensordot(weights, said, 1)
    else:
        told, voice = heard.any(axis=0), np.where(heard, weights[:, None], 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = np.log((voice[:, :, None] * np.exp(said)).sum(0) / voice.sum(0)[:, None])
    np.testing.assert_array_equal(others, np.flatnonzero(~told))
    np.testing.assert_allclose(joint[told], expected[told], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("family", SMOOTHING, ids=repr)
@pytest.mark.parametrize("leaving", [False, True])
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 8))
def test_missing_parents_are_summed_out_as_in_the_source(family, leaving, seed, rows):
    codes, batch = rows_of(seed, rows, weighted=False)
    stack = stack_of(batch, family, (LEAVES[1], ParentNode("c", ("b", "a"), (1, 0, 2)), ParentNode("a", (), (0,))))
    program, begins, _ = stack.program
    left = (batch.labels, np.ones(rows)) if leaving else (np.empty(0, np.int32), np.empty(0))
    tables = (stack.logs, *stack.cells, stack.inverse, stack.smoothing)
    scratch = (np.zeros((3, 1), np.int32), np.zeros((3, 1), np.int32), np.zeros(3, np.intp), np.zeros(3, np.intp))
    ways = (codes, *left, 0, rows, 6.0, *scratch, np.zeros((4, 3)), np.zeros((rows, 3)))
    slots = np.array(SLOTS, np.intp)
    *_, found, _ = assert_same("deep", "sum_out", program, begins, slots, *tables, *ways, rtol=1e-12)
    if leaving:
        return
    p = [np.exp(stack.log(k)) for k in range(3)]  # b | a; c | b, a; a
    for i, (a, b, c) in enumerate(codes.T):
        as_ = [a] if a or not (b or c) else range(1, 3)
        bs = [b] if b or not c else range(1, 4)
        if len(as_) * len(bs) > 1:
            total = sum(p[0][x, y] * p[1][y, x, c] * p[2][x] for x in as_ for y in bs)
            likely = total > 1e-250
            np.testing.assert_allclose(found[i][likely], np.log(total[likely]), rtol=1e-9, atol=1e-9)
