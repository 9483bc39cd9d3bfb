"""Encoded rows: panels of few rows side by side, columns found again, rows taken."""

import numpy as np
import pytest

from bayesfold.data import batch as module
from bayesfold.data.batch import Batch, Panel, side_by_side


@pytest.mark.parametrize(
    ("few", "panels"),
    [(8, [("a", "b"), ("c",), ("x",)]), (4, [("a",), ("b",), ("c",), ("x",)]), (100, [("a", "b", "c"), ("x",)])],
)
def test_columns_of_few_rows_stand_side_by_side(few, panels, monkeypatch):
    monkeypatch.setattr(module, "FEW", few)
    columns = {name: np.arange(4) + i for i, name in enumerate("abc")} | {"x": np.linspace(0, 1, 4)}
    found = [*side_by_side([*columns.items()], 4)]
    assert [panel.names for panel in found] == panels
    for panel in found:
        assert panel.values.shape == (4, len(panel.names))
        for j, name in enumerate(panel.names):
            assert panel.values[:, j].tolist() == columns[name].tolist()


def batch(**more):
    codes = Panel(("a", "b"), np.array([[1, 2], [3, 4], [5, 6]], np.uint8), shift=1)
    reals = Panel(("x",), np.array([[0.5], [1.5], [2.5]]))
    block = Panel(("w",), np.eye(3))
    return Batch(3, (codes,), (reals,), (block,), **more)


def test_columns_are_found_with_their_shift():
    rows = batch()
    assert rows.column("b").tolist() == [3, 5, 7]
    assert rows.column("x").tolist() == [0.5, 1.5, 2.5]
    assert rows.column("w").tolist() == np.eye(3).tolist()
    assert rows.place("b") == (rows.codes[0], 1)
    assert rows.weights.tolist() == [1.0, 1.0, 1.0]
    assert rows.weighing() is rows


def test_rows_are_taken_with_all_that_is_theirs():
    rows = batch(labels=np.array([1, 2, 1], np.int32), weight=np.array([0.5, 0.0, 2.0]), copies=True)
    for chosen in (np.array([2, 0]), np.array([True, False, True])):
        some = rows.take(chosen)
        order = [2, 0] if chosen.dtype != bool else [0, 2]
        assert some.rows == 2
        assert some.copies
        assert some.column("a").tolist() == [[2, 4, 6][i] for i in order]
        assert some.column("x").tolist() == [[0.5, 1.5, 2.5][i] for i in order]
        assert some.column("w").tolist() == np.eye(3)[order].tolist()
        assert some.labels.tolist() == [1, 1]
        assert some.weight.tolist() == [[0.5, 0.0, 2.0][i] for i in order]
    assert rows.weighing().rows == 2
    assert batch().take(np.array([0])).labels is None
