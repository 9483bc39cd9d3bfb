"""Where the cells of a tally stand."""

import numpy as np
import pytest

from bayesfold.data.encodings import Categories, Real
from bayesfold.data.schema import Schema
from bayesfold.tally.layout import Clique, Layout, TooLargeError

SCHEMA = Schema(Categories("y", ("p", "q")), (Categories("a", ("u", "v")),))


def test_layouts_are_equal_whatever_was_worked_out_for_them() -> None:
    one, other = (Layout(SCHEMA, (Clique(("a", "y")),)) for _ in range(2))
    one.plans["kept"] = 1
    assert one == other
    assert one != Layout(SCHEMA, (Clique(("y",)),))
    assert "kept" not in repr(one)


def test_tables_stand_one_after_another_with_their_sums() -> None:
    schema = Schema(Categories("y", ("p", "q")), (Categories("a", ("u", "v")), Real("t")))
    cliques = Clique(("y",)), Clique(("a", "y")), Clique(("y",), ("t",), 2), Clique(("a",))
    layout = Layout(schema, cliques)
    assert layout.offsets == dict(zip(cliques, [(0, 0), (3, 0), (12, 0), (15, 6)], strict=True))
    assert layout.firsts == {("y",): 0, ("a", "y"): 3, ("a",): 15}
    assert layout.size == (18, 6)


def test_a_table_of_more_cells_than_a_machine_can_number_is_refused() -> None:
    wide = [Categories(name, tuple(range(100_000))) for name in "abcd"]
    layout = Layout(Schema(Categories("y"), tuple(wide)), (Clique((*"abcd", "y")),))
    assert layout.size[0] == 100_001**4
    with pytest.raises(TooLargeError, match="a x b x c x d x y"):
        layout.check()


def test_the_first_cells_of_pairs_are_found_in_any_order_of_the_columns() -> None:
    tables = tuple(Categories(n, tuple("uvw"[: i + 1])) for i, n in enumerate("abc"))
    schema = Schema(Categories("y", ("p", "q")), (*tables, Real("t")))
    keys = (("c", "y"), ("a", "c", "y"), ("y",), ("a", "b"), ("a", "y"), ("a", "b", "c", "y"), ("b", "c", "y"), ("a",))
    layout = Layout(schema, (Clique(("y",), ("t",), 1), *map(Clique, keys)))
    own, other = np.array([1, 0, 2, 2, 0]), np.array([0, 1, 0, -1, -1])
    expected = [("b", "c", "y"), ("b", "c", "y"), ("a", "c", "y"), ("a", "y"), ("c", "y")]
    assert layout.first_cells(("c", "b", "a"), own, other).tolist() == [layout.firsts[k] for k in expected]
    for names, pair in ((("a", "b"), (0, 1)), (("a", "z"), (0, 1)), (("a", "z"), (1, -1))):
        with pytest.raises(KeyError):
            layout.first_cells(names, *(np.array([place]) for place in pair))
