"""Nodes as records: whatever the leaves, their parts stand side by side and cover everything once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data.encodings import Categories
from bayesfold.data.graph import Node
from bayesfold.data.schema import Schema
from bayesfold.families.m_estimate import MEstimate
from bayesfold.models.scoring.parent_nodes import Leaves, ParentNode, compile_program, order_parents_first
from bayesfold.models.scoring.parent_tables import MOST_PROGRAMS, ParentTables
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally

NAMES = ("a", "b", "c")
SCHEMA = Schema(Categories("y", ("p", "q")), tuple(Categories(n, tuple("uvwx"[: i + 1])) for i, n in enumerate(NAMES)))
LAYOUT = Layout(
    SCHEMA,
    tuple(Clique((*keys, "y")) for keys in ((), "a", "b", "c", "ab", "ac", "bc", "abc")),
)


@given(st.lists(st.permutations(NAMES).flatmap(lambda p: st.sampled_from([tuple(p[:m]) for m in (1, 2, 3)]))))
def test_records_lead_to_each_cell(columns):
    leaves = [ParentNode(c[-1], c[:-1], tuple(NAMES.index(n) for n in c), 1.0, len(c) == 1) for c in columns]
    program, begins, (rows, cells, totals) = compile_program(LAYOUT, Leaves.of(leaves))
    width, row, cell, total = SCHEMA.target.slots, 0, 0, 0
    for leaf, at in zip(leaves, begins, strict=True):
        keys = (*sorted((*leaf.parents, leaf.name)), "y")
        shape, m = [SCHEMA.axis(k) for k in keys], len(leaf.parents)
        steps = {k: int(np.prod(shape[i + 1 :])) for i, k in enumerate(keys)}
        slots = SCHEMA.axis(leaf.name)
        first = LAYOUT.offsets[Clique(keys)][0]
        head = [leaf.columns[-1], slots, steps[leaf.name], m, leaf.root, first, row]
        assert program[at : at + 11].tolist() == [*head, cell, total, cell + slots, total + 1]
        cell, total, many = cell + slots + slots * width, total + 1 + width, 1
        for k, parent in enumerate(leaf.parents):
            own = program[at + 11 + 5 * k : at + 16 + 5 * k].tolist()
            assert own == [leaf.columns[k], SCHEMA.axis(parent), steps[parent], cell, total]
            many *= SCHEMA.axis(parent)
            cell, total = cell + many * slots * width, total + many * width
        row += many * slots
    assert (rows, cells, totals) == (row, cell, total)


def test_the_last_programs_of_a_layout_are_kept():
    tally = Tally.zero(SCHEMA, LAYOUT.cliques)
    every = [Leaves.of([ParentNode("b", ("a",), (0, 1))]) for _ in range(MOST_PROGRAMS + 3)]
    programs = [ParentTables(tally, leaves, {"b": MEstimate()}).program for leaves in every]
    assert len(tally.layout.plans["programs"]) == MOST_PROGRAMS
    assert ParentTables(tally, every[-1], {"b": MEstimate()}).program is programs[-1]
    again = ParentTables(tally, every[0], {"b": MEstimate()}).program
    assert again is not programs[0]
    np.testing.assert_array_equal(again[0], programs[0][0])


def test_parents_come_before_their_children():
    leaves = [ParentNode("a", ("b",), (1, 0)), ParentNode("b", ("c",), (2, 1)), ParentNode("c", (), (2,))]
    assert order_parents_first(Leaves.of(leaves), range(3)) == [2, 1, 0]


@given(
    st.lists(st.permutations(NAMES).flatmap(lambda p: st.sampled_from([tuple(p[:m]) for m in (1, 2, 3)]))), st.data()
)
def test_leaves_as_arrays_are_the_leaves_that_were_given(columns, data):
    nodes = [
        ParentNode(c[-1], c[:-1], tuple(NAMES.index(n) for n in c), 0.5 + i, len(c) == 1) for i, c in enumerate(columns)
    ]
    leaves = Leaves.of(nodes)
    assert [*leaves] == nodes
    assert leaves[1:] == nodes[1:]
    assert leaves.child.tolist() == [node.columns[-1] for node in nodes]
    assert leaves.parents_of_each.tolist() == [len(node.parents) for node in nodes]
    assert [*leaves.children] == [n for n in NAMES if n in {node.name for node in nodes}]
    at = np.array(data.draw(st.lists(st.integers(0, max(len(nodes) - 1, 0)), max_size=5 if nodes else 0)), np.intp)
    assert [*leaves.take(at)] == [nodes[k] for k in at]
    twice = leaves.with_powers(2 * leaves.powers)
    assert [*twice] == [node._replace(power=2 * node.power) for node in nodes]


def test_leaves_of_nodes_are_those_of_each_node():
    nodes = (Node(("y", "b")), Node(("a",), ("b", "y"), 2.0), Node(("c",), ("a", "b", "y")))
    assert [*Leaves.of_nodes(nodes)] == [
        ParentNode("b", (), (0,), root=True),
        ParentNode("a", ("b",), (0, 1), 2.0),
        ParentNode("c", ("a", "b"), (1, 0, 2)),
    ]
    assert [*Leaves.alone(("a", "b"))] == [ParentNode("a", (), (0,)), ParentNode("b", (), (1,))]
    assert len(Leaves.of_nodes(())) == len(Leaves.of([])) == 0
