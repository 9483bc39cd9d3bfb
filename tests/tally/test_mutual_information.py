"""Mutual information of tables, by its definition."""

import numpy as np
import pytest

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique
from bayesfold.tally.mutual_information import of_tables, with_class

TABLE = np.array([[3.0, 1.0, 0.0], [2.0, 2.0, 4.0]])


@pytest.mark.parametrize("unit", [1.0, 1e-3, 1e-200, 1e300])
def test_it_is_the_sum_of_p_log_p_over_the_product_of_the_margins_whatever_a_row_weighs(unit: float) -> None:
    p = TABLE / 12
    expected = sum(
        p[i, j] * np.log(p[i, j] / (p[i].sum() * p[:, j].sum())) for i in range(2) for j in range(3) if p[i, j]
    )
    assert of_tables(unit * TABLE[None])[0] == pytest.approx(expected, rel=1e-12)


def test_tables_without_rows_tell_nothing() -> None:
    assert of_tables(np.zeros((1, 2, 3))).tolist() == [0.0]


def test_a_column_of_very_many_levels_tells_as_much_beside_others_as_alone() -> None:
    draw = np.random.default_rng(0)
    many, few = tuple(range(300)), ("u", "v")
    names = ("id", *(f"c{i}" for i in range(20)))
    schema = Schema(
        Categories("y", ("p", "q")), (Categories("id", many), *(Categories(name, few) for name in names[1:]))
    )
    table = {"id": draw.integers(0, 300, 400).tolist()} | {name: draw.choice(few, 400).tolist() for name in names[1:]}
    tally = count(
        schema,
        tuple(Clique((name, "y")) for name in names),
        schema.encode(Frame.of(table), draw.choice(["p", "q"], 400)),
    )
    together = with_class(tally, names)
    assert together.shape == (21,)
    alone = np.array([with_class(tally, (name,))[0] for name in names])
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    assert together[0] == together.max()
    assert with_class(tally, ()).tolist() == []
