"""Rows left out of tables with one parent: as the loop over all kinds of tables says, and as its own source."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same
from tests.kernels.scoring.test_deep import rows_of, stack_of

from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.kernels.scoring import deep
from bayesfold.models.scoring import parent_tables
from bayesfold.models.scoring.parent_nodes import ParentNode
from bayesfold.models.scoring.parent_tables import LeftOutRows

LEAVES = [
    ParentNode("a", (), (0,), root=True),
    ParentNode("b", ("a",), (0, 1)),
    ParentNode("c", ("a",), (0, 2)),
    ParentNode("c", (), (2,), root=True),
    ParentNode("a", ("c",), (2, 0)),
    ParentNode("b", ("c",), (2, 1)),
]
NETWORKS = np.array([0, 3, 6], np.intp)


@pytest.fixture(autouse=True, scope="module")
def _also_few_rows():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parent_tables, "FEW", 0)
        yield


def by_all_kinds(stack, codes, left):
    """What `deep.left_out` says."""
    out = np.empty((2, codes.shape[1], 3))
    program, begins, _ = stack.program
    tables = (*stack.cells, stack.inverse, stack.smoothing)
    rows = (codes, codes, left.own, left.weight, 0, codes.shape[1])
    deep.left_out(program, begins, NETWORKS, stack.powers, *tables, *rows, np.empty((2, 3)), out)
    return out


@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(1, 30),
    weighted=st.booleans(),
    known=st.booleans(),
    m=st.sampled_from([0.5, 2.0]),
)
def test_one_parent_says_what_any_number_of_parents_says(seed, rows, weighted, known, m):
    """Also where a child or its parent is missing, and of a row that is in no table; row by row, and cell by cell."""
    codes, batch = rows_of(seed, rows, weighted)
    stack = stack_of(batch, MEstimate(m, 3.0 * m), LEAVES)
    own = batch.labels.copy()
    own[0] = own[0] if known else 0
    left = LeftOutRows(own, np.where(own > 0, batch.weights, 0.0))
    assert stack._one_parent is not None
    said = stack.left_out(NETWORKS, codes, codes, left, 0, rows)
    np.testing.assert_allclose(said, by_all_kinds(stack, codes, left), rtol=1e-13, atol=1e-13)


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 8), weighted=st.booleans())
def test_compiled_as_in_the_source(seed, rows, weighted):
    codes, batch = rows_of(seed, rows, weighted)
    stack = stack_of(batch, MEstimate(1.0, 2.0), LEAVES)
    program, begins, _ = stack.program
    tables = (*stack.cells, stack.inverse, stack.smoothing)
    asked = (codes, batch.labels, batch.weights, 0, rows)
    alone = np.zeros((3, rows, 3))
    assert_same("one_parent", "by_class", program, begins, stack._one_parent, *tables, *asked, alone)
    scratch, out, starts = np.zeros((rows, 3)), np.zeros((2, rows, 3)), np.array([0, 3, 7, 10], np.intp)
    by_value = np.zeros((10, 2, 3))
    assert_same("one_parent", "by_value", program, begins, stack._one_parent, *tables, 1.0, starts, by_value)
    by_value = np.random.default_rng(seed).uniform(1e-200, 1.0, by_value.shape) ** 40
    asked_by_value = (codes, batch.labels, 1.0, 0, rows, starts, by_value, np.zeros(12 * 2 * 3))
    every = (program, begins, NETWORKS, *tables, *asked_by_value, scratch, out)
    assert_same("one_parent", "look_up", *every, rtol=1e-15)
    alone = np.random.default_rng(seed).uniform(1e-200, 1.0, alone.shape) ** 40  # products that have to be put away
    assert_same("one_parent", "left_out", program, begins, NETWORKS, *tables, *asked, alone, scratch, out, rtol=1e-15)


@pytest.mark.parametrize(
    ("leaves", "family"),
    [
        (LEAVES, Categorical(1.0)),
        (LEAVES, MEstimate(0.0, 1.0)),
        ([*LEAVES[:2], LEAVES[2]._replace(power=0.5)], MEstimate()),
        ([*LEAVES[:2], ParentNode("c", ("b", "a"), (1, 0, 2))], MEstimate()),
    ],
)
def test_exponents_more_parents_and_tables_without_pseudo_rows_take_the_other_loop(leaves, family):
    _, batch = rows_of(1, 9, False)
    assert stack_of(batch, family, leaves)._one_parent is None


@pytest.mark.parametrize("weighted", [False, True])
def test_many_small_probabilities_do_not_vanish(weighted):
    """Hundreds of columns of a class that has hardly a row with these values; cell by cell, and row by row."""
    codes, batch = rows_of(3, 12, weighted)
    leaves = [LEAVES[0], *[LEAVES[1], LEAVES[2]] * 400]
    stack = stack_of(batch, MEstimate(1e-4, 1e-4), leaves)
    left = LeftOutRows(batch.labels, batch.weights)
    said = stack.left_out(np.array([0, len(leaves)], np.intp), codes, codes, left, 0, 12)
    first = stack.left_out(np.array([0, 1, 2, 3], np.intp), codes, codes, left, 0, 12)
    np.testing.assert_allclose(said[0], first[0] + 400 * (first[1] + first[2]), rtol=1e-11)
    assert said.min() < -750
